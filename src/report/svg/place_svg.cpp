#include "report/svg/place_svg.hpp"

#include <fmt/format.h>

#include "base/strings.hpp"
#include "report/cluster_words.hpp"
#include "report/figures.hpp"
#include "report/place_words.hpp"
#include "report/svg/cluster_svg.hpp"
#include "report/timeline_headline.hpp"

namespace bayplan::report {

void write_place_svg(std::ostream& out, const PlaceReport& report) {
  PictureWords words{headline(report), {cluster_totals(report.scenario, report.summary)}, left_out(report)};
  if (report.runs && report.summary.without_place() > 0) words.details.push_back("the worst: " + worst_run(report));
  write_cluster_svg(out, picture_of(report), 0, words);
}

void write_timeline_svg(std::ostream& out, const TimelineReport& report) {
  const auto end = report.history().end;
  PictureWords words{timeline_headline(report),
                     {fmt::format("the cluster at {}, {}", duration(end),
                                  cluster_totals(report.scenario(), report.cluster().summary))},
                     left_out(report)};
  if (report.booting() > 0)
    words.details.push_back(count_of(report.booting(), "more instance") + " launched and not there yet");
  write_cluster_svg(out, picture_of(report), end, words);
}

}  // namespace bayplan::report
