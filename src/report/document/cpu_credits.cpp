#include "report/document/cpu_credits.hpp"

#include <set>
#include <string>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "fleet/offers/cpu_credits.hpp"
#include "report/document/figures.hpp"

namespace bayplan::report {

using placement::Scenario;

std::optional<Assumption> uncounted_credits(const Scenario& scenario,
                                            const std::vector<placement::InstanceState>& states) {
  const auto terms = fleet::credit_terms(scenario.profiles, scenario.region, kHundredPercent);
  if (terms.rates.empty()) return std::nullopt;
  MicroUsd sum = 0;
  std::int64_t instances = 0;
  std::set<std::string> types;
  for (std::size_t i = 0; i < states.size() && i < scenario.instances.size(); ++i) {
    const auto& profile = scenario.profiles[scenario.instances[i].profile];
    const auto credits = fleet::surplus_credits(terms, profile, profile.cpu - states[i].cpu);
    if (credits == 0) continue;
    sum += credits;
    ++instances;
    types.insert(profile.instance_type);
  }
  if (sum == 0) return std::nullopt;
  return Assumption{
      "cpu-credits-not-counted", join({types.begin(), types.end()}, ", "),
      fmt::format("the tasks on {} reserve more CPU than the price covers: the cost does not include surplus CPU "
                  "credits of up to ${}/h",
                  count_of(instances, "burstable instance"), usd(sum))};
}

std::optional<Assumption> uncounted_credits(const Scenario& scenario) {
  const auto terms = fleet::credit_terms(scenario.profiles, scenario.region, kHundredPercent);
  std::int64_t instances = 0;
  std::set<std::string> types;
  for (const auto& instance : scenario.instances) {
    const auto& profile = scenario.profiles[instance.profile];
    if (fleet::find_rate(terms, profile) == nullptr) continue;
    ++instances;
    types.insert(profile.instance_type);
  }
  if (instances == 0) return std::nullopt;
  return Assumption{
      "cpu-credits-not-counted", join({types.begin(), types.end()}, ", "),
      fmt::format("the costs do not include surplus CPU credits of {}, which cost extra above the baseline",
                  count_of(instances, "burstable instance"))};
}

}  // namespace bayplan::report
