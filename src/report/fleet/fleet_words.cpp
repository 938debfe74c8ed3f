#include "report/fleet/fleet_words.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include <fmt/core.h>

#include "base/percent.hpp"
#include "base/strings.hpp"
#include "fleet/offers/price_dates.hpp"
#include "packing/money.hpp"
#include "report/document/amounts.hpp"
#include "report/document/figures.hpp"
#include "report/document/memory_doubt.hpp"
#include "report/document/prices.hpp"
#include "report/fleet/fleet_managed.hpp"
#include "report/fleet/fleet_payment.hpp"
#include "report/fleet/fleet_spot.hpp"

namespace bayplan::report {

using fleet::Market;
using fleet::Offer;
using fleet::Purchase;
using fleet::Purchases;
using study::FleetPlan;
using study::FleetStop;

namespace {

constexpr std::size_t kShownPurchases = 4;
constexpr std::size_t kShownUnplaceable = 3;

/// Number of instances of one type in all zones; owned ones are counted separately.
struct TypeCount {
  std::string instance_type;
  bool is_owned = false;
  std::int64_t count = 0;
};

std::vector<TypeCount> by_type(const Market& market, const Purchases& purchases) {
  std::vector<TypeCount> counts;
  for (const Purchase& one : purchases) {
    const Offer& offer = market.offers[one.offer];
    const auto known = std::find_if(counts.begin(), counts.end(), [&](const TypeCount& count) {
      return count.instance_type == offer.profile.instance_type && count.is_owned == offer.is_owned;
    });
    if (known == counts.end()) {
      counts.push_back({offer.profile.instance_type, offer.is_owned, one.count});
    } else {
      known->count += one.count;
    }
  }
  return counts;
}

std::string listed(std::vector<std::string> parts, std::string_view last) {
  if (parts.size() > kShownPurchases + 1) {
    const auto more = parts.size() - kShownPurchases;
    parts.resize(kShownPurchases);
    parts.push_back(fmt::format("{} more kinds", more));
  }
  if (parts.size() < 2) return join(parts, "");
  const std::string end = parts.back();
  parts.pop_back();
  return join(parts, last == " and " ? ", " : last) + std::string(last) + end;
}

std::string words(const Market& market, const Purchases& purchases, bool owned, std::string_view last) {
  std::vector<std::string> parts;
  for (const auto& one : by_type(market, purchases)) {
    if (one.is_owned == owned) parts.push_back(fmt::format("{} {}", one.count, one.instance_type));
  }
  return listed(std::move(parts), last);
}

/// "Buy 4 g4dn.12xlarge in addition to 2 m5.large that you own: $15.648/h, about $11,423/month at 730 h."
std::string purchase_sentence(const FleetReport& report, const Purchases& purchases, MicroUsd cost) {
  const auto bought = words(report.market, purchases, false, " and ");
  const auto owned = words(report.market, purchases, true, " and ");
  const std::string kept = report.request.keeps_cluster ? "the existing cluster" : "";
  std::vector<std::string> there;
  if (!kept.empty()) there.push_back(kept);
  if (!owned.empty()) there.push_back("the " + owned + " that you own");
  const auto beside = join(there, " and ");
  if (bought.empty())
    return beside.empty() ? "Buy nothing: no instance is needed." : fmt::format("Buy nothing: {} is enough.", beside);
  const auto credits = reported_credits(report);
  return fmt::format("Buy {}{}: {}{}.", bought, beside.empty() || !kept.empty() ? "" : " in addition to " + beside,
                     report.market.counts_vcpus ? hourly(report.market, cost) : hourly_and_monthly(cost),
                     credits > 0 ? fmt::format(", including {} for CPU credits", hourly(report.market, credits)) : "");
}

/// A burstable type of the fleet.
struct BurstableUse {
  std::string instance_type;
  const fleet::BurstRate* rate = nullptr;
  placement::Share cpu;
  MicroUsd credits = 0;
};

std::vector<BurstableUse> burstable_uses(const FleetReport& report) {
  std::vector<BurstableUse> uses;
  for (const auto& [offer, use] : report.plan.use().offers) {
    const auto& profile = report.market.offers[offer].profile;
    const auto* rate = fleet::find_rate(report.market.credits, profile);
    if (rate == nullptr) continue;
    auto known = std::find_if(uses.begin(), uses.end(),
                              [&](const auto& one) { return one.instance_type == profile.instance_type; });
    if (known == uses.end()) known = uses.insert(uses.end(), {profile.instance_type, rate, {}, 0});
    known->cpu.reserved += use.cpu.reserved;
    known->cpu.registered += use.cpu.registered;
    known->credits += use.credits;
  }
  return uses;
}

/// "$0.05"; "$0.05 on t3.micro, $0.04 on t4g.small" where types differ.
std::string credit_price_words(const std::vector<BurstableUse>& uses) {
  std::vector<std::string> each;
  bool is_one_price = true;
  for (const auto& one : uses) {
    const auto price = one.rate->price.price;
    is_one_price = is_one_price && price == uses.front().rate->price.price;
    each.push_back(fmt::format("${} on {}", usd(price / kNanoUsdPerMicroUsd), one.instance_type));
  }
  return is_one_price ? "$" + usd(uses.front().rate->price.price / kNanoUsdPerMicroUsd) : join(each, ", ");
}

/// "t2.large gets surplus credits only in unlimited mode, which is off by default: turn it on, or ..."
std::string standard_mode_words(const std::vector<BurstableUse>& uses) {
  std::vector<std::string> types;
  for (const auto& one : uses) {
    if (one.credits > 0 && !one.rate->baseline.is_unlimited) types.push_back(one.instance_type);
  }
  if (types.empty()) return {};
  return fmt::format(
      "{} {} surplus credits only in unlimited mode, which is off by default: turn it on, or EC2 slows the CPU to the "
      "baseline.",
      listed(types, " and "), types.size() == 1 ? "gets" : "get");
}

/// Which use of CPU credits are counted for.
std::string burst_use_words(const FleetReport& report) {
  const auto used = report.market.credits.used;
  if (used == kHundredPercent)
    return "counted for all CPU that tasks reserve (--burst-baseline PERCENT for what they use)";
  return fmt::format("counted for {}% of the CPU that tasks reserve (--burst-baseline)", percent_text(used));
}

/// "Simulated ECS placement fills it in 120 of 120 launch orders (strategies as written, largest tasks first)."
std::string filling_sentence(const FleetReport& report, const fleet::FilledFleet& filled) {
  const auto orders = filled.orders + filled.confirmed;
  const auto added = filled.policy.constraints.size() - report.plan.question.constraints.size();
  const auto apart = added > 0 ? ", " + count_of(static_cast<std::int64_t>(added), "placement constraint") : "";
  return fmt::format("Simulated ECS placement fills it in {} of {} launch orders{} ({}{}).", orders, orders,
                     report.request.survives_zone_loss ? " with any one zone lost" : "", policy_words(filled.policy),
                     apart);
}

/// " among single-type fleets": what the bound is of; empty = any fleet.
std::string bounded_fleets(const FleetReport& report) {
  if (report.plan.bounded.sets == 0) return {};
  if (report.request.most_types == 1) return " among single-type fleets";
  return fmt::format(" among fleets of at most {} types", report.request.most_types);
}

/// ", cheapest of 812 types on sale in us-east-1 (prices of 2026-07-20)": what an optimum is an optimum of.
std::string market_scope(const FleetReport& report) {
  const auto& market = report.market;
  std::set<std::string_view> types;
  for (const auto& offer : market.offers) {
    if (!offer.exists()) types.insert(offer.profile.instance_type);
  }
  if (types.empty()) return {};
  const auto count = static_cast<std::int64_t>(types.size());
  // Of one type there is nothing to choose, so that neither its price nor the flag is a basis of the claim.
  if (count == 1) return market.are_types_named ? " for the only type that --types allows" : " for the only type";
  std::string text = fmt::format(", cheapest of {} types", count);
  std::vector<std::string> basis;
  if (market.are_types_named) {
    basis.emplace_back("--types");
  } else if (!report.prices_file.empty()) {
    text += " with a price in " + report.prices_file;
  } else if (!market.counts_vcpus) {
    text += " on sale in " + market.region;
  }
  const auto days = price_dates(market);
  if (!days.newest.empty()) basis.push_back("prices of " + price_days(days.oldest, days.newest));
  return basis.empty() ? text : fmt::format("{} ({})", text, join(basis, ", "));
}

std::string bound_sentence(const FleetReport& report, MicroUsd cost) {
  const MicroUsd bound = report.plan.bound_of_answer();
  if (cost > bound && bound <= 0) return "No lower bound is known.";
  const std::string fleets = bounded_fleets(report);
  if (cost <= bound) return fmt::format("Proven optimal{}{}.", fleets, cost > 0 ? market_scope(report) : "");
  return fmt::format("Lower bound{}: {} (gap {}).", fleets, hourly(report.market, bound), percent_more(bound, cost));
}

/// " CANNOT DEPLOY infer: plan with --deployable."
std::string rollout_sentence(const FleetReport& report) {
  std::vector<std::string> stuck;
  for (const auto& one : report.plan.review.rollouts.services) {
    if (!one.ok && one.is_tried) stuck.push_back(one.service_name);
  }
  if (stuck.empty()) return {};
  const bool has_load = report.payment != nullptr && report.payment->has_curve;
  return fmt::format(" CANNOT DEPLOY {}{}.", listed(std::move(stuck), " or "),
                     report.request.deployable ? ""
                     : has_load                ? ": plan the peak alone with --deployable"
                                               : ": plan with --deployable");
}

std::string stop_sentence(const FleetPlan& plan) {
  if (plan.stopped_by == FleetStop::kInterrupt) return " Interrupted: the best fleet so far, not reproducible.";
  if (plan.stopped_by == FleetStop::kTime) return " Stopped by --time-limit: the best fleet so far, not reproducible.";
  return {};
}

/// Why no fleet is recommended.
std::string unfilled_words(const FleetPlan& plan) {
  const bool is_stopped = plan.stopped_by == FleetStop::kInterrupt || plan.stopped_by == FleetStop::kTime;
  if (plan.fill.method != fleet::FillMethod::kNone && is_stopped && plan.fill.exhausted)
    return "the search stopped before simulated ECS placement filled it.";
  if (plan.fill.method != fleet::FillMethod::kNone) return "simulated ECS placement fills none of the fleets tried.";
  return fmt::format("ECS placement was not simulated ({} tasks exceed the limit of {}).", plan.tasks,
                     fleet::kMaxLaunched);
}

/// "train, web and 3 more"
std::string unplaceable_names(const FleetReport& report) {
  std::vector<std::string> names;
  std::set<std::string_view> known;
  for (const auto& one : report.plan.question.unplaceable) {
    const auto& name = report.scenario.workloads[one.workload].name;
    if (known.insert(name).second) names.push_back(name);
  }
  if (names.size() <= kShownUnplaceable) return join(names, ", ");
  const auto more = names.size() - kShownUnplaceable;
  names.resize(kShownUnplaceable);
  return join(names, ", ") + fmt::format(" and {} more", more);
}

/// Instances of one type that there may be.
struct Supply {
  std::int64_t owned = 0;
  std::int64_t to_buy = 0;  ///< Whatever their set-up.
};

std::string tasks_left_over(const FleetReport& report) {
  return fmt::format("NO  {} of {} cannot be placed", report.plan.left_over(), count_of(report.plan.tasks, "task"));
}

std::string limits_sentence(const FleetReport& report) {
  std::map<std::string, Supply> supplies;
  for (const Offer& offer : report.market.offers) {
    if (!offer.standing.empty()) continue;
    Supply& supply = supplies[offer.profile.instance_type];
    (offer.is_owned ? supply.owned : supply.to_buy) = offer.limit;
  }
  std::vector<std::string> limits;
  std::vector<std::string> forbidden;
  for (const auto& [type, supply] : supplies) {
    if (supply.to_buy == packing::kUnlimited) continue;
    const std::string beside = supply.owned == 0 ? "" : fmt::format(" in addition to the {} owned", supply.owned);
    if (supply.to_buy == 0) {
      forbidden.push_back(type + beside);
    } else {
      limits.push_back(fmt::format("{} {}{}", supply.to_buy, type, beside));
    }
  }
  for (const auto& limit : report.market.quotas)
    limits.push_back(fmt::format("{} vCPU of {}{}", limit.left(), limit.quota,
                                 limit.in_use == 0 ? "" : fmt::format(" in addition to the {} running", limit.in_use)));
  const bool is_of_types = report.request.most_types > 0 && (!limits.empty() || forbidden.empty());
  std::vector<std::string> buyable;
  if (!limits.empty()) buyable.push_back("at most " + listed(std::move(limits), " and "));
  if (!forbidden.empty()) buyable.push_back("no " + listed(std::move(forbidden), " or "));
  std::string text = join(buyable, ", and ");
  if (!text.empty()) text += " may be bought";
  if (is_of_types)
    text += fmt::format("{}at most {}", text.empty() ? "" : ", of ", count_of(report.request.most_types, "type"));
  std::string sentence = tasks_left_over(report) + (text.empty() ? "." : ": " + text + ".");
  const auto& ideal = report.plan.ideal;
  const auto fitting = report.plan.tasks - report.plan.left_over();
  if (fitting > 0 && !ideal.purchases.empty()) {
    sentence += fmt::format(" The other {} on {}: ${}/h.", fitting == 1 ? "one fits" : fmt::format("{} fit", fitting),
                            fleet_words(report.market, ideal.purchases, " and "), usd(ideal.hourly_cost));
  }
  std::vector<std::string> quotas;
  for (const auto& quota : report.plan.quotas_to_request)
    quotas.push_back(fmt::format("{} vCPU of {}", quota.vcpus, quota.quota));
  if (!quotas.empty()) sentence += fmt::format(" All fit with a quota of {}.", listed(std::move(quotas), " and "));
  return sentence;
}

/// "NO  no single type holds both web and train (--max-types 1)."
std::string contradiction_sentence(const FleetReport& report) {
  const auto& text = report.plan.contradiction;
  return fmt::format("NO  {} (--max-types {}).", text, report.request.most_types);
}

}  // namespace

namespace {

/// What an hour of the fleet costs: its commitments included, where there are some.
MicroUsd paid_for(const FleetReport& report, const Purchases& purchases, MicroUsd hourly_cost) {
  const bool is_committed = report.payment != nullptr && !report.payment->commitments.empty();
  return is_committed ? study::paid_hourly(report.market, *report.payment, purchases, hourly_cost) : hourly_cost;
}

/// What the cheapest fleet costs that ECS placement fills. Under commitments the recommended one may cost more: it is
/// part of what is cheapest in the mean of all hours.
MicroUsd cheapest_filled(const FleetReport& report) {
  const auto& recommended = *report.plan.fill.recommended;
  MicroUsd least = paid_for(report, recommended.purchases, recommended.hourly_cost);
  for (const auto& filled : report.plan.fill.by_policy)
    least = std::min(least, paid_for(report, filled.purchases, filled.hourly_cost));
  return least;
}

}  // namespace

std::optional<MicroUsd> placement_overhead(const FleetReport& report) {
  const auto& filled = report.plan.fill.recommended;
  const auto& ideal = report.plan.ideal;
  const bool must_last = report.request.survives_zone_loss || report.request.deployable;
  if (!filled || must_last) return std::nullopt;
  const MicroUsd overhead = cheapest_filled(report) - paid_for(report, ideal.purchases, ideal.hourly_cost);
  return overhead > 0 ? std::optional(overhead) : std::nullopt;
}

std::string placement_overhead_words(const FleetReport& report) {
  const auto& ideal = report.plan.ideal;
  const MicroUsd least = paid_for(report, ideal.purchases, ideal.hourly_cost);
  const MicroUsd paid = cheapest_filled(report);
  const bool is_committed = report.payment != nullptr && !report.payment->commitments.empty();
  return fmt::format("ECS placement costs {} ({}) more than the ideal packing{}", hourly(report.market, paid - least),
                     percent_more(paid, least), is_committed ? ", commitments included" : "");
}

std::vector<CheaperFleet> cheaper_fleets(const FleetReport& report, std::size_t most_named) {
  const auto& plan = report.plan;
  const auto fleet = [&](const Purchases& purchases) { return fleet_words(report.market, purchases); };
  std::vector<CheaperFleet> list;
  if (placement_overhead(report)) {
    list.push_back(
        {paid_for(report, plan.ideal.purchases, plan.ideal.hourly_cost),
         fmt::format("{}: {}",
                     study::has_services(report.scenario) ? "ideal packing; StartTask cannot place the services"
                                                          : "ideal packing, filled by StartTask (--start-task)",
                     fleet(plan.ideal.purchases))});
  }
  if (const auto* found = report.by_start_task) {
    const bool is_other = found->order != report.scenario.order;
    list.push_back({paid_for(report, found->purchases, found->hourly_cost),
                    fmt::format("StartTask for standalone tasks, policy {}{}: {}", placement::name_of(found->policy),
                                is_other ? ", largest tasks first" : "", fleet(found->purchases))});
  }
  if (!plan.fill.recommended) return list;
  const auto& filled = *plan.fill.recommended;
  for (const auto& one : plan.fill.closing) {
    if (keeps_apart(report, filled.policy)) break;
    auto parts = constraint_words(report, one.policy, most_named);
    parts.push_back("with " + policy_words(one.policy));
    list.push_back({paid_for(report, one.purchases, one.hourly_cost), join(parts, ", ") + ": " + fleet(one.purchases)});
  }
  // Commitments may make a fleet more expensive that costs less On-Demand.
  const MicroUsd paid = paid_for(report, filled.purchases, filled.hourly_cost);
  std::erase_if(list, [paid](const auto& one) { return one.hourly_cost >= paid; });
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.hourly_cost < b.hourly_cost; });
  return list;
}

std::vector<TasksToStart> tasks_to_start(const FleetReport& report) {
  const auto& scenario = report.scenario;
  std::map<std::string, std::uint32_t> standing;
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i) standing.emplace(scenario.instances[i].id, i);
  std::vector<TasksToStart> tasks;
  for (const auto& bin : report.assignments) {
    const bool is_bought = report.plan.question.bins[bin.bin_type].standing.empty();
    const auto instance = is_bought ? bin.instance : container_instance_id(scenario, standing.at(bin.instance));
    for (const auto& [workload, count] : bin.tasks) {
      if (scenario.workloads[workload].kind == placement::WorkloadKind::kTasks)
        tasks.push_back({workload, instance, count});
    }
  }
  return tasks;
}

std::string hourly(const Market& market, MicroUsd amount) {
  if (market.counts_vcpus) return fmt::format("{} vCPU", from_millionths(amount));
  return fmt::format("${}/h", usd(amount));
}

std::string fleet_words(const Market& market, const Purchases& purchases, std::string_view last) {
  std::vector<std::string> parts;
  for (const auto& one : by_type(market, purchases))
    parts.push_back(fmt::format("{} {}{}", one.count, one.instance_type, one.is_owned ? " (owned)" : ""));
  return parts.empty() ? "nothing" : listed(std::move(parts), last);
}

std::string percent_more(MicroUsd amount, MicroUsd least) {
  if (least == 0) return "-";
  const auto per_mille = std::abs(amount - least) * 1000 / least;
  if (per_mille == 0) return amount == least ? "0%" : "under 0.1%";
  if (per_mille < 100 && per_mille % 10 != 0) return fmt::format("{}.{}%", per_mille / 10, per_mille % 10);
  return fmt::format("{}%", per_mille / 10);
}

std::string policy_words(const fleet::Policy& policy) {
  std::string text = policy.is_as_written ? "strategies as written" : policy.name;
  if (policy.order == placement::TaskOrder::kLargestFirst) text += ", largest tasks first";
  return text;
}

bool keeps_apart(const FleetReport& report, const fleet::Policy& policy) {
  return policy.constraints.size() > report.plan.question.constraints.size();
}

std::vector<std::string> constraint_words(const FleetReport& report, const fleet::Policy& policy,
                                          std::size_t most_named) {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  for (const auto& [workload, constraint] : policy.constraints) {
    const auto words = constraint.type == placement::ConstraintType::kDistinctInstance
                           ? std::string("distinctInstance")
                           : fmt::format("memberOf \"{}\"", constraint.source);
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& one) { return one.first == words; });
    if (group == groups.end()) group = groups.insert(groups.end(), {words, {}});
    group->second.push_back(report.scenario.workloads[workload].name);
  }
  std::vector<std::string> lines;
  for (auto& [words, names] : groups) {
    const std::size_t rest = names.size() > most_named + 1 ? names.size() - most_named : 0;
    if (rest > 0) names.resize(most_named);
    if (rest > 0) names.push_back(fmt::format("{} more", rest));
    const std::string last = names.back();
    names.pop_back();
    lines.push_back(fmt::format("{} for {}{}{}", words, join(names, ", "), names.empty() ? "" : " and ", last));
  }
  return lines;
}

/// Services of a partial snapshot that no plan can hold, because their requirements are unknown.
std::string left_out_sentence(const FleetReport& report) {
  std::vector<std::string> services;
  for (const auto& one : report.scenario.assumptions) {
    if (one.id == "service-definition-not-described") services.push_back(one.subject);
  }
  if (services.empty()) return {};
  const bool is_one = services.size() == 1;
  return fmt::format("NOT PLANNED: {}, whose task definition{} not described. ", listed(std::move(services), " and "),
                     is_one ? " is" : "s are");
}

/// What is bought On-Demand, and how sure that is.
std::string plan_sentences(const FleetReport& report) {
  const auto& plan = report.plan;
  std::string text;
  if (!plan.question.unplaceable.empty()) {
    const auto count = static_cast<std::int64_t>(plan.question.unplaceable.size());
    text += fmt::format("NO  {} {} not fit any allowed instance type", unplaceable_names(report),
                        count == 1 ? "does" : "do");
    if (plan.tasks == 0) return text + ".";
    text += "; for the rest: ";
  }
  if (plan.tasks == 0) return text + "Buy nothing: there are no tasks to place.";
  if (const auto& filled = plan.fill.recommended) {
    return text + purchase_sentence(report, filled->purchases, filled->hourly_cost) + " " +
           bound_sentence(report, filled->hourly_cost) + " " + filling_sentence(report, *filled);
  }
  if (report.request.survives_zone_loss) {
    return text + "NO  no fleet found that holds every task after the loss of any one zone. Without a zone loss: " +
           purchase_sentence(report, plan.ideal.purchases, plan.ideal.hourly_cost) +
           " All tasks fit if StartTask places them (--start-task).";
  }
  return text + purchase_sentence(report, plan.ideal.purchases, plan.ideal.hourly_cost) +
         " All tasks fit only if StartTask places them (--start-task): " + unfilled_words(plan) + " " +
         bound_sentence(report, plan.ideal.hourly_cost);
}

/// What is known to go wrong with the fleet that is bought, and why the search ended early.
std::string doubt_sentences(const FleetReport& report) {
  const auto& plan = report.plan;
  if (plan.tasks == 0) return {};
  const auto doubts = plan.fill.recommended
                          ? rollout_sentence(report) + memory_sentence(report.plan.review.memory_uncertainty)
                          : std::string();
  return doubts + stop_sentence(plan);
}

/// Of Spot Instances and of commitments, which come before what is bought On-Demand.
std::string payment_sentences(const FleetReport& report) {
  const auto& plan = report.plan;
  std::string text;
  if (report.spot != nullptr) text += spot_headline(report);
  if (report.payment == nullptr || !plan.question.unplaceable.empty()) return text;
  if (!text.empty()) text += " On-Demand: ";
  return text + payment_headline(report);
}

std::vector<std::string> excluded_types_lines(const FleetReport& report, bool all, std::string_view more) {
  constexpr std::size_t kNamed = 1;  // without `all`, of those without a price and of the others
  std::vector<std::string> lines;
  std::vector<fleet::LeftOut> others;
  std::vector<fleet::LeftOut> unpriced;
  for (const auto& one : report.market.left_out) (one.is_unpriced && !all ? unpriced : others).push_back(one);
  const auto& unplanned = report.plan.question.left_out;
  others.insert(others.end(), unplanned.begin(), unplanned.end());
  if (unpriced.size() > kNamed) {
    lines.push_back(fmt::format("{} types without a price are not considered, such as {}: {}{}", unpriced.size(),
                                unpriced.front().instance_type, unpriced.front().why, more));
  } else {
    others.insert(others.begin(), unpriced.begin(), unpriced.end());
  }
  if (others.size() > kNamed && !all) {
    lines.push_back(fmt::format("{} types excluded, such as {}: {}{}", others.size(), others.front().instance_type,
                                others.front().why, more));
    return lines;
  }
  for (const auto& one : others) lines.push_back(fmt::format("Excluded: {}: {}", one.instance_type, one.why));
  return lines;
}

namespace {

/// The answer for all tasks but those on Managed Instances.
FleetAnswer answer_of_plan(const FleetReport& report) {
  const auto& plan = report.plan;
  const auto left_out = left_out_sentence(report);
  const auto payment = payment_sentences(report);
  if (!plan.contradiction.empty() && plan.tasks > 0) return {contradiction_sentence(report), {}};
  if (plan.left_over() > 0) return {limits_sentence(report) + stop_sentence(plan), {}};
  if (payment.empty()) return {left_out + plan_sentences(report) + doubt_sentences(report), {}};
  if (plan.tasks == 0 && report.spot != nullptr) return {left_out + spot_headline(report), {}};
  return {left_out + payment + doubt_sentences(report), plan_sentences(report)};
}

/// What both parts cost.
std::string total_sentence(const FleetReport& report) {
  const auto cost = report.managed->hourly_cost();
  const bool has_both = report.plan.tasks > 0 && cost > 0 && report.plan.fill.recommended;
  if (!has_both || report.market.counts_vcpus || report.payment != nullptr || report.spot != nullptr) return {};
  return fmt::format(" Together {}.", hourly_and_monthly(report.plan.hourly_cost() + cost));
}

}  // namespace

FleetAnswer fleet_answer(const FleetReport& report) {
  const auto managed = managed_headline(report);
  if (managed.empty()) return answer_of_plan(report);
  const bool has_others = report.plan.tasks > 0 || !report.plan.question.unplaceable.empty() || report.spot != nullptr;
  if (!has_others) return {left_out_sentence(report) + managed, {}};
  auto answer = answer_of_plan(report);
  const bool is_first = !report.managed->unplaced.empty();
  answer.answer = (is_first ? managed + " " + answer.answer : answer.answer + " " + managed) + total_sentence(report);
  return answer;
}

std::string on_demand_words(const FleetReport& report, const std::string& on_demand) {
  if (report.payment == nullptr) return "On-Demand: " + on_demand;
  return report.payment->has_curve ? "At the peak: " + on_demand : on_demand;
}

std::string fleet_headline(const FleetReport& report) {
  const auto [answer, on_demand] = fleet_answer(report);
  return on_demand.empty() ? answer : answer + " " + on_demand_words(report, on_demand);
}

MicroUsd reported_credits(const FleetReport& report) {
  return report.plan.hourly_cost() - fleet::hourly_cost(report.market, report.plan.purchases());
}

std::vector<std::string> credit_words(const FleetReport& report) {
  const auto uses = burstable_uses(report);
  const auto& other = report.plan.without_credits;
  std::vector<std::string> lines;
  if (!uses.empty()) {
    std::vector<std::string> types;
    for (const auto& one : uses) {
      types.push_back(fmt::format("{} covers {} of each vCPU, its tasks reserve {}", one.instance_type,
                                  one.rate->baseline.percent(), percent(one.cpu.reserved, one.cpu.registered)));
    }
    const auto credits = reported_credits(report);
    lines.push_back(fmt::format("CPU credits: {}; {}. A vCPU-hour above it costs {}, {}.",
                                credits > 0 ? hourly(report.market, credits) : "none", join(types, "; "),
                                credit_price_words(uses), burst_use_words(report)));
    if (auto words = standard_mode_words(uses); !words.empty()) lines.push_back(std::move(words));
  }
  if (other) {
    lines.push_back(fmt::format("Without CPU credits {} would do: {}, but {} with the surplus credits of its tasks{}.",
                                fleet_words(report.market, other->purchases),
                                hourly(report.market, other->hourly_price), hourly(report.market, other->hourly_cost),
                                uses.empty() ? ", " + burst_use_words(report) : std::string()));
  }
  return lines;
}

std::string trunking_words(const FleetReport& report) {
  if (report.trunked == nullptr) return {};
  const auto cost = report.trunked->hourly_cost;
  const auto own = report.plan.hourly_cost();
  const auto change =
      cost == own ? std::string("the same cost") : fmt::format("{}{}", cost < own ? "-" : "+", percent_more(cost, own));
  return fmt::format("With awsvpcTrunking: {} ({}), {}{} (--trunking on)", hourly(report.market, cost), change,
                     fleet_words(report.market, report.trunked->purchases),
                     report.trunked->is_filled ? "" : ", if StartTask places the tasks");
}

std::string memory_doubt_words(const FleetReport& report) {
  const auto& doubt = report.plan.review.memory_uncertainty;
  if (doubt.without_place.empty()) return {};
  std::vector<std::string> types;
  for (const auto& one : doubt.types)
    types.push_back(fmt::format("{} at {} instead of {} MiB", one.instance_type, one.memory - one.error, one.memory));
  std::vector<std::string> tasks;
  for (const auto& one : doubt.without_place) tasks.push_back(fmt::format("{} {}", one.count, one.name));
  return fmt::format(
      "with {}, {} cannot be placed in {} of {} launch orders: plan with --headroom, or state the registered memory",
      listed(std::move(types), " and "), listed(std::move(tasks), " and "), doubt.failing_orders, doubt.orders);
}

std::string_view bound_method(const FleetPlan& plan) {
  if (plan.bounded.solution.bound_method == packing::BoundMethod::kBranchAndPrice) return "branchAndPrice";
  const bool is_rounded =
      plan.bounded.solution.lower_bound > packing::round_up(plan.bounded.solution.certificate.bound, /*step=*/1);
  return is_rounded ? "priceLattice" : "duals";
}

std::string_view name_of(FleetStop stop) {
  switch (stop) {
    case FleetStop::kProof:
      return "proof";
    case FleetStop::kGap:
      return "gap";
    case FleetStop::kEffort:
      return "effort";
    case FleetStop::kTime:
      return "time";
    case FleetStop::kInterrupt:
      break;
  }
  return "interrupt";
}

std::string_view name_of(fleet::FillMethod method) {
  switch (method) {
    case fleet::FillMethod::kLaunches:
      return "launches";
    case fleet::FillMethod::kAlikeTasks:
      return "alikeTasks";
    case fleet::FillMethod::kNone:
      break;
  }
  return "none";
}

std::string generation_words(const Offer& offer) {
  const auto* type = offer.profile.type;
  if (type == nullptr) return {};
  if (type->generation == catalog::Generation::kRetired) return "no longer sold";
  return type->generation == catalog::Generation::kPrevious ? "previous generation" : "";
}

std::vector<std::string> shape_names(const placement::Scenario& scenario, const fleet::Question& question) {
  std::map<std::uint32_t, std::set<std::size_t>> shapes_of;  // by definition
  for (std::size_t shape = 0; shape < question.shapes.size(); ++shape) {
    for (const auto workload : question.shapes[shape].workloads)
      shapes_of[scenario.workloads[workload].task_definition].insert(shape);
  }
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (std::size_t shape = 0; shape < question.shapes.size(); ++shape) {
    const auto& workload = scenario.workloads[question.shapes[shape].workloads.front()];
    std::string name = scenario.task_definitions[workload.task_definition].name;
    if (shapes_of[workload.task_definition].size() > 1) name += " (" + workload.name + ")";
    const std::string plain = name;
    for (int again = 2; !taken.insert(name).second; ++again) name = fmt::format("{} {}", plain, again);
    names.push_back(std::move(name));
  }
  return names;
}

std::string rejection_words(const fleet::TypeRejection& rejection) {
  const auto& lacking = rejection.shortfall;
  std::vector<std::string> parts;
  for (const auto check : rejection.failed.list()) {
    std::string text = placement::reason_text(check);
    if (check == placement::Check::kCpu) text += fmt::format(" ({} short)", cpu_size(lacking.cpu));
    if (check == placement::Check::kMemory) text += fmt::format(" ({} MiB short)", lacking.memory);
    if (check == placement::Check::kGpu && lacking.gpus > 0) text += fmt::format(" ({} short)", lacking.gpus);
    if (check == placement::Check::kNetworkInterface) text += fmt::format(" ({} short)", lacking.network_interfaces);
    if (check == placement::Check::kEbsAttachment) text += fmt::format(" ({} short)", lacking.ebs_attachments);
    if (check == placement::Check::kAttribute) text += " (" + join(lacking.attributes, ", ") + ")";
    if (text.ends_with(" placement constraint unsatisfied.")) text = text.substr(0, text.find(' '));
    parts.push_back(std::move(text));
  }
  if (!rejection.unmet_need.empty()) parts.push_back(rejection.unmet_need);
  return join(parts, ", ");
}

std::string price_source(const FleetReport& report) {
  bool has_own = false;
  bool has_others = false;
  bool is_of_file = false;
  const auto look = [&](const Offer& offer) {
    if (offer.exists()) return;
    (offer.listed && offer.listed->source.empty() ? has_own : has_others) = true;
    // A file may have prices of Fargate and Managed Instances alone.
    is_of_file =
        is_of_file || (!report.prices_file.empty() && (!offer.listed || offer.listed->source == report.prices_file));
  };
  const auto& offers = report.market.offers;
  for (const auto& one : report.plan.purchases()) look(offers[one.offer]);
  if (!has_own && !has_others) std::for_each(offers.begin(), offers.end(), look);
  const std::string own = "hourlyPrice from the scenario";
  if (has_own && !has_others) return own;
  const auto others = !is_of_file ? "Linux on demand" : "from " + report.prices_file;
  return has_own ? others + ", " + own : others;
}

namespace {

/// The use of CPU that credits are counted for was not measured.
Assumption credit_assumption(const FleetReport& report) {
  const auto used = report.market.credits.used;
  return {
      "cpu-credits",
      {},
      fmt::format("tasks on burstable instances use {} all the time, Linux prices; EC2 charges what the mean use of "
                  "24 hours is above the baseline",
                  used == kHundredPercent ? "all CPU that they reserve"
                                          : fmt::format("{}% of the CPU that they reserve", percent_text(used)))};
}

}  // namespace

std::vector<Assumption> collect_assumptions(const FleetReport& report) {
  std::vector<Assumption> all;
  const auto add = [&](const std::vector<Assumption>& some) {
    for (const auto& one : some) {
      if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
    }
  };
  add(report.scenario.assumptions);
  add(report.market.assumptions);
  add(report.plan.assumptions);
  add(study::trunking_assumptions(report.market, report.plan));
  if (!credit_words(report).empty()) add({credit_assumption(report)});
  if (report.payment != nullptr) add(report.payment->assumptions);
  add(estimated_prices(report.market, report.plan.purchases()));
  if (const auto mixed = mixed_dates(price_dates(report.market, report.plan.purchases()))) add({*mixed});
  return all;
}

}  // namespace bayplan::report
