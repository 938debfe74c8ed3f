#include "report/sweep_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/strings.hpp"
#include "report/assumptions.hpp"
#include "report/figures.hpp"
#include "report/table.hpp"
#include "report/wrap.hpp"

namespace bayplan::report {

using study::Measure;
using study::SweepSummary;
using study::Tally;

namespace {

constexpr std::size_t kNameColumns = 22;

/// A column of the table: p50 and worst of a measure.
struct MeasureColumn {
  Measure measure;
  std::string_view heading;
  std::string_view name;  ///< In a sentence.
  bool more_is_worse;
};

constexpr std::array<MeasureColumn, study::kMeasures> kColumns = {{
    {Measure::kUnplaced, "unplaced", "tasks without a place", true},
    {Measure::kInstancesUsed, "in use", "instances in use", true},
    {Measure::kHourlyCost, "$/h", "the cost", true},
    {Measure::kFreeGpus, "free GPUs", "free GPUs", false},
    {Measure::kLargestFreeBlock, "block", "the largest block of free GPUs", false},
}};

std::string grouped(std::int64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string figure(Measure measure, std::int64_t value) {
  return measure == Measure::kHourlyCost ? usd(value) : std::to_string(value);
}

std::string cell(const MeasureColumn& column, const Tally& tally) {
  if (tally.count() == 0) return "-";
  const std::int64_t worst = column.more_is_worse ? tally.largest() : tally.smallest();
  return fmt::format("{}{} / {}", tally.is_exact() ? "" : "~", figure(column.measure, tally.median()),
                     figure(column.measure, worst));
}

std::string percent(std::int64_t part, std::int64_t whole) {
  // Neither all nor nothing unless it is so.
  const std::int64_t rounded = (100 * part + whole / 2) / whole;
  return fmt::format("{} %", part == 0 || part == whole ? rounded : std::clamp<std::int64_t>(rounded, 1, 99));
}

class TextWriter {
 public:
  TextWriter(std::ostream& out, const SweepReport& report, const SweepTextOptions& options)
      : out_(out), grid_(report.grid), summary_(report.summary), report_(report), options_(options) {
    for (const auto& column : kColumns) {
      const bool is_gpu = column.measure == Measure::kFreeGpus || column.measure == Measure::kLargestFreeBlock;
      if (!is_gpu || summary_.has_gpus()) columns_.push_back(column);
    }
  }

  void write() {
    write_answer();
    if (summary_.scenarios() == 0) return;
    write_table();
    write_effects();
    write_assumptions_text(out_, report_.assumptions, options_.verbose, options_.style);
  }

 private:
  /// "strategy pack, gpus 3"
  std::string point_words(std::int64_t index, bool with_seed) const {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < grid_.axes.size(); ++i) {
      const auto& axis = grid_.axes[i];
      if (axis.seeds && !with_seed) continue;
      parts.push_back(axis.name + " " + study::text_of(point_name(axis, summary_.position(index, i))));
    }
    return join(parts, ", ");
  }

  std::string figure_words(const study::SweepFigures& figures) const {
    std::string text = count_of(figures.instances_used, "instance") + " in use";
    if (figures.hourly_cost) text = "$" + usd(*figures.hourly_cost) + "/h, " + text;
    return text;
  }

  void write_answer() {
    const auto& choices = summary_.choices();
    const bool has_choices = choices && choices->best && grid_.axes.size() > 1;
    const std::int64_t count = has_choices ? choices->count : summary_.scenarios();
    const std::int64_t placed = has_choices ? choices->placed_all : summary_.placed_all();
    const std::string of_shard =
        report_.shard.count > 1 ? fmt::format(" (shard {}/{})", report_.shard.number, report_.shard.count) : "";
    if (count == 0) {
      out_ << "no scenario" << of_shard << ": the grid has fewer scenarios than there are shards\n";
      return;
    }
    const auto& best = has_choices ? *choices->best : *summary_.best();
    const std::string seeds =
        has_choices ? fmt::format(" with each of {} seeds", grouped(grid_.axes.back().seeds->count)) : "";
    const std::string what = has_choices ? "choice" : "scenario";
    std::string text;
    if (placed == 0) {
      text = fmt::format("None of {}{} places everything{}; the best leaves {} without a place: {} ({})",
                         count_of(count, what), of_shard, seeds, count_of(best.figures.unplaced, "task"),
                         point_words(best.index, !has_choices), figure_words(best.figures));
    } else {
      text = fmt::format("{} of {}{} {} everything{}; the {}: {} ({})", grouped(placed), grouped_count(count, what),
                         of_shard, placed == 1 ? "places" : "place", seeds,
                         best.figures.hourly_cost ? "cheapest" : "smallest", point_words(best.index, !has_choices),
                         figure_words(best.figures));
    }
    if (best.equals > 0)
      text += fmt::format("; {} fare{} alike", count_of(best.equals, "other"), best.equals == 1 ? "s" : "");
    const std::string lines = wrapped(text, 0);
    const auto end = lines.find('\n');
    out_ << options_.style.bold(lines.substr(0, end)) << (end == std::string::npos ? "" : lines.substr(end)) << '\n';
  }

  static std::string grouped_count(std::int64_t count, const std::string& what) {
    return grouped(count) + " " + what + (count == 1 ? "" : "s");
  }

  void write_table() {
    Table table;
    table.column("p50 / worst");
    table.column("place all", Align::kRight);
    for (const auto& column : columns_) table.column(std::string(column.heading), Align::kRight);
    const auto bold = [&](std::string_view text) { return options_.style.bold(text); };
    for (std::size_t i = 0; i < grid_.axes.size(); ++i) {
      if (summary_.rows(i).empty()) continue;
      table.row({cut(grid_.axes[i].name, kNameColumns, options_.glyphs)}, {bold});
      for (const auto& row : summary_.rows(i)) {
        if (row.scenarios > 0) table.row(cells(grid_.axes[i], row));
      }
    }
    if (table.empty()) return;
    table.print(out_, [&](std::string_view text) { return options_.style.dim(text); });
  }

  std::vector<std::string> cells(const study::WrittenAxis& axis, const study::SummaryRow& row) const {
    std::string name = study::text_of(point_name(axis, row.first));
    if (row.last > row.first) name += " .. " + study::text_of(point_name(axis, row.last));
    std::vector<std::string> cells{cut("  " + name, kNameColumns, options_.glyphs),
                                   percent(row.placed_all, row.scenarios)};
    for (const auto& column : columns_) cells.push_back(cell(column, row.of(column.measure)));
    return cells;
  }

  /// Of the first measure that varies.
  void write_effects() {
    for (const auto& column : columns_) {
      std::vector<std::pair<double, std::string>> shares;
      for (std::size_t i = 0; i < grid_.axes.size(); ++i) {
        if (const auto share = summary_.share(i, column.measure)) shares.emplace_back(*share, grid_.axes[i].name);
      }
      if (shares.empty()) continue;
      std::stable_sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
      std::vector<std::string> parts;
      double left = 1;
      for (const auto& [share, name] : shares) {
        parts.push_back(fmt::format("{} {:.0f} %", name, 100 * share));
        left -= share;
      }
      if (shares.size() == grid_.axes.size() && left >= 0.005)
        parts.push_back(fmt::format("how they combine {:.0f} %", 100 * left));
      out_ << wrapped(fmt::format("what matters for {}: {}", column.name, join(parts, ", ")), 2) << '\n';
      return;
    }
    out_ << "every scenario fares alike: no axis matters\n";
  }

  std::ostream& out_;
  const study::WrittenGrid& grid_;
  const SweepSummary& summary_;
  const SweepReport& report_;
  const SweepTextOptions& options_;
  std::vector<MeasureColumn> columns_;
};

}  // namespace

study::PointName point_name(const study::WrittenAxis& axis, std::int64_t position) {
  return axis.seeds ? study::PointName(axis.seeds->at(position)) : axis.points[static_cast<std::size_t>(position)].name;
}

void write_sweep_text(std::ostream& out, const SweepReport& report, const SweepTextOptions& options) {
  TextWriter(out, report, options).write();
}

}  // namespace bayplan::report
