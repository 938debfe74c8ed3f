#include "study/payment/payment_plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "catalog/extra_prices.hpp"
#include "fleet/recommended/fleet_rank.hpp"
#include "study/fleet/fill_check.hpp"
#include "study/payment/marginal_market.hpp"
#include "study/payment/mixed_hours.hpp"

namespace bayplan::study {

using fleet::Commitment;
using fleet::HourlyDemand;
using fleet::Market;

namespace {

/// Hours that AWS counts in a month: prices of volumes are per month.
constexpr NanoUsd kHoursPerMonth = 730;

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
    demand.push_back(demand_of(market, level, payment.curve.levels[i].hours));
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

bool fills_alike(const fleet::Policy& a, const fleet::Policy& b) {
  return std::tie(a.name, a.order) == std::tie(b.name, b.order) &&
         std::equal(a.constraints.begin(), a.constraints.end(), b.constraints.begin(), b.constraints.end(),
                    [](const auto& left, const auto& right) {
                      return left.first == right.first && left.second.source == right.second.source;
                    });
}

/// For which tasks, prices and commitments hours are mixed.
struct MixQuestion {
  const placement::Scenario& scenario;
  const Market& market;
  const FleetRequest& request;
  const LoadCurve& curve;
  std::vector<Commitment> stated;      ///< As stated, some without an amount.
  const fleet::FilledFleet& strategy;  ///< A fleet of the peak: its strategy fills the fleets of all hours.
  MicroUsd extras = 0;                 ///< Of one instance.

  MixedHours mix(const FleetsOfLevels& fleets, std::vector<Commitment> start) const {
    return mix_hours(market, fleets, curve, stated, std::move(start), extras * kNanoUsdPerMicroUsd);
  }
};

/// Fleets of several plans.
struct KnownFleets {
  FleetsOfLevels of_levels;
  std::vector<fleet::FilledFleet> peaks;  ///< Seen to be filled in launch orders that their search had not seen.
};

/// Those of `best`, and of the options that have its strategy; with --max-types, its types.
KnownFleets known_fleets(const MixQuestion& question, const std::vector<PaidFleet>& options, const PaidFleet& best) {
  const auto types_of = [&](const FleetPlan& plan) { return fleet::list_types(question.market, plan.purchases()); };
  KnownFleets known{FleetsOfLevels(question.curve.levels.size()), {}};
  const auto add = [&](const PaidFleet& option) {
    for (std::size_t i = 0; i < known.of_levels.size(); ++i)
      add_fleet(known.of_levels[i], option.payment.levels[i].fleet);
    known.peaks.push_back(*option.plan.fill.recommended);
  };
  add(best);
  for (const auto& option : options) {
    const bool has_types = question.request.most_types == 0 || types_of(option.plan) == types_of(best.plan);
    if (has_types && fills_alike(option.plan.fill.recommended->policy, question.strategy.policy)) add(option);
  }
  return known;
}

/// Fills every hour at the prices that one instance more has with these amounts, and adds the fleets, at On-Demand
/// prices. Returns how many hours were planned.
std::int64_t add_fleets_for(const std::vector<Commitment>& amounts, const MixQuestion& question,
                            FleetsOfLevels& fleets) {
  constexpr std::int64_t kEffortOfHour = 200'000;
  const auto& market = question.market;
  const auto request = with_effort(question.request, std::min(kEffortOfHour, question.request.effort));
  std::int64_t planned = 0;
  for (const auto paid : {StatedPlans::kPaid, StatedPlans::kPaidInPart}) {
    const auto marginal = marginal_market(market, amounts, question.extras, paid);
    if (paid == StatedPlans::kPaidInPart && marginal.market.spend_limits.empty()) continue;
    auto filler = question.strategy;
    filler.purchases = in_marginal_market(marginal, filler.purchases);
    auto found = fill_hourly_fleets(question.scenario, marginal.market, request, filler, question.curve);
    planned += std::ssize(found);
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!found[i]) continue;
      auto& level = *found[i];
      level.hourly_cost = on_demand_cost(marginal, market, level.purchases, level.hourly_cost);
      level.purchases = fleet::in_whole_market(level.purchases, marginal.offers);
      if (fleet::is_allowed(market, level.purchases, request.most_types)) add_fleet(fleets[i], std::move(level));
    }
  }
  return planned;
}

/// Plans hours for other amounts and mixes them again, as long as the effort lasts: none for a year of different hours.
MixedHours mix_for_other_amounts(MixedHours mix, const MixQuestion& question, FleetsOfLevels& fleets) {
  constexpr std::int64_t kMostPlanned = 240;  // hours, all amounts together
  std::set<std::vector<std::int64_t>> tried;
  const auto next_to_try = [&]() -> std::optional<std::vector<Commitment>> {
    for (auto& commitments : amounts_to_try(question.market, fleets, mix, question.stated)) {
      std::vector<std::int64_t> amounts;
      for (const auto& one : commitments) amounts.push_back(*one.amount);
      if (tried.insert(std::move(amounts)).second) return std::move(commitments);
    }
    return std::nullopt;
  };
  const auto levels = std::ssize(question.curve.levels);
  for (std::int64_t planned = 0; planned + levels <= kMostPlanned;) {
    const auto amounts = next_to_try();
    if (!amounts) break;
    planned += add_fleets_for(*amounts, question, fleets);
    auto other = question.mix(fleets, *amounts);
    if (other.hourly < mix.hourly) mix = std::move(other);
  }
  return mix;
}

/// The fleet of the peak in the mix, filled in as many launch orders as that of any plan, because it is the recommended
/// one; a fleet that is not goes, and the hours are mixed without it. Nothing where the load has no peak.
std::optional<fleet::FilledFleet> confirmed_peak(MixedHours& mix, const MixQuestion& question, const FleetPlan& plan,
                                                 KnownFleets& known) {
  const auto peak_level = question.curve.peak_level();
  while (peak_level) {
    const auto chosen = mix.levels[*peak_level];
    const auto own = std::find_if(known.peaks.begin(), known.peaks.end(),
                                  [&](const auto& filled) { return filled.purchases == chosen.purchases; });
    if (own != known.peaks.end()) return *own;
    Watch watch(question.request);
    fleet::FilledFleet filled{chosen.purchases, chosen.hourly_cost, question.strategy.policy, chosen.orders, 0};
    if (const auto orders = fleet::confirmed_orders(question.scenario, question.market, plan.question, filled,
                                                    fill_request(question.request, watch))) {
      filled.confirmed = *orders;
      return filled;
    }
    std::erase_if(known.of_levels[*peak_level], [&](const auto& one) { return one.purchases == chosen.purchases; });
    mix = question.mix(known.of_levels, mix.commitments);
  }
  return std::nullopt;
}

/// Hours with the fleets of several plans, and with fleets planned for given amounts of the commitments: an hour is
/// cheapest with what is committed to and as little as possible besides, and how much to commit to depends on the
/// fleets of all hours. Nothing where that is not cheaper than `best`, a plan of `options`. `fleets`: with the bounds
/// of all levels.
std::optional<PaidFleet> with_mixed_hours(const MixQuestion& question, const std::vector<PaidFleet>& options,
                                          const PaidFleet& best, const FleetPlan& plan, HourlyFleets fleets,
                                          const PaymentTerms& terms) {
  auto known = known_fleets(question, options, best);
  std::vector<Commitment> start;
  for (const auto& one : best.payment.commitments) start.push_back(one.commitment);
  auto mix = question.mix(known.of_levels, std::move(start));
  mix = mix_for_other_amounts(std::move(mix), question, known.of_levels);
  auto peak = confirmed_peak(mix, question, plan, known);
  if (mix.hourly >= best.payment.hourly_with_extras()) return std::nullopt;

  fleets.simulated = 0;
  for (std::size_t i = 0; i < fleets.levels.size(); ++i) {
    mix.levels[i].lower_bound = fleets.levels[i].lower_bound;
    if (mix.levels[i].evidence == FleetEvidence::kSimulated) ++fleets.simulated;
  }
  fleets.levels = std::move(mix.levels);
  const bool has_peak = !peak || peak->purchases == best.plan.purchases();
  auto whole = has_peak
                   ? best.plan
                   : with_recommended(plan, question.scenario, question.market, question.request, *std::move(peak));
  auto payment = pay_for(question.market, whole, std::move(fleets), question.curve, terms);
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
  const std::vector<HourlyDemand> demand = {demand_of(market, {purchases, hourly_cost}, 1)};
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
  std::vector<PaidFleet> options = {{plan, pay_for(market, plan, fleets, curve, terms)}};
  // No commitment lowers a Spot price, and a count of vCPUs is no price.
  if (market.has_spot_prices || market.counts_vcpus || !plan.fill.recommended) return options.front();
  // Which of two fleets costs less says nothing of whether it rolls or survives a zone.
  if (request.deployable || request.survives_zone_loss) return options.front();
  const MicroUsd extras = extras_of_instance(terms, options.front().payment);
  std::vector<Commitment> commitments;
  for (const auto& one : terms.commitments) commitments.push_back(one.commitment);
  std::vector<std::vector<MicroUsd>> known;
  const auto prices = [](const Market& of) {
    std::vector<MicroUsd> all;
    for (const auto& offer : of.offers) all.push_back(offer.hourly_price);
    return all;
  };
  known.push_back(prices(market));
  for (const auto stated : {StatedPlans::kPaid, StatedPlans::kDiscount}) {
    const auto marginal = marginal_market(market, commitments, extras, stated);
    auto own = prices(marginal.market);
    if (std::find(known.begin(), known.end(), own) != known.end()) continue;
    known.push_back(std::move(own));
    if (auto paid = plan_by(marginal, scenario, market, request, plan, fleets, curve, terms))
      options.push_back(std::move(*paid));
  }
  PaidFleet best = options.front();
  for (const auto& option : options) {
    if (option.payment.hourly_with_extras() < best.payment.hourly_with_extras()) best = option;
  }
  // A Compute Savings Plan covers every type alike: whatever it pays, the cheapest fleet of each hour stays that.
  const bool prefers_types = std::any_of(commitments.begin(), commitments.end(), [](const Commitment& one) {
    return one.type != fleet::CommitmentType::kComputeSavingsPlan;
  });
  if (!prefers_types) return best;
  const MixQuestion question{scenario,
                             market,
                             request,
                             curve,
                             std::move(commitments),
                             *best.plan.fill.recommended,
                             extras_of_instance(terms, best.payment)};
  auto mixed = with_mixed_hours(question, options, best, plan, fleets, terms);
  return mixed && mixed->payment.hourly_with_extras() < best.payment.hourly_with_extras() ? *std::move(mixed) : best;
}

}  // namespace bayplan::study
