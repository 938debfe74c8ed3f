#include "timeline/deployment_terms.hpp"

namespace bayplan::timeline {

using placement::Scenario;

ServiceTerms service_terms_at(const Scenario& scenario, std::uint32_t service, Seconds at) {
  const auto& plan = scenario.timetable.services[service];
  const auto& workload = scenario.workloads[plan.workload];
  ServiceTerms terms{plan.desired_count, workload.minimum_healthy_percent, workload.maximum_percent};
  for (const auto& timed : scenario.timetable.events) {
    const auto* update = std::get_if<placement::UpdateService>(&timed.event);
    if (update == nullptr || update->service != service || timed.at > at) continue;
    terms.desired = update->desired_count.value_or(terms.desired);
    terms.minimum_healthy_percent = update->minimum_healthy_percent.value_or(terms.minimum_healthy_percent);
    terms.maximum_percent = update->maximum_percent.value_or(terms.maximum_percent);
  }
  return terms;
}

const model::DeploymentSettings& settings_at(const Scenario& scenario, std::uint32_t service, Seconds at) {
  const auto* settings = &scenario.timetable.services[service].settings;
  for (const auto& timed : scenario.timetable.events) {
    const auto* update = std::get_if<placement::UpdateService>(&timed.event);
    if (update != nullptr && update->service == service && timed.at <= at && update->settings)
      settings = &*update->settings;
  }
  return *settings;
}

std::optional<std::uint32_t> service_of(const Scenario& scenario, const History& history, const Task& task) {
  if (task.deployment != kNoIndex) return history.deployments[*task.deployment].service;
  if (task.running == kNoIndex) return std::nullopt;
  const auto& services = scenario.timetable.services;
  for (std::uint32_t i = 0; i < services.size(); ++i) {
    if (scenario.workloads[services[i].workload].group == scenario.running[*task.running].group) return i;
  }
  return std::nullopt;
}

}  // namespace bayplan::timeline
