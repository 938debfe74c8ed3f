#pragma once
#include <optional>
#include <vector>

#include "fleet/recommended/fill_fleet.hpp"
#include "packing/effort.hpp"

namespace bayplan::fleet {

/// What to buy for tasks that have no place in a fleet.
class TopUp {
 public:
  /// All must outlive it. Constraints of the policy are kept.
  TopUp(const Market& market, const Question& question, const FillRequest& request, const Policy& policy);

  /// Instances that hold this many tasks of each workload, within what the fleet leaves of limits and quotas; nothing
  /// when those are too tight. `effort` is spent, not heeded.
  std::optional<Purchases> for_tasks(const std::vector<std::int64_t>& tasks, const Purchases& fleet,
                                     packing::Effort& effort) const;

  /// The cheapest found for all tasks of the question from some offers alone. `is_offered`: by offer. Nothing where
  /// some task has no place on them.
  std::optional<Purchases> for_all(const std::vector<bool>& is_offered) const;

 private:
  std::optional<Purchases> packed(const std::vector<std::int64_t>& tasks, const std::vector<std::int64_t>& room,
                                  const Purchases& fleet, std::int64_t effort_limit, packing::Effort& effort) const;
  std::size_t bin_of(std::uint32_t offer) const;
  bool allows(std::uint32_t workload, std::uint32_t bin) const;

  const Market& market_;
  const Question& question_;
  const FillRequest& request_;
  const Policy& policy_;
  std::vector<std::vector<std::uint32_t>> shapes_of_;  ///< One entry per workload.
};

}  // namespace bayplan::fleet
