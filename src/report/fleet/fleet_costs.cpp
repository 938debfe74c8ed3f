// What a fleet costs next to others, and why none is cheaper.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "packing/money.hpp"
#include "report/document/amounts.hpp"
#include "report/document/figures.hpp"
#include "report/fleet/fleet_report.hpp"
#include "report/fleet/fleet_words.hpp"

namespace bayplan::report {

using fleet::FilledFleet;
using study::Alternative;
using study::AlternativeKind;

namespace {

constexpr std::size_t kShownAlternatives = 8;
constexpr std::size_t kSubjectsOfPage = 20;

/// What each way costs, the cheapest first.
std::vector<block::Bar> cost_bars(const FleetReport& report) {
  const auto& plan = report.plan;
  std::vector<block::Bar> bars;
  const auto add = [&](std::string name, MicroUsd cost, bool is_best = false) {
    // Quotas count vCPUs, which have no month.
    auto words = report.market.counts_vcpus ? hourly(report.market, cost) : hourly_with_month(cost);
    bars.push_back({std::move(name), static_cast<double>(cost), std::move(words), is_best});
  };
  if (!plan.has_no_bound()) add("lower bound", plan.bound_of_answer());
  add("ideal: " + fleet_words(report.market, plan.ideal.purchases), plan.ideal.hourly_cost);
  if (const auto& filled = plan.fill.recommended)
    add("recommended: " + fleet_words(report.market, filled->purchases), filled->hourly_cost, /*is_best=*/true);
  std::size_t shown = 0;
  for (const Alternative& one : plan.alternatives.list) {
    if (shown++ == kShownAlternatives) break;
    const bool is_single = one.kind == AlternativeKind::kSingleType;
    add((is_single ? "only " : "without ") + one.instance_type + ": " + fleet_words(report.market, one.purchases),
        one.hourly_cost);
  }
  std::stable_sort(bars.begin(), bars.end(), [](const auto& a, const auto& b) { return a.amount < b.amount; });
  return bars;
}

/// The cheapest fleet that simulated ECS placement fills, of each cost and order of launches; empty where all cost the
/// same.
std::vector<const FilledFleet*> compared_strategies(const FleetReport& report) {
  std::vector<const FilledFleet*> compared;
  for (const auto& one : report.plan.fill.by_policy) {
    const bool is_there = std::any_of(compared.begin(), compared.end(), [&](const auto* other) {
      return other->policy.order == one.policy.order && other->hourly_cost == one.hourly_cost;
    });
    if (!is_there) compared.push_back(&one);
  }
  if (compared.size() < 2) compared.clear();
  return compared;
}

std::string strategies_heading(const FleetReport& report) {
  return std::string("Cost by placement strategy") +
         (report.request.deployable ? ", without room for deployments" : "");
}

/// "binpack:memory, in any order"
std::string strategy_words(const fleet::Policy& policy) {
  const auto name = policy.is_as_written ? "as written" : policy.name;
  return name + (policy.order == placement::TaskOrder::kLargestFirst ? ", largest tasks first" : ", in any order");
}

/// A terminal has lines, a page a table.
void add_strategies(ReportDocument& document, const FleetReport& report) {
  const auto compared = compared_strategies(report);
  if (compared.empty()) return;
  const auto& market = report.market;
  document.section("strategies", strategies_heading(report), Medium::kPage);
  document.gap();
  document.line(0, strategies_heading(report), Medium::kFullText);
  Table table({"strategy", number_column(market.counts_vcpus ? "vCPU" : "$/h"), month_column(), "cheapest fleet",
               number_column("launch orders simulated")});
  for (const auto* one : compared) {
    const auto strategy = strategy_words(one->policy);
    const auto orders = one->orders + one->confirmed;
    add_priced_line(
        document, report, one->hourly_cost,
        fmt::format("{}: {} ({})", strategy, fleet_words(market, one->purchases), count_of(orders, "launch order")),
        Medium::kFullText);
    table.add({strategy, market.counts_vcpus ? from_millionths(one->hourly_cost) : usd(one->hourly_cost),
               market.counts_vcpus ? "" : monthly_cell(one->hourly_cost), fleet_words(market, one->purchases, " + "),
               std::to_string(orders)});
  }
  table.drop_empty_columns();
  document.table(std::move(table), {}, Medium::kPage);
}

/// "$0.131/h ($96/month)"; quotas count vCPUs, which have no month.
std::string cost_of_one(const FleetReport& report, MicroUsd amount) {
  const auto hour = hourly(report.market, amount);
  return report.market.counts_vcpus ? hour : fmt::format("{} ({}/month)", hour, monthly(amount));
}

/// The cost of one more task of each shape. It is empty without a bound.
std::vector<std::pair<std::string, MicroUsd>> marginal_amounts(const FleetReport& report) {
  std::vector<std::pair<std::string, MicroUsd>> costs;
  if (report.plan.has_no_bound()) return costs;
  const auto names = shape_names(report.scenario, report.plan.question);
  const auto& worth = report.plan.bounded.solution.certificate.duals.worth;
  for (std::size_t i = 0; i < std::min(names.size(), worth.size()); ++i) {
    const auto micro_usd = (worth[i] + packing::kNanoUsdPerMicroUsd / 2) / packing::kNanoUsdPerMicroUsd;
    costs.emplace_back(names[i], micro_usd);
  }
  return costs;
}

/// "$0.526/h ($384/month) per GPU"
std::vector<std::string> resource_price_words(const FleetReport& report) {
  std::vector<std::string> parts;
  for (const auto& [resource, usd] : report.plan.resource_prices) {
    const auto amount = static_cast<MicroUsd>(std::llround(usd * kMicroUsdPerUsd));
    const auto unit = resource == "CPU" ? "vCPU" : resource == "MEMORY" ? "GiB" : "GPU";
    if (amount > 0) parts.push_back(fmt::format("{} per {}", cost_of_one(report, amount), unit));
  }
  return parts;
}

/// A terminal has a line, a page a table.
void add_marginal_costs(ReportDocument& document, const FleetReport& report) {
  const auto costs = marginal_amounts(report);
  if (costs.empty()) return;
  const auto& market = report.market;
  document.section("marginal", "Marginal cost per additional task", Medium::kPage);
  Table table({"task", number_column(market.counts_vcpus ? "vCPU" : "$/h"), month_column()});
  std::vector<std::string> parts;
  for (const auto& [name, cost] : costs) {
    parts.push_back(name + " " + cost_of_one(report, cost));
    table.add(
        {name, market.counts_vcpus ? from_millionths(cost) : usd(cost), market.counts_vcpus ? "" : monthly_cell(cost)});
  }
  table.drop_empty_columns();
  document.line(0, "Marginal cost per additional task: " + join(parts, ", "), Medium::kFullText);
  document.table(std::move(table), {}, Medium::kPage);
  if (const auto words = resource_price_words(report); !words.empty())
    document.paragraph({.text = "Price by resource: " + join(words, ", "), .hanging = 2},
                       Medium::kFullText | Medium::kPage);
}

/// Terminal.
void add_quotas(ReportDocument& document, const FleetReport& report) {
  std::vector<std::string> parts;
  std::string unknown;
  for (const auto& used : study::vcpus_by_quota(report.market, report.plan.purchases())) {
    const std::string& quota = used.first;
    const std::int64_t vcpus = used.second;
    const auto limit = std::find_if(report.market.quotas.begin(), report.market.quotas.end(),
                                    [&](const auto& one) { return one.quota == quota; });
    const auto of = limit == report.market.quotas.end() ? "" : fmt::format(" of {}", limit->vcpus);
    if (!quota.empty()) parts.push_back(fmt::format("{} {}{}", quota, vcpus, of));
    if (quota.empty()) unknown = fmt::format("{} of types with an unknown quota", vcpus);
  }
  if (!unknown.empty()) parts.push_back(std::move(unknown));
  if (!parts.empty()) document.line(0, "vCPUs counted against EC2 quotas: " + join(parts, ", "), Medium::kFullText);
}

/// A relaxation and all tasks that it applies to.
struct JoinedRelaxation {
  const fleet::Relaxation* first = nullptr;
  std::vector<std::string> subjects;
};

std::vector<JoinedRelaxation> joined(const std::vector<fleet::Relaxation>& relaxed) {
  std::vector<JoinedRelaxation> all;
  for (const auto& one : relaxed) {
    auto known = std::find_if(all.begin(), all.end(), [&](const auto& other) {
      return other.first->id == one.id && other.first->text == one.text;
    });
    if (known == all.end()) known = all.insert(all.end(), {&one, {}});
    if (!one.subject.empty()) known->subjects.push_back(one.subject);
  }
  return all;
}

/// " (train, web and 3 more)"
std::string subject_words(std::vector<std::string> subjects, std::size_t most) {
  if (subjects.empty()) return {};
  const auto all = subjects.size();
  subjects.resize(std::min(all, most));
  const auto more = all - subjects.size();
  return " (" + join(subjects, ", ") + (more > 0 ? fmt::format(" and {} more)", more) : ")");
}

/// "3 types, each by itself"
std::string sets_of_types(const FleetReport& report) {
  const auto sets = report.plan.bounded.sets;
  if (report.request.most_types == 1) return fmt::format("{} types, each alone", sets);
  return fmt::format("{} sets of {} types, each alone", sets, report.request.most_types);
}

std::string_view trust_words(study::Proof proof) {
  switch (proof) {
    case study::Proof::kChecked:
      return "; proof independently verified";
    case study::Proof::kSearchTree:
      return "; proof verified at the root, not within the search tree";
    case study::Proof::kNotChecked:
      break;
  }
  return "; proof not verified: the certificate is too large";
}

/// "the ideal packing costs $27.024/h, the lower bound is $27.024/h: proven optimal; proof independently verified"
std::string proof_words(const FleetReport& report) {
  const auto& plan = report.plan;
  const auto ideal = hourly(report.market, plan.ideal.hourly_cost);
  if (plan.has_withdrawn_bound())
    return fmt::format("The ideal packing costs {}; its lower bound failed verification and is not shown", ideal);
  if (plan.has_no_bound())
    return fmt::format("The ideal packing costs {}; no lower bound was found (search ended by {})", ideal,
                       name_of(plan.stopped_by));
  const MicroUsd bound = plan.bounded.solution.lower_bound;
  std::string text = fmt::format("{} ideal packing costs {}, the lower bound is {}",
                                 report.request.survives_zone_loss ? "Without a zone loss, the" : "The", ideal,
                                 hourly(report.market, bound));
  if (plan.bounded.sets > 1) text += fmt::format(", the minimum over {}", sets_of_types(report));
  if (plan.optimal) {
    text += ": proven optimal";
  } else if (plan.ideal.hourly_cost > bound) {
    text += fmt::format(" (gap {}, search ended by {})", percent_more(bound, plan.ideal.hourly_cost),
                        name_of(plan.stopped_by));
  }
  return text.append(trust_words(plan.proof));
}

/// "Relaxed in the bound: memberOf (train, web and 3 more): ...", one for each relaxation, which names `most_subjects`
/// at most.
std::vector<RichText> relaxation_words(const FleetReport& report, std::size_t most_subjects) {
  std::vector<RichText> all;
  for (const auto& [first, subjects] : joined(report.plan.question.relaxed))
    all.emplace_back(
        fmt::format("Relaxed in the bound: {}{}: {}", first->id, subject_words(subjects, most_subjects), first->text));
  return all;
}

}  // namespace

void add_costs(ReportDocument& document, const FleetReport& report) {
  const auto& alternatives = report.plan.alternatives;
  document.section("costs", "Cost comparison", Medium::kPage);
  document.add(block::Bars{cost_bars(report)});
  // The bars have the costs of the tables.
  Blocks folded;
  for (const auto& table : {single_type_table(report), without_type_table(report)}) {
    document.table(table, {}, Medium::kComment);
    if (!table.rows.empty()) folded.emplace_back(block::ShownTable{table});
  }
  if (!folded.empty())
    document.add(block::Details{"Use of single-type fleets, and fleets without a type", folded}, Medium::kPage);
  add_strategies(document, report);
  add_marginal_costs(document, report);
  add_quotas(document, report);
  for (auto& table : folded) {
    document.gap();
    document.add(std::move(table), Medium::kFullText);
  }
  if (alternatives.list.empty()) document.gap();
  if (!alternatives.impossible.empty())
    document.line(2, "Not possible alone (some task does not fit): " + join(alternatives.impossible, ", "),
                  Medium::kFullText);
  document.section("proof", "Proof", Medium::kPage);
  document.gap();
  document.paragraph({.text = proof_words(report), .hanging = 2}, Medium::kFullText | Medium::kPage);
  document.list(relaxation_words(report, kEveryRow), Medium::kFullText);
  document.list(relaxation_words(report, kSubjectsOfPage), Medium::kPage);
}

}  // namespace bayplan::report
