#include "report/svg/fleet_svg.hpp"

#include "report/cluster_words.hpp"
#include "report/filled_cluster.hpp"
#include "report/fleet_words.hpp"
#include "report/svg/cluster_svg.hpp"

namespace bayplan::report {

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
