#include "report/place/place_tables.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/catalog/interconnect.hpp"
#include "report/document/table.hpp"
#include "report/document/terminal.hpp"
#include "report/place/place_words.hpp"

namespace bayplan::report {

using namespace placement;  // NOLINT: the report is about nothing else

namespace {

constexpr std::size_t kShownGpuContainers = 8;
constexpr std::size_t kShownKinds = 6;
/// Longer names are cut in their middle without `-v`.
constexpr std::size_t kLongestTask = 28;
constexpr std::size_t kLongestContainer = 16;
constexpr std::size_t kLongestHolder = 22;

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

std::string shown_name(std::string_view name, std::size_t columns, const PlaceTextOptions& options) {
  return options.verbose ? printable(name) : cut_middle(printable(name), columns, options.glyphs);
}

}  // namespace

void write_free_gpus(std::ostream& out, const PlaceReport& report, const PlaceTextOptions& options) {
  const bool has_room =
      std::any_of(report.gpu_room.begin(), report.gpu_room.end(), [](const GpuRoom& room) { return room.copies > 0; });
  if (report.summary.gpu.free > 0) {
    out << '\n'
        << wrapped(fmt::format("Free GPUs: {} ({})", report.summary.gpu.free, blocks_text(report.free_gpus)), 2)
        << '\n';
  } else if (has_room) {
    out << "\nFree GPUs: none whole; shared GPUs have room\n";
  } else {
    return;
  }
  if (report.gpu_room.empty()) return;
  Table table({"task", "needs", number_column("additional copies"), "unusable GPUs"});
  const std::size_t shown = options.verbose ? report.gpu_room.size() : std::min(kShownKinds, report.gpu_room.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& room = report.gpu_room[i];
    table.add({shown_name(report.scenario.task_definitions[room.task_definition].name, kLongestTask, options),
               asked_gpus(room.requirement), fmt::format("{}", room.copies), stranded_text(room)});
  }
  print_table(out, table, options.style);
  print_left_out(out, report.gpu_room.size() - shown);
}

void write_gpu_ids(std::ostream& out, const PlaceReport& report, const PlaceTextOptions& options) {
  std::size_t containers = 0;
  for (const auto& placement : report.outcome.placements) containers += placement.gpus.size();
  if (containers == 0 || (containers > kShownGpuContainers && !options.verbose)) return;
  out << '\n' << (device_words(report.scenario).heading == "GPU" ? "GPUs" : "Devices") << '\n';
  Table table({"", "", "", ""});
  for (const auto& placement : report.outcome.placements) {
    const auto& workload = report.scenario.workloads[placement.attempt.workload];
    const auto& names = report.scenario.task_definitions[workload.task_definition].container_names;
    for (const auto& container : placement.gpus) {
      const auto& profile = report.scenario.profiles[report.scenario.instances[placement.instance].profile];
      const std::vector<std::int64_t> devices(container.devices.begin(), container.devices.end());
      table.add({shown_name(task_id(report.scenario, placement.attempt), kLongestTask, options),
                 shown_name(names[container.container], kLongestContainer, options),
                 shown_name(report.scenario.instances[placement.instance].id, kLongestHolder, options) +
                     (profile.neuron_devices > 0 ? "/neuron" : "/gpu") + number_ranges(devices),
                 devices.size() > 1 && profile.type != nullptr ? short_interconnect(*profile.type) : ""});
    }
  }
  print_table(out, table, options.style);
}

}  // namespace bayplan::report
