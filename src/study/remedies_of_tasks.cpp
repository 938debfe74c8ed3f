// Remedies on the side of other tasks: one of them moves, or ends.
#include <algorithm>
#include <numeric>
#include <tuple>

#include "study/remedy_search.hpp"
#include "study/tenants.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

constexpr std::size_t kMostTrials = 4;  ///< Of moves, and of ends.

/// A task whose going makes room.
struct EvictionCandidate {
  std::uint32_t running = 0;
  const Workload* request = nullptr;
};

class TaskSearch {
 public:
  explicit TaskSearch(RemedySearch& search)
      : search_(search), snapshot_(search.snapshot()), hosted_tasks_(search.inquiry(), snapshot_) {
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
      if (search_.offer_at_its_turn(MoveTask{candidate.running, *to, candidate.request->requirement})) return;
      if (++trials == kMostTrials) return;
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
    for (std::size_t i = 0; i < std::min(kMostTrials, ending.size()); ++i) {
      if (search_.offer_at_its_turn(EndTask{ending[i].running, ending[i].request->requirement})) return;
    }
  }

 private:
  /// Those of one instance, the smallest first: the less moves, the better.
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
    const auto& inquiry = search_.inquiry();
    const auto& task = snapshot_.scenario.running[running];
    InstanceState state = inquiry.standing().states[instance];
    give_back(state, inquiry.profile_of(instance), request.requirement, task.gpus);
    const auto group = std::find_if(state.tasks_by_group.begin(), state.tasks_by_group.end(), [&](const auto& own) {
      return inquiry.standing().groups.name(own.group) == task.group;
    });
    if (!task.stopping && group != state.tasks_by_group.end()) leave_group(state, group->group);
    return inquiry.filter().passes(instance, state, inquiry.turn().capacity_provider);
  }

  RemedySearch& search_;
  const Snapshot& snapshot_;
  HostedTasks hosted_tasks_;
  std::vector<EvictionCandidate> candidates_;  ///< Of the nearest instance first.
};

}  // namespace

void try_moves(RemedySearch& search) {
  TaskSearch tasks(search);
  tasks.try_moves();
  tasks.try_ends();
}

}  // namespace bayplan::study
