#include "replay/task_states.hpp"

#include <algorithm>
#include <utility>

namespace bayplan::replay {
TaskStates::TaskStates(const History& history, RecordedCluster& cluster, Requests& requests, std::vector<bool> is_open)
    : history_(history),
      cluster_(cluster),
      requests_(requests),
      states_(history.tasks.size()),
      is_open_(std::move(is_open)),
      doubts_(cluster.size()),
      stopping_(cluster.size()) {}

void TaskStates::add_instance() {
  doubts_.push_back(0);
  stopping_.emplace_back();
}

void TaskStates::add_running(std::uint32_t task, const RunningTask& running) {
  states_[task] = {requests_.held_of(history_.tasks[task]), running.instance, true, !running.stopping};
  if (running.stopping) stopping_[running.instance].push_back({cluster_.groups().number(running.group), 1});
  if (!running.gpus.empty()) devices_[task] = running.gpus;
}

void TaskStates::add_described(std::uint32_t task, std::uint32_t instance, bool counts) {
  const std::uint32_t held = requests_.held_of(history_.tasks[task]);
  states_[task] = {held, instance, true, counts};
  cluster_.count_task(instance);
  if (counts) cluster_.enter_group(instance, requests_.held(held).group);
}

std::optional<std::uint32_t> TaskStates::take(std::uint32_t index) {
  const auto& task = history_.tasks[index];
  auto& state = states_[index];
  if (state.is_held) return std::nullopt;
  const auto instance = cluster_.find(history_.names.text(task.instance));
  if (!instance) return std::nullopt;  // counted when it is described
  state = {requests_.held_of(task), *instance, true, true};
  auto gpus = cluster_.take(*instance, requests_.held(state.held), gpu_ids_in(history_.names.text(task.gpus)));
  if (!gpus.empty()) devices_[index] = std::move(gpus);
  if (!is_open_[index]) return instance;
  open_.push_back(index);
  ++doubts_[*instance];
  return instance;
}

void TaskStates::stop_counting(std::uint32_t index) {
  auto& state = states_[index];
  if (!state.is_held || !state.counts) return;
  state.counts = false;
  const std::uint32_t group = requests_.held(state.held).group;
  cluster_.leave_group(state.instance, group);
  stopping_[state.instance].push_back({group, 1});
}

void TaskStates::release(std::uint32_t index) {
  stop_counting(index);
  auto& state = states_[index];
  if (!state.is_held) return;
  state.is_held = false;
  if (is_open_[index] && std::erase(open_, index) > 0) --doubts_[state.instance];
  auto& stopping = stopping_[state.instance];
  const std::uint32_t group = requests_.held(state.held).group;
  const auto own = std::find_if(stopping.begin(), stopping.end(), [&](const auto& one) { return one.group == group; });
  if (own != stopping.end()) stopping.erase(own);
  const auto gpus = devices_.find(index);
  cluster_.release(state.instance, requests_.held(state.held),
                   gpus == devices_.end() ? std::vector<std::uint32_t>() : gpus->second);
  if (gpus != devices_.end()) devices_.erase(gpus);
}

bool TaskStates::begin_unseen(std::uint32_t task) {
  const auto instance = cluster_.find_ec2(history_.names.text(history_.tasks[task].reported_by));
  if (!instance) return false;  // of another cluster, or not described
  states_[task].instance = *instance;
  unseen_.push_back(task);
  ++doubts_[*instance];
  return true;
}

void TaskStates::end_unseen(std::uint32_t task) {
  if (std::erase(unseen_, task) > 0) --doubts_[states_[task].instance];
}

}  // namespace bayplan::replay
