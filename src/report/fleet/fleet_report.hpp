#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "fleet/ideal/assignments.hpp"
#include "fleet/offers/market.hpp"
#include "placement/model/scenario.hpp"
#include "report/document/report_document.hpp"
#include "report/place/cluster_view.hpp"
#include "study/fleet/fleet_plan.hpp"
#include "study/fleet/managed_fleet.hpp"
#include "study/fleet/spot_share.hpp"
#include "study/fleet/throughput.hpp"
#include "study/fleet/trunking.hpp"
#include "study/launch_types/launch_type_costs.hpp"
#include "study/payment/payment_plan.hpp"
#include "study/scheduler/fleet_scheduler.hpp"

namespace bayplan::report {

/// What the reports of `fleet` are about; refers to what it is made of.
struct FleetReport {
  const placement::Scenario& scenario;
  const fleet::Market& market;
  const study::FleetRequest& request;
  const study::FleetPlan& plan;
  const std::vector<fleet::Assignment>& assignments;  ///< Assignments of the ideal fleet.
  const std::vector<study::FamilyRate>& rates;
  const std::string& prices_file;              ///< --prices; empty = the catalog's.
  const study::LaunchTypeCosts& launch_types;  ///< Empty where they were not compared.
  /// What one pays over the load; null where neither a load nor commitments nor extras are stated.
  const study::PaymentPlan* payment = nullptr;
  /// The part on Spot Instances, in which case the scenario and the plan are those of the On-Demand part; null without
  /// one.
  const study::SpotPlan* spot = nullptr;
  /// What StartTask saves where services keep their strategies; null where it saves nothing.
  const study::FleetByStartTask* by_start_task = nullptr;
  /// The fleet with awsvpcTrunking; null where it was not compared, or saves nothing.
  const study::TrunkedFleet* trunked = nullptr;
  /// What ECS launches for the tasks on Managed Instances, which the scenario and the plan do not have; null without
  /// such tasks.
  const study::ManagedFleet* managed = nullptr;
  /// The recommended fleet as a cluster that ECS has filled in the order that the scenario writes; null where it is not
  /// shown, where no fleet is recommended, or where it holds too many tasks to fill it once more.
  const PlaceReport* cluster = nullptr;
};

/// What a text report has on demand.
struct FleetView {
  bool start_task = false;  ///< How standalone tasks get into the ideal fleet.
  bool compare = false;     ///< Launch types in full.
  ClusterView cluster;      ///< The recommended fleet is listed by instance if it is wide, or chooses.
};

/// What to buy, then what it holds, costs and proves; a page has the recommended fleet as a cluster, too.
ReportDocument fleet_document(const FleetReport& report, const FleetView& view = {});

/// schemas/fleet-report.schema.json
void write_fleet_json(std::ostream& out, const FleetReport& report);

/// A row a type and zone of each fleet: the recommended one, the ideal one, the others. No rows but the first where
/// there is no fleet.
void write_fleet_csv(std::ostream& out, const FleetReport& report);

/// The recommended fleet as a cluster, filled as ECS fills it in the order that the scenario writes.
void write_fleet_svg(std::ostream& out, const FleetReport& report);

}  // namespace bayplan::report
