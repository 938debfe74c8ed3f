#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "report/document/report_document.hpp"
#include "report/place/place_report.hpp"

/// Parts of the reports of `place` that show the cluster.
namespace bayplan::report {

/// Terminal: the instances of the view, by type where they are many, and the line of totals, which comes first in the
/// wide form.
void add_cluster(ReportDocument& document, const PlaceReport& report, const ClusterView& view);

/// Page: the map of the cluster and its fragmentation.
void add_cluster_views(ReportDocument& document);

/// Comment: a row per instance, folded.
void add_instance_list(ReportDocument& document, const PlaceReport& report);

/// Clusters up to this size have a row an instance without `-v`.
inline constexpr std::size_t kShownInstances = 24;

/// A row an instance: GPU slots, bars, tasks. At most 80 columns where the names allow it.
Table make_first_screen_table(const PlaceReport& report, const std::vector<std::uint32_t>& instances,
                              const TextOptions& options);

/// A row a type: how many, how full, and how many instances have how many GPUs free.
Table make_type_table(const PlaceReport& report, const std::vector<std::uint32_t>& instances, const Glyphs& glyphs);

/// A row an instance: GPUs as boxes by task, bars for CPU and memory, network interfaces, price, tasks; the legend of
/// the boxes below. Within 80 columns: longer names are cut in their middle. `verbose`: names whole, and the tasks of
/// each instance on a line of their own.
Blocks make_wide_table(const PlaceReport& report, const std::vector<std::uint32_t>& instances,
                       const TextOptions& options);

/// A row a type and zone: how many, how full, and over how much of its CPU and how many free GPUs its instances are
/// spread; then, of all together, how many instances have how much CPU in use and how many GPUs free. Within 80
/// columns.
void add_cluster_groups(ReportDocument& document, const PlaceReport& report,
                        const std::vector<std::uint32_t>& instances, const Glyphs& glyphs);

/// Free GPUs in total and in blocks, then what each kind of GPU task still finds. Nothing where no GPU is free.
void add_free_gpus(ReportDocument& document, const PlaceReport& report);

/// Which GPUs each container was given, and what links them.
void add_gpu_ids(ReportDocument& document, const PlaceReport& report);

}  // namespace bayplan::report
