// Remedies on the side of other tasks: one of them moves, or ends.
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "placement/engine/filters.hpp"
#include "study/scenario_change.hpp"
#include "study/why/placement_trace.hpp"
#include "study/why/remedy_search.hpp"
#include "study/why/snapshot.hpp"

namespace bayplan::study {

namespace {

/// What is known of the tasks that run in a snapshot: how they were asked for, and where else they could be.
class HostedTasks {
 public:
  HostedTasks(const PlacementTrace& trace, const Snapshot& snapshot);

  /// How the running task was asked for: by its workload, else by its definition and its group's constraints. Null when
  /// its definition is not known, or when it takes less than the definition says.
  const placement::Workload* request_of(std::uint32_t running);

  /// The first instance in file order, but for its own, that would take the running task at present; nothing when
  /// none would.
  std::optional<std::uint32_t> other_instance_for(std::uint32_t running);

 private:
  /// Tasks that were asked for alike.
  struct Kind {
    placement::Workload request;
    std::string provider;  ///< Provider of the instances that they run on.
    bool is_searched = false;
    std::vector<std::uint32_t> refuges;  ///< The first two.
  };
  Kind* kind_of(std::uint32_t running);
  void search(Kind& kind);
  std::optional<placement::Workload> described(const placement::RunningTask& task) const;

  const PlacementTrace& inquiry_;
  const Snapshot& snapshot_;
  /// Keyed by workload, or by definition and group, and by provider; null: nothing is known.
  std::map<std::tuple<std::string, std::string, std::string>, std::unique_ptr<Kind>> kinds_;
  std::map<std::string, std::uint32_t, std::less<>> definitions_;
};

using namespace placement;  // NOLINT: the study of placements is about nothing else

HostedTasks::HostedTasks(const PlacementTrace& trace, const Snapshot& snapshot) : inquiry_(trace), snapshot_(snapshot) {
  const auto& definitions = trace.scenario().task_definitions;
  for (std::uint32_t i = 0; i < definitions.size(); ++i) definitions_.emplace(definitions[i].name, i);
}

/// A task that ran before the first placement. A service of the scenario that it belongs to knows its constraints.
std::optional<Workload> HostedTasks::described(const RunningTask& task) const {
  const auto found = definitions_.find(task.task_definition);
  if (found == definitions_.end()) return std::nullopt;
  const auto& definition = inquiry_.scenario().task_definitions[found->second];
  Workload request;
  request.name = definition.family;
  request.group = task.group;
  request.task_definition = found->second;
  request.requirement = definition.requirement;
  request.constraints = definition.constraints;
  for (const auto& workload : inquiry_.scenario().workloads) {
    if (workload.group != task.group || workload.kind == WorkloadKind::kTasks) continue;
    request.kind = workload.kind;
    request.constraints = workload.constraints;
    request.availability_zones = workload.availability_zones;
    request.capacity_providers = workload.capacity_providers;
    return request;
  }
  for (const auto& service : inquiry_.scenario().services) {
    if ("service:" + service.name != task.group) continue;
    request.kind = service.kind;
    request.constraints.insert(request.constraints.end(), service.constraints.begin(), service.constraints.end());
    if (request.requirement.network_interfaces > 0) request.availability_zones = service.availability_zones;
    request.capacity_providers = service.capacity_providers;
  }
  return request;
}

HostedTasks::Kind* HostedTasks::kind_of(std::uint32_t running) {
  const auto& task = snapshot_.scenario.running[running];
  const auto& placed_by = snapshot_.placed_by[running];
  const auto& provider = inquiry_.profile_of(task.instance).capacity_provider_name;
  const auto key = placed_by ? std::tuple(std::string(), std::to_string(*placed_by), provider)
                             : std::tuple(task.task_definition, task.group, provider);
  const auto [entry, is_new] = kinds_.try_emplace(key);
  if (!is_new) return entry->second.get();
  auto request = placed_by ? std::optional(inquiry_.scenario().workloads[*placed_by]) : described(task);
  if (request) entry->second = std::make_unique<Kind>(Kind{std::move(*request), provider, false, {}});
  return entry->second.get();
}

const Workload* HostedTasks::request_of(std::uint32_t running) {
  const Kind* kind = kind_of(running);
  if (kind == nullptr || !can_leave(snapshot_.scenario, running, kind->request.requirement)) return nullptr;
  return &kind->request;
}

void HostedTasks::search(Kind& kind) {
  constexpr std::size_t kWanted = 2;  // one of them may be the task's own
  kind.is_searched = true;
  const auto& standing = inquiry_.standing();
  // A task that was dealt to a capacity provider stays with it.
  const std::string_view provider = kind.request.capacity_providers.empty() ? "" : std::string_view(kind.provider);
  // A group that runs anywhere, or that a workload names, has its number.
  Groups groups = standing.groups;
  const Filter filter(inquiry_.scenario(), groups, kind.request, groups.number(kind.request.group));
  for (std::uint32_t i = 0; i < standing.states.size() && kind.refuges.size() < kWanted; ++i) {
    if (filter.passes(i, standing.states[i], provider)) kind.refuges.push_back(i);
  }
}

std::optional<std::uint32_t> HostedTasks::other_instance_for(std::uint32_t running) {
  if (snapshot_.scenario.running[running].daemon) return std::nullopt;  // it belongs where it is
  Kind* kind = kind_of(running);
  if (kind == nullptr || kind->request.kind == WorkloadKind::kDaemon) return std::nullopt;
  if (!kind->is_searched) search(*kind);
  for (const auto instance : kind->refuges) {
    if (instance != snapshot_.scenario.running[running].instance) return instance;
  }
  return std::nullopt;
}

}  // namespace

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

constexpr std::size_t kMaxTrials = 4;  ///< Limit of moves, and of ends.

/// A task whose going makes room.
struct EvictionCandidate {
  std::uint32_t running = 0;
  const Workload* request = nullptr;
};

class TaskSearch {
 public:
  explicit TaskSearch(RemedySearch& search)
      : search_(search), snapshot_(search.snapshot()), hosted_tasks_(search.trace(), snapshot_) {
    for (const auto* rejection :
         search.failing_only({Check::kCpu, Check::kMemory, Check::kPorts, Check::kGpu, Check::kNetworkInterface,
                              Check::kEbsAttachment, Check::kMemberOf, Check::kDistinctInstance})) {
      find_candidates(rejection->instance);
    }
  }

  void try_moves() {
    std::size_t trials = 0;
    for (const auto& candidate : candidates_) {
      if (snapshot_.scenario.running[candidate.running].stopping) continue;
      const auto to = hosted_tasks_.other_instance_for(candidate.running);
      if (!to) continue;
      if (search_.offer_at_attempt(MoveTask{candidate.running, *to, candidate.request->requirement})) return;
      if (++trials == kMaxTrials) return;
    }
  }

  /// Tasks of services do not end. One that is stopping does, whosever it is.
  void try_ends() {
    auto ending = candidates_;
    const auto last = std::stable_partition(ending.begin(), ending.end(), [&](const EvictionCandidate& candidate) {
      return snapshot_.scenario.running[candidate.running].stopping;
    });
    const auto lasts = [&](const EvictionCandidate& candidate) {
      const auto& task = snapshot_.scenario.running[candidate.running];
      return task.daemon || task.group.starts_with("service:");
    };
    ending.erase(std::remove_if(last, ending.end(), lasts), ending.end());
    for (std::size_t i = 0; i < std::min(kMaxTrials, ending.size()); ++i) {
      if (search_.offer_at_attempt(EndTask{ending[i].running, ending[i].request->requirement})) return;
    }
  }

 private:
  /// Adds the tasks of one instance, the smallest first, because small moves disturb least.
  void find_candidates(std::uint32_t instance) {
    const auto& scenario = snapshot_.scenario;
    std::vector<EvictionCandidate> found;
    const auto tasks = scenario.running_on(instance);
    for (const auto& task : tasks) {
      const auto running = static_cast<std::uint32_t>(&task - scenario.running.data());
      const Workload* request = hosted_tasks_.request_of(running);
      if (request != nullptr && makes_room(instance, running, *request)) found.push_back({running, request});
    }
    std::stable_sort(found.begin(), found.end(), [](const EvictionCandidate& a, const EvictionCandidate& b) {
      const auto size = [](const EvictionCandidate& candidate) {
        const auto& task = candidate.request->requirement;
        return std::tuple(task.gpu_count, task.memory, task.cpu);
      };
      return size(a) < size(b);
    });
    candidates_.insert(candidates_.end(), found.begin(), found.end());
  }

  /// Whether the asked task passes every check of the instance when the other has gone.
  bool makes_room(std::uint32_t instance, std::uint32_t running, const Workload& request) const {
    const auto& trace = search_.trace();
    const auto& task = snapshot_.scenario.running[running];
    InstanceState state = trace.standing().states[instance];
    give_back(state, trace.profile_of(instance), request.requirement, task.gpus);
    const auto group = std::find_if(state.tasks_by_group.begin(), state.tasks_by_group.end(), [&](const auto& own) {
      return trace.standing().groups.name(own.group) == task.group;
    });
    if (!task.stopping && group != state.tasks_by_group.end()) leave_group(state, group->group);
    return trace.filter().passes(instance, state, trace.capacity_provider());
  }

  RemedySearch& search_;
  const Snapshot& snapshot_;
  HostedTasks hosted_tasks_;
  std::vector<EvictionCandidate> candidates_;  ///< Candidates of the nearest instance come first.
};

}  // namespace

void try_moves(RemedySearch& search) {
  TaskSearch tasks(search);
  tasks.try_moves();
  tasks.try_ends();
}

}  // namespace bayplan::study
