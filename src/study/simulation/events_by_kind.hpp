#pragma once
#include <cstdint>
#include <variant>
#include <vector>

#include "placement/model/event.hpp"

namespace bayplan::study {

/// The events of one instant by kind: a cluster takes them in an order of its own, whatever the order of the list.
/// Refers to the events.
///
/// Read it by a structured binding, which names every kind: a new event then does not compile until each reader says
/// what becomes of it.
struct EventsByKind {
  std::vector<std::uint32_t> terminated;  ///< Instances, sorted, unique.
  std::vector<std::uint32_t> drained;     ///< Instances, sorted, unique.
  std::vector<const placement::RemoveInstances*> removals;
  std::vector<const placement::AddInstances*> additions;
  std::vector<const placement::Scale*> scales;
};

EventsByKind by_kind(const std::vector<placement::InstantEvent>& events);

/// Adds the numbers to a list that is sorted and has each number once.
void add_sorted(std::vector<std::uint32_t>& sorted, const std::vector<std::uint32_t>& more);

}  // namespace bayplan::study
