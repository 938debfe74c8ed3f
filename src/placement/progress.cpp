#include "placement/progress.hpp"

#include <iterator>
#include <utility>

#include "placement/engine_assumptions.hpp"

namespace bayplan::placement {

Progress::Progress(const Scenario& scenario) : occupancy_(scenario), numbers_(scenario.workloads) {}

bool Progress::explains_in_full() const {
  const std::size_t count = scenario().instances.size();
  return count <= kFullExplanationLimit && rows_ + count <= kFullExplanationRows;
}

Turn Progress::next_turn(std::uint32_t workload, std::string_view provider) {
  return {workload, numbers_.next(workload), step_++, provider};
}

void Progress::put(const Turn& turn, Choice choice) {
  auto gpus = occupancy_.take(turn.workload, choice.instance);
  outcome_.placements.push_back({turn, choice.instance, std::move(gpus), choice.tied});
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

std::vector<Placement> Progress::take_back_trial() {
  const auto first = outcome_.placements.begin() + static_cast<std::ptrdiff_t>(kept_);
  std::vector<Placement> taken_back(std::make_move_iterator(first), std::make_move_iterator(outcome_.placements.end()));
  outcome_.placements.resize(kept_);
  for (const auto& placement : taken_back) {
    occupancy_.give_back(placement.turn.workload, placement.instance, placement.gpus);
  }
  return taken_back;
}

void Progress::withdraw(std::uint32_t failure, std::vector<Placement> placements) {
  if (!placements.empty()) outcome_.withdrawn.push_back({failure, std::move(placements)});
}

Outcome Progress::finish() && {
  outcome_.instances = std::move(occupancy_).finish();
  add_engine_assumptions(scenario(), outcome_);
  return std::move(outcome_);
}

}  // namespace bayplan::placement
