#include "report/timeline/timeline_series.hpp"

#include <cmath>

#include <fmt/core.h>

#include "base/units.hpp"
#include "report/timeline/timeline_report.hpp"

namespace bayplan::report {

using timeline::Level;
using timeline::Series;

namespace {

constexpr double kMillionths = 1e6;

template <Level which>
double mean(const Series& series, std::size_t bucket) {
  return series.mean(bucket, series.buckets[bucket].levels.of(which));
}

/// Returns a figure in millionths.
template <Level which>
double mean_of_millionths(const Series& series, std::size_t bucket) {
  return mean<which>(series, bucket) / kMillionths;
}

double pinned(const Series& series, std::size_t bucket) {
  return series.mean(bucket, series.buckets[bucket].levels.gpu_pinned()) / kMillionths;
}

double idle(const Series& series, std::size_t bucket) {
  return series.mean(bucket, series.buckets[bucket].levels.gpu_idle()) / kMillionths;
}

double most_waiting(const Series& series, std::size_t bucket) {
  return static_cast<double>(series.buckets[bucket].worst_waiting);
}

constexpr SeriesColumn kSeriesColumns[] = {
    {"instancesActive", mean<Level::kActive>},
    {"instancesBooting", mean<Level::kBooting>},
    {"instancesDraining", mean<Level::kDraining>},
    {"tasksRunning", mean<Level::kRunning>},
    {"tasksPending", mean<Level::kPending>},
    {"tasksStopping", mean<Level::kStopping>},
    {"tasksWaiting", mean<Level::kWaiting>},
    {"tasksProvisioning", mean<Level::kProvisioning>},
    {"mostWaiting", most_waiting},
    {"cpuReserved", mean<Level::kCpuReserved>},
    {"cpuRegistered", mean<Level::kCpuRegistered>},
    {"memoryReserved", mean<Level::kMemoryReserved>},
    {"memoryRegistered", mean<Level::kMemoryRegistered>},
    {"gpuReserved", mean_of_millionths<Level::kGpuReserved>},
    {"gpuRegistered", mean_of_millionths<Level::kGpuRegistered>},
    {"gpuPinned", pinned},
    {"gpuIdle", idle},
    {"hourlyCost", mean_of_millionths<Level::kHourlyCost>},
};

}  // namespace

std::span<const SeriesColumn> series_columns() {
  return kSeriesColumns;
}

void write_series_columns(JsonWriter& json, const Series& series) {
  for (const auto& column : kSeriesColumns) {
    json.key(column.name).begin_array(JsonWriter::Layout::kLine);
    for (std::size_t i = 0; i < series.buckets.size(); ++i) json.value(rounded(column.value(series, i)));
    json.end_array();
  }
}

double cost_so_far(const Series& series, std::size_t bucket, double before) {
  constexpr double kSecondsPerHour = 3'600;
  const auto& row = series.buckets[bucket];
  const double of_levels = row.levels.of(Level::kHourlyCost) / kSecondsPerHour;
  return before + (of_levels + static_cast<double>(row.least_paid)) / kMillionths;
}

double rounded(double value) {
  return std::round(value * kMillionths) / kMillionths;
}

namespace {

constexpr std::string_view kLineEnd = "\r\n";  // RFC 4180, section 2.1

}  // namespace

void write_timeline_csv(std::ostream& out, const timeline::Series& series) {
  out << "from,to";
  for (const auto& column : series_columns()) out << ',' << column.name;
  out << ",totalCost" << kLineEnd;
  double cost = 0;
  for (std::size_t i = 0; i < series.buckets.size(); ++i) {
    const auto from = series.begin_of(i);
    out << fmt::format("{},{}", from, from + series.seconds_of(i));
    for (const auto& column : series_columns()) out << fmt::format(",{}", rounded(column.value(series, i)));
    cost = cost_so_far(series, i, cost);
    out << fmt::format(",{}", rounded(cost)) << kLineEnd;
  }
}

}  // namespace bayplan::report
