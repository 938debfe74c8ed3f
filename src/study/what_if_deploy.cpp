#include "study/what_if_deploy.hpp"

#include <algorithm>

#include "placement/redeploy.hpp"
#include "study/variant_events.hpp"
#include "study/what_if.hpp"
#include "timeline/simulate.hpp"
#include "timeline/verify.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else
using timeline::Deployment;
using timeline::History;

namespace {

constexpr Seconds kMinute = 60;

/// The scenario as one that runs: nobody launches instances, and what has no count takes nothing.
Scenario over_time(const Scenario& scenario) {
  Scenario running = scenario;
  running.timetable.has_time = true;
  running.managed_providers.clear();
  for (std::uint32_t i = 0; i < running.workloads.size(); ++i) {
    if (running.workloads[i].count) continue;
    running.workloads[i].count = 0;
    std::erase_if(running.calls, [&](const Call& call) { return call.workload == i; });
  }
  return running;
}

/// A whole minute after which nothing happens any more.
Seconds settled_at(const History& history) {
  const Seconds last = history.events.empty() ? 0 : history.events.back().at;
  return (last / kMinute + 1) * kMinute;
}

/// What the variant's events make of the scenario, and when that has settled.
Seconds add_settling(Scenario& scenario, const Variant& variant) {
  const History before = timeline::simulate(scenario);
  const Seconds at = settled_at(before);
  if (variant.events.empty()) return at;
  auto calls = add_events(scenario, before, variant.events, at);
  Seconds settled = std::max(at, settled_at(timeline::simulate(scenario)));
  if (calls.empty()) return settled;
  for (auto& call : calls) call.start_at = settled;
  scenario.calls.insert(scenario.calls.end(), calls.begin(), calls.end());
  return std::max(settled, settled_at(timeline::simulate(scenario)));
}

void add_deployments(Scenario& scenario, const Variant& variant, Seconds at) {
  for (const auto& deployment : variant.deployments) {
    UpdateService update;
    update.service = service_with(scenario.timetable, deployment.workload);
    update.workload = add_deployment(scenario, deployment.workload, deployment.task_definition);
    scenario.timetable.events.push_back({at, update, variant.origin});
  }
}

/// Index into History::deployments.
std::uint32_t deployment_with(const History& history, std::uint32_t workload) {
  const auto found = std::find_if(history.deployments.begin(), history.deployments.end(),
                                  [&](const Deployment& one) { return one.workload == workload; });
  return static_cast<std::uint32_t>(found - history.deployments.begin());
}

/// The deployment of the service before that one.
std::uint32_t workload_before(const History& history, std::uint32_t deployment) {
  const auto service = history.deployments[deployment].service;
  while (history.deployments[--deployment].service != service) {
  }
  return history.deployments[deployment].workload;
}

}  // namespace

std::vector<DeploymentResult> read_deployments(const Scenario& scenario, const History& history, std::size_t count) {
  std::vector<DeploymentResult> results;
  for (auto workload = scenario.workloads.size() - count; workload < scenario.workloads.size(); ++workload) {
    const auto deployment = deployment_with(history, static_cast<std::uint32_t>(workload));
    if (deployment == history.deployments.size()) continue;  // the run ended before
    results.push_back({deployment, workload_before(history, deployment), course_of(scenario, history, deployment)});
  }
  return results;
}

bool DeployedVariant::finishes() const {
  return std::all_of(deployments.begin(), deployments.end(), [&](const DeploymentResult& one) {
    return history.deployments[one.deployment].state == Deployment::State::kCompleted;
  });
}

DeployedVariant deploy(const Scenario& scenario, const Variant& variant) {
  DeployedVariant deployed;
  Scenario running = over_time(variant.changes.empty() ? scenario : with_changes(scenario, variant.changes));
  deployed.deployed_at = add_settling(running, variant);
  add_deployments(running, variant, deployed.deployed_at);
  deployed.scenario = std::make_unique<const Scenario>(std::move(running));
  deployed.history = timeline::simulate(*deployed.scenario);
  deployed.mistakes = timeline::verify(*deployed.scenario, deployed.history);
  if (!deployed.mistakes.empty()) return deployed;
  deployed.deployments = read_deployments(*deployed.scenario, deployed.history, variant.deployments.size());
  deployed.held = held_deployments(*deployed.scenario, deployed.history);
  return deployed;
}

}  // namespace bayplan::study
