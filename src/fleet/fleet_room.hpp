#pragma once
#include <vector>

#include "fleet/purchase.hpp"
#include "fleet/question.hpp"

namespace bayplan::fleet {

/// What fleets hold all in all against what all tasks take: a fleet with too little need not be tried.
class FleetRoom {
 public:
  FleetRoom(const Market& market, const Question& question);

  /// No resource falls short in sum.
  bool may_hold_all(const Purchases& purchases) const;

 private:
  std::size_t dimensions_;
  packing::Amounts wanted_{};                ///< Less what stands already.
  std::vector<packing::Amounts> per_offer_;  ///< Of one instance; the most of its bin types.
};

}  // namespace bayplan::fleet
