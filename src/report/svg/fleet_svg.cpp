#include "report/svg/fleet_svg.hpp"

#include "placement/engine.hpp"
#include "placement/summary.hpp"
#include "report/cluster_words.hpp"
#include "report/fleet_words.hpp"
#include "report/svg/cluster_svg.hpp"
#include "study/filled_fleet.hpp"

namespace bayplan::report {

void write_fleet_svg(std::ostream& out, const FleetReport& report) {
  PictureWords words{fleet_headline(report), {}, {}};
  const auto scenario = study::on_recommended_fleet(report.scenario, report.market, report.request, report.plan);
  if (!scenario) {
    words.nothing = "There is no fleet to draw: none is recommended, or it holds too many tasks.";
    return write_cluster_svg(out, {.scenario = &report.scenario, .kinds = {}, .instances = {}, .tasks = {}}, 0, words);
  }
  const auto outcome = placement::place(*scenario);
  const PlaceReport filled{*scenario, outcome, placement::summarize(*scenario, outcome), {}, {}, {}, {}, {}, {}, {}};
  words.details.push_back(cluster_totals(filled.summary));
  write_cluster_svg(out, picture_of(filled), 0, words);
}

}  // namespace bayplan::report
