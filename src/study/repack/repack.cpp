#include "study/repack/repack.hpp"

#include <algorithm>
#include <map>
#include <set>

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

/// Follows the steps once more and notes what happens in the plan.
class PlanReporter {
 public:
  PlanReporter(Drains& drains, RepackPlan& plan) : drains_(drains), cluster_(drains.cluster()), plan_(plan) {}

  void names() {
    const auto zones = list_zones(cluster_);
    for (std::uint32_t i = 0; i < cluster_.names(); ++i) {
      const auto& workload = cluster_.first_workload(i);
      const auto& figures = cluster_.figures(i);
      RepackName name;
      name.workload = cluster_.first_workload_of(i);
      name.name = workload.name;
      name.is_service = workload.kind == WorkloadKind::kService;
      name.desired = figures.desired;
      name.placed = figures.placed;
      const timeline::ServiceTerms terms{figures.desired, workload.minimum_healthy_percent, workload.maximum_percent};
      name.must_run = name.is_service ? terms.lower() : 0;
      name.zones_before.assign(zones[i].begin(), zones[i].end());
      plan_.names.push_back(std::move(name));
    }
  }

  void follow(const DrainSteps& steps) {
    if (!steps.empty()) try_deployments(&RepackName::deploys_before);
    for (const auto& instances : steps) follow(instances);
    if (!steps.empty()) try_deployments(&RepackName::deploys_after);
    const auto zones = list_zones(cluster_);
    for (std::uint32_t i = 0; i < cluster_.names(); ++i)
      plan_.names[i].zones_after.assign(zones[i].begin(), zones[i].end());
  }

  /// Groups the remaining instances by what keeps them.
  void staying() {
    std::map<std::tuple<StayReason, OptionalIndex, std::string>, StayingInstances> groups;
    for (const std::uint32_t instance : cluster_.occupancy().standing()) {
      auto own = why_it_stays(instance);
      auto& group = groups[{own.why, own.name ? OptionalIndex(*own.name) : kNone, own.subject}];
      own.instances = std::move(group.instances);
      own.instances.push_back(instance);
      group = std::move(own);
    }
    for (auto& [key, group] : groups) {
      if (group.why == StayReason::kNoPlace) group.reason = find_reason(group);
      plan_.staying.push_back(std::move(group));
    }
    std::stable_sort(plan_.staying.begin(), plan_.staying.end(),
                     [](const StayingInstances& a, const StayingInstances& b) {
                       return std::pair(a.why, b.instances.size()) < std::pair(b.why, a.instances.size());
                     });
  }

 private:
  /// Each service deploys its definition again, alone.
  void try_deployments(std::optional<bool> RepackName::*result) {
    std::int64_t tasks = 0;
    for (const auto& name : plan_.names) tasks += name.is_service ? name.desired : 0;
    if (tasks > kMostDeployedTasks) return;
    for (std::uint32_t i = 0; i < plan_.names.size(); ++i) {
      auto& name = plan_.names[i];
      if (!name.is_service) continue;
      const auto* settings = settings_of(cluster_.scenario().timetable, name.workload);
      cluster_.apply({}, false, name.workload);
      const auto& now = cluster_.figures(i);
      const bool keeps_old = settings != nullptr && settings->runs_both();
      name.*result = now.placed == now.desired && (now.held == 0 || keeps_old);
      cluster_.rollback();
    }
  }

  void follow(const std::vector<std::uint32_t>& instances) {
    RepackStep step;
    step.instances = instances;
    std::sort(step.instances.begin(), step.instances.end());
    for (const std::uint32_t instance : step.instances) give_back(instance, step);
    const auto trial = drains_.attempt(instances);
    if (!trial.is_possible())
      return plan_.mistakes.emplace_back("repack: a step of the plan cannot be followed"), void();
    note_moves(step);
    drains_.commit();
    plan_.moves += step.moved;
    plan_.steps.push_back(std::move(step));
  }

  void give_back(std::uint32_t instance, RepackStep& step) {
    const auto& scenario = cluster_.scenario();
    const auto& profile = scenario.profiles[scenario.instances[instance].profile];
    ++plan_.instances;
    if (profile.hourly_price) {
      step.saving += *profile.hourly_price;
      plan_.saving += *profile.hourly_price;
    } else {
      plan_.unpriced.push_back(profile.instance_type);
    }
    std::map<std::uint32_t, std::int64_t> ends;
    for (const std::uint32_t index : cluster_.tasks_on(instance)) {
      const auto& task = cluster_.tasks()[index];
      if (scenario.workloads[task.workload].kind == WorkloadKind::kService) continue;
      ++ends[cluster_.name_of(task.workload)];
      note(index, instance, false, step);
    }
    for (const auto& end : ends) {
      const auto name = end.first;
      const auto count = end.second;
      plan_.names[name].ended += count;
      const auto known =
          std::find_if(step.ends.begin(), step.ends.end(), [&](const auto& own) { return own.name == name; });
      known == step.ends.end() ? step.ends.push_back({name, count, {}}) : void(known->count += count);
    }
  }

  void note_moves(RepackStep& step) {
    std::map<std::uint32_t, NameMoves> moves;
    for (const std::uint32_t name : cluster_.touched_names()) {
      const auto count = cluster_.figures(name).moves;
      if (count > 0) moves[name] = {name, count, {}};
    }
    for (const auto& motion : cluster_.transitions()) {
      note(motion.task, motion.instance, motion.is_start, step);
      const auto own = moves.find(cluster_.name_of(cluster_.tasks()[motion.task].workload));
      if (motion.is_start && own != moves.end()) own->second.moved_to.push_back(motion.instance);
    }
    for (auto& [name, own] : moves) {
      std::sort(own.moved_to.begin(), own.moved_to.end());
      own.moved_to.erase(std::unique(own.moved_to.begin(), own.moved_to.end()), own.moved_to.end());
      plan_.names[name].moves += own.count;
      step.moved += own.count;
      step.moves.push_back(std::move(own));
    }
  }

  void note(std::uint32_t index, std::uint32_t instance, bool is_start, RepackStep& step) {
    const auto& task = cluster_.tasks()[index];
    ServiceTaskTransition motion;
    motion.is_start = is_start;
    motion.workload = task.workload;
    motion.number = task.number;
    motion.ran_before = task.running != kNone && !task.is_started;
    if (motion.ran_before) motion.running = *task.running;
    motion.instance = instance;
    if (is_start) {
      motion.capacity_provider = cluster_.occupancy().classes().find_provider(task.task_class);
      motion.gpus = task.gpus;
    }
    step.transitions.push_back(std::move(motion));
  }

  StayingInstances why_it_stays(std::uint32_t instance) {
    if (const auto* blocked = drains_.candidates().blocked(instance)) return *blocked;
    const auto trial = drains_.attempt({instance});
    StayingInstances own;
    own.why = trial.why.value_or(StayReason::kMaxMoves);
    if (trial.name) own.name = *trial.name;
    if (own.why == StayReason::kMinSize)
      own.subject = drains_.candidates().provider_of_group(*drains_.candidates().group_of(instance));
    return own;
  }

  /// Why the first instance's task of the name cannot be placed.
  std::string find_reason(const StayingInstances& group) {
    drains_.attempt({group.instances.front()}, true);
    for (std::uint32_t index = 0; index < cluster_.tasks().size(); ++index) {
      const auto& task = cluster_.tasks()[index];
      if (task.instance != kNoInstance || task.is_removed || cluster_.name_of(task.workload) != group.name) continue;
      const auto* failure = cluster_.find_failure(index);
      if (failure != nullptr) return reasons_of(*failure);
    }
    return {};
  }

  Drains& drains_;
  ClusterSimulation& cluster_;
  RepackPlan& plan_;
};

void summarize(const ClusterSimulation& cluster, Summary& summary) {
  add_cluster(cluster.scenario(), cluster.occupancy().states(), cluster.occupancy().standing(), summary);
}

void note_limit(const WeightLimit& limit, const RepackCandidates& candidates, RepackPlan& plan) {
  for (const std::uint32_t instance : candidates.free()) {
    if (!candidates.is_priced(instance)) return;
  }
  plan.limit = {limit.weight, limit.instances, limit.binds};
  plan.is_best = plan.saving == limit.weight;
}

}  // namespace

std::int64_t RepackPlan::without_place() const {
  std::int64_t sum = 0;
  for (const auto& name : names) sum += name.desired - name.placed;
  return sum;
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
  summarize(cluster, plan.before);
  const RepackCandidates candidates(cluster, request);
  const auto limit = find_limit(cluster, candidates);
  Drains drains(cluster, candidates, request);
  const auto choice = DrainSearch(drains, request, limit.weight, scenario.seed).run();
  PlanReporter reporter(drains, plan);
  reporter.names();
  reporter.follow(choice.steps);
  summarize(cluster, plan.after);
  reporter.staying();
  drains.rollback();
  std::sort(plan.unpriced.begin(), plan.unpriced.end());
  plan.unpriced.erase(std::unique(plan.unpriced.begin(), plan.unpriced.end()), plan.unpriced.end());
  note_limit(limit, candidates, plan);
  auto more = check_repack(plan, request, outcome);
  check_limit(plan);
  plan.mistakes.insert(plan.mistakes.end(), more.begin(), more.end());
  return plan;
}

}  // namespace bayplan::study
