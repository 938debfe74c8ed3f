#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "placement/scenario.hpp"
#include "study/call_failures.hpp"

namespace bayplan::study {

/// One task for each instance that a StartTask call names: nothing is ranked.
class StartTask {
 public:
  /// Leaves of the scenario the instances that are `named` (ids or ARNs of container instances) and makes of its only
  /// workload one for each, in their order, that no other satisfies. What is unknown or INACTIVE fails at once.
  StartTask(placement::Scenario& scenario, const std::vector<std::string_view>& named);

  /// In the order of the call: those that failed at once, then what the placement says of each named instance.
  std::vector<CallFailure> failures(const placement::Scenario& scenario, const placement::Outcome& outcome) const;

  /// Nothing is left to place.
  bool is_empty() const { return instances_.empty(); }

 private:
  std::vector<CallFailure> failed_;
  std::vector<std::uint32_t> instances_;  ///< Of each workload.
};

}  // namespace bayplan::study
