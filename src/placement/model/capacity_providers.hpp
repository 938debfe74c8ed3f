#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/lifetime.hpp"
#include "base/optional_index.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::placement {

/// Name of the provider at a position in the workload's list; empty without a position, or where the list has none
/// there. Views the workload.
std::string_view provider_name(const Workload& workload BAYPLAN_LIFETIME_BOUND, OptionalIndex position);

/// Deals the tasks of one workload to its capacity providers: the base first, then by weight. ECS documents the ratio,
/// not the order: each further task goes to the provider with the smallest (tasks above its base + 1) / weight, ties in
/// list order. The choice is fixed a task; a full provider does not spill over.
class ProviderDistributor {
 public:
  /// `running`: tasks that the workload has on each provider already; empty = none. They count as dealt.
  explicit ProviderDistributor(const std::vector<ProviderShare>& shares, const std::vector<std::int64_t>& running = {});

  /// Index into the shares of the next task's provider; call only when there are shares.
  std::size_t next();

 private:
  const std::vector<ProviderShare>& shares_;
  std::vector<std::int64_t> base_left_;
  std::vector<std::int64_t> above_base_;
};

}  // namespace bayplan::placement
