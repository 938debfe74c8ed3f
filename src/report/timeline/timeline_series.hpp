#pragma once
#include <span>
#include <string_view>

#include "base/json_writer.hpp"
#include "timeline/run_figures.hpp"

namespace bayplan::report {

/// One figure over time, the same in JSON and CSV.
struct SeriesColumn {
  std::string_view name;
  double (*value)(const timeline::Series& series, std::size_t bucket);
};

/// Means over each bucket, but for "mostWaiting". "totalCost" is not among them: it adds up.
std::span<const SeriesColumn> series_columns();

/// A member an array: what each column says of each bucket.
void write_series_columns(JsonWriter& json, const timeline::Series& series);

/// USD from the start of the run to the end of the bucket, given what it was before.
double cost_so_far(const timeline::Series& series, std::size_t bucket, double before);

/// Six decimals: what a mean is good for.
double rounded(double value);

}  // namespace bayplan::report
