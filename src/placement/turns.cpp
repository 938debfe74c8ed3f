#include "placement/turns.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "placement/capacity_providers.hpp"
#include "placement/filters.hpp"
#include "placement/nearest.hpp"
#include "placement/strategies.hpp"

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
      if (!chooser_.wants_more()) return;
      place(call);
      if (--left[call.workload] == 0) chooser_.forget(call.workload);
    }
  }

 private:
  struct LastFailure {
    std::uint32_t failure = 0;
    std::size_t placements = 0;  ///< So many had been made.
  };
  struct Next {
    Turn turn;
    std::uint32_t task_class = 0;
  };

  void place(const Call& call) {
    const auto& workload = progress_.scenario().workloads[call.workload];
    if (workload.kind == WorkloadKind::kDaemon) {
      place_daemon(call.workload);
    } else if (!workload.count) {
      place_all_that_fit(call.workload);
    } else if (workload.all_or_nothing) {
      place_together(call);
    } else {
      ProviderDeal& deal = deal_of(call.workload);
      for (std::int64_t i = 0; i < call.count && chooser_.wants_more(); ++i) place_one(next(call.workload, deal));
    }
  }

  /// A service deals its tasks once, however many turns it takes; each RunTask call deals its own.
  ProviderDeal& deal_of(std::uint32_t index) {
    const auto& workload = progress_.scenario().workloads[index];
    if (workload.kind == WorkloadKind::kTasks) deals_.erase(index);
    const auto begun = deals_.find(index);
    if (begun != deals_.end()) return begun->second;
    return deals_.try_emplace(index, workload.capacity_providers, running_on_providers(workload)).first->second;
  }

  /// Tasks that a service has on each of its providers before the first turn, by the instances that they run on. Base
  /// and weights are those of the whole service.
  std::vector<std::int64_t> running_on_providers(const Workload& workload) {
    const auto& scenario = progress_.scenario();
    if (workload.kind != WorkloadKind::kService || workload.capacity_providers.empty()) return {};
    std::vector<std::int64_t> running(workload.capacity_providers.size());
    if (instances_of_group_.empty()) {
      for (const auto& task : scenario.running) {
        if (!task.stopping) instances_of_group_[task.group].push_back(task.instance);
      }
    }
    for (const std::uint32_t instance : instances_of_group_[workload.group]) {
      const auto& provider = scenario.profiles[scenario.instances[instance].profile].capacity_provider_name;
      for (std::size_t i = 0; i < running.size(); ++i) {
        if (workload.capacity_providers[i].capacity_provider == provider) ++running[i];
      }
    }
    return running;
  }

  Next next(std::uint32_t workload, ProviderDeal& deal) {
    const bool has_providers = !progress_.scenario().workloads[workload].capacity_providers.empty();
    const std::uint32_t task_class = progress_.classes().number(workload, has_providers ? deal.next() : 0);
    return {progress_.next_turn(workload, progress_.classes().provider_of(task_class)), task_class};
  }

  /// One task on each ACTIVE instance that the constraints allow, whatever its room: where it does not fit, that is
  /// told.
  void place_daemon(std::uint32_t index) {
    const auto& scenario = progress_.scenario();
    const Filter filter(scenario, progress_.occupancy().groups(), scenario.workloads[index],
                        progress_.occupancy().group_of(index));
    for (std::uint32_t instance = 0; instance < scenario.instances.size(); ++instance) {
      const auto& state = progress_.occupancy().states()[instance];
      if (!filter.wants_daemon(instance, state)) continue;
      const Turn turn = progress_.next_turn(index, {});
      if (filter.passes(instance, state, {})) {
        progress_.put(turn, {instance, false});
      } else {
        progress_.fail(explain_failure(turn, {instance}, progress_.occupancy().states(), filter, scenario, true));
      }
    }
  }

  void place_one(const Next& one) {
    const auto& [turn, task_class] = one;
    const std::size_t placements = progress_.placed();
    auto& last = last_failures_[task_class];
    if (last && last->placements == placements) {
      progress_.fail({turn, last->failure, {}, {}, {}});
    } else if (const auto choice = chooser_.choose(task_class)) {
      progress_.put(turn, *choice);
    } else {
      last = {progress_.fail(explain(turn, task_class)), placements};
    }
  }

  void place_all_that_fit(std::uint32_t workload) {
    ProviderDeal deal(progress_.scenario().workloads[workload].capacity_providers);
    for (std::int64_t i = 0; i < kMostThatFit; ++i) {
      const auto [turn, task_class] = next(workload, deal);
      const auto choice = chooser_.choose(task_class);
      if (!choice) return progress_.reach_limit(explain(turn, task_class));
      progress_.put(turn, *choice);
    }
  }

  void place_together(const Call& call) {
    ProviderDeal deal(progress_.scenario().workloads[call.workload].capacity_providers);
    std::vector<Next> tasks;
    for (std::int64_t i = 0; i < call.count; ++i) tasks.push_back(next(call.workload, deal));
    if (repeats_failure(call)) return fail_all(tasks, last_failure(call.workload)->failure);
    progress_.begin_trial();
    for (const auto& [turn, task_class] : tasks) {
      if (const auto choice = chooser_.choose(task_class)) {
        progress_.put(turn, *choice);
      } else {
        return give_up(tasks, explain(turn, task_class));
      }
    }
  }

  /// An earlier call of the workload failed on a task that this one has too.
  bool repeats_failure(const Call& call) {
    const auto& scenario = progress_.scenario();
    const auto& last = last_failure(call.workload);
    return last && last->placements == progress_.placed() && call.count > *progress_.failure(last->failure).would_fit &&
           !draws(scenario.workloads[call.workload], scenario.ties);
  }

  void give_up(std::vector<Next>& tasks, Failure why) {
    auto placements = progress_.take_back_trial();
    why.would_fit = static_cast<std::int64_t>(placements.size());
    const std::string_view provider = why.turn.capacity_provider;
    why.turn = tasks.front().turn;
    why.turn.capacity_provider = provider;
    const std::uint32_t failure = progress_.fail(std::move(why));
    tasks.erase(tasks.begin());
    fail_all(tasks, failure);
    progress_.withdraw(failure, std::move(placements));
    last_failure(progress_.failure(failure).turn.workload) = {failure, progress_.placed()};
  }

  Failure explain(const Turn& turn, std::uint32_t task_class) {
    return chooser_.explain(turn, task_class, progress_.explains_in_full());
  }

  /// For the reason that is told already, capacity provider and all.
  void fail_all(std::vector<Next>& tasks, std::uint32_t failure) {
    for (auto& task : tasks) {
      task.turn.capacity_provider = progress_.failure(failure).turn.capacity_provider;
      progress_.fail({task.turn, failure, {}, {}, {}});
    }
  }

  /// Of a workload that is placed as a whole: kept with its first class.
  std::optional<LastFailure>& last_failure(std::uint32_t workload) {
    return last_failures_[progress_.classes().number(workload, 0)];
  }

  Progress& progress_;
  Chooser& chooser_;
  std::vector<std::optional<LastFailure>> last_failures_;  ///< By task class.
  std::map<std::uint32_t, ProviderDeal> deals_;            ///< By workload; of services that have had a turn.
  /// Where tasks run before the first turn, by their group; made when first asked for.
  std::map<std::string_view, std::vector<std::uint32_t>> instances_of_group_;
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
