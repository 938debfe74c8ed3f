#include "study/dry_run/call_failures.hpp"

#include "placement/explain/ecs_words.hpp"

namespace bayplan::study {

std::string_view instance_name(const placement::Scenario& scenario, std::uint32_t instance) {
  const auto& one = scenario.instances[instance];
  const auto& arn = scenario.profiles[one.profile].arn;
  return arn.empty() ? one.id : arn;
}

std::vector<CallFailure> call_failures(const placement::Scenario& scenario, const placement::Outcome& outcome) {
  std::vector<CallFailure> failures;
  for (const auto& failure : outcome.failures) {
    if (failure.same_as || placement::is_provisioning(scenario, failure)) continue;
    for (const auto& entry : placement::api_failures(scenario, failure)) {
      const auto arn = entry.instance ? instance_name(scenario, *entry.instance) : std::string_view();
      failures.push_back({std::string(arn), entry.reason});
    }
  }
  return failures;
}

}  // namespace bayplan::study
