#include "study/whatif/rollout.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "study/simulation/starting_tasks.hpp"
#include "timeline/simulate.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else
using timeline::Deployment;
using timeline::History;
using timeline::kNoIndex;

namespace {

/// Events and instances of the history times trials, over all deployments.
constexpr std::size_t kEffort = 20'000'000;
/// Instances of one type that are added at most, as in fleet --deployable.
constexpr std::int64_t kMostMore = 20;
/// Old and new tasks side by side.
constexpr std::int64_t kMaxPercent = 200;

/// An alarm, a hook or a person who stops it is no lack that a change of the scenario makes good.
bool is_held(const Deployment& deployment) {
  const bool is_for_tasks = deployment.failure == timeline::DeploymentFailure::kCircuitBreaker ||
                            deployment.failure == timeline::DeploymentFailure::kStageLimit;
  return deployment.is_stuck || (deployment.state == Deployment::State::kFailed && is_for_tasks);
}

/// When everything has settled apart from the deployments that begin at `deployed_at` or later.
Seconds settled_without_deployments(Scenario scenario, Seconds deployed_at) {
  std::erase_if(scenario.timetable.events, [&](const TimedEvent& one) { return one.at >= deployed_at; });
  return settled_at(timeline::simulate(scenario));
}

std::int64_t count_held(const History& history) {
  return std::count_if(history.deployments.begin(), history.deployments.end(), is_held);
}

std::int64_t count_failed_tasks(const History& history) {
  return std::count_if(history.tasks.begin(), history.tasks.end(), [](const auto& task) { return task.failed; });
}

/// Profiles of the cluster that take tasks, the cheapest first. A managed group launches its own instances.
std::vector<std::uint32_t> profiles_to_add(const Scenario& scenario) {
  std::set<std::string_view> managed;
  for (const auto& group : scenario.timetable.groups) {
    if (group.is_managed) managed.insert(group.capacity_provider);
  }
  std::vector<std::uint32_t> profiles;
  for (std::uint32_t i = 0; i < scenario.profiles.size(); ++i) {
    const auto& profile = scenario.profiles[i];
    if (profile.status != InstanceStatus::kActive || !profile.agent_connected) continue;
    if (!managed.contains(profile.capacity_provider_name)) profiles.push_back(i);
  }
  return cheapest_profiles(scenario, std::move(profiles));
}

}  // namespace

Seconds settled_at(const History& history) {
  constexpr Seconds kMinute = 60;
  const Seconds last = history.events.empty() ? 0 : history.events.back().at;
  return (last / kMinute + 1) * kMinute;
}

namespace {

/// Looks for the changes that let one deployment finish.
class RolloutSearch {
 public:
  RolloutSearch(const Scenario& scenario, const History& history, std::uint32_t deployment,
                std::optional<Seconds> deployed_at, std::size_t& effort)
      : scenario_(scenario),
        history_(history),
        deployment_(history.deployments[deployment]),
        workload_(scenario.workloads[deployment_.workload]),
        deployed_at_(deployed_at),
        effort_(effort) {
    held_.deployment = deployment;
    held_.terms = timeline::service_terms_at(scenario, deployment_.service, given_up_at());
    if (!deployment_.stages.empty())
      held_.side_by_side = timeline::settings_at(scenario, deployment_.service, deployment_.started_at).name();
    find_holdup();
  }

  BlockedDeployment run() && {
    if (held_.blocker == DeploymentBlocker::kTasksEnd) return std::move(held_);
    if (!held_.side_by_side.empty()) {
      try_ports();
      try_more_instances();
      if (held_.side_by_side != "CODE_DEPLOY") offer(SetRolling{deployment_.service});
      return std::move(held_);
    }
    try_minimum();
    try_maximum();
    if (held_.blocker == DeploymentBlocker::kNoPlace) {
      try_ports();
      try_instances();
    }
    return std::move(held_);
  }

 private:
  Seconds given_up_at() const { return deployment_.ended_at.value_or(history_.end); }

  void find_holdup() {
    held_.blocker = deployment_.is_stuck ? DeploymentBlocker::kHealthyPercents : DeploymentBlocker::kTasksEnd;
    for (const auto& task : history_.tasks) {
      if (task.stopped_at.value_or(given_up_at()) < given_up_at()) continue;
      if (task.deployment == held_.deployment) {
        note_new(task);
      } else if (task.placed_at && is_older(task) && is_of_service(task)) {
        ++held_.old_tasks;
      }
    }
    // A breaker that opened while some tasks ended and others had no place: the place is what a change can give.
    if (held_.without_place > 0) held_.blocker = DeploymentBlocker::kNoPlace;
  }

  /// A rollback takes over the tasks of the deployment that it goes back to, which were there before it.
  bool is_older(const timeline::Task& task) const {
    if (task.deployment == kNoIndex || task.deployment < held_.deployment) return true;
    return task.deployment != held_.deployment && *task.placed_at < given_up_at();
  }

  bool is_of_service(const timeline::Task& task) const {
    return timeline::service_of(scenario_, history_, task) == deployment_.service;
  }

  void note_new(const timeline::Task& task) {
    if (task.placed_at || task.failure == kNoIndex) return;
    if (held_.without_place++ > 0) return;
    held_.failure = history_.failures[*task.failure].same_as.value_or(*task.failure);
  }

  /// How long the deployment takes with the change; nothing when it does not finish, or another fares worse.
  std::optional<Seconds> time_with(const ScenarioChange& change) {
    auto scenario = with_change(scenario_, change);
    const auto takes = time_in(scenario);
    // With the change, tasks may leave a DRAINING instance before the deployment begins, and take what it seems to
    // have.
    if (!takes || !deployed_at_ || !has_tasks_to_leave(scenario_)) return takes;
    if (!pay()) return std::nullopt;
    const Seconds settled = settled_without_deployments(scenario, *deployed_at_);
    if (settled <= *deployed_at_) return takes;
    for (auto& event : scenario.timetable.events) {
      if (event.at >= *deployed_at_) event.at += settled - *deployed_at_;
    }
    return time_in(scenario);
  }

  /// False when no effort is left for another simulation.
  bool pay() {
    const std::size_t cost = history_.events.size() + history_.instances.size();
    held_.exhausted |= cost > effort_;
    if (held_.exhausted) return false;
    effort_ -= cost;
    return true;
  }

  /// How long the deployment takes in a changed scenario; nothing as in `time_with`.
  std::optional<Seconds> time_in(const Scenario& scenario) {
    if (!pay()) return std::nullopt;
    const History changed = timeline::simulate(scenario);
    if (!changed.errors.empty() || count_held(changed) >= count_held(history_) ||
        count_failed_tasks(changed) > count_failed_tasks(history_))
      return std::nullopt;
    for (const auto& other : changed.deployments) {
      const bool is_it = other.service == deployment_.service && other.workload == deployment_.workload;
      if (is_it && other.state == Deployment::State::kCompleted) return *other.ended_at - other.started_at;
    }
    return std::nullopt;
  }

  bool offer(ScenarioChange change, std::optional<MicroUsd> hourly_cost = 0) {
    const auto takes = time_with(change);
    if (takes) held_.remedies.push_back({.change = std::move(change), .hourly_cost = hourly_cost, .takes = *takes});
    return takes.has_value();
  }

  /// The percentage nearest to `fails` that works, when `works` does.
  template <typename Set>
  void offer_nearest(std::int64_t works, std::int64_t fails) {
    const auto change = [&](std::int64_t percent) { return Set{deployment_.service, percent}; };
    if (!time_with(change(works))) return;
    while (std::abs(works - fails) > 1) {
      const std::int64_t middle = (works + fails) / 2;
      (time_with(change(middle)) ? works : fails) = middle;
      if (held_.exhausted) return;
    }
    offer(change(works));
  }

  void try_minimum() {
    const auto percent = held_.terms.minimum_healthy_percent;
    if (percent > 0) offer_nearest<SetMinimumHealthyPercent>(0, percent);
  }

  /// Tries only values that ECS accepts: 100 for a daemon (BAY1110); else 100 or more, and not 100 with a
  /// minimumHealthyPercent of 100 (BAY1118).
  void try_maximum() {
    if (workload_.kind == WorkloadKind::kDaemon) return;
    const std::int64_t refused = held_.terms.minimum_healthy_percent >= 100 ? 100 : 99;
    const auto percent = std::max(held_.terms.maximum_percent, refused);
    if (percent < kMaxPercent) offer_nearest<SetMaximumPercent>(kMaxPercent, percent);
  }

  /// Fixed host ports become dynamic, which bridge mode alone allows.
  void try_ports() {
    const auto& task = workload_.requirement;
    const auto& definition = scenario_.task_definitions[workload_.task_definition].definition;
    if (history_.failures[*held_.failure].rejected.of(Check::kPorts) == 0) return;
    if (definition.effective_network_mode() == "host") return;
    ChangePorts change{deployment_.workload, {}};
    for (const auto port : task.tcp_ports) change.ports.push_back({false, port, 0});
    for (const auto port : task.udp_ports) change.ports.push_back({true, port, 0});
    offer(std::move(change));
  }

  void try_instances() {
    for (const auto index : profiles_to_add(scenario_)) {
      const auto& profile = scenario_.profiles[index];
      if (offer(one_more(new_instance_like(profile)), profile.hourly_price)) return;
    }
    // Tasks that leave a DRAINING instance come first: the deployment gets what they do not take.
    if (deployed_at_ && has_tasks_to_leave(scenario_)) try_more_instances();
  }

  /// All new tasks run at the same time as the old ones, so one instance is often too few: the cheapest number of one
  /// type.
  void try_more_instances() {
    std::optional<Remedy> best;
    for (const auto index : profiles_to_add(scenario_)) {
      const auto& profile = scenario_.profiles[index];
      const auto price = profile.hourly_price;
      for (std::int64_t count = 1; count <= kMostMore; ++count) {
        if (best && (!price || !best->hourly_cost || *price * count >= *best->hourly_cost)) break;
        auto change = one_more(new_instance_like(profile));
        for (std::int64_t i = 2; i <= count; ++i)
          change.instances.push_back({std::string(kAddedInstance) + "#" + std::to_string(i), 0});
        const auto takes = time_with(change);
        if (held_.exhausted) break;
        if (!takes) continue;
        const auto cost = price ? std::optional(*price * count) : std::nullopt;
        best = Remedy{.change = std::move(change), .hourly_cost = cost, .takes = *takes};
        break;
      }
    }
    if (best) held_.remedies.push_back(std::move(*best));
  }

  const Scenario& scenario_;
  const History& history_;
  const Deployment& deployment_;
  const Workload& workload_;
  std::optional<Seconds> deployed_at_;
  std::size_t& effort_;
  BlockedDeployment held_;
};

}  // namespace

std::vector<BlockedDeployment> find_blocked_deployments(const Scenario& scenario, const History& history,
                                                        std::optional<Seconds> deployed_at) {
  std::vector<BlockedDeployment> all;
  std::size_t effort = kEffort;
  for (std::uint32_t i = 0; i < history.deployments.size(); ++i) {
    if (is_held(history.deployments[i])) all.push_back(RolloutSearch(scenario, history, i, deployed_at, effort).run());
  }
  return all;
}

}  // namespace bayplan::study
