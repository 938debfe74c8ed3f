#include "report/place/place_tables.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/document/table.hpp"
#include "report/document/terminal.hpp"
#include "report/place/gpu_slots.hpp"
#include "report/place/instance_columns.hpp"
#include "report/place/place_words.hpp"

namespace bayplan::report {

namespace {

constexpr std::size_t kShortestName = 12;
constexpr std::int64_t kShortestBar = 3;
constexpr std::size_t kShortestZone = 10;

std::size_t overflow(const Table& table) {
  std::size_t used = 0;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].need != Need::kExtra) used += 2 + table.width_of(i);
  }
  return used > text_columns() ? used - text_columns() : 0;
}

/// As long as there is room for, down to the shortest.
void fit_bars(InstanceTable& shown, const PlaceReport& report, const Glyphs& glyphs) {
  auto width = kBarWidth;
  set_load_bars(shown, report, glyphs, width);
  while (overflow(shown.table) > 0 && width > kShortestBar) set_load_bars(shown, report, glyphs, --width);
}

void shorten(Table& table, std::size_t column, std::size_t width, const Glyphs& glyphs) {
  for (auto& row : table.rows) row.cells[column].text = cut_middle(row.cells[column].text.plain(), width, glyphs);
}

}  // namespace

Blocks make_wide_table(const PlaceReport& report, const std::vector<std::uint32_t>& instances,
                       const TextOptions& options) {
  using Role = InstanceTable::Role;
  const GpuSlots slots(report, instances, options.style, options.glyphs);
  auto shown = make_instance_table(report, instances, InstanceTableKind::kWide, options.glyphs, &slots);

  // Too wide: shorter bars first, then states in a line of their own, then shorter zones, then shorter names.
  fit_bars(shown, report, options.glyphs);
  const auto states = shown.find(Role::kState);
  const bool states_below = states && overflow(shown.table) > 0;
  if (states_below) {
    shown.erase(*states);
    fit_bars(shown, report, options.glyphs);
  }
  if (overflow(shown.table) > 0 && !options.verbose) {
    if (const auto zone = shown.find(Role::kZone)) shorten(shown.table, *zone, kShortestZone, options.glyphs);
    const auto id = *shown.find(Role::kId);
    const std::size_t wanted = shown.table.width_of(id);
    const auto width = std::max(kShortestName, wanted - std::min(wanted, overflow(shown.table)));
    shorten(shown.table, id, width, options.glyphs);
  }

  // Below a row: a state that has no room in it; with `verbose` the tasks.
  std::optional<placement::PlacementsByInstance> placements;
  if (options.verbose) placements.emplace(report.outcome);
  for (std::size_t row = 0; row < instances.size(); ++row) {
    std::vector<std::string> words;
    if (states_below) words.emplace_back(instance_state_words(profile_of(report, instances[row])));
    if (placements) words.push_back(join(tasks_on(report, instances[row], (*placements)[instances[row]]), " "));
    std::erase(words, std::string());
    if (!words.empty()) shown.table.rows[row].note = "      " + wrapped(printable(join(words, ": ")), 6);
  }
  return {block::ShownTable{std::move(shown.table)}, block::Drawing{slots.legend()}};
}

}  // namespace bayplan::report
