#pragma once
#include <string>
#include <vector>

#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::study {

/// One entry of `failures` in an answer of ECS.
struct CallFailure {
  std::string arn;  ///< ARN of the container instance, or its id if no ARN is known; empty if no instance is meant.
  std::string reason;
  bool operator==(const CallFailure&) const = default;
};

/// The ARN as described, else the id that bayplan gives.
std::string_view instance_name(const placement::Scenario& scenario, std::uint32_t instance);

/// What RunTask answers; tasks that fail for the same reasons are reported once.
std::vector<CallFailure> call_failures(const placement::Scenario& scenario, const placement::Outcome& outcome);

}  // namespace bayplan::study
