#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/place/place_report.hpp"
#include "report/timeline/timeline_report.hpp"

/// A cluster and the tasks on it as pictures draw them, at time 0 or over a run.
namespace bayplan::report {

/// Tasks that look alike: those of a workload, or those of a task definition that ran before the first turn.
struct PicturedKind {
  std::string name;
  CpuUnits cpu = 0;  ///< Like the following members, the amount of one task.
  MiB memory = 0;
  std::int64_t network_interfaces = 0;
  bool shares_gpu = false;  ///< A part of a device only.
  bool ran_before = false;
};

struct PicturedTask {
  std::uint32_t kind = 0;  ///< Index into ClusterPicture::kinds.
  std::int64_t number = 0;
  std::uint32_t instance = 0;           ///< Index into ClusterPicture::instances.
  timeline::Seconds from = 0;           ///< Holds its resources from here on.
  std::optional<timeline::Seconds> to;  ///< Nothing: to the end.
  std::vector<std::uint32_t> gpus;      ///< Devices, sorted.
};

/// Resources of an instance that are in use, but not by a task of the picture.
struct PicturedUse {
  CpuUnits cpu = 0;
  MiB memory = 0;
  std::int64_t network_interfaces = 0;
  std::int64_t tasks = 0;
  std::vector<std::uint32_t> gpus;
};

struct PicturedInstance {
  std::string id;
  std::uint32_t profile = 0;   ///< Index into Scenario::profiles.
  timeline::Seconds from = 0;  ///< A time after the end of the run means that the instance is still booting.
  std::optional<timeline::Seconds> draining;
  std::optional<timeline::Seconds> to;
  PicturedUse other;
};

struct ClusterPicture {
  const placement::Scenario* scenario = nullptr;  ///< Whose profiles the instances have.
  std::vector<PicturedKind> kinds;
  std::vector<PicturedInstance> instances;
  std::vector<PicturedTask> tasks;
  timeline::Seconds end = 0;  ///< 0: a picture of one moment.
};

/// The instances of the scenario with what they run besides the tasks of a picture, and the kinds of its workloads.
ClusterPicture make_empty_picture(const placement::Scenario& scenario);

/// The kind of tasks that ran before the first placement, by the name of their definition.
std::uint32_t add_running_kind(ClusterPicture& picture, const std::string& task_definition,
                               const capacity::TaskRequirement& requirement);

/// What a task of the picture takes is no longer taken by others.
void take_off(PicturedUse& use, const capacity::TaskRequirement& task, const std::vector<std::uint32_t>& gpus);

/// Refers to what the report refers to.
ClusterPicture make_cluster_picture(const PlaceReport& report);
ClusterPicture make_cluster_picture(const TimelineReport& report);

}  // namespace bayplan::report
