#pragma once
#include <string>

#include "study/plain_what_if.hpp"
#include "study/simulation/cluster_simulation.hpp"

namespace bayplan::study {

/// How a cluster simulation stands, to hold against the plain one.
inline PlainResult read(const ClusterSimulation& cluster) {
  PlainResult result;
  for (std::uint32_t i = 0; i < cluster.names(); ++i) {
    const auto& workload = cluster.first_workload(i);
    const auto& own = cluster.figures(i);
    if (own.desired == 0 && cluster.figures_before(i).desired == 0) continue;
    result.names[{workload.name, workload.kind == placement::WorkloadKind::kService}] = {
        own.desired, own.placed, own.held, own.stays, own.moves};
  }
  const auto& occupancy = cluster.occupancy();
  for (const std::uint32_t i : occupancy.standing()) {
    const auto& id = cluster.scenario().instances[i].id;
    auto state = occupancy.states()[i];
    auto& groups = result.groups[id];
    for (const auto& own : state.tasks_by_group) groups[occupancy.groups().name(own.group)] = own.tasks;
    state.tasks_by_group.clear();
    result.states[id] = state;
  }
  return result;
}

inline std::string difference(const PlainResult& own, const PlainResult& plain) {
  for (const auto& [name, figures] : plain.names) {
    const auto found = own.names.find(name);
    const PlainFigures known = found == own.names.end() ? PlainFigures{} : found->second;
    if (known == figures) continue;
    const auto text = [](const PlainFigures& f) {
      return "desired " + std::to_string(f.desired) + " placed " + std::to_string(f.placed) + " held " +
             std::to_string(f.held) + " stays " + std::to_string(f.stays) + " moves " + std::to_string(f.moves);
    };
    return name.first + ": " + text(known) + ", plainly " + text(figures);
  }
  if (own.states.size() != plain.states.size()) return "other instances are there";
  for (const auto& [id, state] : plain.states) {
    const auto found = own.states.find(id);
    if (found == own.states.end() || !(found->second == state)) return id + " stands otherwise";
    if (own.groups.at(id) != plain.groups.at(id)) return id + " has other tasks";
  }
  return {};
}

}  // namespace bayplan::study
