// The comparison: the answer first, then fields, types and findings.
#include <algorithm>

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
using study::TypeEffect;

namespace {

/// A comment on a pull request holds 65,536 characters; rows beyond these are counted.
constexpr std::size_t kRowsOfComment = 100;
constexpr std::size_t kOpenFields = 20;  ///< Page: more changes of a definition are folded.

/// The badge before the answer of a comment: whether it may be merged.
std::string_view mark_of(const study::DiffReport& report) {
  if (!report.can_deploy() || report.appeared(Severity::kError) > 0) return "❌";
  return report.appeared(Severity::kWarning) > 0 ? "⚠️" : "✅";
}

/// Whether the task needs a dearer instance than before, or fewer types hold it: no mistake, but for a person to
/// decide.
bool costs_more(const study::DiffReport& report) {
  return std::any_of(report.definitions.begin(), report.definitions.end(), [](const DefinitionDiff& diff) {
    if (!diff.capacity || !diff.capacity->before || !diff.capacity->after) return false;
    const auto& before = *diff.capacity->before;
    const auto& after = *diff.capacity->after;
    const auto price = [](const study::SideCapacity& side) -> std::optional<MicroUsd> {
      return side.cheapest ? side.cheapest->price_per_copy : std::nullopt;
    };
    const auto old_price = price(before), new_price = price(after);
    return after.held_by < before.held_by || (old_price && new_price && *new_price > *old_price);
  });
}

/// The badge of the page.
Verdict verdict_of(const study::DiffReport& report) {
  if (!report.can_deploy() || report.appeared(Severity::kError) > 0) return {"FAIL", Tone::kBad};
  if (report.appeared(Severity::kWarning) > 0) return {"WARN", Tone::kDoubtful};
  if (costs_more(report)) return {"REVIEW", Tone::kDoubtful};
  return {"PASS", Tone::kGood};
}

std::string holding_words(const study::SideCapacity& side, std::int64_t types) {
  if (!side.runs_on_instances) return "Fargate";
  return fmt::format("{} of {}", side.held_by, count_of(types, "instance type"));
}

std::string cheapest_cell(const study::SideCapacity& side) {
  return side.runs_on_instances ? cheapest_words(side) : "-";
}

bool holds(const std::optional<capacity::FitRow>& row) {
  return row && row->fits != capacity::Fits::kNo;
}

std::string binding_words(const TypeEffect& row) {
  const auto& one = row.after ? row.after : row.before;
  if (!one) return "-";
  if (one->fits == capacity::Fits::kNo) return one->reasons.empty() ? "-" : std::string(one->reasons.front());
  return one->binding ? std::string(capacity::name_of(*one->binding)) : "-";
}

std::string type_names(std::string_view what, const std::vector<std::string>& names) {
  constexpr std::size_t kNamed = 6;
  if (names.empty()) return {};
  const std::vector<std::string> some(names.begin(),
                                      names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kNamed)));
  const auto more = names.size() > kNamed ? fmt::format(" and {} more (-v)", names.size() - kNamed) : std::string();
  return fmt::format("{} {} types: {}{}", what, names.size(), join(some, ", "), more);
}

/// A few types are in one table, whatever becomes of them; of many, a first screen only names those that the change
/// excludes or includes.
void add_types(ReportDocument& document, const study::CapacityEffect& effect) {
  constexpr std::size_t kRowsOfText = 3, kOpenInComment = 10;
  Table table({"type", "copies", "limited by", number_column("$/h"), month_column(), number_column("$/copy")});
  std::vector<std::string> lost, gained;
  for (const auto& row : effect.rows()) {
    const bool did = holds(row.before), does = holds(row.after);
    const bool is_named_only = effect.reported.size() > kRowsOfText && did != does;
    const auto& name = row.any().type->name;
    if (is_named_only) (did ? lost : gained).push_back(name);
    const auto& price = row.any().price;
    const auto copies = changed(copies_words(row.before), copies_words(row.after));
    const auto tone = !row.changes() ? Tone::kPlain : does ? Tone::kDoubtful : Tone::kBad;
    table.add({RichText(in_code(name)), Cell(row.changes() ? RichText(in_bold(copies)) : RichText(copies), tone),
               binding_words(row), price ? usd(price->hourly) : std::string("-"),
               price ? monthly_cell(price->hourly) : std::string("-"),
               changed(copy_price_words(row.before), copy_price_words(row.after))},
              is_named_only ? kNotFirstScreen : kEveryMedium);
  }
  const auto count = static_cast<std::int64_t>(effect.reported.size());
  if (!table.rows.empty()) {
    document.add(block::ShownTable{
        .table = std::move(table),
        .rows = {.text = kRowsOfText, .comment = 60, .noun = "types", .how = "-v or --types"},
        .summary = effect.reported.size() > kOpenInComment ? count_of(count, "instance type") + " changed" : ""});
  }
  document.paragraph({.text = type_names("lost", lost), .hanging = 2}, Medium::kText);
  document.paragraph({.text = type_names("gained", gained), .hanging = 2}, Medium::kText);
}

/// "fits 3 of 12 types (was 5); from $0.526/h ..., before from $0.384/h ..."
std::string fitting_words(const study::CapacityEffect& effect) {
  const auto& before = *effect.before;
  const auto& after = *effect.after;
  if (effect.types < 2 || !before.runs_on_instances || !after.runs_on_instances) return {};
  std::string words = fmt::format("fits {} of {} types", after.held_by, effect.types);
  if (before.held_by != after.held_by) words += fmt::format(" (was {})", before.held_by);
  const auto price = cheapest_words(after), old_price = cheapest_words(before);
  if (after.held_by > 0) words += "; from " + price;
  if (before.held_by > 0 && old_price != price)
    words += (after.held_by > 0 ? ", before from " : "; before from ") + old_price;
  return words;
}

void add_capacity(ReportDocument& document, const study::CapacityEffect& effect) {
  const auto& before = *effect.before;
  const auto& after = *effect.after;
  const auto needed = task_words(before.requirement), needs = task_words(after.requirement);
  if (needed != needs) document.paragraph({.text = needs + "; before " + needed, .lead = "needs"}, kTerminal);
  if (!effect.changes()) return;
  document.paragraph({.text = fitting_words(effect), .hanging = 2}, kTerminal);
  block::BeforeAfter rows{{{"task needs", needed, needs}}};
  if (before.runs_on_instances || after.runs_on_instances) {
    rows.list.push_back({"fits", holding_words(before, effect.types), holding_words(after, effect.types)});
    rows.list.push_back({"cost from", cheapest_cell(before), cheapest_cell(after)});
  }
  document.add(std::move(rows), kCommentAndPage);
  add_types(document, effect);
}

void add_cluster(ReportDocument& document, const DiffView& view, const study::ClusterEffect& effect) {
  const auto end = effect.after ? room_end_words(*effect.after) : "";
  const auto room = room_words(effect) + (end.empty() ? "" : "; then " + end);
  document.paragraph({.text = room, .hanging = 2}, kTerminal);
  document.paragraph({{"On "}, in_code(view.report().cluster), {": " + room + "."}}, kCommentAndPage);
  for (const auto& rollout : effect.rollouts) {
    document.paragraph(
        {.text = rollout_words(rollout), .tone = rollout.finishes() ? Tone::kPlain : Tone::kBad, .hanging = 2});
  }
  for (const auto& rollout : effect.rollouts) {
    document.later(kCommentAndPage, [&rollout](ReportDocument& part) { add_deployments(part, *rollout.deployed); });
  }
}

void add_fields(ReportDocument& document, const DiffView& view, const DefinitionDiff& diff) {
  if (diff.fields.empty()) return;
  const auto side = [](const std::optional<study::FieldSide>& one) {
    return one ? std::optional(side_words(*one, true)) : std::nullopt;
  };
  block::Changes changes{.rows = {.text = 4, .comment = kRowsOfComment, .noun = "fields"}};
  for (const auto& change : diff.fields)
    changes.list.push_back({place_of(view, diff, change), change.path, side(change.before), side(change.after)});
  changes.summary = count_of(static_cast<std::int64_t>(diff.fields.size()), "field") + " changed";
  changes.is_open = diff.fields.size() <= kOpenFields;
  document.add(std::move(changes));
}

/// Lines in a terminal, else a folded table. `where`: " outside of the definitions".
void add_finding_list(ReportDocument& document, const DiffView& view, const study::DiffSide& side,
                      const std::vector<study::FindingPlace>& places, bool are_new, std::string_view where) {
  constexpr std::size_t kShown = 5;
  if (places.empty()) return;
  document.paragraph(
      fmt::format("{}{}", where.empty() ? "" : "elsewhere in the files: ", are_new ? "new findings" : "findings gone"),
      kTerminal);
  Table table({"severity", "place", "finding"});
  table.holds_sentences = true;
  if (are_new) table.columns.emplace_back("what to write");
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto& one = study::finding_at(side, places[i]);
    const auto place = words_of(view.place(side, places[i]));
    const auto severity = bayplan::name_of(one.severity);
    const auto message = fmt::format(" {}: {}", view.rule_id(one.code), one.message);
    const auto media = i < kShown ? kTerminal : Medium::kFullText;
    document.paragraph(
        {.text = fmt::format("{} {} {}{}", place, severity, one.code, message), .indent = 2, .hanging = 4}, media);
    if (are_new) document.paragraph({.text = one.help, .tone = Tone::kFaint, .indent = 6}, media);
    std::vector<Cell> cells{severity, RichText(in_code(place)), RichText{in_bold(one.code), {message}}};
    if (are_new) cells.emplace_back(one.help);
    table.add(std::move(cells));
  }
  if (places.size() > kShown)
    document.paragraph(
        {.text = fmt::format("and {} more (-v)", places.size() - kShown), .tone = Tone::kFaint, .indent = 2},
        Medium::kText);
  const auto count = static_cast<std::int64_t>(places.size());
  const auto summary = are_new ? fmt::format("{}{}", count_of(count, "new finding"), where)
                               : fmt::format("{}{} gone", count_of(count, "finding"), where);
  const bool is_grave = are_new && study::finding_at(side, places.front()).severity == Severity::kError;
  document.add(block::Details{summary, {block::ShownTable{std::move(table), {.comment = kRowsOfComment}}}, is_grave},
               kCommentAndPage);
}

void add_changed_findings(ReportDocument& document, const DiffView& view, const study::FindingChanges& changes,
                          std::string_view where) {
  add_finding_list(document, view, view.after(), changes.appeared, true, where);
  add_finding_list(document, view, view.before(), changes.vanished, false, where);
}

void add_definition(ReportDocument& document, const DiffView& view, const DefinitionDiff& diff) {
  add_fields(document, view, diff);
  if (diff.capacity && diff.before && diff.after) add_capacity(document, *diff.capacity);
  if (changes_costs(diff)) {
    if (const auto words = launch_type_cost_words(diff); !words.empty())
      document.paragraph({.text = "cost per task-hour: " + words, .hanging = 2}, kTerminal);
    document.paragraph(diff.is_new() ? "Cost per task by launch type:" : "Cost change per task by launch type:",
                       kCommentAndPage);
    document.table(launch_type_changes_table(diff), {}, kCommentAndPage);
  }
  if (diff.cluster) add_cluster(document, view, *diff.cluster);
  if (!diff.is_removed()) add_changed_findings(document, view, diff.findings, "");
}

}  // namespace

bool tells_prices(const study::DiffReport& report) {
  return std::any_of(report.definitions.begin(), report.definitions.end(),
                     [](const auto& one) { return one.capacity && one.after && one.capacity->changes(); });
}

ReportDocument diff_document(const DiffView& view) {
  const auto& report = view.report();
  ReportDocument document("diff");
  document.marker = "bayplan-diff";
  document.headline = diff_headline(report);
  document.is_good = report.can_deploy() && report.appeared(Severity::kError) == 0;
  document.verdict = verdict_of(report);
  document.add(block::Answer{document.headline, document.is_good}, kTerminal);
  document.add(block::Heading{std::string(mark_of(report)) + " " + document.headline}, Medium::kComment);
  if (!report.differs()) return document;
  const bool are_several = report.definitions.size() != 1;
  std::size_t number = 0;
  for (const auto& one : report.definitions) {
    if (!one.differs()) continue;
    document.section(fmt::format("definition-{}", ++number), one.name, are_several ? kEveryMedium : kCommentAndPage);
    if (are_several) {
      const auto sentence = diff_sentence(report, one);
      document.paragraph(sentence, Medium::kPage);
      document.add(block::Heading{one.name + ": " + sentence, 4}, kTerminal | Medium::kComment);
    }
    add_definition(document, view, one);
  }
  const auto& other = report.other_findings;
  if (!other.appeared.empty() || !other.vanished.empty())
    document.section("elsewhere", "Outside of the definitions", Medium::kPage);
  add_changed_findings(document, view, other, " outside of the definitions");

  // What is the same for the whole report. The page says at its end where the prices come from.
  document.add_to_footer(block::SmallPrint{"Order and defaults are ignored."}, kCommentAndPage);
  if (tells_prices(report)) {
    document.prices = price_words(find_price_range(report));
    document.add_to_footer(block::SmallPrint{document.prices}, kTerminal | Medium::kComment);
  }
  if (const auto words = fargate_price_words(report); !words.empty())
    document.footer.emplace_back(block::SmallPrint{words});
  document.footer.emplace_back(block::Assumptions{report.assumptions});
  document.has_text = true;
  return document;
}

}  // namespace bayplan::report
