#include "placement/engine/policy_chooser.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "placement/engine/occupancy.hpp"
#include "placement/model/strategies.hpp"
#include "placement/policy/policy_score.hpp"
#include "placement/policy/score_table.hpp"

namespace bayplan::placement {
namespace {

std::int32_t milli_left(const GpuDevice& device) {
  if (device.state == GpuState::kDedicated) return 0;
  if (device.is_fraction()) return static_cast<std::int32_t>(device.remaining_fraction_millionths / kWholeCard);
  if (device.state == GpuState::kIdle) return kWholeCard;
  return device.memory == 0 ? 0 : static_cast<std::int32_t>(device.remaining_memory * kWholeCard / device.memory);
}

/// The part of a GPU with `memory` that a task takes by memory.
std::int32_t milli_of_memory(MiB wanted, MiB memory) {
  if (memory == 0) return kWholeCard;
  return static_cast<std::int32_t>(std::min<MiB>(kWholeCard, (wanted * kWholeCard + memory - 1) / memory));
}

/// Describes a task of this requirement as a policy sees it on an instance of the profile: CPU units, MiB, and
/// thousandths of a GPU. A share by memory (MPS) is the rounded-up part of one GPU's memory.
PolicyTask policy_task(const capacity::TaskRequirement& requirement, const InstanceProfile& profile) {
  PolicyTask task{.cpu = requirement.cpu, .memory = requirement.memory};
  switch (requirement.gpu_form) {
    case capacity::GpuForm::kNone:
    case capacity::GpuForm::kNeuron:  // no policy of the literature weighs them
      break;
    case capacity::GpuForm::kCount:
      task.cards = static_cast<std::int32_t>(requirement.gpu_count);
      task.milli = kWholeCard;
      break;
    case capacity::GpuForm::kAll:
      task.cards = static_cast<std::int32_t>(profile.gpu_count);
      task.milli = kWholeCard;
      break;
    case capacity::GpuForm::kFraction:
      task.cards = 1;
      task.milli = static_cast<std::int32_t>((requirement.gpu_fraction_millionths + kWholeCard - 1) / kWholeCard);
      break;
    case capacity::GpuForm::kMps:
      task.cards = 1;
      task.milli = milli_of_memory(requirement.mps_memory, profile.gpu_memory);
      break;
  }
  return task;
}

/// Describes the free resources of the instance. `affinities` stay empty.
PolicyNode policy_node(const InstanceState& state, std::uint32_t profile) {
  PolicyNode node{.cpu = state.cpu, .memory = state.memory, .model = profile};
  for (const auto& device : state.gpus) {
    if (!device.is_neuron) node.cards.push_back(milli_left(device));
  }
  return node;
}

/// The profiles of the instances that are in the cluster, each once.
std::vector<std::uint32_t> profiles_in_use(const Occupancy& occupancy) {
  std::vector<std::uint32_t> profiles;
  for (const auto instance : occupancy.standing()) profiles.push_back(occupancy.profile_of(instance));
  std::sort(profiles.begin(), profiles.end());
  profiles.erase(std::unique(profiles.begin(), profiles.end()), profiles.end());
  return profiles;
}

/// Tasks of a workload that FGD expects; as many as fit count as one.
std::int64_t expected_count(const Workload& workload, const Occupancy& occupancy) {
  if (workload.kind == WorkloadKind::kDaemon) return static_cast<std::int64_t>(occupancy.standing_count());
  return workload.count.value_or(1);
}

/// The profile whose GPUs have the most memory: shares by memory are measured by it.
InstanceProfile reference_profile(const Scenario& scenario, const std::vector<std::uint32_t>& profiles) {
  const auto most = std::max_element(profiles.begin(), profiles.end(), [&](std::uint32_t a, std::uint32_t b) {
    const auto key = [&](std::uint32_t i) {
      return std::pair(scenario.profiles[i].gpu_memory, scenario.profiles[i].gpu_count);
    };
    return key(a) < key(b);
  });
  return most == profiles.end() ? InstanceProfile() : scenario.profiles[*most];
}

/// The kinds of task of the scenario's workloads, and the profiles that let them in.
std::vector<ExpectedTask> expected_tasks(const Occupancy& occupancy, const std::vector<std::uint32_t>& profiles) {
  const auto& scenario = occupancy.scenario();
  ProfileChecks checks(scenario);
  const auto reference = reference_profile(scenario, profiles);
  std::map<std::pair<PolicyTask, std::vector<bool>>, std::int64_t> counts;
  for (std::uint32_t i = 0; i < scenario.workloads.size(); ++i) {
    const auto& workload = scenario.workloads[i];
    const Filter filter(scenario, occupancy.groups(), workload, occupancy.group_of(i), checks);
    std::vector<bool> allowed(scenario.profiles.size());
    for (const auto profile : profiles) allowed[profile] = filter.profile_failures(profile).empty();
    auto task = policy_task(workload.requirement, reference);
    task.memory = 0;
    counts[{task, std::move(allowed)}] += expected_count(workload, occupancy);
  }
  std::vector<ExpectedTask> expected;
  for (const auto& [kind, count] : counts) expected.push_back({kind.first, count, kind.second});
  return keep_typical(std::move(expected));
}

/// What the policy of the scenario knows of the cluster as it is now. Memory is weighed if the cluster has no GPUs.
PolicyContext make_context(const Occupancy& occupancy) {
  const auto& scenario = occupancy.scenario();
  PolicyContext context{.policy = *scenario.policy};
  const auto profiles = profiles_in_use(occupancy);
  std::int64_t milli = 0;
  for (const auto index : profiles) {
    const auto& profile = scenario.profiles[index];
    context.largest_cpu = std::max(context.largest_cpu, profile.cpu);
    context.largest_memory = std::max(context.largest_memory, profile.memory);
    milli = std::max(milli, profile.gpu_count * profile.gpu_fraction_millionths / kWholeCard);
  }
  context.weighs_memory = milli == 0;
  context.largest_milli = std::max<std::int64_t>(1, milli);
  if (context.policy == Policy::kFgd) context.expected = expected_tasks(occupancy, profiles);
  return context;
}

/// Chooses by Scenario::policy, which must be set, in place of the strategies. Every check of ECS stays. A tie goes to
/// the first instance in file order, or is drawn under TieOrder::kDrawn; first fit draws nothing, random always.
class PolicyChooser : public IndexChooser {
 public:
  explicit PolicyChooser(const Occupancy& occupancy);

  void draw_anew() override {
    IndexChooser::draw_anew();
    generator_.seed(occupancy_.scenario().seed);
  }
  std::optional<Choice> choose(std::uint32_t task_class) override;
  void forget(std::uint32_t workload) override;

 private:
  /// Scores of the tasks of one class.
  struct ClassScores {
    ScoreTable scores;
    std::uint64_t seen = 0;     ///< Touches of the history that the scores include.
    std::uint64_t changes = 0;  ///< Changes of the cluster that they include.
  };

  PolicyNode node_of(std::uint32_t instance) const;
  void update(ClassScores& own, std::uint32_t task_class, std::uint32_t instance);
  void follow_cluster();
  ClassScores& scores_of(std::uint32_t task_class);

  const Occupancy& occupancy_;
  std::mt19937_64 generator_;
  PolicyContext context_;
  std::uint64_t changes_;  ///< Changes of the cluster that the context includes.
  std::vector<capacity::TaskRequirement> running_;
  std::vector<std::vector<const capacity::TaskRequirement*>> requirements_of_group_;
  std::vector<std::unique_ptr<ClassScores>> known_;  ///< One entry per task class.
};

PolicyChooser::PolicyChooser(const Occupancy& occupancy)
    : IndexChooser(occupancy),
      occupancy_(occupancy),
      generator_(occupancy.scenario().seed),
      context_(make_context(occupancy)),
      changes_(occupancy.changes()),
      running_(requirements_of_running(occupancy.scenario())),
      known_(occupancy.classes().size()) {
  const auto& scenario = occupancy.scenario();
  const auto add = [&](std::uint32_t group, const capacity::TaskRequirement& requirement) {
    if (group == kNoGroup || !requirement.wants_gpu()) return;
    if (group >= requirements_of_group_.size()) requirements_of_group_.resize(group + 1);
    requirements_of_group_[group].push_back(&requirement);
  };
  for (std::uint32_t i = 0; i < scenario.workloads.size(); ++i)
    add(occupancy.group_of(i), scenario.workloads[i].requirement);
  for (std::size_t i = 0; i < running_.size(); ++i) add(occupancy.group_named(scenario.running[i].group), running_[i]);
}

PolicyNode PolicyChooser::node_of(std::uint32_t instance) const {
  const auto& state = occupancy_.states()[instance];
  const std::uint32_t profile = occupancy_.profile_of(instance);
  auto node = policy_node(state, profile);
  if (context_.policy != Policy::kGpuClustering) return node;
  // A state counts tasks by group: a group means the kinds of task that the scenario has in it.
  for (const auto& [group, tasks] : state.tasks_by_group) {
    if (group >= requirements_of_group_.size()) continue;
    for (const auto* requirement : requirements_of_group_[group])
      node.affinities.push_back(affinity_of(policy_task(*requirement, occupancy_.scenario().profiles[profile])));
  }
  std::sort(node.affinities.begin(), node.affinities.end());
  node.affinities.erase(std::unique(node.affinities.begin(), node.affinities.end()), node.affinities.end());
  return node;
}

void PolicyChooser::update(ClassScores& own, std::uint32_t task_class, std::uint32_t instance) {
  const auto& scenario = occupancy_.scenario();
  const auto& filter = filter_of(task_class);
  if (occupancy_.is_gone(instance) ||
      !filter.passes(instance, occupancy_.states()[instance], occupancy_.classes().find_provider(task_class))) {
    return own.scores.set(instance, std::nullopt);
  }
  const auto& requirement = scenario.workloads[occupancy_.classes().workload_of(task_class)].requirement;
  const auto task = policy_task(requirement, scenario.profiles[occupancy_.profile_of(instance)]);
  own.scores.set(instance, score(context_, node_of(instance), task));
}

/// Instances that come and go change what requests are normalized by and where FGD expects tasks.
void PolicyChooser::follow_cluster() {
  if (changes_ == occupancy_.changes()) return;
  changes_ = occupancy_.changes();
  context_ = make_context(occupancy_);
}

PolicyChooser::ClassScores& PolicyChooser::scores_of(std::uint32_t task_class) {
  follow_cluster();
  auto& own = known_[task_class];
  const auto& history = occupancy_.history();
  const auto instances = occupancy_.states().size();
  if (!own || own->seen < history.begin() || own->changes != occupancy_.changes()) {
    own = std::make_unique<ClassScores>(ClassScores{ScoreTable(instances)});
    for (std::uint32_t i = 0; i < instances; ++i) update(*own, task_class, i);
  } else {
    std::vector<std::uint32_t> changed;
    for (const auto& change : history.since(own->seen)) changed.push_back(change.instance);
    std::sort(changed.begin(), changed.end());
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    for (const std::uint32_t instance : changed) update(*own, task_class, instance);
  }
  own->seen = history.end();
  own->changes = occupancy_.changes();
  return *own;
}

std::optional<Choice> PolicyChooser::choose(std::uint32_t task_class) {
  const auto& scenario = occupancy_.scenario();
  const auto& workload = scenario.workloads[occupancy_.classes().workload_of(task_class)];
  if (!chosen_by_policy(workload, scenario)) return IndexChooser::choose(task_class);
  const bool drawn = draws(context_.policy, scenario.ties);
  const auto best = scores_of(task_class).scores.best(drawn ? &generator_ : nullptr);
  if (!best) return std::nullopt;
  return Choice{best->instance, best->tied && !drawn && context_.policy != Policy::kFirstFit};
}

void PolicyChooser::forget(std::uint32_t workload) {
  IndexChooser::forget(workload);
  const std::size_t providers = occupancy_.scenario().workloads[workload].capacity_providers.size();
  for (std::size_t i = 0; i < std::max<std::size_t>(1, providers); ++i)
    known_[occupancy_.classes().number(workload, i)].reset();
}

}  // namespace

std::unique_ptr<IndexChooser> make_chooser(const Occupancy& occupancy) {
  if (occupancy.scenario().policy) return std::make_unique<PolicyChooser>(occupancy);
  return std::make_unique<IndexChooser>(occupancy);
}

}  // namespace bayplan::placement
