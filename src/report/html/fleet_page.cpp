#include "report/html/fleet_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "report/assumptions.hpp"
#include "report/cluster_picture.hpp"
#include "report/filled_cluster.hpp"
#include "report/fleet_proof.hpp"
#include "report/fleet_tables.hpp"
#include "report/fleet_words.hpp"
#include "report/html/cluster_data.hpp"
#include "report/html/page.hpp"

namespace bayplan::report {

using study::Alternative;
using study::AlternativeKind;

namespace {

constexpr std::size_t kShownAlternatives = 8;
constexpr std::size_t kSubjectsOfPage = 20;
constexpr std::size_t kNamedInConstraint = 50;
constexpr std::size_t kReasonsOfPage = 200;

PageTable page_table(const FleetTable& table) {
  return {table.headings, table.rows};
}

/// What each way costs, the cheapest first.
std::vector<PageBar> cost_bars(const FleetReport& report) {
  const auto& plan = report.plan;
  std::vector<PageBar> bars;
  const auto add = [&](std::string name, MicroUsd cost) {
    bars.push_back({std::move(name), static_cast<double>(cost), hourly(report.market, cost)});
  };
  if (!plan.has_no_bound()) add("no fleet costs less (bound)", plan.lower_bound);
  add("ideal: " + fleet_words(report.market, plan.ideal), plan.ideal_cost);
  if (const auto& filled = plan.fill.recommended)
    add("recommended: " + fleet_words(report.market, filled->purchases), filled->hourly_cost);
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

void add_fleet(Page& page, const FleetReport& report) {
  page.section("fleet", "The fleet");
  page.table(page_table(fleet_table(report)));
  if (const auto& filled = report.plan.fill.recommended; filled && keeps_apart(report, filled->policy)) {
    page.section("constraints", "Placement constraints to write");
    for (const auto& words : constraint_words(report, filled->policy, kNamedInConstraint)) page.paragraph(words);
  }
  if (const auto doubt = memory_doubt_words(report); !doubt.empty()) page.paragraph("Memory in doubt: " + doubt);
  page.section("costs", "What it costs, and what others would");
  page.bars(cost_bars(report));
  for (const auto& table : {single_type_table(report), without_type_table(report)}) {
    if (!table.rows.empty()) page.table(page_table(table));
  }
  page.section("proof", "What is proven");
  page.paragraph(proof_words(report));
  for (const auto& text : relaxation_words(report, kSubjectsOfPage)) page.paragraph(text);
}

void add_cluster_views(Page& page) {
  page.section("cluster", "The fleet as a cluster");
  page.view("cluster", "The map is drawn by scripts; the tables above say what is in it.");
  page.section("fragmentation", "How broken up the room is");
  page.view("fragmentation", "Drawn by a script.");
}

void add_cluster_data(Page& page, const PlaceReport& filled) {
  page.data([&](JsonWriter& json) {
    json.begin_object();
    write_cluster_data(json, picture_of(filled));
    json.end_object();
  });
}

void add_unplaceable(Page& page, const FleetReport& report) {
  const auto& list = report.plan.question.unplaceable;
  if (list.empty()) return;
  page.section("failures", "Fits no instance that may be bought");
  PageTable table{{"tasks", "which", "instance type", "why not"}, {}};
  for (const auto& one : list) {
    const auto count = std::to_string(one.count);
    const auto& name = report.scenario.workloads[one.workload].name;
    if (!one.contradiction.empty()) table.rows.push_back({count, name, "any", one.contradiction});
    for (const auto& rejection : one.rejections) {
      if (table.rows.size() < kReasonsOfPage)
        table.rows.push_back({count, name, rejection.instance_type, rejection_words(rejection)});
    }
  }
  page.table(table);
}

}  // namespace

void write_fleet_page(std::ostream& out, const FleetReport& report) {
  const auto& plan = report.plan;
  const bool is_whole = plan.question.unplaceable.empty() && plan.left_over() == 0;
  Page page(out, {"fleet", report.scenario.file, fleet_headline(report), is_whole});
  page.notes(launch_type_notes(report.scenario.assumptions));
  if (plan.tasks > 0 && plan.left_over() == 0) add_fleet(page, report);
  const FilledCluster filled(report);
  if (filled.report() != nullptr) add_cluster_views(page);
  add_unplaceable(page, report);
  for (const auto& family : report.rates) {
    page.section("rate-" + family.throughput.family, "What " + family.throughput.family + " gets done");
    page.table(page_table(rate_table(family)));
  }
  page.findings(report.scenario.findings);
  page.assumptions(assumptions_of(report));
  std::ostringstream text;
  write_fleet_text(text, report, {{.verbose = true}, false, {}});
  page.section("text", "As text");
  page.text("the report as a terminal shows it with -v", text.str());
  if (filled.report() != nullptr) add_cluster_data(page, *filled.report());
  page.end();
}

}  // namespace bayplan::report
