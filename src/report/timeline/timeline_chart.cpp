#include "report/timeline/timeline_tables.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/core.h>

#include "report/document/figures.hpp"

namespace bayplan::report {

using namespace timeline;  // NOLINT: the report is about nothing else

namespace {

constexpr std::size_t kChartLabel = 11;
constexpr std::size_t kChartTail = 15;  ///< "  mean 100%", the last time of the axis
constexpr std::size_t kFewestChartColumns = 16;
constexpr std::size_t kMostChartColumns = 112;
constexpr std::size_t kWideLines = 3;

/// One column of the chart: some buckets of the series, or a part of one.
struct ChartColumn {
  LevelSeconds levels;
  double seconds = 0;
  std::int64_t worst_waiting = 0;

  double mean(Level level) const { return seconds == 0 ? 0 : levels.of(level) / seconds; }
  double share(Level reserved, Level registered) const {
    return levels.of(registered) == 0 ? 0 : levels.of(reserved) / levels.of(registered);
  }
};

std::vector<ChartColumn> columns_of(const Series& series) {
  const std::size_t buckets = series.buckets.size();
  const std::size_t around = 2 + kChartLabel + kChartTail;
  const std::size_t count =
      std::clamp(text_columns() - std::min(text_columns(), around), kFewestChartColumns, kMostChartColumns);
  std::vector<ChartColumn> columns(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = i * buckets / count;
    const std::size_t last = std::max(first + 1, (i + 1) * buckets / count);
    for (std::size_t bucket = first; bucket < last; ++bucket) {
      columns[i].levels.add(series.buckets[bucket].levels);
      columns[i].seconds += static_cast<double>(series.seconds_of(bucket));
      columns[i].worst_waiting = std::max(columns[i].worst_waiting, series.buckets[bucket].worst_waiting);
    }
  }
  return columns;
}

class Chart {
 public:
  Chart(const TimelineReport& report, const ClusterView& view, const TextOptions& options)
      : figures_(report.figures()), view_(view), options_(options), columns_(columns_of(figures_.series)) {}

  std::string draw() {
    const bool is_whole = options_.verbose || view_.is_asked();
    const bool memory_is_higher =
        mean(Level::kMemoryReserved, Level::kMemoryRegistered) > mean(Level::kCpuReserved, Level::kCpuRegistered);
    share("GPU", Level::kGpuReserved, Level::kGpuRegistered);
    if (is_whole || !memory_is_higher) share("CPU", Level::kCpuReserved, Level::kCpuRegistered);
    if (is_whole || memory_is_higher) share("MEM", Level::kMemoryReserved, Level::kMemoryRegistered);
    if (figures_.worst_waiting > 0) waiting();
    instances();
    if (is_whole && figures_.cost.total > 0) cost();
    axis();
    return std::move(lines_);
  }

 private:
  using Value = std::function<double(const ChartColumn&)>;

  /// `most` is drawn as a full column. The wide form is three lines high.
  void row(std::string_view label, const Value& value, double most, std::string_view tail) {
    const std::size_t lines = view_.wide ? kWideLines : 1;
    for (std::size_t below = lines; below-- > 0;) {
      std::string line;
      for (const auto& column : columns_) line += sign(value(column), most, lines, below);
      const bool is_top = below + 1 == lines;
      if (is_top) {
        lines_ += fmt::format("  {:<{}}{}  {}\n", label, kChartLabel, line, options_.style.dim(tail));
        continue;
      }
      while (line.ends_with(' ')) line.pop_back();
      lines_ += (line.empty() ? line : std::string(2 + kChartLabel, ' ') + line) + '\n';
    }
  }

  /// Returns the sign in the line with `below` lines under it. Anything above nothing shows, anything below all leaves
  /// a gap.
  std::string_view sign(double value, double most, std::size_t lines, std::size_t below) const {
    if (value <= 0 || most <= 0) return options_.glyphs.heights.front();
    const std::size_t top = options_.glyphs.heights.size() - 1;
    const auto steps = static_cast<double>(top * lines);
    const double height = value >= most ? steps : std::clamp(std::ceil(value / most * steps), 1.0, steps - 1);
    const auto above = std::max(0.0, height - static_cast<double>(top * below));
    return options_.glyphs.heights[std::min(top, static_cast<std::size_t>(above))];
  }

  double mean(Level reserved, Level registered) const {
    const double whole = figures_.levels.of(registered);
    return whole == 0 ? 0 : figures_.levels.of(reserved) / whole;
  }

  void share(std::string_view label, Level reserved, Level registered) {
    const double whole = figures_.levels.of(registered);
    if (whole == 0) return;
    row(
        label, [&](const ChartColumn& column) { return column.share(reserved, registered); }, 1,
        "mean " + percent(figures_.levels.of(reserved), whole));
  }

  void waiting() {
    row(
        "waiting", [](const ChartColumn& column) { return static_cast<double>(column.worst_waiting); },
        static_cast<double>(figures_.worst_waiting), fmt::format("most {}", figures_.worst_waiting));
  }

  void instances() {
    row(
        "instances",
        [](const ChartColumn& column) {
          return column.mean(Level::kActive) + column.mean(Level::kDraining) + column.mean(Level::kBooting);
        },
        static_cast<double>(figures_.most_instances), fmt::format("most {}", figures_.most_instances));
  }

  void cost() {
    row(
        "$/h", [](const ChartColumn& column) { return column.mean(Level::kHourlyCost); },
        static_cast<double>(figures_.most_hourly_cost), fmt::format("most {}", usd(figures_.most_hourly_cost)));
  }

  /// Writes at most five times, each at its position.
  void axis() {
    constexpr Seconds kSteps[] = {1,     2,     5,     10,     15,     30,     60,     120,     300,     600,      900,
                                  1'800, 3'600, 7'200, 10'800, 21'600, 43'200, 86'400, 172'800, 604'800, 2'592'000};
    const Seconds end = figures_.series.end;
    Seconds step = 1;
    for (const Seconds next : kSteps) {
      step = next;
      if (step * 4 >= end) break;
    }
    while (step * 4 < end) step *= 2;
    std::string line(kChartLabel, ' ');
    for (Seconds at = 0; at <= end; at += step) {
      const auto column = kChartLabel + (end == 0 ? 0
                                                  : static_cast<std::size_t>(static_cast<double>(at) *
                                                                             static_cast<double>(columns_.size()) /
                                                                             static_cast<double>(end)));
      if (column < line.size()) continue;
      line.append(column - line.size(), ' ');
      line += (at == 0 ? "0" : duration(at)) + " ";
    }
    while (line.back() == ' ') line.pop_back();
    lines_ += "  " + options_.style.dim(line) + '\n';
  }

  const Figures& figures_;
  const ClusterView& view_;
  const TextOptions& options_;
  std::vector<ChartColumn> columns_;
  std::string lines_;
};

}  // namespace

std::string timeline_chart(const TimelineReport& report, const ClusterView& view, const TextOptions& options) {
  return Chart(report, view, options).draw();
}

}  // namespace bayplan::report
