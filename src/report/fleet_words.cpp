#include "report/fleet_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/date_time.hpp"
#include "base/strings.hpp"
#include "packing/money.hpp"
#include "report/figures.hpp"

namespace bayplan::report {

using fleet::Market;
using fleet::Offer;
using fleet::Purchase;
using fleet::Purchases;
using study::FleetPlan;
using study::FleetStop;

namespace {

constexpr std::size_t kShownTypes = 4;
constexpr std::size_t kShownNames = 3;

/// Of one type in all zones, what is owned apart.
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
  if (parts.size() > kShownTypes + 1) {
    const auto more = parts.size() - kShownTypes;
    parts.resize(kShownTypes);
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

/// "Buy 4 g4dn.12xlarge beside 2 m5.large that you own: $15.648/h."
std::string purchase_sentence(const FleetReport& report, const Purchases& purchases, MicroUsd cost) {
  const auto bought = words(report.market, purchases, false, " and ");
  const auto owned = words(report.market, purchases, true, " and ");
  const std::string kept = report.request.keeps_cluster ? "the cluster as it stands" : "";
  std::vector<std::string> there;
  if (!kept.empty()) there.push_back(kept);
  if (!owned.empty()) there.push_back("the " + owned + " that you own");
  const auto beside = join(there, " and ");
  if (bought.empty()) return fmt::format("Buy nothing: {} will do.", beside.empty() ? "no instance" : beside);
  return fmt::format("Buy {}{}: {}.", bought, beside.empty() || !kept.empty() ? "" : " beside " + beside,
                     hourly(report.market, cost));
}

std::string filling_sentence(const FleetReport& report, const fleet::FilledFleet& filled) {
  const bool has_order = filled.policy.order == placement::TaskOrder::kLargestFirst;
  return fmt::format("ECS fills it with {} in {} of {} {}{}.", policy_words(filled.policy), filled.orders,
                     std::max(filled.orders, report.request.orders), has_order ? "tries" : "launch orders",
                     report.request.survives_zone_loss ? ", with any one zone lost" : "");
}

std::string bound_sentence(const FleetReport& report, MicroUsd cost) {
  const MicroUsd bound = report.plan.lower_bound;
  if (cost <= bound) return "No fleet costs less.";
  if (bound <= 0) return "How much less another could cost is not known.";
  return fmt::format("No fleet costs less than {} ({} less, by proof).", hourly(report.market, bound),
                     percent_more(bound, cost));
}

std::string stop_sentence(const FleetPlan& plan) {
  if (plan.stopped_by == FleetStop::kInterrupt) return " Stopped by you, not reproducible.";
  if (plan.stopped_by == FleetStop::kTime) return " Stopped by --time-limit, not reproducible.";
  return {};
}

/// "train, web and 3 more"
std::string unplaceable_names(const FleetReport& report) {
  std::vector<std::string> names;
  for (const auto& one : report.plan.question.unplaceable) {
    const auto& name = report.scenario.workloads[one.workload].name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  if (names.size() <= kShownNames) return join(names, ", ");
  const auto more = names.size() - kShownNames;
  names.resize(kShownNames);
  return join(names, ", ") + fmt::format(" and {} more", more);
}

std::string limits_sentence(const FleetReport& report) {
  std::vector<std::string> limits;
  std::set<std::string> told;
  for (const Offer& offer : report.market.offers) {
    if (offer.limit != packing::kUnlimited && told.insert(offer.profile.instance_type).second)
      limits.push_back(fmt::format("{} {}", offer.limit, offer.profile.instance_type));
  }
  for (const auto& limit : report.market.quotas)
    limits.push_back(fmt::format("{} vCPU of {}", limit.vcpus, limit.quota));
  const auto over = count_of(report.plan.left_over(), "task");
  return fmt::format("NO  {} of {} {} no place: at most {} may be bought.", over, report.plan.tasks,
                     report.plan.left_over() == 1 ? "finds" : "find", limits.empty() ? "so much" : join(limits, ", "));
}

}  // namespace

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
  if (per_mille == 0) return amount == least ? "0 %" : "under 0.1 %";
  if (per_mille < 100 && per_mille % 10 != 0) return fmt::format("{}.{} %", per_mille / 10, per_mille % 10);
  return fmt::format("{} %", per_mille / 10);
}

std::string policy_words(const fleet::Policy& policy) {
  std::string text = policy.is_as_written ? "the strategies as written" : policy.name;
  if (policy.order == placement::TaskOrder::kLargestFirst) text += ", launched largest first,";
  return text;
}

std::string fleet_headline(const FleetReport& report) {
  const auto& plan = report.plan;
  std::string text;
  if (!plan.question.unplaceable.empty()) {
    const auto count = static_cast<std::int64_t>(plan.question.unplaceable.size());
    text = fmt::format("NO  {} fit{} no instance that may be bought", unplaceable_names(report), count == 1 ? "s" : "");
    if (plan.tasks == 0) return text + ".";
    text += "; of the rest: ";
  }
  if (plan.tasks == 0) return text + "Buy nothing: there is no task to place.";
  if (plan.left_over() > 0) return limits_sentence(report) + stop_sentence(plan);
  if (const auto& filled = plan.fill.recommended) {
    return text + purchase_sentence(report, filled->purchases, filled->hourly_cost) + " " +
           filling_sentence(report, *filled) + " " + bound_sentence(report, filled->hourly_cost) + stop_sentence(plan);
  }
  return text + purchase_sentence(report, plan.ideal, plan.ideal_cost) +
         " That holds every task only where StartTask puts them (--start-task): ECS fills no fleet that was tried. " +
         bound_sentence(report, plan.ideal_cost) + stop_sentence(plan);
}

std::string_view bound_method(const FleetPlan& plan) {
  if (plan.solution.bound_method == packing::BoundMethod::kBranchAndPrice) return "branchAndPrice";
  const bool is_rounded = plan.solution.lower_bound > packing::round_up(plan.solution.certificate.bound, /*step=*/1);
  return is_rounded ? "priceLattice" : "duals";
}

std::string_view name_of(FleetStop stop) {
  switch (stop) {
    case FleetStop::kProof:
      return "proof";
    case FleetStop::kEffort:
      return "effort";
    case FleetStop::kTime:
      return "time";
    case FleetStop::kInterrupt:
      break;
  }
  return "interrupt";
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
    if (check == placement::Check::kAttribute) text += " (" + join(lacking.attributes, ", ") + ")";
    if (text.ends_with(" placement constraint unsatisfied.")) text = text.substr(0, text.find(' '));
    parts.push_back(std::move(text));
  }
  if (!rejection.unmet_need.empty()) parts.push_back(rejection.unmet_need);
  return join(parts, ", ");
}

namespace {

void add_day(const Offer& offer, PriceDays& days) {
  if (!offer.listed || offer.is_owned || !offer.standing.empty()) return;
  const auto& [hourly, date, source] = *offer.listed;
  if (!source.empty() && std::find(days.sources.begin(), days.sources.end(), source) == days.sources.end())
    days.sources.insert(std::upper_bound(days.sources.begin(), days.sources.end(), source), source);
  if (date.empty()) return;
  if (days.oldest.empty() || date < days.oldest) days.oldest = date;
  if (date > days.newest) days.newest = date;
}

}  // namespace

PriceDays price_days(const Market& market) {
  PriceDays days;
  for (const Offer& offer : market.offers) add_day(offer, days);
  return days;
}

PriceDays price_days(const Market& market, const Purchases& purchases) {
  PriceDays days;
  for (const Purchase& one : purchases) add_day(market.offers[one.offer], days);
  return days;
}

namespace {

/// More than one.
bool years_apart(const PriceDays& days) {
  constexpr std::int64_t kYear = 365 * 86'400;
  const auto oldest = parse_date_time(days.oldest);
  const auto newest = parse_date_time(days.newest);
  return oldest && newest && *newest - *oldest > kYear;
}

}  // namespace

std::vector<Assumption> assumptions_of(const FleetReport& report) {
  std::vector<Assumption> all;
  const auto add = [&](const std::vector<Assumption>& some) {
    for (const auto& one : some) {
      if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
    }
  };
  add(report.scenario.assumptions);
  add(report.market.assumptions);
  add(report.plan.assumptions);
  const auto& filled = report.plan.fill.recommended;
  const auto days = price_days(report.market, filled ? filled->purchases : report.plan.ideal);
  if (years_apart(days))
    add({{"price-dates-apart", {}, fmt::format("the sum mixes prices of {} and {}", days.oldest, days.newest)}});
  return all;
}

}  // namespace bayplan::report
