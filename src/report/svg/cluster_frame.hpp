#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/place/cluster_picture.hpp"

/// A cluster at one moment, added up as a still picture shows it.
namespace bayplan::report {

/// What the tasks of one kind take together.
struct FramedUse {
  std::uint32_t kind = 0;  ///< Index into ClusterPicture::kinds; `kUnlisted`: tasks that the picture does not name.
  std::int64_t tasks = 0;
  CpuUnits cpu = 0;
  MiB memory = 0;
  std::int64_t gpus = 0;              ///< Devices; one that kinds share counts for the first of them.
  std::vector<std::int64_t> numbers;  ///< Numbers of the tasks, ascending; empty if several instances are summed.
};

inline constexpr std::uint32_t kUnlisted = 0xFFFFFFFF;

struct FramedInstance {
  std::uint32_t instance = 0;                    ///< Index into ClusterPicture::instances.
  std::string_view state;                        ///< "DRAINING", "agent not connected"; empty: takes tasks.
  std::vector<FramedUse> uses;                   ///< Sorted by kind, the unlisted last.
  std::vector<std::vector<std::uint32_t>> gpus;  ///< Kinds on each device, ascending.
};

/// Instances that are there at `moment`, in the picture's order.
std::vector<FramedInstance> instances_at(const ClusterPicture& picture, timeline::Seconds moment);

const placement::InstanceProfile& profile_of(const ClusterPicture& picture, const FramedInstance& one);

std::int64_t tasks_on(const FramedInstance& one);
CpuUnits cpu_taken(const FramedInstance& one);
std::int64_t free_gpus_on(const FramedInstance& one);

/// Natural order of zones; no zone comes last.
bool zone_less(const std::string& a, const std::string& b);

/// Tasks of each kind that hold a place, by kind.
std::vector<std::int64_t> tasks_by_kind(const ClusterPicture& picture, const std::vector<FramedInstance>& frame);

}  // namespace bayplan::report
