#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/assumption.hpp"
#include "catalog/catalog.hpp"
#include "fleet/offers/fargate_cost.hpp"
#include "fleet/offers/market.hpp"
#include "fleet/offers/purchase.hpp"
#include "lint/lint.hpp"
#include "placement/model/scenario.hpp"
#include "study/fleet/fleet_plan.hpp"
#include "study/launch_types/launch_type_check.hpp"
#include "study/payment/load_curve.hpp"

/// The workload of a fleet on each launch type: what it costs there, and what cannot run there.
namespace bayplan::study {

/// Tasks of one workload that cannot run on a launch type.
struct NotPossible {
  std::uint32_t workload = 0;  ///< Index into Scenario::workloads.
  std::int64_t tasks = 0;      ///< 0 of a daemon service.
  std::vector<LaunchTypeReason> reasons;
};

/// What a workload needs first.
struct RequiredChanges {
  std::uint32_t workload = 0;
  std::vector<LaunchTypeReason> changes;
};

/// Tasks of one workload on Fargate.
struct FargateWorkload {
  std::uint32_t workload = 0;
  std::int64_t tasks = 0;
  fleet::FargateTask task;
  fleet::FargateCost cost;  ///< Of one task.
};

/// Instances of one type, of EC2 or with the fee of Managed Instances.
struct PricedInstances {
  std::string instance_type;
  std::int64_t count = 0;
  MicroUsd hourly_price = 0;  ///< Of one, after discounts.
  MicroUsd fee = 0;           ///< Of one.
};

struct LaunchTypeCost {
  LaunchType launch_type = LaunchType::kEc2;
  /// An hour, of all tasks; nothing when some cannot run there, or a price is not known.
  std::optional<MicroUsd> hourly_cost;
  std::int64_t priced_tasks = 0;  ///< Those that can run there and whose prices are known.
  /// What is known of the cost: of the tasks that can run there, and of their rates; nothing when that is nothing.
  std::optional<MicroUsd> partial_cost;
  std::vector<NotPossible> not_possible;    ///< By workload.
  std::vector<RequiredChanges> changes;     ///< By workload.
  std::vector<std::string> missing_prices;  ///< Each once.
  std::vector<FargateWorkload> fargate;
  std::vector<PricedInstances> instances;
  std::vector<fleet::UsedRate> rates;  ///< Of what is priced, each once.
  std::vector<Assumption> assumptions;
  /// Fargate and Fargate Spot: how much of the time all tasks must run for the planned EC2 fleet, which runs all the
  /// time, to cost less; above 1 when it never does. Nothing where one of the two has no price.
  std::optional<double> break_even;
};

/// The packing in which tasks that state no architecture run on arm64. Each needs an image for it.
struct Arm64Plan {
  std::vector<std::uint32_t> workloads;  ///< That state none: indexes into Scenario::workloads.
  fleet::Purchases purchases;            ///< Of offers of the market.
  MicroUsd hourly_cost = 0;
  bool proven = false;                     ///< No such packing costs less.
  std::optional<MicroUsd> fargate_hourly;  ///< On Fargate; nothing as in LaunchTypeCost::hourly_cost.
};

struct LaunchTypeCosts {
  std::vector<LaunchTypeCost> list;  ///< By kLaunchTypes; empty when they were not compared.
  std::int64_t tasks = 0;            ///< With headroom, without daemons.
  /// Nothing when all tasks state an architecture, when they are planned on arm64 anyhow, and when no type that may be
  /// bought has it.
  std::optional<Arm64Plan> arm64;
};

/// Returns the cost of Fargate or Fargate Spot in the mean of all hours of a load, with headroom in each hour. Nothing
/// where some task cannot run there or has no price, and of instances, whose number follows no sum. `curve`: of the
/// workloads that `cost` is of.
std::optional<NanoUsd> cost_over_load(const LaunchTypeCost& cost, const LoadCurve& curve, Percent headroom_percent);

/// The search for the instances of Managed Instances ends with the best so far when `request.stop` says so.
LaunchTypeCosts compare_launch_types(const placement::Scenario& scenario, const fleet::Market& market,
                                     const FleetRequest& request, const FleetPlan& plan,
                                     const catalog::Catalog& catalog, const lint::Tools& tools);

}  // namespace bayplan::study
