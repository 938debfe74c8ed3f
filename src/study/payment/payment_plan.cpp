#include "study/payment/payment_plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "catalog/extra_prices.hpp"
#include "fleet/recommended/fleet_rank.hpp"

namespace bayplan::study {

using fleet::Commitment;
using fleet::HourlyDemand;
using fleet::Market;

namespace {

/// Hours that AWS counts in a month: prices of volumes are per month.
constexpr NanoUsd kHoursPerMonth = 730;

HourlyDemand demand_of(const Market& market, const fleet::Purchases& purchases, MicroUsd hourly_cost,
                       std::int64_t hours) {
  // No commitment covers CPU credits.
  HourlyDemand demand{hours, {}, hourly_cost - fleet::hourly_cost(market, purchases)};
  for (const auto& purchase : purchases) {
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

/// What is paid for the fleets of all hours.
PaymentPlan pay_for(const Market& market, const FleetPlan& plan, HourlyFleets fleets, LoadCurve curve,
                    const PaymentTerms& terms) {
  PaymentPlan payment;
  payment.has_curve = curve.hours.size() > 1;
  payment.curve = std::move(curve);
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
    const auto& level = fleets.levels[i];
    demand.push_back(demand_of(market, level.purchases, level.hourly_cost, payment.curve.levels[i].hours));
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

/// What the volume and the addresses of one instance cost, as far as their prices are known.
MicroUsd extras_of_instance(const PaymentTerms& terms, const PaymentPlan& payment) {
  NanoUsd sum = 0;
  std::size_t i = 0;
  if (terms.root_volume) sum += payment.extras[i++].price.value_or(0);
  if (terms.public_addresses) sum += payment.extras[i].price.value_or(0) * terms.public_addresses->per_instance;
  return (sum + kNanoUsdPerMicroUsd / 2) / kNanoUsdPerMicroUsd;
}

/// How a Savings Plan of a family with an amount is counted: it is paid, used or not, so instances cost nearly nothing
/// up to what it covers, and the others their price; or it lowers the price, as one whose amount follows the fleet.
enum class StatedPlans : std::uint8_t { kPaid, kDiscount };

/// A market with the prices that one instance more has.
struct MarginalMarket {
  Market market;
  std::vector<std::uint32_t> offers;  ///< By offer of it, the offer of the whole market.
};

MarginalMarket marginal_market(const Market& market, const PaymentTerms& terms, MicroUsd extras, StatedPlans stated) {
  constexpr MicroUsd kPartLeft = 1'000;  // so that of types that are paid the smaller fleet is bought
  MarginalMarket marginal{market, {}};
  marginal.market.offers.clear();
  const auto add = [&](fleet::Offer offer, std::uint32_t of_whole) {
    marginal.market.offers.push_back(std::move(offer));
    marginal.offers.push_back(of_whole);
  };
  std::vector<std::int64_t> reserved;  // of commitments: instances that no offer has yet
  for (std::size_t c = 0; c < terms.commitments.size(); ++c) {
    const Commitment& one = terms.commitments[c].commitment;
    reserved.push_back(one.amount.value_or(0));
    if (one.type == fleet::CommitmentType::kEc2InstanceSavingsPlan && one.amount && stated == StatedPlans::kPaid)
      marginal.market.spend_limits.push_back(
          {std::to_string(c), fleet::covered_usage(one, *one.amount) / kNanoUsdPerMicroUsd});
  }
  for (std::uint32_t i = 0; i < market.offers.size(); ++i) {
    fleet::Offer offer = market.offers[i];
    const bool is_bought = !offer.exists() && offer.hourly_price > 0;
    const std::string& type = offer.profile.instance_type;
    MicroUsd price = offer.hourly_price;
    for (std::size_t c = 0; c < terms.commitments.size() && is_bought; ++c) {
      const Commitment& one = terms.commitments[c].commitment;
      const auto discounted = std::max<MicroUsd>(
          1, static_cast<MicroUsd>(std::llround(static_cast<double>(offer.hourly_price) *
                                                (1 - static_cast<double>(one.discount_millionths) / 1e6))));
      switch (one.type) {
        case fleet::CommitmentType::kReservedInstances:
          if (one.covers != type) break;
          if (!one.amount) price = std::min(price, discounted);
          if (const auto count = std::min(reserved[c], offer.limit); count > 0) {
            fleet::Offer own = offer;
            own.hourly_price = extras;
            own.is_owned = true;
            own.limit = count;
            reserved[c] -= count;
            add(std::move(own), i);
          }
          break;
        case fleet::CommitmentType::kEc2InstanceSavingsPlan:
          if (type.substr(0, type.find('.')) != one.covers) break;
          if (!one.amount || stated == StatedPlans::kDiscount) {
            price = std::min(price, discounted);
          } else {
            fleet::Offer own = offer;
            own.hourly_price = std::max<MicroUsd>(1, offer.hourly_price / kPartLeft) + extras;
            own.spend_limit = std::to_string(c);
            own.spends = offer.hourly_price;
            if (offer.limit != packing::kUnlimited) marginal.market.limits.push_back({type, offer.limit});
            add(std::move(own), i);
          }
          break;
        case fleet::CommitmentType::kComputeSavingsPlan:
          break;  // of every type: no type gets cheaper than another
      }
    }
    offer.hourly_price = offer.standing.empty() ? price + extras : price;
    add(std::move(offer), i);
  }
  return marginal;
}

/// What the instances cost On-Demand, with the CPU credits of `cost`.
MicroUsd on_demand_cost(const MarginalMarket& marginal, const Market& market, const fleet::Purchases& purchases,
                        MicroUsd cost) {
  return cost - fleet::hourly_cost(marginal.market, purchases) +
         fleet::hourly_cost(market, fleet::in_whole_market(purchases, marginal.offers));
}

/// The plan by the prices of the marginal market, in the numbers and at the prices of the whole one. Nothing where it
/// has no fleet that ECS fills, or one that limits of the whole market forbid.
std::optional<PaidFleet> plan_by(const MarginalMarket& marginal, const placement::Scenario& scenario,
                                 const Market& market, const FleetRequest& request, const FleetPlan& plan,
                                 const HourlyFleets& bounds, const LoadCurve& curve, const PaymentTerms& terms) {
  const auto own = plan_fleet(scenario, marginal.market, request);
  if (!own.fill.recommended || !own.mistakes.empty() || !own.withdrawn.empty()) return std::nullopt;
  auto filled = *own.fill.recommended;
  filled.hourly_cost = on_demand_cost(marginal, market, filled.purchases, filled.hourly_cost);
  filled.purchases = fleet::in_whole_market(filled.purchases, marginal.offers);
  auto fleets = plan_hourly_fleets(scenario, marginal.market, request, own, curve);
  const auto is_allowed = [&](const fleet::Purchases& purchases) {
    return fleet::is_allowed(market, purchases, request.most_types);
  };
  bool are_allowed = is_allowed(filled.purchases) && fleets.withdrawn.empty();
  for (std::size_t i = 0; i < fleets.levels.size(); ++i) {
    auto& level = fleets.levels[i];
    level.hourly_cost = on_demand_cost(marginal, market, level.purchases, level.hourly_cost);
    level.purchases = fleet::in_whole_market(level.purchases, marginal.offers);
    level.lower_bound = bounds.levels[i].lower_bound;
    are_allowed = are_allowed && is_allowed(level.purchases);
  }
  if (!are_allowed) return std::nullopt;
  auto whole = with_recommended(plan, scenario, market, request, std::move(filled));
  auto payment = pay_for(market, whole, std::move(fleets), curve, terms);
  return PaidFleet{std::move(whole), std::move(payment)};
}

}  // namespace

NanoUsd PaymentPlan::hourly_with_extras() const {
  NanoUsd sum = hourly;
  for (const auto& extra : extras) sum += extra.mean_hourly.value_or(0);
  return sum;
}

MicroUsd paid_hourly(const Market& market, const PaymentPlan& payment, const fleet::Purchases& purchases,
                     MicroUsd hourly_cost) {
  std::vector<Commitment> commitments;
  for (const auto& one : payment.commitments) {
    commitments.push_back(one.commitment);
    // Of a fleet that runs all the time the amount is sought for each fleet; that of a load curve is one for all hours.
    if (one.is_sought && !payment.has_curve) commitments.back().amount.reset();
  }
  const std::vector<HourlyDemand> demand = {demand_of(market, purchases, hourly_cost, 1)};
  const NanoUsd paid = fleet::mean_cost(demand, fleet::cheapest_commitments(demand, std::move(commitments)));
  return (paid + kNanoUsdPerMicroUsd / 2) / kNanoUsdPerMicroUsd;
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
  auto fleets = plan_hourly_fleets(scenario, market, request, plan, curve);
  return pay_for(market, plan, std::move(fleets), std::move(curve), terms);
}

PaidFleet plan_paid_fleet(const placement::Scenario& scenario, const Market& market, const FleetRequest& request,
                          FleetPlan plan, const LoadCurve& curve, const PaymentTerms& terms) {
  const auto fleets = plan_hourly_fleets(scenario, market, request, plan, curve);
  PaidFleet best{plan, pay_for(market, plan, fleets, curve, terms)};
  // No commitment lowers a Spot price, and a count of vCPUs is no price.
  if (market.has_spot_prices || market.counts_vcpus || !plan.fill.recommended) return best;
  // Which of two fleets costs less says nothing of whether it rolls or survives a zone.
  if (request.deployable || request.survives_zone_loss) return best;
  const MicroUsd extras = extras_of_instance(terms, best.payment);
  std::vector<std::vector<MicroUsd>> known;
  const auto prices = [](const Market& of) {
    std::vector<MicroUsd> all;
    for (const auto& offer : of.offers) all.push_back(offer.hourly_price);
    return all;
  };
  known.push_back(prices(market));
  for (const auto stated : {StatedPlans::kPaid, StatedPlans::kDiscount}) {
    const auto marginal = marginal_market(market, terms, extras, stated);
    auto own = prices(marginal.market);
    if (std::find(known.begin(), known.end(), own) != known.end()) continue;
    known.push_back(std::move(own));
    auto paid = plan_by(marginal, scenario, market, request, plan, fleets, curve, terms);
    if (paid && paid->payment.hourly_with_extras() < best.payment.hourly_with_extras()) best = std::move(*paid);
  }
  return best;
}

}  // namespace bayplan::study
