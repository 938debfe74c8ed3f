#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "fleet/recommended/fill_fleet.hpp"

namespace bayplan::fleet {

/// Tasks that are all alike, and look at no other task: an instance takes as many of them as it takes alone, in
/// whatever order they are launched and by whatever strategy. A fleet then need not be filled to know what it takes,
/// and no number of tasks is too large.
class EquivalentTasks {
 public:
  /// `tasks`: as `tasks_of` gives them. Not where a cluster is kept, a call is placed as a whole, capacity providers
  /// are dealt to, or a zone may be lost.
  static bool are_equivalent(const placement::Scenario& tasks, const FillRequest& request);

  /// `tasks`: alike; they and the market must outlive this.
  EquivalentTasks(const placement::Scenario& tasks, const Market& market, const FillRequest& request);

  std::uint32_t workload() const { return workload_; }
  /// Tasks that find no place on the fleet.
  std::int64_t left_over(const Purchases& purchases);
  /// Tasks placed so far to find out.
  std::int64_t placed() const { return placed_; }

 private:
  std::int64_t compute_room(const Purchase& purchase);

  const placement::Scenario& tasks_;
  const Market& market_;
  const FillRequest& request_;
  const std::uint32_t workload_;
  std::int64_t placed_ = 0;
  std::map<std::pair<std::uint32_t, std::string>, std::int64_t> room_;  ///< Room on one instance, by offer and zone.
};

}  // namespace bayplan::fleet
