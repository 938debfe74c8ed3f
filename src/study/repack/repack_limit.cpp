#include "study/repack/repack_limit.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

/// An absurd size, times a price, is more than 64 bits hold.
__extension__ using Wide = __int128;

std::int64_t up(std::int64_t amount, std::int64_t unit) {
  return (amount + unit - 1) / unit * unit;
}

/// What the task takes at least: a service may start it anew by another definition.
Amounts least_of(const ClusterSimulation& cluster, const SimulatedTask& task) {
  const auto now = to_amounts(cluster.requirement(task));
  const auto anew = to_amounts(cluster.scenario().workloads[task.workload].requirement);
  Amounts least;
  for (std::size_t d = 0; d < kDimensions; ++d) least.of[d] = std::min(now.of[d], anew.of[d]);
  return least;
}

/// Beyond what the instances that stay anyway can hold.
Amounts wanted_of(const ClusterSimulation& cluster, const RepackCandidates& candidates) {
  Amounts wanted;
  for (const auto& task : cluster.tasks()) {
    if (task.instance == kNoInstance) continue;
    const bool is_service = cluster.scenario().workloads[task.workload].kind == WorkloadKind::kService;
    if (!is_service && candidates.blocked(*task.instance) == nullptr) continue;  // it ends
    const auto least = least_of(cluster, task);
    for (std::size_t d = 0; d < kDimensions; ++d) wanted.of[d] += least.of[d];
  }
  for (std::uint32_t i = 0; i < cluster.base_instances(); ++i) {
    if (candidates.blocked(i) == nullptr) continue;
    for (std::size_t d = 0; d < kDimensions; ++d) wanted.of[d] -= candidates.capacity(i).of[d];
  }
  return wanted;
}

/// The least weight of instances that have `wanted` of the dimension together, the last of them in part.
std::int64_t least_weight(const RepackCandidates& candidates, std::vector<std::uint32_t> free, std::size_t dimension,
                          std::int64_t wanted) {
  const auto room = [&](std::uint32_t instance) { return candidates.capacity(instance).of[dimension]; };
  std::sort(free.begin(), free.end(), [&](std::uint32_t a, std::uint32_t b) {
    return Wide{room(a)} * candidates.weight(b) > Wide{room(b)} * candidates.weight(a);
  });
  std::int64_t weight = 0;
  for (const std::uint32_t instance : free) {
    if (wanted <= 0) break;
    const std::int64_t part = std::min(wanted, room(instance));
    if (part == 0) break;
    const auto whole = Wide{candidates.weight(instance)} * part;
    weight += static_cast<std::int64_t>((whole + room(instance) - 1) / room(instance));
    wanted -= part;
  }
  return weight;
}

std::int64_t least_count(const RepackCandidates& candidates, const std::vector<std::uint32_t>& free,
                         std::size_t dimension, std::int64_t wanted) {
  std::vector<std::int64_t> rooms;
  for (const std::uint32_t instance : free) rooms.push_back(candidates.capacity(instance).of[dimension]);
  std::sort(rooms.rbegin(), rooms.rend());
  std::size_t count = 0;
  while (wanted > 0 && count < rooms.size()) wanted -= rooms[count++];
  return static_cast<std::int64_t>(count);
}

/// Tasks that cannot share an instance: as many instances have one of the same service, or of the same host port. A
/// task that moves takes an instance that has none; so as many have one in the end. What an instance has is what its
/// state says: a snapshot may describe a port as free that one of its tasks uses, and then another task may come.
struct Apart {
  std::int64_t ports = 0;
  std::int64_t distinct = 0;
};

template <class Key>
std::int64_t most_instances(const std::map<Key, std::set<std::uint32_t>>& instances) {
  std::size_t most = 0;
  for (const auto& [key, own] : instances) most = std::max(most, own.size());
  return static_cast<std::int64_t>(most);
}

bool is_distinct(const Workload& workload) {
  return std::any_of(workload.constraints.begin(), workload.constraints.end(),
                     [](const Constraint& own) { return own.type == ConstraintType::kDistinctInstance; });
}

Apart find_separations(const ClusterSimulation& cluster) {
  std::map<std::uint16_t, std::set<std::uint32_t>> ports;
  std::map<std::uint32_t, std::set<std::uint32_t>> distinct;
  for (const auto& task : cluster.tasks()) {
    const auto& workload = cluster.scenario().workloads[task.workload];
    if (task.instance == kNoInstance || workload.kind != WorkloadKind::kService) continue;
    const auto& now = cluster.requirement(task).tcp_ports;
    const auto& taken = cluster.occupancy().states()[*task.instance].tcp_ports;
    const auto has = [](const auto& list, auto port) {
      return std::find(list.begin(), list.end(), port) != list.end();
    };
    for (const auto port : workload.requirement.tcp_ports) {
      if (has(now, port) && has(taken, port)) ports[port].insert(*task.instance);
    }
    if (is_distinct(workload)) distinct[task.workload].insert(*task.instance);
  }
  return {most_instances(ports), most_instances(distinct)};
}

/// Weight of the cheapest instances.
std::int64_t weight_of_cheapest(const RepackCandidates& candidates, const std::vector<std::uint32_t>& free,
                                std::int64_t count) {
  std::vector<std::int64_t> weights;
  for (const std::uint32_t instance : free) weights.push_back(candidates.weight(instance));
  std::sort(weights.begin(), weights.end());
  weights.resize(static_cast<std::size_t>(std::clamp<std::int64_t>(count, 0, static_cast<std::int64_t>(free.size()))));
  return std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
}

}  // namespace

WeightLimit find_limit(const ClusterSimulation& cluster, const RepackCandidates& candidates) {
  const auto free = candidates.free();
  const auto wanted = wanted_of(cluster, candidates);
  std::int64_t unit = 0;
  for (const std::uint32_t instance : free) unit = std::gcd(unit, candidates.weight(instance));
  WeightLimit limit;
  std::int64_t kept = 0, count = 0;
  const auto want = [&](std::string_view what, std::int64_t weight, std::int64_t instances) {
    count = std::max(count, instances);
    weight = up(weight, std::max<std::int64_t>(1, unit));
    if (weight <= kept) return;
    kept = weight;
    limit.binds = what;
  };
  for (std::size_t d = 0; d < kDimensions; ++d)
    want(name_of_dimension(d), least_weight(candidates, free, d, wanted.of[d]),
         least_count(candidates, free, d, wanted.of[d]));
  const auto apart = find_separations(cluster);
  const auto blocked = static_cast<std::int64_t>(cluster.base_instances() - free.size());
  for (const auto& [what, instances] : {std::pair("PORTS", apart.ports), std::pair("distinctInstance", apart.distinct)})
    want(what, weight_of_cheapest(candidates, free, instances - blocked),
         std::max<std::int64_t>(0, instances - blocked));
  limit.weight = weight_of_cheapest(candidates, free, static_cast<std::int64_t>(free.size())) - kept;
  limit.instances = static_cast<std::int64_t>(free.size()) - count;
  return limit;
}

}  // namespace bayplan::study
