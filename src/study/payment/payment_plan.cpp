#include "study/payment/payment_plan.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "catalog/extra_prices.hpp"

namespace bayplan::study {

using fleet::Commitment;
using fleet::HourlyDemand;
using fleet::Market;

namespace {

/// Hours that AWS counts in a month: prices of volumes are per month.
constexpr NanoUsd kHoursPerMonth = 730;

HourlyDemand demand_of(const Market& market, const HourlyFleet& fleet, std::int64_t hours) {
  // No commitment covers CPU credits.
  HourlyDemand demand{hours, {}, fleet.hourly_cost - fleet::hourly_cost(market, fleet.purchases)};
  for (const auto& purchase : fleet.purchases) {
    const auto& offer = market.offers[purchase.offer];
    const MicroUsd cost = offer.hourly_price * purchase.count;
    if (market.has_spot_prices) {
      demand.other += cost;
    } else if (cost > 0) {
      demand.instances.push_back({offer.profile.instance_type, purchase.count, offer.hourly_price});
    }
  }
  return demand;
}

std::int64_t count_hours(const LoadCurve& curve) {
  return static_cast<std::int64_t>(curve.hours.size());
}

/// Sets amounts, and what is used of each.
void pay(const std::vector<HourlyDemand>& demand, const PaymentTerms& terms, PaymentPlan& payment) {
  std::vector<Commitment> stated;
  for (const auto& one : terms.commitments) stated.push_back(one.commitment);
  const auto commitments = fleet::cheapest_commitments(demand, stated);
  std::vector<double> used(commitments.size());
  std::vector<double> covered(commitments.size());
  for (std::size_t i = 0; i < demand.size(); ++i) {
    auto& level = payment.levels[i];
    level.bill = fleet::bill(demand[i], commitments);
    for (std::size_t c = 0; c < commitments.size(); ++c) {
      used[c] += static_cast<double>(level.bill.used[c]) * static_cast<double>(demand[i].hours);
      covered[c] += static_cast<double>(level.bill.covered[c]) * static_cast<double>(demand[i].hours);
    }
  }
  const auto hours = static_cast<double>(count_hours(payment.curve));
  for (std::size_t c = 0; c < commitments.size(); ++c) {
    const NanoUsd hourly = fleet::hourly_payment(commitments[c], *commitments[c].amount);
    const double share = hourly > 0 ? used[c] / hours / static_cast<double>(hourly) : 0;
    payment.commitments.push_back({commitments[c], !stated[c].amount, terms.commitments[c].years, hourly, share,
                                   std::llround(covered[c] / hours)});
  }
  payment.on_demand = fleet::mean_cost(demand, {});
  payment.hourly = fleet::mean_cost(demand, commitments);
}

void bound(const std::vector<HourlyDemand>& demand, const PaymentTerms& terms, PaymentPlan& payment) {
  std::vector<Commitment> stated;
  for (const auto& one : terms.commitments) stated.push_back(one.commitment);
  std::vector<fleet::BoundedHours> hours;
  for (std::size_t i = 0; i < demand.size(); ++i)
    hours.push_back({demand[i].hours, payment.levels[i].fleet.lower_bound});
  payment.lower_bound = fleet::least_mean_cost(hours, stated);
  if (payment.lower_bound > payment.hourly) payment.withdrawn.emplace_back("the cost of the load is below its bound");
}

/// `unit`: units of the price that one of the items has; `per`: hours that the price is for.
PaidExtra extra_of(std::string item, std::string_view key, std::string_view words, const std::string& region,
                   std::optional<NanoUsd> stated, std::int64_t unit, NanoUsd per, double mean_count) {
  PaidExtra extra;
  extra.item = std::move(item);
  extra.mean_count = mean_count;
  auto price = stated;
  if (!price) {
    if (const auto known = catalog::extra_price(key, region)) {
      price = known->price;
      extra.date = known->date;
      extra.source = known->source;
    }
  }
  if (!price) {
    extra.missing = fmt::format("{} in {}", words, region);
    return extra;
  }
  extra.price = (*price * unit + per / 2) / per;
  extra.mean_hourly =
      std::llround(static_cast<double>(*price) * static_cast<double>(unit) * mean_count / static_cast<double>(per));
  return extra;
}

void add_extras(const Market& market, const PaymentTerms& terms, PaymentPlan& payment) {
  double instance_hours = 0;
  for (std::size_t i = 0; i < payment.levels.size(); ++i) {
    const auto hours = static_cast<double>(payment.curve.levels[i].hours);
    instance_hours += static_cast<double>(payment.levels[i].instances) * hours;
  }
  const double instances = instance_hours / static_cast<double>(count_hours(payment.curve));
  if (const auto& volume = terms.root_volume) {
    const auto words = volume->volume_type + " per GB-month";
    payment.extras.push_back(extra_of(fmt::format("root volumes ({} GiB {})", volume->gib, volume->volume_type),
                                      volume->volume_type, words, market.region, volume->price, volume->gib,
                                      kHoursPerMonth, instances));
    if (volume->is_default_size) {
      payment.assumptions.push_back({"root-volume-size", std::to_string(volume->gib) + " GiB",
                                     "the default root volume of the ECS-optimized AMI, as published; state "
                                     "extras.rootVolume.volumeSize for another"});
    }
  }
  if (const auto& addresses = terms.public_addresses) {
    const double count =
        instances * static_cast<double>(addresses->per_instance) + static_cast<double>(addresses->count);
    payment.extras.push_back(extra_of("public IPv4 addresses", "public-ipv4", "public IPv4 addresses", market.region,
                                      addresses->price, 1, 1, count));
  }
}

void add_assumptions(const PaymentTerms& terms, PaymentPlan& payment) {
  auto& all = payment.assumptions;
  if (payment.has_curve) {
    all.push_back({"load-repacked",
                   {},
                   "the tasks of each hour are placed from scratch on instances that run for the whole hour; ECS does "
                   "not move running tasks, so instances may empty later than planned"});
  }
  if (!terms.commitments.empty()) {
    all.push_back({"commitment-discount",
                   {},
                   "a commitment has one discount for all types that it covers, as stated; AWS has a rate for each "
                   "type, and upfront payments are spread evenly over the term"});
  }
  const auto is_reserved = [](const auto& one) {
    return one.commitment.type == fleet::CommitmentType::kReservedInstances;
  };
  if (std::any_of(terms.commitments.begin(), terms.commitments.end(), is_reserved)) {
    all.push_back({"reserved-one-size",
                   {},
                   "Reserved Instances cover their own type alone; those of a region also cover other sizes of most "
                   "families, so AWS may bill less"});
  }
}

}  // namespace

NanoUsd PaymentPlan::hourly_with_extras() const {
  NanoUsd sum = hourly;
  for (const auto& extra : extras) sum += extra.mean_hourly.value_or(0);
  return sum;
}

double PaymentPlan::gap() const {
  if (hourly - lower_bound < kNanoUsdPerMicroUsd) return 0;  // what rounding leaves
  return static_cast<double>(hourly - lower_bound) / static_cast<double>(hourly);
}

std::size_t PaymentPlan::count_of(FleetEvidence evidence) const {
  return static_cast<std::size_t>(std::count_if(
      levels.begin(), levels.end(), [evidence](const auto& level) { return level.fleet.evidence == evidence; }));
}

void withdraw_failed_bounds(PaymentPlan& payment) {
  if (payment.withdrawn.empty()) return;
  payment.lower_bound = 0;
  for (auto& level : payment.levels) level.fleet.lower_bound = 0;
}

PaymentPlan plan_payment(const placement::Scenario& scenario, const Market& market, const FleetRequest& request,
                         const FleetPlan& plan, LoadCurve curve, const PaymentTerms& terms) {
  PaymentPlan payment;
  payment.has_curve = curve.hours.size() > 1;
  payment.curve = std::move(curve);
  auto fleets = plan_hourly_fleets(scenario, market, request, plan, payment.curve);
  payment.mistakes = std::move(fleets.mistakes);
  payment.withdrawn = std::move(fleets.withdrawn);
  payment.simulated = fleets.simulated;
  if (fleets.lacks_zone_loss) {
    payment.assumptions.push_back({"no-zone-loss",
                                   {},
                                   "no fleet that survives the loss of any zone was found; the fleets of all hours, "
                                   "their costs and the lower bound are of fleets that need not survive one"});
  }
  payment.peak_hourly = plan.hourly_cost();
  std::vector<HourlyDemand> demand;
  for (std::size_t i = 0; i < fleets.levels.size(); ++i) {
    demand.push_back(demand_of(market, fleets.levels[i], payment.curve.levels[i].hours));
    const auto instances = fleet::instances_of(fleets.levels[i].purchases);
    payment.levels.push_back({std::move(fleets.levels[i]), {}, instances});
  }
  pay(demand, terms, payment);
  bound(demand, terms, payment);
  if (!plan.withdrawn.empty()) payment.lower_bound = 0;
  withdraw_failed_bounds(payment);
  add_extras(market, terms, payment);
  add_assumptions(terms, payment);
  return payment;
}

}  // namespace bayplan::study
