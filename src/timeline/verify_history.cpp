#include "timeline/verify_history.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "placement/verify/resource_usage.hpp"

namespace bayplan::timeline {
namespace {

using placement::InstanceStatus;
using placement::Scenario;
using placement::WorkloadKind;

constexpr std::size_t kMaxMistakes = 20;
/// Instances looked at to check tasks that found no place, in all; past it those are believed.
constexpr std::size_t kExaminationBudget = 1'000'000;

/// What the resource accounting needs of the scenario, with every instance there ever was.
Scenario world_of(const Scenario& scenario, const History& history) {
  Scenario world;
  world.profiles = scenario.profiles;
  world.instances = scenario.instances;
  world.in_use = scenario.in_use;
  world.running = scenario.running;
  world.workloads = scenario.workloads;
  for (std::size_t i = world.instances.size(); i < history.instances.size(); ++i)
    world.instances.push_back({history.instances[i].id, history.instances[i].profile});
  return world;
}

/// Follows the log event by event with an accounting of its own: its state is that of tasks and instances at the time.
class Verifier {
 public:
  Verifier(const Scenario& scenario, const History& history)
      : scenario_(scenario),
        history_(history),
        world_(world_of(scenario, history)),
        usage_(world_),
        states_(history.tasks.size(), State::kUnknown),
        standings_(history.instances.size(), Standing::kNotYet) {
    for (const auto& definition : scenario.task_definitions) definitions_.emplace(definition.name, &definition);
    for (std::size_t i = 0; i < scenario.instances.size(); ++i) {
      const bool is_active = scenario.profiles[scenario.instances[i].profile].status == InstanceStatus::kActive;
      standings_[i] = is_active ? Standing::kActive : Standing::kElsewhere;
    }
    for (std::size_t i = 0; i < scenario.running.size(); ++i)
      states_[i] = scenario.running[i].stopping ? State::kStopping : State::kRunning;
    find_managed();
  }

  std::vector<std::string> run() && {
    for (std::uint32_t i = 0; i < history_.events.size() && mistakes_.size() < kMaxMistakes; ++i) read(i);
    if (history_.errors.empty()) check_records();
    check_launch_rates();
    return std::move(mistakes_);
  }

 private:
  enum class State : std::uint8_t { kUnknown, kWaiting, kPending, kRunning, kStopping, kOver };
  enum class Standing : std::uint8_t { kNotYet, kElsewhere, kActive, kGone };

  void find_managed() {
    std::set<std::string_view> names(scenario_.managed_providers.begin(), scenario_.managed_providers.end());
    for (const auto& group : scenario_.timetable.groups) {
      if (group.is_managed) names.insert(group.capacity_provider);
    }
    for (const auto& workload : scenario_.workloads) {
      auto& managed = is_managed_.emplace_back();
      for (const auto& share : workload.capacity_providers) managed.push_back(names.count(share.capacity_provider) > 0);
    }
  }

  template <class... Parts>
  void mistake(fmt::format_string<Parts...> text, Parts&&... parts) {
    if (mistakes_.size() >= kMaxMistakes) return;
    mistakes_.push_back(fmt::format("at {} s: ", now_) + fmt::format(text, std::forward<Parts>(parts)...));
  }

  std::string name(std::uint32_t task) const {
    const auto& own = history_.tasks[task];
    if (own.running != kNoIndex) return scenario_.running[*own.running].id;
    return scenario_.workloads[*own.workload].name + "#" + std::to_string(own.number);
  }
  const std::string& id(std::uint32_t instance) const { return history_.instances[instance].id; }

  void read(std::uint32_t index) {
    const auto& event = history_.events[index];
    if (event.at < now_) mistake("the log goes back to {} s", event.at);
    now_ = event.at;
    if (event.cause != kNoIndex && event.cause >= index) mistake("event {} has a cause that comes later", index);
    if (is_about_task(event.kind)) {
      read_task(event);
    } else if (is_about_instance(event.kind)) {
      read_instance(event);
    }
  }

  void read_instance(const Event& event) {
    auto& standing = standings_[event.subject];
    const bool is_launch = event.kind == EventKind::kInstanceLaunched;
    if (is_launch != (standing == Standing::kNotYet) || standing == Standing::kGone)
      mistake("{} has {} out of turn", id(event.subject), name_of(event.kind));
    standing = Standing::kElsewhere;
    if (event.kind == EventKind::kInstanceActive) standing = Standing::kActive;
    if (event.kind == EventKind::kInstanceTerminated) standing = Standing::kGone;
  }

  /// Within any minute no more than the launch rate, but for what the services start with.
  void check_launch_rates() {
    std::map<std::uint32_t, std::vector<Seconds>> launches;
    for (const auto& task : history_.tasks) {
      if (task.deployment != kNoIndex && task.running == kNoIndex && task.arrived_at > 0)
        launches[history_.deployments[*task.deployment].service].push_back(task.arrived_at);
    }
    const auto rate = static_cast<std::size_t>(scenario_.timetable.timing.launch_rate);
    for (auto& [service, times] : launches) {
      std::sort(times.begin(), times.end());
      for (std::size_t i = rate; i < times.size(); ++i) {
        if (times[i] - times[i - rate] >= 60) continue;
        const auto workload = scenario_.timetable.services[service].workload;
        mistake("{} launches more than {} tasks in the minute before {} s", scenario_.workloads[workload].name, rate,
                times[i]);
        break;
      }
    }
  }

  void read_task(const Event& event) {
    const std::uint32_t task = event.subject;
    auto& state = states_[task];
    if (!may_follow(state, event.kind)) mistake("{} has {} out of turn", name(task), name_of(event.kind));
    switch (event.kind) {
      case EventKind::kTaskArrived:
        state = State::kWaiting;
        return;
      case EventKind::kTaskPlaced:
        place(task, *event.instance);
        state = State::kPending;
        return;
      case EventKind::kTaskRunning:
        if (history_.tasks[task].started_at != event.at) mistake("{} is not recorded as RUNNING", name(task));
        state = State::kRunning;
        return;
      case EventKind::kTaskStopping:
        leave_group(task);
        state = State::kStopping;
        return;
      case EventKind::kTaskStopped:
        stop(task);
        return;
      case EventKind::kTaskFailed:
        if (event.stop == StopCause::kNone) check_failure(task);
        state = State::kOver;
        return;
      default:
        return;
    }
  }

  static bool may_follow(State state, EventKind kind) {
    switch (kind) {
      case EventKind::kTaskArrived:
        return state == State::kUnknown;
      case EventKind::kTaskRunning:
        return state == State::kPending;
      case EventKind::kTaskHealthy:
        return state == State::kRunning;
      case EventKind::kTaskStopping:
        return state == State::kPending || state == State::kRunning;
      case EventKind::kTaskStopped:
        return state != State::kUnknown && state != State::kOver;
      default:
        return state == State::kWaiting;
    }
  }

  void place(std::uint32_t task, std::uint32_t instance) {
    const auto& own = history_.tasks[task];
    if (own.instance != instance || own.placed_at != now_) mistake("{} is recorded elsewhere", name(task));
    if (standings_[instance] != Standing::kActive)
      mistake("{} is on {}, which is not ACTIVE", name(task), id(instance));
    const auto& workload = scenario_.workloads[*own.workload];
    for (const auto check : usage_.failing(*own.workload, instance, find_provider(task)).list())
      mistake("{} is on {} contrary to {}", name(task), id(instance), placement::reason_text(check));
    if (waits_in_queue(task) && workload.kind == WorkloadKind::kTasks && front() != task)
      mistake("{} starts before {}, which has waited longer", name(task), name(front()));
    const auto gpus = usage_.book(*own.workload, instance, own.gpus);
    if (!gpus.empty()) mistake("{} on {} {}", name(task), id(instance), gpus);
  }

  std::string_view find_provider(std::uint32_t task) const {
    const auto& own = history_.tasks[task];
    if (own.capacity_provider == kNoIndex) return {};
    return scenario_.workloads[*own.workload].capacity_providers[*own.capacity_provider].capacity_provider;
  }

  bool waits_in_queue(std::uint32_t task) const {
    const auto& own = history_.tasks[task];
    if (scenario_.timetable.when_full != placement::WhenFull::kWait) return false;
    if (own.deployment != kNoIndex || own.running != kNoIndex) return false;
    return own.capacity_provider == kNoIndex || !is_managed_[*own.workload][*own.capacity_provider];
  }

  /// The first that waits in the queue. No task waits twice, so it only moves on.
  std::uint32_t front() {
    while (front_ < states_.size() && (states_[front_] != State::kWaiting || !waits_in_queue(front_))) ++front_;
    return front_;
  }

  /// No instance would have taken it. Of calls that are placed as a whole one task says nothing of the others.
  void check_failure(std::uint32_t task) {
    const auto& own = history_.tasks[task];
    if (scenario_.workloads[*own.workload].all_or_nothing) return;
    for (std::uint32_t i = 0; i < standings_.size() && examined_ < kExaminationBudget; ++i) {
      if (standings_[i] != Standing::kActive) continue;
      ++examined_;
      if (usage_.failing(*own.workload, i, find_provider(task)).empty())
        return mistake("{} fails, and {} would have taken it", name(task), id(i));
    }
  }

  void leave_group(std::uint32_t task) {
    const auto& own = history_.tasks[task];
    const std::uint32_t group = own.running != kNoIndex ? usage_.number_of(scenario_.running[*own.running].group)
                                                        : usage_.group_of(*own.workload);
    const auto fault = usage_.leave_group(*own.instance, group);
    if (!fault.empty()) mistake("{} on {} {}", name(task), id(*own.instance), fault);
  }

  void stop(std::uint32_t task) {
    auto& state = states_[task];
    if (history_.tasks[task].stopped_at != now_) mistake("{} is not recorded as stopped", name(task));
    if (state == State::kPending || state == State::kRunning) leave_group(task);
    if (state != State::kWaiting) give_back(task);
    state = State::kOver;
  }

  void give_back(std::uint32_t task) {
    const auto& own = history_.tasks[task];
    if (own.running == kNoIndex) {
      const auto& needs = scenario_.workloads[*own.workload].requirement;
      return usage_.give_back(*own.instance, needs, placement::list_devices(needs, own.gpus));
    }
    const auto& running = scenario_.running[*own.running];
    const auto known = definitions_.find(running.task_definition);
    const auto& needs = known == definitions_.end() ? nothing_ : known->second->requirement;
    usage_.give_back(*own.instance, needs, running.gpus);
  }

  void check_records() {
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
      const auto& own = history_.tasks[i];
      if (states_[i] == State::kUnknown) mistake("{} never arrived", name(i));
      if ((states_[i] == State::kOver) != own.stopped_at.has_value()) mistake("{} has no end, or two", name(i));
      const bool is_there =
          own.instance != kNoIndex && (states_[i] == State::kPending || states_[i] == State::kRunning);
      if (is_there && standings_[*own.instance] == Standing::kGone)
        mistake("{} is on {}, which is gone", name(i), id(*own.instance));
    }
  }

  const Scenario& scenario_;
  const History& history_;
  Scenario world_;
  placement::ResourceUsage usage_;
  std::map<std::string_view, const placement::TaskDefinition*> definitions_;
  capacity::TaskRequirement nothing_;
  std::vector<State> states_;                  ///< One entry per task.
  std::vector<Standing> standings_;            ///< One entry per instance.
  std::vector<std::vector<bool>> is_managed_;  ///< Indexed by workload, then by its capacity provider.
  std::vector<std::string> mistakes_;
  std::uint32_t front_ = 0;
  std::size_t examined_ = 0;
  Seconds now_ = 0;
};

}  // namespace

std::vector<std::string> verify(const Scenario& scenario, const History& history) {
  return Verifier(scenario, history).run();
}

}  // namespace bayplan::timeline
