// The comparison as a comment on a pull request, or a page.
#include <algorithm>
#include <sstream>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/diff/diff_launch_types.hpp"
#include "report/diff/diff_report.hpp"
#include "report/document/amounts.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/figures.hpp"
#include "report/document/prices.hpp"
#include "report/whatif/whatif_deployment.hpp"

namespace bayplan::report {

using study::DefinitionDiff;

namespace {

/// A comment on a pull request holds 65,536 characters; rows beyond these are counted.
constexpr std::size_t kMostRows = 100;
constexpr std::size_t kMostTypes = 60;
constexpr std::size_t kFewTypes = 10;

constexpr std::string_view kArrow = " → ";

/// What stands before the answer of a comment: whether it may be merged.
std::string_view mark_of(const study::DiffReport& report) {
  if (!report.can_deploy() || report.appeared(Severity::kError) > 0) return "❌";
  return report.appeared(Severity::kWarning) > 0 ? "⚠️" : "✅";
}

std::string holding_words(const study::SideCapacity& side, std::int64_t types) {
  if (!side.runs_on_instances) return "Fargate";
  return fmt::format("{} of {}", side.held_by, count_of(types, "instance type"));
}

std::string cheapest_cell(const study::SideCapacity& side) {
  return side.runs_on_instances ? cheapest_words(side) : "-";
}

RichText side_cell(const std::optional<study::FieldSide>& side) {
  return side ? RichText(in_code(side_words(*side, false))) : RichText(in_italics("absent"));
}

Table types_table(const study::CapacityEffect& effect) {
  Table table({"instance type", "copies", number_column("$/h"), month_column(), "$/h per copy"});
  for (const auto& one : effect.rows()) {
    const auto& price = one.any().price;
    const auto copies = changed(copies_words(one.before), copies_words(one.after), kArrow);
    table.add({RichText(in_code(one.any().type->name)), one.changes() ? RichText(in_bold(copies)) : RichText(copies),
               price ? usd(price->hourly) : std::string("-"), price ? monthly_cell(price->hourly) : std::string("-"),
               changed(copy_price_words(one.before), copy_price_words(one.after), kArrow)});
  }
  return table;
}

void add_capacity(ReportDocument& document, const study::CapacityEffect& effect) {
  const auto& before = *effect.before;
  const auto& after = *effect.after;
  block::BeforeAfter rows{{{"task needs", task_words(before.requirement), task_words(after.requirement)}}};
  if (before.runs_on_instances || after.runs_on_instances) {
    rows.list.push_back({"fits", holding_words(before, effect.types), holding_words(after, effect.types)});
    rows.list.push_back({"cost from", cheapest_cell(before), cheapest_cell(after)});
  }
  document.add(std::move(rows));
  if (effect.reported.size() <= kFewTypes) return document.table(types_table(effect));
  auto summary = count_of(static_cast<std::int64_t>(effect.reported.size()), "instance type") + " changed";
  document.folded(std::move(summary),
                  {block::ShownTable{types_table(effect), document.is_page() ? kEveryRow : kMostTypes}});
}

void add_cluster(ReportDocument& document, const DiffView& told, const study::ClusterEffect& effect) {
  const auto end = effect.after ? room_end_words(*effect.after) : "";
  const auto room = room_words(effect) + (end.empty() ? "" : "; then " + end) + ".";
  document.paragraph({{"On "}, in_code(told.report().cluster), {": " + room}});
  std::vector<RichText> rollouts;
  for (const auto& rollout : effect.rollouts) {
    const auto words = rollout_words(rollout);
    rollouts.push_back(rollout.finishes() ? RichText(words) : RichText(in_bold(words)));
  }
  document.list(std::move(rollouts));
  for (const auto& rollout : effect.rollouts) add_deployments(document, *rollout.deployed);
}

void add_fields(ReportDocument& document, const DiffView& told, const DefinitionDiff& diff) {
  if (diff.fields.empty()) return;
  Table table({"field", "before", "after", "place"});
  table.holds_sentences = true;
  for (const auto& change : diff.fields) {
    table.add({RichText(in_code(change.path)), side_cell(change.before), side_cell(change.after),
               RichText(in_code(place_of(told, diff, change)))});
  }
  auto summary = count_of(static_cast<std::int64_t>(diff.fields.size()), "field") + " changed";
  document.folded(std::move(summary),
                  {block::ShownTable{std::move(table), document.is_page() ? kEveryRow : kMostRows}});
}

void add_finding_list(ReportDocument& document, const DiffView& told, const study::DiffSide& side,
                      const std::vector<study::FindingPlace>& places, const std::string& what, bool are_new) {
  if (places.empty()) return;
  Table table({"severity", "place", "finding"});
  table.holds_sentences = true;
  if (are_new) table.columns.emplace_back("what to write");
  for (const auto& place : places) {
    const auto& one = study::finding_at(side, place);
    std::vector<Cell> cells{bayplan::name_of(one.severity), RichText(in_code(words_of(told.place(side, place)))),
                            RichText{in_bold(one.code), {fmt::format(" {}: {}", told.rule_id(one.code), one.message)}}};
    if (are_new) cells.emplace_back(one.help);
    table.add(std::move(cells));
  }
  const bool is_grave = are_new && study::finding_at(side, places.front()).severity == Severity::kError;
  document.add(block::Details{
      what, {block::ShownTable{std::move(table), document.is_page() ? kEveryRow : kMostRows}}, is_grave});
}

void add_changed_findings(ReportDocument& document, const DiffView& told, const study::FindingChanges& changes,
                          const std::string& where) {
  const auto count = [](const auto& list, std::string_view what) {
    return count_of(static_cast<std::int64_t>(list.size()), what);
  };
  add_finding_list(document, told, told.after(), changes.appeared, count(changes.appeared, "new finding") + where,
                   true);
  add_finding_list(document, told, told.before(), changes.vanished,
                   count(changes.vanished, "finding") + where + " gone", false);
}

void add_definition(ReportDocument& document, const DiffView& told, const DefinitionDiff& diff) {
  if (diff.capacity && diff.before && diff.after && diff.capacity->changes()) add_capacity(document, *diff.capacity);
  if (changes_costs(diff)) {
    document.paragraph(diff.is_new() ? "Cost per task by launch type:" : "Cost change per task by launch type:");
    document.table(launch_type_changes_table(diff));
  }
  if (diff.cluster) add_cluster(document, told, *diff.cluster);
  add_fields(document, told, diff);
  if (!diff.is_removed()) add_changed_findings(document, told, diff.findings, "");
}

/// One line below everything: what is the same for the whole report. A page has its own places for it.
void add_small_print(ReportDocument& document, const study::DiffReport& report) {
  std::string text = "Order and defaults are ignored.";
  if (document.is_page()) {
    document.add(block::SmallPrint{std::move(text)});
    document.add(block::Assumptions{report.assumptions});
    if (tells_prices(report)) document.prices = price_words(find_price_range(report));
    return;
  }
  if (tells_prices(report)) text += " " + price_words(find_price_range(report)) + ".";
  if (const auto words = fargate_price_words(report); !words.empty()) text += " " + words + ".";
  for (const auto& group : grouped_by_id(report.assumptions)) {
    const auto subjects = group.subject_words(false);
    text +=
        fmt::format(" Assumption {}{}: {}.", group.id, subjects.empty() ? "" : " (" + subjects + ")", group.words());
  }
  document.add(block::SmallPrint{std::move(text)});
}

}  // namespace

bool tells_prices(const study::DiffReport& report) {
  return std::any_of(report.definitions.begin(), report.definitions.end(),
                     [](const auto& one) { return one.capacity && one.after && one.capacity->changes(); });
}

ReportDocument diff_document(const DiffView& told, Medium medium) {
  const auto& report = told.report();
  ReportDocument document(medium, "diff");
  document.marker = "bayplan-diff";
  document.headline = diff_headline(report);
  document.is_good = mark_of(report) != "❌";
  if (!document.is_page()) document.add(block::Heading{std::string(mark_of(report)) + " " + document.headline});
  if (!report.differs()) return document;
  const bool are_several = report.definitions.size() != 1;
  std::size_t number = 0;
  for (const auto& one : report.definitions) {
    if (!one.differs()) continue;
    document.section(fmt::format("definition-{}", ++number), one.name);
    if (are_several && document.is_page()) document.paragraph(diff_sentence(report, one));
    if (are_several && !document.is_page())
      document.add(block::Heading{one.name + ": " + diff_sentence(report, one), 4});
    add_definition(document, told, one);
  }
  const auto& other = report.other_findings;
  if (!document.is_page() || !other.appeared.empty() || !other.vanished.empty())
    document.section("elsewhere", "Outside of the definitions");
  add_changed_findings(document, told, report.other_findings, " outside of the definitions");
  add_small_print(document, report);
  if (!document.is_page()) return document;
  std::ostringstream text;
  write_diff_text(text, told, {.verbose = true});
  document.as_text("the report as a terminal shows it with -v", text.str());
  return document;
}

}  // namespace bayplan::report
