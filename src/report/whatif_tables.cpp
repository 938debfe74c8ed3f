#include "report/whatif_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/figures.hpp"
#include "report/table.hpp"
#include "report/whatif_words.hpp"
#include "report/wrap.hpp"
#include "report/zones.hpp"

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

std::size_t zones_of(const VariantResult& result) {
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
      zones |= zones_of(result) > 0;
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

/// Of each figure by itself.
Figures worst_of(const RunFigures& runs) {
  Figures figures{runs.unplaced.max, runs.instances_used.max, runs.free_gpus.min, runs.largest_free_block.min, {}};
  for (const auto& room : runs.room) figures.room.push_back(room.min);
  return figures;
}

std::vector<std::string> cells(const Columns& columns, std::string label, const VariantResult& result,
                               const Figures& figures) {
  std::vector<std::string> row{std::move(label), std::to_string(figures.unplaced)};
  if (columns.held) row.push_back(std::to_string(result.held()));
  if (columns.moves) row.push_back(std::to_string(result.moves));
  row.push_back(fmt::format("{} of {}", figures.used, result.summary.instances));
  if (columns.gpus) {
    row.push_back(std::to_string(figures.free));
    row.push_back(std::to_string(figures.block));
  }
  for (std::size_t i = 0; i < columns.room.size(); ++i)
    row.push_back(i < figures.room.size() ? std::to_string(figures.room[i]) : "-");
  if (columns.zones) row.push_back(std::to_string(zones_of(result)));
  if (columns.price) row.push_back(result.summary.hourly_cost ? usd(*result.summary.hourly_cost) : "-");
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

/// What is left of 80 columns for the labels.
std::size_t room_for_labels(const FiguresTable& table) {
  std::size_t others = 2;
  for (std::size_t i = 1; i < table.headings.size(); ++i) {
    std::size_t width = display_width(table.headings[i]);
    for (const auto& row : table.rows) width = std::max(width, display_width(row[i]));
    others += width + 2;
  }
  return std::max(kNarrowestLabel, kTextColumns - std::min(kTextColumns, others));
}

std::size_t widest_label(const FiguresTable& table) {
  std::size_t widest = 0;
  for (const auto& row : table.rows) widest = std::max(widest, display_width(row.front()));
  return widest;
}

void cut_labels(FiguresTable& table, const TextOptions& options) {
  if (options.verbose) return;
  const auto room = room_for_labels(table);
  for (auto& row : table.rows) row.front() = cut(row.front(), room, options.glyphs);
}

/// Every cell but the first and the last of a names table is a number, as are all of a figures table but the first.
void print(std::ostream& out, const FiguresTable& content, std::size_t left_from, const Style& style) {
  Table table;
  for (std::size_t i = 0; i < content.headings.size(); ++i)
    table.column(content.headings[i], i == 0 || i >= left_from ? Align::kLeft : Align::kRight);
  for (const auto& row : content.rows) {
    std::vector<std::string> shown;
    for (const auto& cell : row) shown.push_back(printable(cell));
    table.row(std::move(shown));
  }
  table.print(out, [&](std::string_view heading) { return style.dim(heading); });
}

}  // namespace

FiguresTable figures_table(const std::vector<FiguresRow>& rows) {
  const Columns columns(rows);
  FiguresTable table;
  table.headings = {"", "unplaced"};
  if (columns.held) table.headings.emplace_back("held");
  if (columns.moves) table.headings.emplace_back("moved");
  table.headings.emplace_back("in use");
  if (columns.gpus) table.headings.insert(table.headings.end(), {"free GPUs", "largest block"});
  for (const auto& name : columns.room) table.headings.push_back("more " + name);
  if (columns.zones) table.headings.emplace_back("zones");
  if (columns.price) table.headings.emplace_back("$/h");
  for (const auto& row : rows) {
    if (row.runs == nullptr || !*row.runs || !(**row.runs).differ()) {
      table.rows.push_back(cells(columns, row.label, *row.result, of_result(*row.result)));
      continue;
    }
    table.rows.push_back(cells(columns, row.label + " p50", *row.result, median_of(**row.runs)));
    table.rows.push_back(cells(columns, row.label + " worst", *row.result, worst_of(**row.runs)));
  }
  return table;
}

void write_figures(std::ostream& out, const std::vector<FiguresRow>& rows, const TextOptions& options) {
  auto table = figures_table(rows);
  for (auto& heading : table.headings) heading = cut(heading, kLongestRoomName + 5, options.glyphs);
  const auto block = std::find(table.headings.begin(), table.headings.end(), "largest block");
  if (block != table.headings.end() && widest_label(table) > room_for_labels(table)) *block = "block";
  cut_labels(table, options);
  print(out, table, table.headings.size(), options.style);
}

FiguresTable names_table(const VariantResult& before, const VariantResult& after, bool all) {
  const auto zones = short_zones(*after.scenario);
  const auto is_service = [](const NameResult& name) { return name.is_service; };
  const bool only_services = std::all_of(after.names.begin(), after.names.end(), is_service);
  const bool no_service = std::none_of(after.names.begin(), after.names.end(), is_service);
  FiguresTable table;
  table.headings = {only_services ? "service" : no_service ? "task" : "service or task", "desired", "before", "after"};
  if (!zones.empty()) table.headings.emplace_back("zones");
  table.headings.emplace_back("result");
  const bool leaves_out = !all && after.names.size() > kShownNameRows;
  for (const auto& name : after.names) {
    if (leaves_out && (table.rows.size() >= kShownNameRows || is_quiet(name, before.find(name)))) continue;
    std::vector<std::string> row{name.name, std::to_string(name.desired), std::to_string(name.before),
                                 std::to_string(name.after)};
    if (!zones.empty()) row.push_back(zone_list(name.zones, zones));
    row.push_back(result_words(name, before.unplaced(name)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

void write_names(std::ostream& out, const VariantResult& before, const VariantResult& after,
                 const TextOptions& options) {
  auto table = names_table(before, after, options.verbose);
  cut_labels(table, options);
  if (!table.rows.empty()) print(out, table, 4, options.style);
  if (table.rows.size() < after.names.size())
    out << fmt::format("  and {} more (-v)\n", after.names.size() - table.rows.size());
}

}  // namespace bayplan::report
