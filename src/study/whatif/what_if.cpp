#include "study/whatif/what_if.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <set>

#include "placement/engine/engine.hpp"
#include "placement/explain/ecs_words.hpp"
#include "placement/verify/verify.hpp"
#include "study/simulation/cluster_simulation.hpp"
#include "study/simulation/simulation_check.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

bool has_open_count(const Scenario& scenario) {
  return std::any_of(scenario.workloads.begin(), scenario.workloads.end(), [](const Workload& w) { return !w.count; });
}

/// Workloads without a count are asked for their room afterwards.
std::unique_ptr<const Scenario> with_counts(const Scenario& scenario) {
  if (!has_open_count(scenario)) return nullptr;
  auto counted = std::make_unique<Scenario>(scenario);
  for (auto& workload : counted->workloads) workload.count = workload.count.value_or(0);
  return counted;
}

std::string find_reason(const Failure* failure) {
  if (failure == nullptr || !failure->closest) return "none";
  return reason_text(find_rejection(*failure, *failure->closest)->failed.first());
}

/// The unplaced tasks of one name by reason, in the order in which the reasons come up.
using Reasons = std::vector<std::pair<std::string, std::int64_t>>;

void add_reason(Reasons& reasons, const std::string& reason, std::int64_t count) {
  const auto known = std::find_if(reasons.begin(), reasons.end(), [&](const auto& own) { return own.first == reason; });
  if (known == reasons.end()) {
    reasons.emplace_back(reason, count);
  } else {
    known->second += count;
  }
}

/// A task without a place, and why; `why` may be null. The name gets the failure of its first.
void add_unplaced(NameResult& name, const std::string& reason, const Failure* why) {
  add_reason(name.reasons, reason, 1);
  if (!name.failure && why != nullptr) name.failure = *why;
}

/// Figures of one name, apart from why its tasks have no place.
NameResult figures_of(const ClusterSimulation& cluster, std::uint32_t index) {
  const auto& figures = cluster.figures(index);
  const auto& workload = cluster.first_workload(index);
  NameResult name;
  name.name = workload.name;
  name.is_service = workload.kind == WorkloadKind::kService;
  name.desired = figures.desired;
  name.before = cluster.figures_before(index).placed;
  name.after = figures.placed;
  name.held = figures.held;
  name.stays = figures.stays;
  name.moves = figures.moves;
  return name;
}

std::vector<NameResult> figures_of_names(const ClusterSimulation& cluster) {
  std::vector<NameResult> names;
  for (std::uint32_t i = 0; i < cluster.names(); ++i) names.push_back(figures_of(cluster, i));
  return names;
}

/// Where the tasks are: the zones of each name, and the draining instances that services do not leave.
void note_places(const ClusterSimulation& cluster, VariantResult& result) {
  const auto& scenario = cluster.scenario();
  const auto profiles = scenario.profiles.size();
  std::set<std::uint32_t> held;
  std::vector<char> is_noted(cluster.names() * profiles);  // by name and profile: its zone
  std::vector<std::set<std::string>> zones(cluster.names());
  for (const auto& task : cluster.tasks()) {
    if (task.instance == kNoInstance) continue;
    const bool is_service = scenario.workloads[task.workload].kind == WorkloadKind::kService;
    if (is_service && cluster.has_draining_status(*task.instance)) {
      held.insert(*task.instance);
      continue;
    }
    const std::uint32_t name = cluster.name_of(task.workload);
    const std::uint32_t profile = scenario.instances[*task.instance].profile;
    if (is_noted[name * profiles + profile] != 0) continue;
    is_noted[name * profiles + profile] = 1;
    zones[name].insert(scenario.profiles[profile].availability_zone);
  }
  for (std::uint32_t i = 0; i < cluster.names(); ++i) result.names[i].zones.assign(zones[i].begin(), zones[i].end());
  for (const std::uint32_t instance : held) result.held_drains.push_back(scenario.instances[instance].id);
}

/// What is held and was not tried has no reason but that, unless others of the name have one. Returns its tasks.
std::int64_t add_held_reason(NameResult& name) {
  std::int64_t untried = name.unplaced();
  for (const auto& [reason, count] : name.reasons) untried -= count;
  if (untried <= 0) return 0;
  add_reason(name.reasons, "held", untried);
  return untried;
}

/// The figures of the whole cluster, once those of its names are known. `ties`: of the first placement and since.
void add_totals(ClusterSimulation& cluster, std::int64_t ties, VariantResult& result) {
  auto& summary = result.summary;
  const DaemonCounts daemons = cluster.daemons();
  summary.placed = daemons.started;
  summary.unplaced += daemons.failed;
  summary.ties = ties;
  for (auto& name : result.names) {
    summary.unplaced += add_held_reason(name);
    summary.placed += name.after + name.held;
    result.moves += name.moves;
  }
  const auto& scenario = cluster.scenario();
  add_cluster(scenario, cluster.occupancy().states(), cluster.occupancy().standing(), summary);
  for (std::uint32_t i = 0; i < scenario.workloads.size(); ++i) {
    const auto& workload = scenario.workloads[i];
    if (!workload.count) result.room.push_back({workload.name, cluster.room_for(i)});
  }
}

/// The cluster before any event.
VariantResult report_baseline(ClusterSimulation& cluster, const Outcome& outcome) {
  VariantResult result;
  result.names = figures_of_names(cluster);
  note_places(cluster, result);
  for (const auto& failure : outcome.failures) {
    const OptionalIndex name = cluster.find_name(failure.attempt.workload);
    if (!name) continue;
    const Failure& why = explained(outcome, failure);
    auto& own = result.names[*name];
    const bool is_first = !own.failure;
    add_unplaced(own, find_reason(&why), &why);
    if (is_first) own.failure->attempt = failure.attempt;
    ++(is_provisioning(cluster.scenario(), failure) ? result.summary.provisioning : result.summary.unplaced);
  }
  const auto ties = std::count_if(outcome.placements.begin(), outcome.placements.end(),
                                  [](const Placement& placement) { return placement.tied; });
  add_totals(cluster, ties, result);
  result.facts = outcome.facts;
  return result;
}

/// The cluster after events that were explained.
VariantResult report_variant(ClusterSimulation& cluster, const VariantResult& baseline) {
  VariantResult result;
  result.names = figures_of_names(cluster);
  note_places(cluster, result);
  for (std::uint32_t index = 0; index < cluster.tasks().size(); ++index) {
    const auto& task = cluster.tasks()[index];
    if (task.instance != kNoInstance || task.is_removed) continue;
    const Failure* why = cluster.find_failure(index);
    const auto reason = cluster.is_unknown(task) ? "definition not described" : find_reason(why);
    add_unplaced(result.names[cluster.name_of(task.workload)], reason, why);
    ++(cluster.is_managed(task.task_class) ? result.summary.provisioning : result.summary.unplaced);
  }
  for (const std::uint32_t index : cluster.moved_tasks()) {
    const auto& task = cluster.tasks()[index];
    result.names[cluster.name_of(task.workload)].moved_to.push_back(*task.instance);
  }
  for (auto& name : result.names) {
    std::sort(name.moved_to.begin(), name.moved_to.end());
    name.moved_to.erase(std::unique(name.moved_to.begin(), name.moved_to.end()), name.moved_to.end());
  }
  for (std::uint32_t i = 0; i < cluster.base_instances(); ++i) {
    if (cluster.occupancy().is_gone(i)) result.gone.push_back(i);
  }
  add_totals(cluster, baseline.summary.ties + cluster.ties(), result);
  result.facts = baseline.facts;
  if (cluster.has_lost_standalone()) {
    result.assumptions.push_back({"standalone-tasks-run-again", "",
                                  "ECS starts no task of RunTask again; here its owner does, after the services"});
  }
  return result;
}

}  // namespace

std::int64_t VariantResult::unplaced() const {
  std::int64_t sum = 0;
  for (const auto& name : names) sum += name.unplaced();
  return sum;
}

std::int64_t VariantResult::held() const {
  std::int64_t sum = 0;
  for (const auto& name : names) sum += name.held;
  return sum;
}

const NameResult* VariantResult::find(const NameResult& name) const {
  const auto found = std::find_if(names.begin(), names.end(), [&](const NameResult& one) {
    return one.name == name.name && one.is_service == name.is_service;
  });
  return found == names.end() ? nullptr : &*found;
}

std::int64_t VariantResult::unplaced(const NameResult& name) const {
  const auto* found = find(name);
  return found == nullptr ? 0 : found->unplaced();
}

std::int64_t VariantResult::held(const NameResult& name) const {
  const auto* found = find(name);
  return found == nullptr ? 0 : found->held;
}

std::int64_t VariantResult::more_lacking(const NameResult& name) const {
  const auto* found = find(name);
  return name.lacks_more_than(found == nullptr ? NameResult() : *found);
}

std::int64_t NameResult::lacks_more_than(const NameResult& other) const {
  return std::max(unplaced() - other.unplaced(), not_running() - other.not_running());
}

class WhatIf::State {
 public:
  explicit State(const Scenario& scenario, const Outcome* placed = nullptr)
      : given_(scenario),
        counted_(with_counts(scenario)),
        outcome_(counted_            ? place(*counted_)
                 : placed != nullptr ? *placed
                                     : place(scenario)),
        cluster_(scenario, outcome_),
        baseline_(report_baseline(cluster_, outcome_)) {
    baseline_.scenario = cluster_.scenario().workloads.size() == scenario.workloads.size()
                             ? std::shared_ptr<const Scenario>(std::shared_ptr<const Scenario>(), &scenario)
                             : std::make_shared<const Scenario>(cluster_.scenario());
    unplaced_ = baseline_.unplaced();
    held_ = baseline_.held();
  }

  const Scenario& given() const { return given_; }
  const VariantResult& baseline() const { return baseline_; }

  Effect effect(const std::vector<InstantEvent>& events) {
    cluster_.apply(events, false);
    Effect effect{unplaced_, held_, 0, {}};
    for (const std::uint32_t name : cluster_.touched_names()) {
      const auto& now = cluster_.figures(name);
      const auto& before = cluster_.figures_before(name);
      effect.unplaced += now.unplaced() - before.unplaced();
      effect.held += now.held - before.held;
      effect.moves += now.moves;
      if (const auto more = now.lacks_more_than(before); more > 0) effect.worse.emplace_back(name, more);
    }
    cluster_.rollback();
    return effect;
  }

  VariantResult evaluate(const std::vector<InstantEvent>& events) {
    cluster_.apply(events, true);
    check();
    auto result = report_variant(cluster_, baseline_);
    result.scenario =
        cluster_.changes_instances() ? std::make_shared<const Scenario>(cluster_.scenario()) : baseline_.scenario;
    cluster_.rollback();
    return result;
  }

  const std::vector<std::string>& mistakes() {
    if (!is_verified_) {
      auto own = verify(counted_ ? *counted_ : given_, outcome_);
      mistakes_.insert(mistakes_.begin(), own.begin(), own.end());
    }
    is_verified_ = true;
    return mistakes_;
  }
  void add_mistakes(const std::vector<std::string>& more) {
    mistakes_.insert(mistakes_.end(), more.begin(), more.end());
  }

 private:
  /// Checks only the first of very many variants.
  void check() {
    constexpr std::size_t kMaxLookedAt = 1'000'000;  // tasks and instances
    looked_at_ += cluster_.tasks().size() + cluster_.scenario().instances.size();
    if (looked_at_ <= kMaxLookedAt) add_mistakes(find_mismatches(cluster_, outcome_));
  }

  const Scenario& given_;
  std::unique_ptr<const Scenario> counted_;  ///< Replaces the scenario if some workloads have no count.
  Outcome outcome_;
  ClusterSimulation cluster_;
  VariantResult baseline_;
  std::int64_t unplaced_ = 0;
  std::int64_t held_ = 0;
  std::vector<std::string> mistakes_;
  bool is_verified_ = false;
  std::size_t looked_at_ = 0;
};

WhatIf::WhatIf(const Scenario& scenario, const Outcome* placed) : state_(std::make_unique<State>(scenario, placed)) {}
WhatIf::~WhatIf() = default;

const VariantResult& WhatIf::baseline() const {
  return state_->baseline();
}

Effect WhatIf::effect(const Variant& variant) {
  assert(variant.changes.empty());
  return state_->effect(variant.events);
}

VariantResult WhatIf::evaluate(const Variant& variant) {
  if (variant.changes.empty()) return state_->evaluate(variant.events);
  struct Anew {
    Anew(const Scenario& given, const Variant& changes)
        : scenario(with_changes(given, changes.changes)), state(scenario) {}
    Scenario scenario;
    State state;
    std::shared_ptr<const Scenario> result;  ///< One of the state's own, or one without another owner.
  };
  const auto anew = std::make_shared<Anew>(state_->given(), variant);
  auto result = variant.events.empty() ? anew->state.baseline() : anew->state.evaluate(variant.events);
  state_->add_mistakes(anew->state.mistakes());
  std::map<std::pair<std::string_view, bool>, std::int64_t> before;
  for (const auto& name : baseline().names) before[{name.name, name.is_service}] = name.before;
  for (auto& name : result.names) name.before = before[{name.name, name.is_service}];
  anew->result = std::move(result.scenario);
  result.scenario = std::shared_ptr<const Scenario>(anew, anew->result.get());
  return result;
}

const std::vector<std::string>& WhatIf::mistakes() const {
  return state_->mistakes();
}

}  // namespace bayplan::study
