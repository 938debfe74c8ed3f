// Where tasks find a place, and why they find none.
#include "timeline/cluster.hpp"

#include <algorithm>

#include "placement/engine/gpu_devices.hpp"
#include "placement/engine/nearest.hpp"

namespace bayplan::timeline {

using placement::Choice;
using placement::Failure;
using placement::WorkloadKind;

namespace {

/// Failures keep a row for each instance up to here, then the counts alone: a queue that waits for weeks would fill the
/// memory with rows that nobody reads.
constexpr std::size_t kFullRows = placement::kFullExplanationRows;
/// So many explanations are kept of tasks that fail for good, and of tasks that wait: those after them go without.
constexpr std::size_t kMaxExplanations = 100'000;
constexpr std::size_t kMaxOfWaiting = 10'000;

}  // namespace

std::optional<Choice> Cluster::find_place_of(std::uint32_t task_class) {
  if (failed_at_[task_class] == version()) return std::nullopt;
  const auto choice = chooser_->choose(task_class);
  if (!choice) failed_at_[task_class] = version();
  return choice;
}

bool Cluster::has_place(std::uint32_t task_class) {
  if (failed_at_[task_class] == version()) return false;
  if (chooser_->has_place(task_class)) return true;
  failed_at_[task_class] = version();
  return false;
}

bool Cluster::try_place(std::uint32_t task) {
  const auto choice = find_place(task);
  if (choice) place(task, *choice);
  return choice.has_value();
}

void Cluster::place_unlogged(std::uint32_t index, Choice choice) {
  auto& own = history_.tasks[index];
  own.gpus = occupancy_->take(own.workload, choice.instance);
  own.instance = choice.instance;
  own.placed_at = now;
  own.tied = choice.tied;
  auto& instance = instances_[choice.instance];
  instance.tasks.push_back(index);
  if (scenario_.workloads[own.workload].kind != WorkloadKind::kDaemon) ++instance.busy;
}

/// What let in a task that waited: room on its instance; else what its constraints see there; else its turn in the
/// queue.
std::uint32_t Cluster::what_let_in(std::uint32_t index) const {
  const std::uint32_t waited = live_[index].last_event;
  const auto& instance = instances_[history_.tasks[index].instance];
  const std::uint32_t turn = live_[index].service == kNoIndex ? queue_moved_by_ : kNoIndex;
  for (const std::uint32_t event : {instance.last_event, instance.last_change, turn}) {
    if (event != kNoIndex && event > waited) return event;
  }
  return waited;
}

void Cluster::log_place_of(std::uint32_t index) {
  const auto& own = history_.tasks[index];
  auto& live = live_[index];
  const std::uint32_t cause = live.is_tried ? what_let_in(index) : live.last_event;
  live.last_event = log({.kind = EventKind::kTaskPlaced, .subject = index, .instance = own.instance, .cause = cause});
  instances_[own.instance].last_change = live.last_event;
  touch(index);
}

void Cluster::place(std::uint32_t index, Choice choice) {
  end_provisioning(index);
  place_unlogged(index, choice);
  log_placed(index);
}

void Cluster::log_placed(std::uint32_t index) {
  log_place_of(index);
  const auto& own = history_.tasks[index];
  const bool waits_for_others = own.job != kNoIndex && !history_.jobs[own.job].started_at;
  if (!waits_for_others) start_running_at(index, now + timetable().tasks[own.workload].start_delay);
}

void Cluster::take_back(std::uint32_t index) {
  auto& own = history_.tasks[index];
  free(index);
  own.instance = kNoIndex;
  own.placed_at.reset();
  own.tied = false;
  own.gpus.clear();
}

void Cluster::free(std::uint32_t index) {
  const auto& own = history_.tasks[index];
  auto& instance = instances_[own.instance];
  if (own.running != kNoIndex) {
    const auto& running = scenario_.running[own.running];
    const bool in_group = live_[index].stopping == StopCause::kNone && !running.stopping;
    const auto group = in_group ? occupancy_->group_named(running.group) : placement::kNoGroup;
    occupancy_->give_back(own.instance, of_running_[own.running], group, running.gpus);
    if (!running.daemon) --instance.busy;
  } else {
    const auto& workload = scenario_.workloads[own.workload];
    const auto group =
        live_[index].stopping == StopCause::kNone ? occupancy_->group_of(own.workload) : placement::kNoGroup;
    occupancy_->give_back(own.instance, workload.requirement, group,
                          placement::devices_of(workload.requirement, own.gpus));
    if (workload.kind != WorkloadKind::kDaemon) --instance.busy;
  }
  const auto at = std::find(instance.tasks.begin(), instance.tasks.end(), index);
  *at = instance.tasks.back();
  instance.tasks.pop_back();
}

placement::PlacementAttempt Cluster::attempt_of(std::uint32_t index) const {
  const auto& own = history_.tasks[index];
  // The history outlives the copy of the scenario.
  const auto& providers = given_.workloads[own.workload].capacity_providers;
  const bool has_provider = own.capacity_provider != kNoIndex;
  return {own.workload, own.number, static_cast<std::int64_t>(index),
          has_provider ? std::string_view(providers[own.capacity_provider].capacity_provider) : std::string_view()};
}

std::uint32_t Cluster::note(Failure failure, std::uint32_t task_class) {
  rows_ += failure.instances.size();
  // One row, which reports cannot do without: where not every instance is listed, the nearest comes first.
  if (rows_ > kFullRows && failure.instances.size() > 1)
    failure.instances = placement::Rejections({failure.instances.front()});
  const auto number = static_cast<std::uint32_t>(history_.failures.size());
  history_.failures.push_back(std::move(failure));
  explained_[task_class] = {version(), number};
  return number;
}

void Cluster::explain(std::uint32_t index, ExplanationReason why) {
  const std::uint32_t task_class = class_of(index);
  const auto [as_of, known] = explained_[task_class];
  if (as_of == version() && known != kNoIndex) {
    history_.tasks[index].failure = known;
    return;
  }
  const std::size_t most = why == ExplanationReason::kWaiting ? kMaxOfWaiting : kMaxExplanations;
  if (why != ExplanationReason::kAtTheEnd && history_.failures.size() >= most) return;
  const std::size_t count = occupancy_->standing_count();
  const bool in_full = count <= placement::kFullExplanationLimit && rows_ + count <= kFullRows;
  history_.tasks[index].failure = note(chooser_->explain(attempt_of(index), task_class, in_full), task_class);
}

void Cluster::explain_on(std::uint32_t index, std::uint32_t instance) {
  const std::uint32_t workload = history_.tasks[index].workload;
  const placement::Filter filter(scenario_, occupancy_->groups(), scenario_.workloads[workload],
                                 occupancy_->group_of(workload));
  auto failure = placement::explain_failure(attempt_of(index), {instance}, occupancy_->states(), filter, scenario_,
                                            rows_ < kFullRows);
  history_.tasks[index].failure = note(std::move(failure), class_of(index));
}

}  // namespace bayplan::timeline
