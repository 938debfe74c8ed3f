#include "placement/engine/attempts.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "placement/engine/filters.hpp"
#include "placement/engine/nearest.hpp"
#include "placement/engine/placement_facts.hpp"
#include "placement/model/capacity_providers.hpp"
#include "placement/model/constraints.hpp"
#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"
#include "placement/model/strategies.hpp"
#include "placement/model/totals.hpp"

namespace bayplan::placement {

Progress::Progress(const Scenario& scenario, PlacementObserver* observer)
    : occupancy_(scenario), numbers_(scenario.workloads), observer_(observer) {}

Progress::~Progress() {
  if (observer_ != nullptr) observer_->release();
}

template <class T>
void Progress::append(std::vector<T>& list, T item) {
  if (observer_ != nullptr && list.size() == list.capacity()) observer_->release();
  list.push_back(std::move(item));
}

bool Progress::explains_in_full() const {
  const std::size_t count = scenario().instances.size();
  return count <= kFullExplanationLimit && rows_ + count <= kFullExplanationRows;
}

PlacementAttempt Progress::next_attempt(std::uint32_t workload, OptionalIndex provider) {
  return {workload, numbers_.next(workload), step_++, provider};
}

void Progress::put(const PlacementAttempt& attempt, Choice choice) {
  auto gpus = occupancy_.take(attempt.workload, choice.instance);
  append(outcome_.placements, {attempt, choice.instance, std::move(gpus), choice.tied});
}

std::uint32_t Progress::fail(Failure failure) {
  rows_ += failure.instances.size();
  append(outcome_.failures, std::move(failure));
  return static_cast<std::uint32_t>(outcome_.failures.size() - 1);
}

void Progress::reach_limit(Failure why) {
  rows_ += why.instances.size();
  append(outcome_.limits, std::move(why));
}

std::vector<Placement> Progress::take_back_trial() {
  const auto first = outcome_.placements.begin() + static_cast<std::ptrdiff_t>(kept_);
  std::vector<Placement> taken_back(std::make_move_iterator(first), std::make_move_iterator(outcome_.placements.end()));
  outcome_.placements.resize(kept_);
  for (const auto& placement : taken_back) {
    occupancy_.give_back(placement.attempt.workload, placement.instance, placement.gpus);
  }
  return taken_back;
}

void Progress::withdraw(std::uint32_t failure, std::vector<Placement> placements) {
  if (!placements.empty()) append(outcome_.withdrawn, {failure, std::move(placements)});
}

void Progress::publish() {
  constexpr std::int64_t kMany = 1'000;
  if (observer_ == nullptr || step_ - published_ < kMany) return;
  observer_->follow(OutcomeSoFar(outcome_));
  published_ = step_;
}

Outcome Progress::finish() && {
  outcome_.instances = std::move(occupancy_).finish();
  outcome_.facts = find_placement_facts(scenario(), outcome_);
  observer_ = nullptr;  // what it reads moves to the caller
  return std::move(outcome_);
}

namespace {

/// GPUs in millionths of one, so that shares and whole devices compare.
std::int64_t gpu_size(const capacity::TaskRequirement& task) {
  constexpr std::int64_t kWhole = 1'000'000;
  if (task.gpu_form == capacity::GpuForm::kAll || task.wants_neuron()) return 1'000 * kWhole;
  return task.gpu_count * kWhole + task.gpu_fraction_millionths + (task.gpu_form == capacity::GpuForm::kMps ? 1 : 0);
}

class TurnTaker {
 public:
  TurnTaker(Progress& progress, Chooser& chooser)
      : progress_(progress), chooser_(chooser), last_failures_(progress.classes().size()) {}

  void run() {
    const auto calls = placement_order(progress_.scenario());
    std::vector<std::size_t> left(progress_.scenario().workloads.size());
    std::int64_t tasks = 0;
    for (const auto& call : calls) {
      ++left[call.workload];
      tasks += call.count;
    }
    progress_.expect(std::min(tasks, kMaxTasks));
    for (const auto& call : calls) {
      if (!chooser_.wants_more()) return;
      place(call);
      progress_.publish();
      if (--left[call.workload] == 0) chooser_.forget(call.workload);
    }
  }

 private:
  struct LastFailure {
    std::uint32_t failure = 0;
    std::size_t placements = 0;  ///< Number of placements that had been made.
  };
  struct Next {
    PlacementAttempt attempt;
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
      ProviderDistributor& distributor = distributor_of(call.workload);
      for (std::int64_t i = 0; i < call.count && chooser_.wants_more(); ++i) {
        place_one(next(call.workload, distributor));
        progress_.publish();
      }
    }
  }

  /// A service deals its tasks once, however many attempts it takes; each RunTask call deals its own.
  ProviderDistributor& distributor_of(std::uint32_t index) {
    const auto& workload = progress_.scenario().workloads[index];
    if (workload.kind == WorkloadKind::kTasks) deals_.erase(index);
    const auto begun = deals_.find(index);
    if (begun != deals_.end()) return begun->second;
    return deals_.try_emplace(index, workload.capacity_providers, running_on_providers(workload)).first->second;
  }

  /// Tasks that a service has on each of its providers before the first placement, by the instances that they run on.
  /// Base and weights are those of the whole service.
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

  Next next(std::uint32_t workload, ProviderDistributor& distributor) {
    const bool has_providers = !progress_.scenario().workloads[workload].capacity_providers.empty();
    const std::uint32_t task_class = progress_.classes().number(workload, has_providers ? distributor.next() : 0);
    return {progress_.next_attempt(workload, progress_.classes().provider_position(task_class)), task_class};
  }

  /// One task on each ACTIVE instance that the constraints allow, whatever its room: a task that does not fit is
  /// reported.
  void place_daemon(std::uint32_t index) {
    const auto& scenario = progress_.scenario();
    const Filter filter(scenario, progress_.occupancy().groups(), scenario.workloads[index],
                        progress_.occupancy().group_of(index));
    for (std::uint32_t instance = 0; instance < scenario.instances.size(); ++instance) {
      const auto& state = progress_.occupancy().states()[instance];
      if (!filter.wants_daemon(instance, state)) continue;
      const PlacementAttempt attempt = progress_.next_attempt(index, {});
      if (filter.passes(instance, state, {})) {
        progress_.put(attempt, {instance, false});
      } else {
        progress_.fail(explain_failure(attempt, {instance}, progress_.occupancy().states(), filter, scenario, true));
      }
    }
  }

  void place_one(const Next& one) {
    const auto& [attempt, task_class] = one;
    const std::size_t placements = progress_.placed();
    auto& last = last_failures_[task_class];
    if (last && last->placements == placements) {
      progress_.fail({attempt, last->failure, {}, {}, {}});
    } else if (const auto choice = chooser_.choose(task_class)) {
      progress_.put(attempt, *choice);
    } else {
      last = {progress_.fail(explain(attempt, task_class)), placements};
    }
  }

  void place_all_that_fit(std::uint32_t workload) {
    ProviderDistributor distributor(progress_.scenario().workloads[workload].capacity_providers);
    for (std::int64_t i = 0; i < kMaxThatFit; ++i) {
      const auto [attempt, task_class] = next(workload, distributor);
      const auto choice = chooser_.choose(task_class);
      if (!choice) return progress_.reach_limit(explain(attempt, task_class));
      progress_.put(attempt, *choice);
      progress_.publish();
    }
  }

  void place_together(const Call& call) {
    ProviderDistributor distributor(progress_.scenario().workloads[call.workload].capacity_providers);
    std::vector<Next> tasks;
    for (std::int64_t i = 0; i < call.count; ++i) tasks.push_back(next(call.workload, distributor));
    if (repeats_failure(call)) return fail_all(tasks, last_failure(call.workload)->failure);
    progress_.begin_trial();
    for (const auto& [attempt, task_class] : tasks) {
      if (const auto choice = chooser_.choose(task_class)) {
        progress_.put(attempt, *choice);
      } else {
        return give_up(tasks, explain(attempt, task_class));
      }
    }
  }

  /// An earlier call of the workload failed on a task that this one has too.
  bool repeats_failure(const Call& call) {
    const auto& scenario = progress_.scenario();
    const auto& last = last_failure(call.workload);
    return last && last->placements == progress_.placed() && call.count > *progress_.failure(last->failure).would_fit &&
           !draws(scenario.workloads[call.workload], scenario);
  }

  void give_up(std::vector<Next>& tasks, Failure why) {
    auto placements = progress_.take_back_trial();
    why.would_fit = static_cast<std::int64_t>(placements.size());
    const auto provider = why.attempt.capacity_provider;
    why.attempt = tasks.front().attempt;
    why.attempt.capacity_provider = provider;
    const std::uint32_t failure = progress_.fail(std::move(why));
    tasks.erase(tasks.begin());
    fail_all(tasks, failure);
    progress_.withdraw(failure, std::move(placements));
    last_failure(progress_.failure(failure).attempt.workload) = {failure, progress_.placed()};
  }

  Failure explain(const PlacementAttempt& attempt, std::uint32_t task_class) {
    return chooser_.explain(attempt, task_class, progress_.explains_in_full());
  }

  /// Fails the tasks for the reason that is already recorded, including the capacity provider.
  void fail_all(std::vector<Next>& tasks, std::uint32_t failure) {
    for (auto& task : tasks) {
      task.attempt.capacity_provider = progress_.failure(failure).attempt.capacity_provider;
      progress_.fail({task.attempt, failure, {}, {}, {}});
    }
  }

  /// The last failure of a workload that is placed as a whole is kept with its first class.
  std::optional<LastFailure>& last_failure(std::uint32_t workload) {
    return last_failures_[progress_.classes().number(workload, 0)];
  }

  Progress& progress_;
  Chooser& chooser_;
  std::vector<std::optional<LastFailure>> last_failures_;  ///< One entry per task class.
  std::map<std::uint32_t, ProviderDistributor> deals_;     ///< Keyed by workload; of services that have been attempted.
  /// Where tasks run before the first placement, by their group; made when first asked for.
  std::map<std::string_view, std::vector<std::uint32_t>> instances_of_group_;
};

/// The calls are made at the turn of the first workload that they name.
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

/// An instance of the profile on which tasks of one group run, or none.
class WithGroup : public ProfileView {
 public:
  WithGroup(const InstanceProfile& profile, std::vector<std::string_view> groups)
      : ProfileView(profile, nullptr, nullptr), groups_(std::move(groups)) {}
  std::vector<std::string_view> task_groups() const override { return groups_; }

 private:
  std::vector<std::string_view> groups_;
};

/// Whether some instance meets the constraints that look at tasks, with tasks of these groups on it.
bool is_met_beside(const Scenario& scenario, const Workload& workload, const std::vector<std::string_view>& groups) {
  return std::any_of(scenario.profiles.begin(), scenario.profiles.end(), [&](const InstanceProfile& profile) {
    const WithGroup view(profile, groups);
    return std::all_of(workload.constraints.begin(), workload.constraints.end(), [&](const Constraint& constraint) {
      return !constraint.depends_on_tasks() || constraint.expression->holds(view);
    });
  });
}

bool looks_at_tasks(const Workload& workload) {
  return std::any_of(workload.constraints.begin(), workload.constraints.end(),
                     [](const Constraint& constraint) { return constraint.depends_on_tasks(); });
}

/// Moves a service whose constraints require tasks of another group (memberOf task:group == service:cache) behind the
/// call that places them, unless such tasks run already. ECS places it then, because the service scheduler tries again
/// (developer guide, service_concepts). RunTask returns a failure at once, so standalone tasks keep their turn.
std::vector<Call> after_required_groups(std::vector<Call> order, const Scenario& scenario) {
  const auto workload_of = [&](const Call& call) -> const Workload& { return scenario.workloads[call.workload]; };
  const auto may_wait = [&](const Call& call) {
    return workload_of(call).kind == WorkloadKind::kService && looks_at_tasks(workload_of(call));
  };
  if (std::none_of(order.begin(), order.end(), may_wait)) return order;

  std::set<std::string_view> running;
  for (const auto& task : scenario.running) {
    if (!task.stopping) running.insert(task.group);
  }
  std::set<std::uint32_t> waiting;
  for (const Call& call : order) {
    const auto is_met = [&](std::string_view group) { return is_met_beside(scenario, workload_of(call), {group}); };
    if (may_wait(call) && !is_met_beside(scenario, workload_of(call), {}) &&
        std::none_of(running.begin(), running.end(), is_met))
      waiting.insert(call.workload);
  }

  // Each round may place what another service waits for. What no group helps comes last, and fails there.
  std::vector<Call> placed;
  const auto can_be_placed = [&](const Call& call) {
    return !waiting.contains(call.workload) || std::any_of(placed.begin(), placed.end(), [&](const Call& earlier) {
      return is_met_beside(scenario, workload_of(call), {workload_of(earlier).group});
    });
  };
  for (std::size_t left = order.size() + 1; order.size() < left;) {
    left = order.size();
    std::vector<Call> later;
    for (const Call& call : order) (can_be_placed(call) ? placed : later).push_back(call);
    order = std::move(later);
  }
  placed.insert(placed.end(), order.begin(), order.end());
  return placed;
}

}  // namespace

std::vector<Call> placement_order(const Scenario& scenario) {
  auto order = after_required_groups(in_given_order(scenario), scenario);
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

void run_attempts(Progress& progress, Chooser& chooser) {
  TurnTaker(progress, chooser).run();
}

}  // namespace bayplan::placement
