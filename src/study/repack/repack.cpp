#include "study/repack/repack.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "placement/engine/engine.hpp"
#include "placement/explain/ecs_words.hpp"
#include "placement/verify/verify.hpp"
#include "study/repack/repack_check.hpp"
#include "study/repack/repack_limit.hpp"
#include "study/repack/repack_search.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

using Zones = std::vector<std::set<std::string>>;  ///< One entry per name.

Zones list_zones(const ClusterSimulation& cluster) {
  Zones zones(cluster.names());
  const auto& scenario = cluster.scenario();
  for (const auto& task : cluster.tasks()) {
    if (task.instance == kNoInstance) continue;
    const auto& zone = scenario.profiles[scenario.instances[*task.instance].profile].availability_zone;
    if (!zone.empty()) zones[cluster.name_of(task.workload)].insert(zone);
  }
  return zones;
}

/// Every check that keeps the task off an instance, in the order of the checks: "RESOURCE:PORTS, MemberOf".
std::string reasons_of(const Failure& failure) {
  std::string reasons;
  for (std::size_t i = 0; i < failure.rejected.by_check.size(); ++i) {
    const auto check = static_cast<Check>(i);
    if (failure.rejected.by_check[i] == 0 || check == Check::kStatus) continue;
    auto reason = reason_text(check);
    if (reason.find(" placement constraint") != std::string::npos) reason.resize(reason.find(' '));
    reasons += (reasons.empty() ? "" : ", ") + reason;
  }
  return reasons;
}

std::vector<RepackName> list_names(const ClusterSimulation& cluster) {
  const Zones zones = list_zones(cluster);
  std::vector<RepackName> names;
  for (std::uint32_t i = 0; i < cluster.names(); ++i) {
    const auto& workload = cluster.first_workload(i);
    const auto& figures = cluster.figures(i);
    RepackName& name = names.emplace_back();
    name.workload = cluster.first_workload_of(i);
    name.name = workload.name;
    name.is_service = workload.kind == WorkloadKind::kService;
    name.desired = figures.desired;
    name.placed = figures.placed + figures.held;  // what is held on a DRAINING instance runs on
    const timeline::ServiceTerms terms{figures.desired, workload.minimum_healthy_percent, workload.maximum_percent};
    name.must_run = name.is_service ? terms.lower() : 0;
    name.zones_before.assign(zones[i].begin(), zones[i].end());
  }
  return names;
}

/// Whether each service can deploy its definition again, alone: by name; nothing where that is not tried.
std::vector<std::optional<bool>> try_deployments(ClusterSimulation& cluster, const std::vector<RepackName>& names) {
  std::vector<std::optional<bool>> deploys(names.size());
  std::int64_t tasks = 0;
  for (const auto& name : names) tasks += name.is_service ? name.desired : 0;
  if (tasks > kMostDeployedTasks) return deploys;
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    if (!names[i].is_service) continue;
    const auto* settings = settings_of(cluster.scenario().timetable, names[i].workload);
    cluster.apply({}, false, names[i].workload);
    const auto& now = cluster.figures(i);
    const bool keeps_old = settings != nullptr && settings->runs_both();
    deploys[i] = now.placed == now.desired && (now.held == 0 || keeps_old);
    cluster.rollback();
  }
  return deploys;
}

ServiceTaskTransition transition_of(const ClusterSimulation& cluster, std::uint32_t index, std::uint32_t instance,
                                    bool is_start) {
  const auto& task = cluster.tasks()[index];
  ServiceTaskTransition transition;
  transition.is_start = is_start;
  transition.workload = task.workload;
  transition.number = task.number;
  transition.ran_before = task.running != kNone && !task.is_started;
  if (transition.ran_before) transition.running = *task.running;
  transition.instance = instance;
  if (is_start) {
    transition.capacity_provider = cluster.occupancy().classes().find_provider(task.task_class);
    transition.gpus = task.gpus;
  }
  return transition;
}

/// Drains instances and leaves them drained. Nothing if they cannot go. Counts what moves and ends in `names`.
std::optional<RepackStep> follow_step(Drains& drains, const std::vector<std::uint32_t>& instances,
                                      std::vector<RepackName>& names) {
  ClusterSimulation& cluster = drains.cluster();
  const Scenario& scenario = cluster.scenario();
  RepackStep step;
  step.instances = instances;
  std::sort(step.instances.begin(), step.instances.end());

  // RunTask tasks end before the instance can go: they are noted while they still run.
  for (const std::uint32_t instance : step.instances) {
    step.saving += scenario.profiles[scenario.instances[instance].profile].hourly_price.value_or(0);
    std::map<std::uint32_t, std::int64_t> ends;  // by name
    for (const std::uint32_t index : cluster.tasks_on(instance)) {
      const auto workload = cluster.tasks()[index].workload;
      if (scenario.workloads[workload].kind == WorkloadKind::kService) continue;
      ++ends[cluster.name_of(workload)];
      step.transitions.push_back(transition_of(cluster, index, instance, false));
    }
    for (const auto& end : ends) {
      names[end.first].ended += end.second;
      const auto known =
          std::find_if(step.ends.begin(), step.ends.end(), [&](const auto& own) { return own.name == end.first; });
      known == step.ends.end() ? step.ends.push_back({end.first, end.second, {}}) : void(known->count += end.second);
    }
  }
  if (!drains.attempt(instances).is_possible()) return std::nullopt;

  std::map<std::uint32_t, NameMoves> moves;
  for (const std::uint32_t name : cluster.touched_names()) {
    const auto count = cluster.figures(name).moves;
    if (count > 0) moves[name] = {name, count, {}};
  }
  for (const auto& motion : cluster.transitions()) {
    step.transitions.push_back(transition_of(cluster, motion.task, motion.instance, motion.is_start));
    const auto own = moves.find(cluster.name_of(cluster.tasks()[motion.task].workload));
    if (motion.is_start && own != moves.end()) own->second.moved_to.push_back(motion.instance);
  }
  for (auto& [name, own] : moves) {
    std::sort(own.moved_to.begin(), own.moved_to.end());
    own.moved_to.erase(std::unique(own.moved_to.begin(), own.moved_to.end()), own.moved_to.end());
    names[name].moves += own.count;
    step.moved += own.count;
    step.moves.push_back(std::move(own));
  }
  drains.commit();
  return step;
}

/// The steps before the first one that saves too little for what it moves. Leaves the drains as they were.
DrainSteps steps_above(Drains& drains, const DrainSteps& steps, const RepackPlan& plan, double min_ratio) {
  DrainSteps kept;
  for (const auto& instances : steps) {
    const auto trial = drains.attempt(instances);
    if (!trial.is_possible()) break;
    RepackStep step;
    step.moved = trial.moves;
    for (const std::uint32_t instance : instances)
      step.saving += plan.scenario->profiles[plan.scenario->instances[instance].profile].hourly_price.value_or(0);
    const auto ratio = shares_of(plan, step).value_or(StepShares()).ratio();
    if (ratio && *ratio < min_ratio) break;
    drains.commit();
    kept.push_back(instances);
  }
  drains.rollback();
  drains.revert_all();
  return kept;
}

/// Groups the remaining instances by what keeps them. Leaves the last attempt applied.
std::vector<StayingInstances> list_staying(Drains& drains, const RepackRequest& request) {
  const ClusterSimulation& cluster = drains.cluster();
  const RepackCandidates& candidates = drains.candidates();
  std::map<std::tuple<StayReason, OptionalIndex, std::string>, StayingInstances> groups;
  for (const std::uint32_t instance : cluster.occupancy().standing()) {
    StayingInstances own;
    if (const auto* blocked = candidates.blocked(instance)) {
      own = *blocked;
    } else {
      const auto trial = drains.attempt({instance});
      const bool has_moves_left = !request.max_moves || drains.moves() + trial.moves <= *request.max_moves;
      const bool is_ended_by_ratio = request.min_ratio && has_moves_left;
      own.why = trial.why.value_or(is_ended_by_ratio ? StayReason::kMinRatio : StayReason::kMaxMoves);
      if (trial.name) own.name = *trial.name;
      if (own.why == StayReason::kMinSize) own.subject = candidates.provider_of_group(*candidates.group_of(instance));
    }
    auto& group = groups[{own.why, own.name ? OptionalIndex(*own.name) : kNone, own.subject}];
    own.instances = std::move(group.instances);
    own.instances.push_back(instance);
    group = std::move(own);
  }
  // Why the tasks of the name cannot be placed is that of the first instance's first task.
  const auto find_reason = [&](const StayingInstances& group) -> std::string {
    drains.attempt({group.instances.front()}, true);
    for (std::uint32_t index = 0; index < cluster.tasks().size(); ++index) {
      const auto& task = cluster.tasks()[index];
      if (task.instance != kNoInstance || task.is_removed || cluster.name_of(task.workload) != group.name) continue;
      if (const auto* failure = cluster.find_failure(index)) return reasons_of(*failure);
    }
    return {};
  };
  std::vector<StayingInstances> staying;
  for (auto& [key, group] : groups) {
    if (group.why == StayReason::kNoPlace) group.reason = find_reason(group);
    staying.push_back(std::move(group));
  }
  std::stable_sort(staying.begin(), staying.end(), [](const StayingInstances& a, const StayingInstances& b) {
    return std::pair(a.why, b.instances.size()) < std::pair(b.why, a.instances.size());
  });
  return staying;
}

Summary summary_of(const ClusterSimulation& cluster) {
  Summary summary;
  add_cluster(cluster.scenario(), cluster.occupancy().states(), cluster.occupancy().standing(), summary);
  return summary;
}

}  // namespace

std::int64_t RepackPlan::without_place() const {
  std::int64_t sum = 0;
  for (const auto& name : names) sum += name.desired - name.placed;
  return sum;
}

std::int64_t RepackPlan::service_tasks() const {
  std::int64_t sum = 0;
  for (const auto& name : names) sum += name.is_service ? name.placed : 0;
  return sum;
}

std::optional<StepShares> shares_of(const RepackPlan& plan, const RepackStep& step) {
  if (plan.before.hourly_cost.value_or(0) <= 0) return std::nullopt;
  StepShares shares;
  shares.saved = static_cast<double>(step.saving) / static_cast<double>(*plan.before.hourly_cost);
  if (step.moved > 0) shares.moved = static_cast<double>(step.moved) / static_cast<double>(plan.service_tasks());
  return shares;
}

void check_limit(RepackPlan& plan) {
  if (!plan.limit || plan.saving <= plan.limit->saving) return;
  plan.withdrawn.emplace_back("repack: the plan saves more than any can");
  plan.limit.reset();
  plan.is_best = false;
}

RepackPlan repack(const Scenario& scenario, const RepackRequest& request) {
  const auto outcome = place(scenario);
  ClusterSimulation cluster(scenario, outcome);
  RepackPlan plan;
  plan.scenario = std::make_shared<const Scenario>(cluster.scenario());
  plan.mistakes = verify(scenario, outcome);
  plan.facts = outcome.facts;
  plan.before = summary_of(cluster);

  const RepackCandidates candidates(cluster, request);
  const WeightLimit limit = find_limit(cluster, candidates);
  Drains drains(cluster, candidates, request);
  DrainChoice choice = find_drains(drains, request, limit.weight, scenario.seed);
  plan.names = list_names(cluster);
  if (request.min_ratio) choice.steps = steps_above(drains, choice.steps, plan, *request.min_ratio);

  // The steps are followed once more, and the plan says what happens in each of them.
  if (!choice.steps.empty()) {
    const auto deploys = try_deployments(cluster, plan.names);
    for (std::size_t i = 0; i < plan.names.size(); ++i) plan.names[i].deploys_before = deploys[i];
  }
  for (const auto& instances : choice.steps) {
    for (const std::uint32_t instance : instances) {
      const auto& profile = plan.scenario->profiles[plan.scenario->instances[instance].profile];
      if (!profile.hourly_price) plan.unpriced.push_back(profile.instance_type);
    }
    plan.instances += std::ssize(instances);
    auto step = follow_step(drains, instances, plan.names);
    if (!step) {
      plan.mistakes.emplace_back("repack: a step of the plan cannot be followed");
      continue;
    }
    plan.saving += step->saving;
    plan.moves += step->moved;
    plan.steps.push_back(std::move(*step));
  }
  if (!choice.steps.empty()) {
    const auto deploys = try_deployments(cluster, plan.names);
    for (std::size_t i = 0; i < plan.names.size(); ++i) plan.names[i].deploys_after = deploys[i];
  }
  const Zones zones = list_zones(cluster);
  for (std::size_t i = 0; i < plan.names.size(); ++i)
    plan.names[i].zones_after.assign(zones[i].begin(), zones[i].end());
  plan.after = summary_of(cluster);
  plan.staying = list_staying(drains, request);
  drains.rollback();
  std::sort(plan.unpriced.begin(), plan.unpriced.end());
  plan.unpriced.erase(std::unique(plan.unpriced.begin(), plan.unpriced.end()), plan.unpriced.end());

  // Weights are prices only where every instance that could go has one.
  const auto free = candidates.free();
  if (std::all_of(free.begin(), free.end(), [&](std::uint32_t instance) { return candidates.is_priced(instance); })) {
    plan.limit = {limit.weight, limit.instances, limit.binds};
    plan.is_best = plan.saving == limit.weight;
  }
  auto more = check_repack(plan, request, outcome);
  check_limit(plan);
  plan.mistakes.insert(plan.mistakes.end(), more.begin(), more.end());
  return plan;
}

}  // namespace bayplan::study
