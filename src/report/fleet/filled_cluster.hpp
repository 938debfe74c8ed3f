#pragma once
#include <optional>

#include "report/fleet/fleet_report.hpp"
#include "report/place/place_report.hpp"

namespace bayplan::report {

/// The recommended fleet as a cluster that ECS has filled in the order that the scenario writes, for whatever shows
/// clusters.
class FilledCluster {
 public:
  explicit FilledCluster(const FleetReport& report);
  FilledCluster(const FilledCluster&) = delete;
  FilledCluster& operator=(const FilledCluster&) = delete;

  /// Null where no fleet is recommended, or one with too many tasks to fill it once more.
  const PlaceReport* report() const { return report_ ? &*report_ : nullptr; }

 private:
  std::optional<placement::Scenario> scenario_;
  placement::Outcome outcome_;
  std::optional<PlaceReport> report_;  ///< Report of the scenario and the outcome above.
};

}  // namespace bayplan::report
