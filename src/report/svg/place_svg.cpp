#include "report/place/place_report.hpp"

#include <fmt/format.h>

#include "base/strings.hpp"
#include "report/document/figures.hpp"
#include "report/fleet/filled_cluster.hpp"
#include "report/fleet/fleet_report.hpp"
#include "report/fleet/fleet_words.hpp"
#include "report/place/place_words.hpp"
#include "report/svg/cluster_svg.hpp"
#include "report/timeline/timeline_words.hpp"

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

void write_fleet_svg(std::ostream& out, const FleetReport& report) {
  PictureWords words{fleet_headline(report), {}, {}};
  const FilledCluster filled(report);
  if (filled.report() == nullptr) {
    words.nothing = "There is no fleet to draw: none is recommended, or it holds too many tasks.";
    return write_cluster_svg(out, {.scenario = &report.scenario, .kinds = {}, .instances = {}, .tasks = {}}, 0, words);
  }
  words.details.push_back(cluster_totals(filled.report()->scenario, filled.report()->summary));
  write_cluster_svg(out, picture_of(*filled.report()), 0, words);
}

}  // namespace bayplan::report
