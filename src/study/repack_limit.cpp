#include "study/repack_limit.hpp"

#include <algorithm>
#include <numeric>

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

std::int64_t up(std::int64_t amount, std::int64_t unit) {
  return (amount + unit - 1) / unit * unit;
}

/// What the task takes at least: a service may start it anew by another definition.
Amounts least_of(const StandingCluster& cluster, const StandingTask& task) {
  const auto now = amounts_of(cluster.requirement_of(task));
  const auto anew = amounts_of(cluster.scenario().workloads[task.workload].requirement);
  Amounts least;
  for (std::size_t d = 0; d < kDimensions; ++d) least.of[d] = std::min(now.of[d], anew.of[d]);
  return least;
}

/// Beyond what the instances that stay anyway can hold.
Amounts wanted_of(const StandingCluster& cluster, const RepackCandidates& candidates) {
  Amounts wanted;
  for (const auto& task : cluster.tasks()) {
    if (task.instance == kNowhere) continue;
    const bool is_service = cluster.scenario().workloads[task.workload].kind == WorkloadKind::kService;
    if (!is_service && candidates.blocked(task.instance) == nullptr) continue;  // it ends
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
    return room(a) * candidates.weight(b) > room(b) * candidates.weight(a);
  });
  std::int64_t weight = 0;
  for (const std::uint32_t instance : free) {
    if (wanted <= 0) break;
    const std::int64_t part = std::min(wanted, room(instance));
    if (part == 0) break;
    const auto whole = candidates.weight(instance) * part;
    weight += (whole + room(instance) - 1) / room(instance);
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

}  // namespace

WeightLimit limit_of(const StandingCluster& cluster, const RepackCandidates& candidates) {
  const auto free = candidates.free();
  const auto wanted = wanted_of(cluster, candidates);
  std::int64_t unit = 0, all = 0;
  for (const std::uint32_t instance : free) {
    unit = std::gcd(unit, candidates.weight(instance));
    all += candidates.weight(instance);
  }
  WeightLimit limit;
  std::int64_t kept = 0, count = 0;
  for (std::size_t d = 0; d < kDimensions; ++d) {
    count = std::max(count, least_count(candidates, free, d, wanted.of[d]));
    const std::int64_t weight = up(least_weight(candidates, free, d, wanted.of[d]), std::max<std::int64_t>(1, unit));
    if (weight <= kept) continue;
    kept = weight;
    limit.dimension = d;
  }
  limit.weight = all - kept;
  limit.instances = static_cast<std::int64_t>(free.size()) - count;
  return limit;
}

}  // namespace bayplan::study
