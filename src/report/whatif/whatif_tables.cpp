#include "report/whatif/whatif_words.hpp"

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/document/amounts.hpp"
#include "report/document/figures.hpp"
#include "report/place/place_words.hpp"

namespace bayplan::report {

using namespace placement;  // NOLINT: the report is about nothing else
using study::NameResult;
using study::RunFigures;
using study::VariantResult;

namespace {

constexpr std::size_t kNarrowestLabel = 12;
constexpr std::size_t kLongestRoomName = 12;
constexpr std::size_t kShownNameRows = 10;
constexpr std::size_t kShownZones = 4;

std::size_t count_result_zones(const VariantResult& result) {
  std::set<std::string_view> zones;
  for (const auto& name : result.names) zones.insert(name.zones.begin(), name.zones.end());
  return zones.size();
}

/// Which columns the table has.
struct Columns {
  bool held = false, moves = false, gpus = false;
  bool zones = false;  ///< Where tasks do not move: a strategy is judged by them, a lost zone is not.
  bool price = false;  ///< Where it differs; what fails is not given back.
  std::vector<std::string> room;

  explicit Columns(const std::vector<FiguresRow>& rows) {
    std::set<std::optional<MicroUsd>> prices;
    for (const auto& row : rows) {
      const auto& result = *row.result;
      held |= result.held() > 0;
      moves |= result.moves > 0;
      gpus |= result.summary.gpu.total > 0;
      zones |= count_result_zones(result) > 0;
      if (!row.is_failure) prices.insert(result.summary.hourly_cost);
      if (!result.room.empty() && room.empty()) {
        for (const auto& one : result.room) room.push_back(one.name);
      }
    }
    price = prices.size() > 1;
    zones &= !moves;
  }
};

/// The figures of one run, or of a point of their distribution.
struct Figures {
  std::int64_t unplaced = 0, used = 0, free = 0, block = 0;
  std::vector<std::int64_t> room;
};

Figures of_result(const VariantResult& result) {
  const auto& summary = result.summary;
  Figures figures{result.unplaced(), summary.instances_used, summary.gpu.free, summary.gpu.largest_free_block, {}};
  for (const auto& room : result.room) figures.room.push_back(room.more);
  return figures;
}

Figures median_of(const RunFigures& runs) {
  Figures figures{
      runs.unplaced.median, runs.instances_used.median, runs.free_gpus.median, runs.largest_free_block.median, {}};
  for (const auto& room : runs.room) figures.room.push_back(room.median);
  return figures;
}

/// Takes the worst of each figure separately.
Figures worst_of(const RunFigures& runs) {
  Figures figures{runs.unplaced.max, runs.instances_used.max, runs.free_gpus.min, runs.largest_free_block.min, {}};
  for (const auto& room : runs.room) figures.room.push_back(room.min);
  return figures;
}

std::vector<Cell> cells(const Columns& columns, std::string label, const VariantResult& result,
                        const Figures& figures) {
  std::vector<Cell> row{std::move(label), std::to_string(figures.unplaced)};
  if (columns.held) row.emplace_back(std::to_string(result.held()));
  if (columns.moves) row.emplace_back(std::to_string(result.moves));
  row.emplace_back(fmt::format("{} of {}", figures.used, result.summary.instances));
  if (columns.gpus) {
    row.emplace_back(std::to_string(figures.free));
    row.emplace_back(std::to_string(figures.block));
  }
  for (std::size_t i = 0; i < columns.room.size(); ++i)
    row.emplace_back(i < figures.room.size() ? std::to_string(figures.room[i]) : std::string("-"));
  if (columns.zones) row.emplace_back(std::to_string(count_result_zones(result)));
  if (columns.price) {
    const auto& price = result.summary.hourly_cost;
    row.emplace_back(price ? usd(*price) : std::string("-"));
    row.emplace_back(price ? monthly_cell(*price) : std::string("-"));
  }
  return row;
}

bool is_quiet(const NameResult& name, const NameResult* before) {
  return name.unplaced() == 0 && name.moves == 0 && name.stays == 0 && before != nullptr &&
         before->desired == name.desired;
}

std::string zone_list(const std::vector<std::string>& zones, const std::map<std::string, std::string>& short_names) {
  if (zones.empty()) return "-";
  if (zones.size() > kShownZones) return fmt::format("{} zones", zones.size());
  std::vector<std::string> names;
  for (const auto& zone : zones) {
    const auto known = short_names.find(zone);
    names.push_back(known == short_names.end() ? zone : known->second);
  }
  return join(names, ",");
}

/// A first screen cuts labels where they leave too little room for the figures.
Column label_column(std::string heading) {
  Column column(std::move(heading));
  column.cut_from = kNarrowestLabel;
  return column;
}

}  // namespace

std::vector<FiguresRow> compared_rows(const study::Comparison& comparison,
                                      const std::vector<const study::ComparedVariant*>& variants) {
  std::vector<FiguresRow> rows{{"before", &comparison.baseline, &comparison.baseline_runs}};
  for (const auto* variant : variants) {
    const bool is_failure = variant->asked.each != study::EachOf::kNoFailure;
    rows.push_back({make_label(*variant), &variant->result, &variant->runs, is_failure});
  }
  return rows;
}

Table figures_table(const std::vector<FiguresRow>& rows) {
  const Columns columns(rows);
  Table table({label_column(""), number_column("unplaced")});
  const auto add = [&](std::string heading) { table.columns.push_back(number_column(std::move(heading))); };
  if (columns.held) add("held");
  if (columns.moves) add("moved");
  add("in use");
  if (columns.gpus) {
    add("free GPUs");
    add("largest block");
  }
  for (const auto& name : columns.room) add("more " + name);
  if (columns.zones) add("zones");
  if (columns.price) {
    add("$/h");
    table.columns.push_back(month_column());
  }
  for (const auto& row : rows) {
    if (row.runs == nullptr || !*row.runs || !(**row.runs).differ()) {
      table.add(cells(columns, row.label, *row.result, of_result(*row.result)));
      continue;
    }
    table.add(cells(columns, row.label + " p50", *row.result, median_of(**row.runs)));
    table.add(cells(columns, row.label + " worst", *row.result, worst_of(**row.runs)));
  }
  return table;
}

Table with_short_headings(Table table, const Glyphs& glyphs) {
  for (auto& column : table.columns) column.heading = cut(column.heading, kLongestRoomName + 5, glyphs);
  const auto block = std::find_if(table.columns.begin(), table.columns.end(),
                                  [](const Column& column) { return column.heading == "largest block"; });
  if (block != table.columns.end() && table.width_of(0) > table.room_for(0, kNarrowestLabel)) block->heading = "block";
  return table;
}

Table names_table(const VariantResult& before, const VariantResult& after, bool all) {
  const auto zones = short_zones(*after.scenario);
  const auto is_service = [](const NameResult& name) { return name.is_service; };
  const bool only_services = std::all_of(after.names.begin(), after.names.end(), is_service);
  const bool no_service = std::none_of(after.names.begin(), after.names.end(), is_service);
  Table table({label_column(only_services ? "service"
                            : no_service  ? "task"
                                          : "service or task"),
               number_column("desired"), number_column("before"), number_column("after")});
  if (!zones.empty()) table.columns.emplace_back("zones");
  table.columns.emplace_back("result");
  const bool leaves_out = !all && after.names.size() > kShownNameRows;
  for (const auto& name : after.names) {
    if (leaves_out && (table.rows.size() >= kShownNameRows || is_quiet(name, before.find(name)))) continue;
    std::vector<Cell> row{name.name, std::to_string(name.desired), std::to_string(name.before),
                          std::to_string(name.after)};
    if (!zones.empty()) row.emplace_back(zone_list(name.zones, zones));
    row.emplace_back(result_words(name, before));
    table.add(std::move(row));
  }
  return table;
}

}  // namespace bayplan::report
