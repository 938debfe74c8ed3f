#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "report/svg/cluster_frame.hpp"
#include "report/svg/instance_boxes.hpp"
#include "report/svg/kind_marks.hpp"
#include "report/svg/svg_writer.hpp"

/// Instances of one zone and type as one box, for clusters with too many for a box each.
namespace bayplan::report {

struct PicturedGroup {
  std::string zone;
  std::string instance_type;
  std::int64_t instances = 0;
  std::int64_t with_tasks = 0;
  std::int64_t closed = 0;      ///< Take no tasks.
  std::vector<FramedUse> uses;  ///< Added up, by kind.
  CpuUnits cpu = 0;
  MiB memory = 0;
  std::int64_t gpus = 0;
  std::int64_t free_gpus = 0;
  bool is_neuron = false;                             ///< The devices counted as GPUs here are Neuron devices.
  std::int64_t most_gpus = 0;                         ///< Largest number of GPUs on one instance.
  std::map<std::int64_t, std::int64_t> by_free_gpus;  ///< Free GPUs -> number of instances.
  std::map<std::int64_t, std::int64_t> by_cpu_tenth;  ///< Tenths of CPU in use, rounded up -> number of instances.
};

/// Lists groups by zone, then type, in natural order; those without a zone come last.
std::vector<PicturedGroup> list_groups(const ClusterPicture& picture, const std::vector<FramedInstance>& frame);

inline constexpr BoxSize kGroupBox{290, 148};

void draw_group(SvgWriter& svg, const ClusterPicture& picture, const KindMarks& marks, const PicturedGroup& group,
                std::int64_t x, std::int64_t y);

}  // namespace bayplan::report
