#include "placement/turns.hpp"

#include <algorithm>
#include <tuple>

#include "placement/capacity_providers.hpp"
#include "placement/filters.hpp"
#include "placement/nearest.hpp"

namespace bayplan::placement {
namespace {

/// GPUs in millionths of one, so that shares and whole devices compare.
std::int64_t gpu_size(const capacity::TaskRequirement& task) {
  constexpr std::int64_t kWhole = 1'000'000;
  if (task.gpu_form == capacity::GpuForm::kAll) return 1'000 * kWhole;
  return task.gpu_count * kWhole + task.gpu_fraction_millionths + (task.gpu_form == capacity::GpuForm::kMps ? 1 : 0);
}

class TurnTaker {
 public:
  TurnTaker(Progress& progress, Chooser& chooser)
      : progress_(progress), chooser_(chooser), last_failures_(progress.classes().size()) {}

  void run() {
    const auto calls = placement_order(progress_.scenario());
    std::vector<std::size_t> left(progress_.scenario().workloads.size());
    for (const auto& call : calls) ++left[call.workload];
    for (const auto& call : calls) {
      const bool is_daemon = progress_.scenario().workloads[call.workload].kind == WorkloadKind::kDaemon;
      is_daemon ? place_daemon(call.workload) : place_copies(call);
      if (--left[call.workload] == 0) chooser_.forget(call.workload);
    }
  }

 private:
  struct LastFailure {
    std::uint32_t failure = 0;
    std::size_t placements = 0;  ///< So many had been made.
  };

  /// One task on each ACTIVE instance that the constraints allow, whatever its room: where it does not fit, that is
  /// told.
  void place_daemon(std::uint32_t index) {
    const auto& scenario = progress_.scenario();
    const Filter filter(scenario, progress_.groups(), scenario.workloads[index], progress_.group_of(index));
    for (std::uint32_t instance = 0; instance < scenario.instances.size(); ++instance) {
      const auto& state = progress_.states()[instance];
      if (!filter.wants_daemon(instance, state)) continue;
      const Turn turn = progress_.next_turn(index, {});
      if (filter.passes(instance, state, {})) {
        progress_.put(turn, {instance, false});
      } else {
        progress_.fail(explain_failure(turn, {instance}, progress_.states(), filter, scenario, true));
      }
    }
  }

  void place_copies(const Call& call) {
    const auto& providers = progress_.scenario().workloads[call.workload].capacity_providers;
    ProviderDeal deal(providers);
    for (std::int64_t i = 0; i < call.count; ++i) {
      const std::size_t provider = providers.empty() ? 0 : deal.next();
      const std::uint32_t task_class = progress_.classes().number(call.workload, provider);
      place_one(progress_.next_turn(call.workload, progress_.classes().provider_of(task_class)), task_class);
    }
  }

  void place_one(const Turn& turn, std::uint32_t task_class) {
    const std::size_t placements = progress_.history().size();
    auto& last = last_failures_[task_class];
    if (last && last->placements == placements) {
      progress_.fail({turn, last->failure, {}, {}, {}});
    } else if (const auto choice = chooser_.choose(task_class)) {
      progress_.put(turn, *choice);
    } else {
      last = {progress_.fail(chooser_.explain(turn, task_class)), placements};
    }
  }

  Progress& progress_;
  Chooser& chooser_;
  std::vector<std::optional<LastFailure>> last_failures_;  ///< By task class.
};

/// The calls stand where the first workload stands that they name.
std::vector<Call> in_given_order(const Scenario& scenario) {
  std::vector<bool> is_called(scenario.workloads.size());
  for (const auto& call : scenario.calls) is_called[call.workload] = true;
  std::vector<Call> order;
  bool has_calls = false;
  for (std::uint32_t i = 0; i < scenario.workloads.size(); ++i) {
    if (!is_called[i]) {
      order.push_back({i, scenario.workloads[i].count.value_or(0)});
    } else if (!has_calls) {
      order.insert(order.end(), scenario.calls.begin(), scenario.calls.end());
      has_calls = true;
    }
  }
  return order;
}

}  // namespace

std::vector<Call> placement_order(const Scenario& scenario) {
  auto order = in_given_order(scenario);
  if (scenario.order == TaskOrder::kGiven) return order;
  const auto size = [&](const Call& call) {
    const auto& task = scenario.workloads[call.workload].requirement;
    return std::tuple(gpu_size(task), task.memory, task.cpu);
  };
  const auto tasks = std::stable_partition(order.begin(), order.end(), [&](const Call& call) {
    return scenario.workloads[call.workload].kind != WorkloadKind::kTasks;
  });
  std::stable_sort(tasks, order.end(), [&](const Call& a, const Call& b) { return size(a) > size(b); });
  return order;
}

void take_turns(Progress& progress, Chooser& chooser) {
  TurnTaker(progress, chooser).run();
}

}  // namespace bayplan::placement
