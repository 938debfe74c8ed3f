#include "report/fleet/filled_cluster.hpp"

#include "placement/engine/engine.hpp"
#include "placement/explain/result_summary.hpp"
#include "study/fleet/filled_fleet.hpp"

namespace bayplan::report {

FilledCluster::FilledCluster(const FleetReport& report)
    : scenario_(study::on_recommended_fleet(report.scenario, report.market, report.request, report.plan)) {
  if (!scenario_) return;
  outcome_ = placement::place(*scenario_);
  report_.emplace(
      PlaceReport{*scenario_, outcome_, placement::summarize(*scenario_, outcome_), {}, {}, {}, {}, {}, {}, {}});
}

}  // namespace bayplan::report
