#include "report/place/place_tables.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/catalog/interconnect.hpp"
#include "report/document/table.hpp"
#include "report/place/place_words.hpp"

namespace bayplan::report {

using namespace placement;  // NOLINT: the report is about nothing else

namespace {

/// "4 on each of 2 instances, 1 on p3.8xlarge".
std::string blocks_text(const std::vector<FreeGpus>& blocks) {
  std::vector<std::string> parts;
  for (const auto& block : blocks) {
    if (block.free == 0) continue;
    parts.push_back(block.instances == 1 ? fmt::format("{} on 1 instance", block.free)
                                         : fmt::format("{} on each of {} instances", block.free, block.instances));
  }
  return join(parts, ", ");
}

std::string asked_gpus(const capacity::TaskRequirement& task) {
  const std::string text = capacity::describe(task);
  return text.substr(0, text.find(','));
}

std::string stranded_text(const GpuRoom& room) {
  if (room.stranded == 0) return "-";
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < kCheckCount; ++i) {
    if (room.stranded_by_check[i] == 0) continue;
    const auto check = static_cast<Check>(i);
    const std::string reason = reason_text(check);
    const bool in_pieces = check == Check::kGpu && room.requirement.gpu_form == capacity::GpuForm::kCount;
    parts.push_back(
        fmt::format("{} {}", room.stranded_by_check[i], in_pieces ? "fragmented" : reason.substr(0, reason.find(' '))));
  }
  return join(parts, ", ");
}

}  // namespace

void add_free_gpus(ReportDocument& document, const PlaceReport& report) {
  const bool has_room =
      std::any_of(report.gpu_room.begin(), report.gpu_room.end(), [](const GpuRoom& room) { return room.copies > 0; });
  const auto free = report.summary.gpu.free;
  if (free == 0 && !has_room) return;
  document.gap();
  document.line(0, free > 0 ? fmt::format("Free GPUs: {} ({})", free, blocks_text(report.free_gpus))
                            : std::string("Free GPUs: none whole; shared GPUs have room"));
  Table table({"task", "needs", number_column("additional copies"), "unusable GPUs"});
  for (const auto& room : report.gpu_room)
    table.add({report.scenario.task_definitions[room.task_definition].name, asked_gpus(room.requirement),
               std::to_string(room.copies), stranded_text(room)});
  document.table(std::move(table));
}

void add_gpu_ids(ReportDocument& document, const PlaceReport& report) {
  Table table({"", "", "", ""});
  for (const auto& placement : report.outcome.placements) {
    const auto& workload = report.scenario.workloads[placement.attempt.workload];
    const auto& names = report.scenario.task_definitions[workload.task_definition].container_names;
    const auto& profile = profile_of(report, placement.instance);
    for (const auto& container : placement.gpus) {
      const std::vector<std::int64_t> devices(container.devices.begin(), container.devices.end());
      table.add({task_id(report.scenario, placement.attempt), names[container.container],
                 report.scenario.instances[placement.instance].id + (profile.neuron_devices > 0 ? "/neuron" : "/gpu") +
                     number_ranges(devices),
                 devices.size() > 1 && profile.type != nullptr ? short_interconnect(*profile.type) : ""});
    }
  }
  if (table.rows.empty()) return;
  document.gap();
  document.line(0, device_words(report.scenario).heading == "GPU" ? "GPUs" : "Devices");
  document.table(std::move(table));
}

}  // namespace bayplan::report
