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

/// Counts the unplaced tasks of one name by reason, in the order in which the reasons come up.
class Reasons {
 public:
  void add(const std::string& reason, std::int64_t count) {
    const auto known = std::find_if(list_.begin(), list_.end(), [&](const auto& own) { return own.first == reason; });
    if (known == list_.end()) {
      list_.emplace_back(reason, count);
    } else {
      known->second += count;
    }
    count_ += count;
  }
  std::int64_t count() const { return count_; }
  std::vector<std::pair<std::string, std::int64_t>> take() { return std::move(list_); }

 private:
  std::vector<std::pair<std::string, std::int64_t>> list_;
  std::int64_t count_ = 0;
};

/// Makes the result of a cluster as it is.
class ResultReporter {
 public:
  explicit ResultReporter(ClusterSimulation& cluster)
      : cluster_(cluster), zones_(cluster.names()), reasons_(cluster.names()), result_() {
    result_.names.resize(cluster.names());
  }

  /// Computes the result after events that were explained.
  VariantResult variant(const VariantResult& baseline) && {
    look_at_tasks();
    for (std::uint32_t task = 0; task < cluster_.tasks().size(); ++task) look_at_reason(task);
    for (const std::uint32_t task : cluster_.moved_tasks()) {
      const auto& own = cluster_.tasks()[task];
      result_.names[cluster_.name_of(own.workload)].moved_to.push_back(*own.instance);
    }
    for (std::uint32_t i = 0; i < cluster_.base_instances(); ++i) {
      if (cluster_.occupancy().is_gone(i)) result_.gone.push_back(i);
    }
    result_.assumptions = baseline.assumptions;
    if (cluster_.has_lost_standalone()) {
      result_.assumptions.push_back({"standalone-tasks-run-again", "",
                                     "ECS starts no task of RunTask again; here its owner does, after the services"});
    }
    return std::move(*this).finish(baseline.summary.ties + cluster_.ties());
  }

  VariantResult baseline(const Outcome& outcome) && {
    look_at_tasks();
    for (const auto& failure : outcome.failures) {
      const OptionalIndex known = cluster_.find_name(failure.attempt.workload);
      if (!known) continue;
      const std::uint32_t name = *known;
      const auto& why = explained(outcome, failure);
      count_failure(is_provisioning(cluster_.scenario(), failure));
      reasons_[name].add(find_reason(&why), 1);
      auto& first = result_.names[name].failure;
      if (first) continue;
      first = why;
      first->attempt = failure.attempt;
    }
    const auto ties = std::count_if(outcome.placements.begin(), outcome.placements.end(),
                                    [](const Placement& placement) { return placement.tied; });
    return std::move(*this).finish(ties);
  }

 private:
  void look_at_tasks() {
    const auto& scenario = cluster_.scenario();
    std::set<std::uint32_t> held;
    std::vector<bool> is_noted(cluster_.names() * scenario.profiles.size());  // by name and profile: its zone
    for (const auto& task : cluster_.tasks()) {
      if (task.instance == kNoInstance) continue;
      const bool is_service = scenario.workloads[task.workload].kind == WorkloadKind::kService;
      if (is_service && cluster_.is_draining(*task.instance)) {
        held.insert(*task.instance);
      } else {
        const std::uint32_t name = cluster_.name_of(task.workload);
        const std::uint32_t profile = scenario.instances[*task.instance].profile;
        auto noted = is_noted[name * scenario.profiles.size() + profile];
        if (!noted) zones_[name].insert(scenario.profiles[profile].availability_zone);
        noted = true;
      }
    }
    for (const std::uint32_t instance : held) result_.held_drains.push_back(scenario.instances[instance].id);
  }

  void look_at_reason(std::uint32_t index) {
    const auto& task = cluster_.tasks()[index];
    if (task.instance != kNoInstance || task.is_removed) return;
    const std::uint32_t name = cluster_.name_of(task.workload);
    const Failure* why = cluster_.find_failure(index);
    count_failure(cluster_.is_managed(task.task_class));
    reasons_[name].add(cluster_.is_unknown(task) ? "definition not described" : find_reason(why), 1);
    auto& first = result_.names[name].failure;
    if (!first && why != nullptr) first = *why;
  }

  void count_failure(bool is_provisioning) {
    ++(is_provisioning ? result_.summary.provisioning : result_.summary.unplaced);
  }

  VariantResult finish(std::int64_t ties) && {
    const DaemonCounts daemons = cluster_.daemons();
    result_.summary.placed = daemons.started;
    result_.summary.unplaced += daemons.failed;
    result_.summary.ties = ties;
    for (std::uint32_t i = 0; i < cluster_.names(); ++i) finish_name(i);
    add_cluster(cluster_.scenario(), cluster_.occupancy().states(), cluster_.occupancy().standing(), result_.summary);
    for (std::uint32_t i = 0; i < cluster_.scenario().workloads.size(); ++i) {
      const auto& workload = cluster_.scenario().workloads[i];
      if (!workload.count) result_.room.push_back({workload.name, cluster_.room_for(i)});
    }
    return std::move(result_);
  }

  /// What is held and was not tried has no reason but that, unless others of the name have one.
  void finish_name(std::uint32_t index) {
    const auto& figures = cluster_.figures(index);
    const auto& workload = cluster_.first_workload(index);
    auto& name = result_.names[index];
    name.name = workload.name;
    name.is_service = workload.kind == WorkloadKind::kService;
    name.desired = figures.desired;
    name.before = cluster_.figures_before(index).placed;
    name.after = figures.placed;
    name.held = figures.held;
    name.stays = figures.stays;
    name.moves = figures.moves;
    std::sort(name.moved_to.begin(), name.moved_to.end());
    name.moved_to.erase(std::unique(name.moved_to.begin(), name.moved_to.end()), name.moved_to.end());
    name.zones.assign(zones_[index].begin(), zones_[index].end());
    const std::int64_t untried = name.unplaced() - reasons_[index].count();
    if (untried > 0) reasons_[index].add("held", untried);
    result_.summary.unplaced += std::max<std::int64_t>(0, untried);
    name.reasons = reasons_[index].take();
    result_.summary.placed += figures.placed + figures.held;
    result_.moves += figures.moves;
  }

  ClusterSimulation& cluster_;
  std::vector<std::set<std::string>> zones_;  ///< Sorted by name.
  std::vector<Reasons> reasons_;
  VariantResult result_;
};

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

class WhatIf::State {
 public:
  explicit State(const Scenario& scenario, const Outcome* placed = nullptr)
      : given_(scenario),
        counted_(with_counts(scenario)),
        outcome_(counted_            ? place(*counted_)
                 : placed != nullptr ? *placed
                                     : place(scenario)),
        cluster_(scenario, outcome_),
        baseline_(ResultReporter(cluster_).baseline(outcome_)) {
    baseline_.assumptions = outcome_.assumptions;
    baseline_.scenario = cluster_.scenario().workloads.size() == scenario.workloads.size()
                             ? Speaking(Speaking(), &scenario)
                             : std::make_shared<const Scenario>(cluster_.scenario());
    unplaced_ = baseline_.unplaced();
  }

  const Scenario& given() const { return given_; }
  const VariantResult& baseline() const { return baseline_; }

  Effect effect(const std::vector<ClusterEvent>& events) {
    cluster_.apply(events, false);
    Effect effect{unplaced_, 0, 0, {}};
    for (const std::uint32_t name : cluster_.touched_names()) {
      const auto& now = cluster_.figures(name);
      const auto& before = cluster_.figures_before(name);
      const std::int64_t more = (now.desired - now.placed) - (before.desired - before.placed);
      effect.unplaced += more;
      effect.held += now.held;
      effect.moves += now.moves;
      if (more > 0) effect.worse.emplace_back(name, more);
    }
    cluster_.rollback();
    return effect;
  }

  VariantResult evaluate(const std::vector<ClusterEvent>& events) {
    cluster_.apply(events, true);
    check();
    auto result = ResultReporter(cluster_).variant(baseline_);
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

  using Speaking = std::shared_ptr<const Scenario>;

  const Scenario& given_;
  std::unique_ptr<const Scenario> counted_;  ///< Replaces the scenario if some workloads have no count.
  Outcome outcome_;
  ClusterSimulation cluster_;
  VariantResult baseline_;
  std::int64_t unplaced_ = 0;
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
    std::shared_ptr<const Scenario> told;  ///< One of the state's own, or one that nobody else keeps.
  };
  const auto anew = std::make_shared<Anew>(state_->given(), variant);
  auto result = variant.events.empty() ? anew->state.baseline() : anew->state.evaluate(variant.events);
  state_->add_mistakes(anew->state.mistakes());
  std::map<std::pair<std::string_view, bool>, std::int64_t> before;
  for (const auto& name : baseline().names) before[{name.name, name.is_service}] = name.before;
  for (auto& name : result.names) name.before = before[{name.name, name.is_service}];
  anew->told = std::move(result.scenario);
  result.scenario = std::shared_ptr<const Scenario>(anew, anew->told.get());
  return result;
}

const std::vector<std::string>& WhatIf::mistakes() const {
  return state_->mistakes();
}

}  // namespace bayplan::study
