#include "report/timeline_csv.hpp"

#include <fmt/format.h>

#include "report/timeline_series.hpp"

namespace bayplan::report {
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
