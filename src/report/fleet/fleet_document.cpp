#include <algorithm>
#include <memory>

#include <fmt/core.h>

#include "base/lazy.hpp"
#include "base/strings.hpp"
#include "report/document/amounts.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/figures.hpp"
#include "report/fleet/filled_cluster.hpp"
#include "report/fleet/fleet_launch_types.hpp"
#include "report/fleet/fleet_payment.hpp"
#include "report/fleet/fleet_report.hpp"
#include "report/fleet/fleet_spot.hpp"
#include "report/fleet/fleet_words.hpp"
#include "report/place/cluster_data.hpp"
#include "report/place/cluster_picture.hpp"

namespace bayplan::report {

using study::Alternative;
using study::AlternativeKind;

namespace {

constexpr std::size_t kShownAlternatives = 8;
constexpr std::size_t kSubjectsOfPage = 20;
constexpr std::size_t kConstraintsOfPage = 50;
constexpr std::size_t kConstraintsOfComment = 20;
constexpr std::size_t kReasonsOfPage = 200;
constexpr std::size_t kReasonsOfComment = 5;  ///< Limit on the number of reasons for each task.

/// "$28.80/h, $21,024/month"; quotas count vCPUs, which have no month.
std::string with_month(const FleetReport& report, MicroUsd amount) {
  return report.market.counts_vcpus ? hourly(report.market, amount) : hourly_with_month(amount);
}

/// What each way costs, the cheapest first.
std::vector<block::Bar> cost_bars(const FleetReport& report) {
  const auto& plan = report.plan;
  std::vector<block::Bar> bars;
  const auto add = [&](std::string name, MicroUsd cost, bool is_best = false) {
    bars.push_back({std::move(name), static_cast<double>(cost), with_month(report, cost), is_best});
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

void add_constraints(ReportDocument& document, const FleetReport& report) {
  const auto& filled = report.plan.fill.recommended;
  if (!filled || !keeps_apart(report, filled->policy)) return;
  document.section("constraints", "Placement constraints to add");
  for (const auto& words : constraint_words(report, filled->policy, kConstraintsOfPage))
    document.paragraph(words, Medium::kPage);
  document.paragraph("Placement constraints to add:", Medium::kComment);
  const auto of_comment = constraint_words(report, filled->policy, kConstraintsOfComment);
  document.list({of_comment.begin(), of_comment.end()}, Medium::kComment);
}

/// What ECS placement costs, and cheaper fleets with who fills them.
void add_better_scheduler(ReportDocument& document, const FleetReport& report) {
  const auto fleets = cheaper_fleets(report, kConstraintsOfComment);
  if (fleets.empty()) return;
  const auto words = placement_overhead(report) ? placement_overhead_words(report)
                                                : std::string("Cheaper with constraints or another launch order");
  document.section("scheduler", "A better scheduler");
  document.paragraph(words, Medium::kPage);
  document.paragraph({.text = words, .lead = "A better scheduler:"}, Medium::kComment);
  std::vector<RichText> items;
  for (const auto& one : fleets) items.emplace_back(hourly(report.market, one.hourly_cost) + ", " + one.words);
  document.list(std::move(items));
}

std::vector<std::pair<std::string, std::string>> fleet_figures(const FleetReport& report) {
  const auto& plan = report.plan;
  const auto& filled = plan.fill.recommended;
  const MicroUsd cost = plan.hourly_cost();
  // The answer above the figures says the price.
  std::vector<std::pair<std::string, std::string>> all = {
      {"instances", with_separators(fleet::instances_of(plan.purchases()))}, {"tasks", with_separators(plan.tasks)}};
  if (!plan.has_no_bound()) {
    all.emplace_back("gap to the bound", plan.bound_of_answer() > 0 ? percent_more(plan.bound_of_answer(), cost) : "-");
  }
  if (filled) all.emplace_back("launch orders simulated", with_separators(filled->orders + filled->confirmed));
  const auto& use = plan.use();
  if (const auto resource = use.binding_resource(); !resource.empty())
    all.emplace_back("limiting resource", std::string(resource));
  return all;
}

/// What a text report has with -v.
void add_cost_details(ReportDocument& document, const FleetReport& report) {
  if (auto table = strategies_table(report); !table.rows.empty()) {
    document.section("strategies", strategies_heading(report));
    document.table(std::move(table));
  }
  const auto costs = marginal_amounts(report);
  if (costs.empty()) return;
  document.section("marginal", "Marginal cost per additional task");
  Table table({"task", number_column(report.market.counts_vcpus ? "vCPU" : "$/h"), month_column()});
  for (const auto& [name, cost] : costs) {
    table.add({name, report.market.counts_vcpus ? from_millionths(cost) : usd(cost),
               report.market.counts_vcpus ? "" : monthly_cell(cost)});
  }
  table.drop_empty_columns();
  document.table(std::move(table));
  if (const auto words = resource_price_words(report); !words.empty())
    document.paragraph("Price by resource: " + join(words, ", "));
}

void add_fleet(ReportDocument& document, const FleetReport& report) {
  document.section("summary", report.spot == nullptr ? "Summary" : "Summary of the On-Demand part");
  document.add(block::Figures{fleet_figures(report)});
  document.section("fleet", report.spot == nullptr ? "Fleet" : "On-Demand fleet");
  document.table(fleet_table(report));
  for (const auto& words : credit_words(report)) document.paragraph(words);
  document.paragraph(trunking_words(report));
  add_constraints(document, report);
  add_better_scheduler(document, report);
  document.paragraph({.text = memory_doubt_words(report), .lead = "Memory uncertain:"});
  document.paragraph(zone_loss_words(report), Medium::kPage);
  document.section("costs", "Cost comparison");
  document.add(block::Bars{cost_bars(report)});
  document.table(single_type_table(report), {}, kTerminal | Medium::kComment);
  document.table(without_type_table(report), {}, kTerminal | Medium::kComment);
  // The bars have their costs.
  document.later(Medium::kPage, [&report](ReportDocument& page) {
    Blocks tables;
    for (auto& table : {single_type_table(report), without_type_table(report)})
      if (!table.rows.empty()) tables.emplace_back(block::ShownTable{table});
    if (!tables.empty()) page.folded("Use of single-type fleets, and fleets without a type", std::move(tables));
  });
  document.later(Medium::kPage, [&report](ReportDocument& page) {
    add_cost_details(page, report);
    page.section("proof", "Proof");
    page.paragraph(proof_words(report));
    for (const auto& text : relaxation_words(report, kSubjectsOfPage)) page.paragraph(text);
  });
}

/// The cluster that ECS fills is placed only for a page.
void add_cluster_views(ReportDocument& document, const FleetReport& report) {
  using Filled = Lazy<std::unique_ptr<const FilledCluster>>;
  const auto filled =
      std::make_shared<const Filled>([&report] { return std::make_unique<const FilledCluster>(report); });
  document.later(Medium::kPage, [filled](ReportDocument& page) {
    if (filled->get()->report() == nullptr) return;
    page.section("cluster", "Cluster map");
    page.view("cluster", "The map needs JavaScript; the tables above have the same data.");
    page.section("fragmentation", "Fragmentation");
    page.view("fragmentation", "This chart needs JavaScript.");
  });
  document.data = [filled](JsonWriter& json) {
    if (filled->get()->report() == nullptr) return;
    json.begin_object();
    write_cluster_data(json, make_cluster_picture(*filled->get()->report()));
    json.end_object();
  };
}

void add_unplaceable_table(ReportDocument& document, const FleetReport& report) {
  const auto& list = report.plan.question.unplaceable;
  if (list.empty()) return;
  document.section("failures", "No allowed instance type fits");
  Table table({"tasks", "names", "instance type", "reason"});
  for (const auto& one : list) {
    const auto count = std::to_string(one.count);
    const auto& name = report.scenario.workloads[one.workload].name;
    if (!one.contradiction.empty()) table.add({count, name, "any", one.contradiction});
    for (const auto& rejection : one.rejections) {
      if (table.rows.size() < kReasonsOfPage)
        table.add({count, name, rejection.instance_type, rejection_words(rejection)});
    }
  }
  document.add(block::ShownTable{std::move(table)});
  document.paragraph(unplaceable_advice(report));
}

void add_unplaceable_lists(ReportDocument& document, const FleetReport& report) {
  for (const auto& one : report.plan.question.unplaceable) {
    const auto task = fmt::format("{} {}", one.count, report.scenario.workloads[one.workload].name);
    const auto contradiction = one.contradiction.empty() ? "" : ": " + one.contradiction;
    document.paragraph({in_bold(task), {" does not fit any allowed instance type" + contradiction}});
    std::vector<RichText> items;
    for (const auto& rejection : one.rejections) {
      if (items.size() < kReasonsOfComment)
        items.emplace_back(rejection.instance_type + ": " + rejection_words(rejection));
    }
    document.list(std::move(items));
  }
  if (!report.plan.question.unplaceable.empty()) document.paragraph(unplaceable_advice(report));
}

}  // namespace

namespace {

/// The badge of the page.
Verdict verdict_of(const FleetReport& report, bool is_good) {
  if (!is_good) return {"NO", Tone::kBad};
  return report.plan.optimal ? Verdict{"OPTIMAL", Tone::kGood} : Verdict{"FLEET", Tone::kGood};
}

}  // namespace

ReportDocument fleet_document(const FleetReport& report) {
  ReportDocument document("fleet");
  const auto& plan = report.plan;
  const bool has_fleet = plan.tasks > 0 && plan.left_over() == 0;
  const auto [answer, on_demand] = fleet_answer(report);
  document.answer(report.scenario.file, answer,
                  plan.question.unplaceable.empty() && plan.left_over() == 0 && plan.contradiction.empty() &&
                      (plan.tasks == 0 || plan.fill.recommended));
  if (!on_demand.empty()) document.paragraph(on_demand_words(report, on_demand));
  document.verdict = verdict_of(report, document.is_good);
  document.prices = fleet_price_words(report);
  document.notes(notes_of(collect_assumptions(report)));
  add_spot(document, report);
  add_payment(document, report);
  if (has_fleet) add_fleet(document, report);
  add_cluster_views(document, report);
  document.later(Medium::kPage, [&report](ReportDocument& page) { add_unplaceable_table(page, report); });
  document.later(Medium::kComment, [&report](ReportDocument& comment) { add_unplaceable_lists(comment, report); });
  add_launch_types(document, report);
  for (const auto& family : report.rates) {
    const auto heading = "Throughput of " + family.throughput.family;
    document.section("rate-" + family.throughput.family, heading);
    document.paragraph(heading + ":", Medium::kComment);
    document.add(block::ShownTable{rate_table(family)});
  }
  for (const auto& line : excluded_types_lines(report, false)) document.paragraph(line);
  document.add(block::ClusterFindings{report.scenario.findings});
  auto assumptions = collect_assumptions(report);
  for (auto& one : launch_type_assumptions(report)) assumptions.push_back(std::move(one));
  document.add(block::Assumptions{std::move(assumptions)});
  document.as_text([&report](std::ostream& text) {
    write_fleet_text(text, report, {{.verbose = true}, false, false, {}});
  });
  return document;
}

}  // namespace bayplan::report
