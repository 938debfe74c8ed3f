#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/assumption.hpp"
#include "base/units.hpp"
#include "fleet/payment/commitments.hpp"
#include "study/payment/hourly_fleets.hpp"
#include "study/payment/load_curve.hpp"
#include "study/payment/payment_terms.hpp"

/// What one pays for the tasks of a scenario over all hours of its load.
namespace bayplan::study {

/// The effort of the search for the peak's fleet where there is a load: the mean of all hours matters more than the
/// peak, whose last percent takes ten times as long.
inline constexpr std::int64_t kEffortWithLoad = 10'000'000;

/// One level of the load: its fleet and what an hour of it costs.
struct PaidLevel {
  HourlyFleet fleet;
  fleet::HourlyBill bill;
  std::int64_t instances = 0;
};

/// A commitment with its amount.
struct PaidCommitment {
  fleet::Commitment commitment;
  bool is_sought = false;    ///< The amount is the cheapest one.
  std::int64_t years = 0;    ///< 0 where the term is not stated.
  NanoUsd hourly = 0;        ///< What it costs each hour.
  double utilization = 0;    ///< The part of it that covers something, in the mean of all hours.
  NanoUsd mean_covered = 0;  ///< On-Demand price of what it covers, in the mean of all hours.
};

/// Costs other than of instances: root volumes, public addresses.
struct PaidExtra {
  std::string item;                    ///< "root volumes (30 GiB gp3)"
  double mean_count = 0;               ///< In the mean of all hours.
  std::optional<NanoUsd> price;        ///< Of one, an hour; nothing when it is not known.
  std::optional<NanoUsd> mean_hourly;  ///< In the mean of all hours.
  std::string date;                    ///< Of the price; empty where the scenario states it.
  std::string source;                  ///< Key of Catalog::sources(); empty where the scenario states it.
  std::string missing;                 ///< The price that is not known: "gp3 per GB-month in eu-west-1".
};

struct PaymentPlan {
  bool has_curve = false;  ///< False: the tasks run all the time.
  LoadCurve curve;
  std::vector<PaidLevel> levels;  ///< By level of the curve.
  std::vector<PaidCommitment> commitments;
  std::vector<PaidExtra> extras;
  MicroUsd peak_hourly = 0;    ///< The fleet of the peak, On-Demand, all the time.
  NanoUsd on_demand = 0;       ///< In the mean of all hours, without commitments.
  NanoUsd hourly = 0;          ///< In the mean of all hours, with the commitments, without extras.
  NanoUsd lower_bound = 0;     ///< No fleets, and no amounts of the commitments that are sought, cost less in the mean.
  std::int64_t simulated = 0;  ///< Levels whose fleets were simulated.
  std::vector<Assumption> assumptions;
  std::vector<std::string> mistakes;   ///< What checks with code of their own say: faults of the program.
  std::vector<std::string> withdrawn;  ///< The same of the bounds alone: they are left out.

  /// With the extras whose prices are known.
  NanoUsd hourly_with_extras() const;
  /// How far the bound is below the cost, as a share of the cost.
  double gap() const;
  /// How many levels have fleets that were found so.
  std::size_t count_of(FleetEvidence evidence) const;
};

/// What an hour of these instances costs with the commitments of the plan. An amount that is sought is chosen for these
/// instances where they run all the time; that of a load curve stays.
MicroUsd paid_hourly(const fleet::Market& market, const PaymentPlan& payment, const fleet::Purchases& purchases,
                     MicroUsd hourly_cost);

/// Withdraws all bounds of a plan if one failed a check.
void withdraw_failed_bounds(PaymentPlan& payment);

/// A plan and what is paid for it.
struct PaidFleet {
  FleetPlan plan;
  PaymentPlan payment;
};

/// The cheapest of several plans, commitments and extras paid: `plan`, which is the cheapest by On-Demand prices, and
/// the plans by marginal prices: what one more instance costs under the commitments, with its volume and address.
/// Bounds are those of `plan`.
PaidFleet plan_paid_fleet(const placement::Scenario& scenario, const fleet::Market& market, const FleetRequest& request,
                          FleetPlan plan, const LoadCurve& curve, const PaymentTerms& terms);

/// `scenario`, `plan`: of the peak of the curve.
PaymentPlan plan_payment(const placement::Scenario& scenario, const fleet::Market& market, const FleetRequest& request,
                         const FleetPlan& plan, LoadCurve curve, const PaymentTerms& terms);

}  // namespace bayplan::study
