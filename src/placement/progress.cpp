#include "placement/progress.hpp"

#include <algorithm>

#include "placement/engine_assumptions.hpp"

namespace bayplan::placement {

TaskClasses::TaskClasses(const Scenario& scenario) {
  first_.reserve(scenario.workloads.size());
  for (std::uint32_t i = 0; i < scenario.workloads.size(); ++i) {
    const auto& providers = scenario.workloads[i].capacity_providers;
    first_.push_back(static_cast<std::uint32_t>(workloads_.size()));
    workloads_.insert(workloads_.end(), std::max<std::size_t>(1, providers.size()), i);
    for (const auto& share : providers) providers_.push_back(share.capacity_provider);
    if (providers.empty()) providers_.emplace_back();
  }
}

Progress::Progress(const Scenario& scenario) : scenario_(scenario), classes_(scenario) {
  outcome_.instances.reserve(scenario.instances.size());
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i) {
    outcome_.instances.push_back(starting_state(scenario, i, groups_));
  }
  std::map<std::string_view, std::uint32_t> names;
  for (const auto& workload : scenario.workloads) {
    group_of_.push_back(groups_.number(workload.group));
    const auto next = static_cast<std::uint32_t>(names.size());
    name_of_.push_back(names.try_emplace(workload.name, next).first->second);
  }
  turns_of_name_.resize(names.size());
  tasks_of_group_.resize(groups_.size());
  rooms_.reserve(outcome_.instances.size());
  for (const auto& state : outcome_.instances) {
    rooms_.push_back(room_of(state));
    for (const auto& own : state.tasks_by_group) tasks_of_group_[own.group] += own.tasks;
  }
}

bool Progress::explains_in_full() const {
  const std::size_t count = scenario_.instances.size();
  return count <= kFullExplanationLimit && rows_ + count <= kFullExplanationRows;
}

Turn Progress::next_turn(std::uint32_t workload, std::string_view provider) {
  return {workload, ++turns_of_name_[name_of_[workload]], step_++, provider};
}

void Progress::put(const Turn& turn, Choice choice) {
  const std::uint32_t group = group_of_[turn.workload];
  if (on_trial_) before_.push_back(outcome_.instances[choice.instance]);
  const auto& task = scenario_.workloads[turn.workload].requirement;
  auto gpus = take(outcome_.instances[choice.instance], task, group);
  outcome_.placements.push_back({turn, choice.instance, std::move(gpus), choice.tied});
  const bool takes_ports = !task.tcp_ports.empty() || !task.udp_ports.empty();
  history_.push_back({choice.instance, group, takes_ports, update_room(choice.instance, task.wants_gpu())});
  ++tasks_of_group_[group];
}

const Room& Progress::update_room(std::uint32_t instance, bool gpus_changed) {
  const auto& state = outcome_.instances[instance];
  auto& room = rooms_[instance];
  room.cpu = state.cpu;
  room.memory = state.memory;
  room.network_interfaces = state.network_interfaces;
  if (gpus_changed) room.whole_gpus = idle_whole_gpus(state.gpus);
  return room;
}

std::uint32_t Progress::fail(Failure failure) {
  rows_ += failure.instances.size();
  outcome_.failures.push_back(std::move(failure));
  return static_cast<std::uint32_t>(outcome_.failures.size() - 1);
}

void Progress::reach_limit(Failure why) {
  rows_ += why.instances.size();
  outcome_.limits.push_back(std::move(why));
}

void Progress::keep_trial() {
  before_.clear();
  on_trial_ = false;
}

std::vector<Placement> Progress::take_back_trial() {
  std::vector<Placement> taken_back(before_.size());
  for (std::size_t i = before_.size(); i-- > 0;) {
    const Touch last = history_.back();
    outcome_.instances[last.instance] = std::move(before_[i]);
    rooms_[last.instance] = room_of(outcome_.instances[last.instance]);
    --tasks_of_group_[last.group];
    history_.pop_back();
    taken_back[i] = std::move(outcome_.placements.back());
    outcome_.placements.pop_back();
  }
  keep_trial();
  return taken_back;
}

void Progress::withdraw(std::uint32_t failure, std::vector<Placement> placements) {
  if (!placements.empty()) outcome_.withdrawn.push_back({failure, std::move(placements)});
}

Outcome Progress::finish() && {
  history_ = {};
  add_engine_assumptions(scenario_, outcome_);
  return std::move(outcome_);
}

}  // namespace bayplan::placement
