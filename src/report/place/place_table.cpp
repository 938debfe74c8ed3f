#include "report/place/place_tables.hpp"

#include <algorithm>
#include <map>
#include <span>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/document/table.hpp"
#include "report/document/terminal.hpp"
#include "report/place/place_words.hpp"

namespace bayplan::report {

using namespace placement;  // NOLINT: the report is about nothing else

namespace {

constexpr std::size_t kNarrowestTasks = 8;
constexpr std::size_t kEnoughTasks = 14;  ///< The bars are shorter if the tasks have less room.
constexpr std::size_t kLongestInstance = 28;
constexpr std::size_t kLongestNarrowInstance = 19;
constexpr std::size_t kLongestZoneCell = 16;
constexpr std::size_t kLongestNarrowZone = 8;
constexpr std::size_t kUsualColumns = 80;
constexpr std::size_t kLongestType = 24;
constexpr std::size_t kNarrowestHistogram = 14;
constexpr std::int64_t kShortestTypeBar = 3;
constexpr std::size_t kMostSlots = 8;  ///< A signs a GPU up to here.

std::string gpu_cell(const std::vector<GpuDevice>& devices, const Glyphs& glyphs) {
  if (devices.empty()) return "-";
  const std::int64_t free = idle_devices(devices);
  if (devices.size() > kMostSlots) return fmt::format("{} of {} free", free, devices.size());
  std::string text;
  for (const auto& device : devices) {
    if (device.state == GpuState::kIdle) {
      text += glyphs.slot_free;
    } else {
      const bool has_room = device.state == GpuState::kNvidiaMps || device.remaining_fraction_millionths > 0;
      text += has_room ? glyphs.slot_shared : glyphs.slot_taken;
    }
  }
  return text + fmt::format(" {} free", free);
}

/// Lists as many ranges as fit, then the number of omitted tasks.
std::string tasks_cell(const std::vector<std::string>& ranges, std::size_t room, const Glyphs& glyphs) {
  std::string text;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const std::string next = (text.empty() ? "" : " ") + printable(ranges[i]);
    const std::string rest = i + 1 < ranges.size() ? fmt::format(" +{}", ranges.size() - i - 1) : "";
    if (display_width(text) + display_width(next) + display_width(rest) <= room) {
      text += next;
      continue;
    }
    if (text.empty()) return cut(next, room - display_width(rest), glyphs) + rest;
    return text + fmt::format(" +{}", ranges.size() - i);
  }
  return text;
}

struct Row {
  std::string instance, zone, gpu;
  std::vector<std::string> tasks;
  bool takes_tasks = true;
};

Row make_row(const PlaceReport& report, std::uint32_t index, std::span<const std::uint32_t> placements,
             const std::map<std::string, std::string>& zones, const Glyphs& glyphs) {
  const auto& profile = profile_of(report, index);
  const auto& state = report.outcome.instances[index];
  Row row{printable(report.scenario.instances[index].id),
          profile.availability_zone.empty() ? "-" : printable(zones.at(profile.availability_zone)),
          gpu_cell(state.gpus, glyphs),
          {}};
  const std::string words(instance_state_words(profile));
  row.takes_tasks = words.empty();
  if (!words.empty()) row.tasks.push_back(words);
  for (auto& range : tasks_on(report, index, placements)) row.tasks.push_back(std::move(range));
  return row;
}

/// An id of EC2 and the longest name of a type stay whole, the latter in a terminal of 80 columns.
void shorten_names(std::vector<Row>& rows, const Glyphs& glyphs) {
  const bool is_narrow = text_columns() < kUsualColumns;
  for (auto& row : rows) {
    row.instance = cut_middle(row.instance, is_narrow ? kLongestNarrowInstance : kLongestInstance, glyphs);
    row.zone = cut_middle(row.zone, is_narrow ? kLongestNarrowZone : kLongestZoneCell, glyphs);
  }
}

/// "0:12 8:28": 12 instances have no GPU free, 28 have eight.
std::string histogram(const std::map<std::int64_t, std::int64_t>& counts) {
  std::vector<std::string> parts;
  for (const auto& [free, instances] : counts) parts.push_back(fmt::format("{}:{}", free, instances));
  return join(parts, " ");
}

struct TypeTotals {
  std::int64_t instances = 0, used = 0, gpus = 0, gpus_free = 0;
  std::int64_t cpu = 0, cpu_left = 0, memory = 0, memory_left = 0;
  std::map<std::int64_t, std::int64_t> free_gpus;
};

struct NaturalLess {
  bool operator()(const std::string& a, const std::string& b) const { return natural_less(a, b); }
};
using TypeTotalsByName = std::map<std::string, TypeTotals, NaturalLess>;

std::string free_cell(const TypeTotals& totals) {
  return totals.gpus == 0 ? std::string("-") : fmt::format("{} of {}", totals.gpus_free, totals.gpus);
}

/// What all columns of the table of types take but the histogram.
std::size_t columns_of_types(const TypeTotalsByName& types, std::int64_t bar_width) {
  std::size_t type_width = 0;
  std::size_t free_width = display_width("free GPUs");
  std::size_t count_width = display_width("used");
  for (const auto& [type, totals] : types) {
    type_width = std::max(type_width, std::min(kLongestType, display_width(printable(type))));
    free_width = std::max(free_width, free_cell(totals).size());
    count_width = std::max(count_width, std::to_string(totals.instances).size());
  }
  const std::size_t bar_cell = static_cast<std::size_t>(bar_width) + 5;
  return 7 * 2 + type_width + 2 * count_width + 2 * bar_cell + free_width;
}

/// The bars leave the histograms the room that they need, where they can.
std::int64_t type_bars(const TypeTotalsByName& types) {
  std::size_t wanted = kNarrowestHistogram;
  for (const auto& [type, totals] : types) wanted = std::max(wanted, histogram(totals.free_gpus).size());
  auto width = kBarWidth;
  while (width > kShortestTypeBar && columns_of_types(types, width) + wanted > text_columns()) --width;
  return width;
}

}  // namespace

std::vector<std::string> tasks_on(const PlaceReport& report, std::uint32_t instance,
                                  std::span<const std::uint32_t> placements) {
  std::vector<std::string> tasks;
  const std::int64_t running = report.outcome.instances[instance].tasks - static_cast<std::int64_t>(placements.size());
  if (running > 0) tasks.push_back(fmt::format("{} running", running));
  std::vector<PlacementAttempt> attempts;
  for (const auto placement : placements) attempts.push_back(report.outcome.placements[placement].attempt);
  for (auto& range : task_ranges(report.scenario, attempts)) tasks.push_back(std::move(range));
  return tasks;
}

void write_instance_table(std::ostream& out, const PlaceReport& report, const std::vector<std::uint32_t>& instances,
                          const PlaceTextOptions& options) {
  const auto zones = short_zones(report.scenario);
  const placement::PlacementsByInstance placements(report.outcome);
  std::vector<Row> rows;
  bool any_gpu = false;
  for (const auto index : instances) {
    rows.push_back(make_row(report, index, placements[index], zones, options.glyphs));
    any_gpu |= !report.outcome.instances[index].gpus.empty();
  }
  if (!options.verbose) shorten_names(rows, options.glyphs);
  Table table({"instance"});
  if (!zones.empty()) table.columns.emplace_back("az");
  if (any_gpu) table.columns.emplace_back(std::string(device_words(report.scenario).heading));
  table.columns.insert(table.columns.end(), {"CPU", "MEM", "tasks"});
  for (const auto& row : rows) {
    const auto tone = row.takes_tasks ? Tone::kPlain : Tone::kDoubtful;
    std::vector<Cell> cells;
    cells.reserve(table.columns.size());
    cells.emplace_back(row.instance, tone);
    if (!zones.empty()) cells.emplace_back(row.zone, tone);
    if (any_gpu) cells.emplace_back(row.gpu, tone);
    for (int i = 0; i < 3; ++i) cells.emplace_back("", tone);
    table.add(std::move(cells));
  }
  const auto tasks = table.columns.size() - 1;
  const auto set_bars = [&](std::int64_t width) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto& profile = profile_of(report, instances[i]);
      const auto& state = report.outcome.instances[instances[i]];
      auto& cells = table.rows[i].cells;
      cells[tasks - 2] = load_cell(profile.cpu - state.cpu, profile.cpu, options.glyphs, width);
      cells[tasks - 1] = load_cell(profile.memory - state.memory, profile.memory, options.glyphs, width);
      if (!rows[i].takes_tasks) cells[tasks - 2].tone = cells[tasks - 1].tone = Tone::kDoubtful;
    }
  };
  set_bars(kBarWidth);
  if (table.room_for(tasks, 0) < kEnoughTasks) set_bars(kShortestTypeBar);
  const std::size_t room = table.room_for(tasks, kNarrowestTasks);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& names = rows[i].tasks;
    table.rows[i].cells[tasks].text =
        options.verbose ? printable(join(names, " ")) : tasks_cell(names, room, options.glyphs);
  }
  print_table(out, table, options.style);
}

void write_type_table(std::ostream& out, const PlaceReport& report, const std::vector<std::uint32_t>& instances,
                      const PlaceTextOptions& options) {
  TypeTotalsByName types;
  for (const auto i : instances) {
    const auto& profile = profile_of(report, i);
    const auto& state = report.outcome.instances[i];
    auto& totals = types[profile.instance_type];
    const std::int64_t free = idle_devices(state.gpus);
    ++totals.instances;
    totals.used += state.tasks > 0 ? 1 : 0;
    totals.gpus += profile.device_count();
    totals.gpus_free += free;
    totals.cpu += profile.cpu;
    totals.cpu_left += state.cpu;
    totals.memory += profile.memory;
    totals.memory_left += state.memory;
    if (profile.device_count() > 0) ++totals.free_gpus[free];
  }
  const auto free_heading = fmt::format("free {}", device_words(report.scenario).plural);
  const auto width = type_bars(types);
  Table table({"type", number_column("all"), number_column("used"), "CPU", "MEM", number_column(free_heading),
               "free:instances"});
  for (const auto& [type, totals] : types) {
    table.add({cut_middle(printable(type), kLongestType, options.glyphs), std::to_string(totals.instances),
               std::to_string(totals.used), load_cell(totals.cpu - totals.cpu_left, totals.cpu, options.glyphs, width),
               load_cell(totals.memory - totals.memory_left, totals.memory, options.glyphs, width), free_cell(totals),
               ""});
  }
  const auto free = table.columns.size() - 1;
  const auto room = table.room_for(free, kNarrowestHistogram);
  std::size_t row = 0;
  for (const auto& [type, totals] : types)
    table.rows[row++].cells[free].text = cut(histogram(totals.free_gpus), room, options.glyphs);
  print_table(out, table, options.style);
}

}  // namespace bayplan::report
