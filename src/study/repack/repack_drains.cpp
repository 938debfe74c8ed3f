#include "study/repack/repack_drains.hpp"

#include <algorithm>

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

Drains::Drains(ClusterSimulation& cluster, const RepackCandidates& candidates, const RepackRequest& request)
    : cluster_(cluster), candidates_(candidates), request_(request), spare_(candidates.spare_of_groups()) {
  if (request.keeps_zones) count_zones();
}

DrainTrial Drains::attempt(const std::vector<std::uint32_t>& instances, bool explains) {
  rollback();
  DrainTrial trial;
  if ((trial.why = group_refuses(instances))) return trial;
  DrainInstances drain;
  TerminateInstances lose;
  for (const std::uint32_t instance : instances)
    (candidates_.is_drained(instance) ? lose.instances : drain.instances).push_back(instance);
  std::sort(drain.instances.begin(), drain.instances.end());
  std::sort(lose.instances.begin(), lose.instances.end());
  cluster_.apply({drain, lose}, explains);
  is_applied_ = true;
  effort_ += static_cast<std::int64_t>(instances.size());
  judge(trial, drain.instances);
  effort_ += trial.moves;
  attempted_ = {instances, trial.moves, {}};
  return trial;
}

std::optional<StayReason> Drains::group_refuses(const std::vector<std::uint32_t>& instances) const {
  std::map<std::uint32_t, std::int64_t> leaving;
  for (const std::uint32_t instance : instances) {
    const auto group = candidates_.group_of(instance);
    if (group && ++leaving[*group] > spare_[*group]) return StayReason::kMinSize;
  }
  return std::nullopt;
}

void Drains::judge(DrainTrial& trial, const std::vector<std::uint32_t>& drained) {
  bool has_held_before = false;
  for (const std::uint32_t name : cluster_.touched_names()) {
    const auto& now = cluster_.figures(name);
    const auto& before = cluster_.figures_before(name);
    trial.moves += now.moves;
    has_held_before |= before.held > 0;
    if (trial.why) continue;
    if (now.held <= before.held && now.lacks_more_than(before) <= 0) continue;
    const std::uint32_t workload = cluster_.first_workload_of(name);
    const bool is_service = cluster_.scenario().workloads[workload].kind == WorkloadKind::kService;
    trial.why = is_service && !cluster_.lacks_more_room(workload) ? StayReason::kHeld : StayReason::kNoPlace;
    trial.name = name;
  }
  // A task that was held elsewhere may have left in place of one that is to leave now: then no more are held than
  // before.
  if (!trial.why && has_held_before) {
    if (const auto name = name_left_on(drained)) {
      trial.why = StayReason::kHeld;
      trial.name = *name;
    }
  }
  if (trial.why || !request_.keeps_zones) return;
  if (const auto name = name_that_loses_a_zone()) {
    trial.why = StayReason::kZones;
    trial.name = *name;
  }
}

std::optional<std::uint32_t> Drains::name_left_on(const std::vector<std::uint32_t>& drained) const {
  for (const std::uint32_t instance : drained) {
    for (const std::uint32_t index : cluster_.tasks_on(instance)) {
      const auto& task = cluster_.tasks()[index];
      const bool is_service = cluster_.scenario().workloads[task.workload].kind == WorkloadKind::kService;
      if (is_service && task.instance == instance) return cluster_.name_of(task.workload);
    }
  }
  return std::nullopt;
}

void Drains::rollback() {
  if (is_applied_) cluster_.rollback();
  is_applied_ = false;
}

void Drains::commit() {
  if (request_.keeps_zones) {
    attempted_.zone_counts = zone_changes();
    add_zones(attempted_.zone_counts, 1);
  }
  cluster_.commit();
  is_applied_ = false;
  moves_ += attempted_.moves;
  for (const std::uint32_t instance : attempted_.instances) {
    weight_ += candidates_.weight(instance);
    if (const auto group = candidates_.group_of(instance)) --spare_[*group];
  }
  steps_.push_back(std::move(attempted_));
}

void Drains::revert() {
  is_applied_ = false;
  cluster_.revert();
  const Step last = std::move(steps_.back());
  steps_.pop_back();
  moves_ -= last.moves;
  for (const std::uint32_t instance : last.instances) {
    weight_ -= candidates_.weight(instance);
    if (const auto group = candidates_.group_of(instance)) ++spare_[*group];
  }
  add_zones(last.zone_counts, -1);
}

std::int64_t Drains::tasks_to_move(std::uint32_t instance) const {
  const auto& tasks = cluster_.tasks_on(instance);
  return std::count_if(tasks.begin(), tasks.end(), [&](std::uint32_t task) {
    return cluster_.scenario().workloads[cluster_.tasks()[task].workload].kind == WorkloadKind::kService;
  });
}

std::int64_t Drains::waits_for(std::uint32_t instance) const {
  return static_cast<std::int64_t>(cluster_.tasks_on(instance).size()) - tasks_to_move(instance);
}

void Drains::count_zones() {
  const auto& scenario = cluster_.scenario();
  std::map<std::string_view, std::uint32_t> numbers;
  for (const auto& instance : scenario.instances) {
    const auto next = static_cast<std::uint32_t>(numbers.size());
    zone_of_.push_back(numbers.try_emplace(scenario.profiles[instance.profile].availability_zone, next).first->second);
  }
  zones_ = numbers.size();
  zone_counts_.resize(cluster_.names() * zones_);
  for (const auto& task : cluster_.tasks()) {
    if (task.instance != kNoInstance)
      ++zone_counts_[cluster_.name_of(task.workload) * zones_ + zone_of_[*task.instance]];
  }
}

std::vector<std::pair<std::size_t, std::int32_t>> Drains::zone_changes() const {
  std::vector<std::pair<std::size_t, std::int32_t>> changes;
  for (const auto& motion : cluster_.transitions()) {
    const auto name = cluster_.name_of(cluster_.tasks()[motion.task].workload);
    changes.emplace_back(name * zones_ + zone_of_[motion.instance], motion.is_start ? 1 : -1);
  }
  return changes;
}

void Drains::add_zones(const std::vector<std::pair<std::size_t, std::int32_t>>& changes, std::int32_t sign) {
  for (const auto& [place, count] : changes) zone_counts_[place] += sign * count;
}

std::optional<std::uint32_t> Drains::name_that_loses_a_zone() {
  const auto changes = zone_changes();
  const auto list_zones = [&](std::uint32_t name) {
    const auto begin = zone_counts_.begin() + static_cast<std::ptrdiff_t>(name * zones_);
    return std::count_if(begin, begin + static_cast<std::ptrdiff_t>(zones_), [](auto count) { return count > 0; });
  };
  std::map<std::uint32_t, std::ptrdiff_t> before;
  for (const auto& [place, count] : changes) {
    const auto name = static_cast<std::uint32_t>(place / zones_);
    before.try_emplace(name, list_zones(name));
  }
  add_zones(changes, 1);
  std::optional<std::uint32_t> loses;
  for (const auto& [name, zones] : before) {
    if (!loses && list_zones(name) < zones) loses = name;
  }
  add_zones(changes, -1);
  return loses;
}

}  // namespace bayplan::study
