#pragma once
#include <cstdint>
#include <ostream>
#include <vector>

#include "report/place/place_report.hpp"

namespace bayplan::report {

/// Clusters up to this size have a row an instance without `-v`.
inline constexpr std::size_t kShownInstances = 24;

/// A row an instance: GPU slots, bars, tasks. At most 80 columns where the names allow it.
void write_instance_table(std::ostream& out, const PlaceReport& report, const std::vector<std::uint32_t>& instances,
                          const PlaceTextOptions& options);

/// A row a type: how many, how full, and how many instances have how many GPUs free.
void write_type_table(std::ostream& out, const PlaceReport& report, const std::vector<std::uint32_t>& instances,
                      const PlaceTextOptions& options);

/// A row an instance: GPUs as boxes by task, bars for CPU and memory, network interfaces, price, tasks; the legend of
/// the boxes below. Within 80 columns: longer names are cut in their middle. `verbose`: names whole, and the tasks of
/// each instance on a line of their own.
void write_wide_table(std::ostream& out, const PlaceReport& report, const std::vector<std::uint32_t>& instances,
                      const PlaceTextOptions& options);

/// A row a type and zone: how many, how full, and over how much of its CPU and how many free GPUs its instances are
/// spread; then, of all together, how many instances have how much CPU in use and how many GPUs free. Within 80
/// columns.
void write_cluster_groups(std::ostream& out, const PlaceReport& report, const std::vector<std::uint32_t>& instances,
                          const PlaceTextOptions& options);

/// Free GPUs in total and in blocks, then what each kind of GPU task still finds. Nothing where no GPU is free.
void write_free_gpus(std::ostream& out, const PlaceReport& report, const PlaceTextOptions& options);

/// Which GPUs each container was given, and what links them; left out where there are many.
void write_gpu_ids(std::ostream& out, const PlaceReport& report, const PlaceTextOptions& options);

}  // namespace bayplan::report
