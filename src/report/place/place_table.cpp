#include "report/place/place_tables.hpp"

#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/document/table.hpp"
#include "report/document/terminal.hpp"
#include "report/place/instance_columns.hpp"
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

/// An id of EC2 and the longest name of a type stay whole, the latter in a terminal of 80 columns.
void shorten_names(InstanceTable& shown, const Glyphs& glyphs) {
  using Role = InstanceTable::Role;
  const bool is_narrow = text_columns() < kUsualColumns;
  const auto shorten = [&](Role role, std::size_t width) {
    const auto column = shown.find(role);
    if (!column) return;
    for (auto& row : shown.table.rows) {
      auto& text = row.cells[*column].text;
      text = cut_middle(text.plain(), width, glyphs);
    }
  };
  shorten(Role::kId, is_narrow ? kLongestNarrowInstance : kLongestInstance);
  shorten(Role::kZone, is_narrow ? kLongestNarrowZone : kLongestZoneCell);
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

Table make_first_screen_table(const PlaceReport& report, const std::vector<std::uint32_t>& instances,
                              const TextOptions& options) {
  auto shown = make_instance_table(report, instances, InstanceTableKind::kFirstScreen, options.glyphs, nullptr);
  if (!options.verbose) shorten_names(shown, options.glyphs);
  const auto tasks = *shown.find(InstanceTable::Role::kTasks);
  if (shown.table.room_for(tasks, 0) < kEnoughTasks) set_load_bars(shown, report, options.glyphs, kShortestTypeBar);
  const std::size_t room = shown.table.room_for(tasks, kNarrowestTasks);
  const placement::PlacementsByInstance placements(report.outcome);
  for (std::size_t row = 0; row < instances.size(); ++row) {
    auto names = tasks_on(report, instances[row], placements[instances[row]]);
    const auto state = instance_state_words(profile_of(report, instances[row]));
    if (!state.empty()) names.insert(names.begin(), std::string(state));
    shown.table.rows[row].cells[tasks].text =
        options.verbose ? printable(join(names, " ")) : tasks_cell(names, room, options.glyphs);
  }
  return std::move(shown.table);
}

Table make_type_table(const PlaceReport& report, const std::vector<std::uint32_t>& instances, const Glyphs& glyphs) {
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
    table.add({cut_middle(printable(type), kLongestType, glyphs), std::to_string(totals.instances),
               std::to_string(totals.used), load_cell(totals.cpu - totals.cpu_left, totals.cpu, glyphs, width),
               load_cell(totals.memory - totals.memory_left, totals.memory, glyphs, width), free_cell(totals), ""});
  }
  const auto free = table.columns.size() - 1;
  const auto room = table.room_for(free, kNarrowestHistogram);
  std::size_t row = 0;
  for (const auto& [type, totals] : types)
    table.rows[row++].cells[free].text = cut(histogram(totals.free_gpus), room, glyphs);
  return table;
}

}  // namespace bayplan::report
