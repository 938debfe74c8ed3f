#include "study/repack/repack_candidates.hpp"

#include <algorithm>
#include <map>

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

Amounts remaining(const InstanceState& state) {
  return {{state.cpu, state.memory, idle_whole_gpus(state.gpus), state.network_interfaces}};
}

/// More runs there than anybody described.
bool has_hidden_tasks(const Scenario& scenario, std::uint32_t instance) {
  const auto* use = scenario.use_of(instance);
  if (use == nullptr) return false;
  const auto running = scenario.running_on(instance);
  const auto known = std::count_if(running.begin(), running.end(), [](const auto& task) { return !task.stopping; });
  const bool takes = use->cpu > 0 || use->memory > 0;
  return use->tasks > known || (running.empty() && takes);
}

}  // namespace

Amounts to_amounts(const capacity::TaskRequirement& task) {
  return {{task.cpu, task.memory, task.gpu_form == capacity::GpuForm::kCount ? task.gpu_count : 0,
           task.network_interfaces}};
}

std::string_view name_of_dimension(std::size_t dimension) {
  constexpr std::string_view kNames[kDimensions] = {"CPU", "MEMORY", "GPU", "ENI"};
  return kNames[dimension];
}

RepackCandidates::RepackCandidates(const ClusterSimulation& cluster, const RepackRequest& request)
    : cluster_(cluster), request_(request) {
  const auto count = cluster.scenario().instances.size();
  for (std::uint32_t i = 0; i < count; ++i) blocked_.push_back(block(i));
  capacities_.resize(count);
  taken_.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) measure(i);
  weigh();
  count_groups();
}

std::vector<std::uint32_t> RepackCandidates::free() const {
  std::vector<std::uint32_t> instances;
  for (std::uint32_t i = 0; i < blocked_.size(); ++i) {
    if (!blocked_[i]) instances.push_back(i);
  }
  return instances;
}

bool RepackCandidates::is_priced(std::uint32_t instance) const {
  const auto& scenario = cluster_.scenario();
  return scenario.profiles[scenario.instances[instance].profile].hourly_price.has_value();
}

bool RepackCandidates::is_drained(std::uint32_t instance) const {
  const auto& scenario = cluster_.scenario();
  return scenario.profiles[scenario.instances[instance].profile].status == InstanceStatus::kDraining;
}

std::optional<StayingInstances> RepackCandidates::block(std::uint32_t instance) const {
  const auto& scenario = cluster_.scenario();
  const auto& profile = scenario.profiles[scenario.instances[instance].profile];
  const bool has_tasks = !cluster_.tasks_on(instance).empty();
  const auto because = [&](StayReason why, std::optional<std::uint32_t> name = {}) {
    return StayingInstances{why, name, {}, {}, {}};
  };
  if (profile.status == InstanceStatus::kDraining) {
    return has_tasks || has_hidden_tasks(scenario, instance) ? std::optional(because(StayReason::kDraining))
                                                             : std::nullopt;
  }
  if (profile.status != InstanceStatus::kActive) return because(StayReason::kNotActive);
  if (!profile.agent_connected && has_tasks) return because(StayReason::kDisconnected);
  if (has_hidden_tasks(scenario, instance)) return because(StayReason::kHidden);
  for (const std::uint32_t index : cluster_.tasks_on(instance)) {
    const auto& task = cluster_.tasks()[index];
    const bool is_service = scenario.workloads[task.workload].kind == WorkloadKind::kService;
    if (!is_service && !request_.waits_for_tasks)
      return because(StayReason::kStandalone, cluster_.name_of(task.workload));
    if (is_service && cluster_.is_unknown(task)) return because(StayReason::kUnknown, cluster_.name_of(task.workload));
  }
  return std::nullopt;
}

void RepackCandidates::weigh() {
  const auto& scenario = cluster_.scenario();
  std::int64_t lowest = 0;
  for (const auto& instance : scenario.instances) {
    const auto price = scenario.profiles[instance.profile].hourly_price.value_or(0);
    if (price > 0 && (lowest == 0 || price < lowest)) lowest = price;
  }
  for (const auto& instance : scenario.instances)
    weights_.push_back(std::max<std::int64_t>(1, scenario.profiles[instance.profile].hourly_price.value_or(lowest)));
}

/// A task that moves may take less elsewhere, where its service has another definition by now.
void RepackCandidates::measure(std::uint32_t instance) {
  auto& taken = taken_[instance];
  for (const std::uint32_t index : cluster_.tasks_on(instance)) {
    const auto own = to_amounts(cluster_.requirement(cluster_.tasks()[index]));
    for (std::size_t d = 0; d < kDimensions; ++d) taken.of[d] += own.of[d];
  }
  capacities_[instance] = remaining(cluster_.occupancy().states()[instance]);
  for (std::size_t d = 0; d < kDimensions; ++d) capacities_[instance].of[d] += taken.of[d];
}

void RepackCandidates::count_groups() {
  const auto& scenario = cluster_.scenario();
  std::map<std::string_view, std::uint32_t> known;
  for (const auto& group : scenario.timetable.groups) {
    known.emplace(group.capacity_provider, static_cast<std::uint32_t>(spare_.size()));
    spare_.push_back(-group.min_size);
  }
  for (const auto& instance : scenario.instances) {
    const auto found = known.find(scenario.profiles[instance.profile].capacity_provider_name);
    groups_.push_back(found == known.end() ? kNone : OptionalIndex(found->second));
    if (found != known.end()) ++spare_[found->second];
  }
  for (auto& spare : spare_) spare = std::max<std::int64_t>(0, spare);
}

const std::string& RepackCandidates::provider_of_group(std::uint32_t group) const {
  return cluster_.scenario().timetable.groups[group].capacity_provider;
}

}  // namespace bayplan::study
