#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"

/// What the free GPUs of a cluster are still worth: ECS counts them one by one, a task needs all of its own on one
/// instance.
namespace bayplan::placement {

/// Instances with GPUs that can take tasks (ACTIVE, agent connected), by how many are free on each.
struct FreeGpus {
  std::int64_t free = 0;
  std::int64_t instances = 0;
};

/// Lists instances by `free`, the most first; those without a free GPU come last.
std::vector<FreeGpus> free_gpus(const Scenario& scenario, const Outcome& outcome);

/// The room left for one kind of GPU task.
struct GpuRoom {
  std::uint32_t task_definition = 0;  ///< Index into Scenario::task_definitions.
  capacity::TaskRequirement requirement;
  std::int64_t copies = 0;    ///< More that fit, were nothing else placed. Constraints that look at tasks do not count.
  std::int64_t stranded = 0;  ///< Free GPUs that are left over then, of instances that can take tasks.
  /// Those GPUs, counted by the first check that one more copy fails there.
  std::array<std::int64_t, kCheckCount> stranded_by_check{};
};

/// More kinds than this times instances are not looked at.
inline constexpr std::size_t kMaxGpuRoomLooks = 5'000'000;

/// One entry a kind of GPU task that the scenario knows, in its order. Fewer when there are too many to look at.
std::vector<GpuRoom> gpu_room(const Scenario& scenario, const Outcome& outcome);

}  // namespace bayplan::placement
