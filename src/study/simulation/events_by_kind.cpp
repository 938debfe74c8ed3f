#include "study/simulation/events_by_kind.hpp"

#include <algorithm>

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

void note(const TerminateInstances& event, EventsByKind& kinds) {
  add_sorted(kinds.terminated, event.instances);
}
void note(const DrainInstances& event, EventsByKind& kinds) {
  add_sorted(kinds.drained, event.instances);
}
void note(const RemoveInstances& event, EventsByKind& kinds) {
  kinds.removals.push_back(&event);
}
void note(const AddInstances& event, EventsByKind& kinds) {
  kinds.additions.push_back(&event);
}
void note(const Scale& event, EventsByKind& kinds) {
  kinds.scales.push_back(&event);
}

}  // namespace

EventsByKind by_kind(const std::vector<InstantEvent>& events) {
  EventsByKind kinds;
  for (const auto& event : events) std::visit([&](const auto& one) { note(one, kinds); }, event);
  return kinds;
}

void add_sorted(std::vector<std::uint32_t>& sorted, const std::vector<std::uint32_t>& more) {
  sorted.insert(sorted.end(), more.begin(), more.end());
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
}

}  // namespace bayplan::study
