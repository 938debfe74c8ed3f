// The comparison as text: the answer first, then fields, types and findings.
#include <algorithm>
#include <sstream>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/diff/diff_launch_types.hpp"
#include "report/diff/diff_report.hpp"
#include "report/document/amounts.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/figures.hpp"
#include "report/document/first_screen.hpp"
#include "report/document/prices.hpp"
#include "report/document/table.hpp"
#include "report/document/terminal.hpp"

namespace bayplan::report {

using study::DefinitionDiff;
using study::TypeEffect;

namespace {

constexpr std::size_t kShownFields = 4;
constexpr std::size_t kShownTypeRows = 3;
constexpr std::size_t kNamedTypes = 6;
constexpr std::size_t kShownFindings = 5;

std::string binding_words(const TypeEffect& row) {
  const auto words = [](const std::optional<capacity::FitRow>& one) -> std::string {
    if (!one) return "-";
    if (one->fits == capacity::Fits::kNo) return one->reasons.empty() ? "-" : std::string(one->reasons.front());
    return one->binding ? std::string(capacity::name_of(*one->binding)) : "-";
  };
  return words(row.after ? row.after : row.before);
}

void write_field(std::ostream& out, const DiffView& told, const DefinitionDiff& diff, const study::FieldChange& change,
                 bool whole) {
  constexpr std::size_t kIndent = 6;
  const std::string line = printable(place_of(told, diff, change) + ": " + field_words(change));
  const auto says = [&](const auto& side) { return side ? printable(side_words(*side, whole)) : ""; };
  const std::string before = says(change.before), after = says(change.after);
  const std::string both = change.before && change.after ? before + " -> " + after : before + after;
  if (display_width(line) + 3 > text_columns()) return print_line(out, 2, line + ": " + both);
  out << "  " << line << ":";
  if (display_width(line) + display_width(both) + 4 <= text_columns()) {
    out << ' ' << both << '\n';
  } else if (!change.before || !change.after || display_width(both) + kIndent <= text_columns()) {
    out << "\n      " << wrapped(both, kIndent) << '\n';
  } else {
    out << "\n      " << wrapped(before, kIndent) << "\n   -> " << wrapped(after, kIndent) << '\n';
  }
}

void write_fields(std::ostream& out, const DiffView& told, const DefinitionDiff& diff, const TextOptions& options) {
  const auto total = diff.fields.size();
  const auto shown = options.verbose ? total : std::min(total, kShownFields);
  for (std::size_t i = 0; i < shown; ++i) write_field(out, told, diff, diff.fields[i], options.verbose);
  if (shown < total) out << "  " << options.style.dim(fmt::format("and {} more fields (-v)", total - shown)) << '\n';
}

bool holds(const std::optional<capacity::FitRow>& row) {
  return row && row->fits != capacity::Fits::kNo;
}

Tone tone_of(const TypeEffect& row) {
  return !row.changes() ? Tone::kPlain : holds(row.after) ? Tone::kDoubtful : Tone::kBad;
}

void write_types(std::ostream& out, const std::vector<const TypeEffect*>& rows, const TextOptions& options) {
  if (rows.empty()) return;
  Table table({"type", "copies", "limited by", number_column("$/h"), month_column(), number_column("$/copy")});
  for (const auto* row : rows) {
    const auto& price = row->any().price;
    table.add({row->any().type->name, Cell(changed(copies_words(row->before), copies_words(row->after)), tone_of(*row)),
               binding_words(*row), price ? usd(price->hourly) : std::string("-"),
               price ? monthly_cell(price->hourly) : std::string("-"),
               changed(copy_price_words(row->before), copy_price_words(row->after))});
  }
  const auto left_out = options.verbose ? 0 : table.keep_rows(kShownTypeRows);
  print_table(out, table, options.style);
  if (left_out > 0)
    out << "  " << options.style.dim(fmt::format("and {} more types (-v or --types)", left_out)) << '\n';
}

void write_type_names(std::ostream& out, std::string_view what, const std::vector<const TypeEffect*>& rows) {
  if (rows.empty()) return;
  std::vector<std::string> some;
  for (std::size_t i = 0; i < std::min(rows.size(), kNamedTypes); ++i) some.push_back(rows[i]->any().type->name);
  std::string words = fmt::format("{} {} types: {}", what, rows.size(), join(some, ", "));
  if (rows.size() > some.size()) words += fmt::format(" and {} more (-v)", rows.size() - some.size());
  out << wrapped(words, 2) << '\n';
}

void write_holding_types(std::ostream& out, const study::CapacityEffect& effect) {
  const auto& before = *effect.before;
  const auto& after = *effect.after;
  if (!before.runs_on_instances || !after.runs_on_instances) return;
  std::string words = fmt::format("fits {} of {} types", after.held_by, effect.types);
  if (before.held_by != after.held_by) words += fmt::format(" (was {})", before.held_by);
  const auto price = cheapest_words(after), old_price = cheapest_words(before);
  if (after.held_by > 0) words += "; from " + price;
  if (before.held_by > 0 && old_price != price)
    words += (after.held_by > 0 ? ", before from " : "; before from ") + old_price;
  out << wrapped(words, 2) << '\n';
}

/// A few types stay in one table, whatever becomes of them.
void write_capacity(std::ostream& out, const study::CapacityEffect& effect, const TextOptions& options) {
  const auto before = task_words(effect.before->requirement);
  const auto after = task_words(effect.after->requirement);
  if (before != after) out << "needs " << wrapped(after + "; before " + before, 6) << '\n';
  if (!effect.changes()) return;
  if (effect.types > 1) write_holding_types(out, effect);
  const bool are_all_shown = options.verbose || effect.reported.size() <= kShownTypeRows;
  const auto rows = effect.rows();
  std::vector<const TypeEffect*> lost, gained, rest;
  for (const auto& row : rows) {
    const bool did = holds(row.before), does = holds(row.after);
    (are_all_shown || did == does ? rest : did ? lost : gained).push_back(&row);
  }
  write_types(out, rest, options);
  write_type_names(out, "lost", lost);
  write_type_names(out, "gained", gained);
}

void write_cluster_effect(std::ostream& out, const study::ClusterEffect& effect, const Style& style) {
  auto words = room_words(effect);
  const auto end = effect.after ? room_end_words(*effect.after) : "";
  if (!end.empty()) words += "; then " + end;
  out << wrapped(printable(words), 2) << '\n';
  for (const auto& rollout : effect.rollouts) {
    const auto deployment = wrapped(printable(rollout_words(rollout)), 2);
    out << (rollout.finishes() ? deployment : style.red(deployment)) << '\n';
  }
}

void write_finding(std::ostream& out, const DiffView& told, const study::DiffSide& side,
                   const study::FindingPlace& place, bool with_help, const Style& style) {
  const auto& one = study::finding_at(side, place);
  const std::string text = fmt::format("{} {} {} {}: {}", words_of(told.place(side, place)),
                                       bayplan::name_of(one.severity), one.code, told.rule_id(one.code), one.message);
  out << "  " << wrapped(printable(text), 6) << '\n';
  if (with_help && !one.help.empty()) out << "      " << style.dim(wrapped(printable(one.help), 6)) << '\n';
}

void write_finding_list(std::ostream& out, const std::string& heading, const DiffView& told,
                        const study::DiffSide& side, const std::vector<study::FindingPlace>& places, bool with_help,
                        const TextOptions& options) {
  if (places.empty()) return;
  out << heading << '\n';
  const auto shown = options.verbose ? places.size() : std::min(places.size(), kShownFindings);
  for (std::size_t i = 0; i < shown; ++i) write_finding(out, told, side, places[i], with_help, options.style);
  if (shown < places.size())
    out << "  " << options.style.dim(fmt::format("and {} more (-v)", places.size() - shown)) << '\n';
}

void write_changed_findings(std::ostream& out, const std::string& where, const DiffView& told,
                            const study::FindingChanges& changes, const TextOptions& options) {
  write_finding_list(out, where + "new findings", told, told.after(), changes.appeared, true, options);
  write_finding_list(out, where + "findings gone", told, told.before(), changes.vanished, false, options);
}

void write_definition(std::ostream& out, const DiffView& told, const DefinitionDiff& diff, const TextOptions& options) {
  write_fields(out, told, diff, options);
  if (diff.capacity && diff.before && diff.after) write_capacity(out, *diff.capacity, options);
  if (changes_costs(diff)) {
    if (const auto words = launch_type_cost_words(diff); !words.empty())
      print_line(out, 0, "cost per task-hour: " + words);
  }
  if (diff.cluster) write_cluster_effect(out, *diff.cluster, options.style);
  if (!diff.is_removed()) write_changed_findings(out, "", told, diff.findings, options);
}

void write_body(std::ostream& out, const DiffView& told, const TextOptions& options) {
  const auto& report = told.report();
  out << options.style.bold(wrapped(printable(diff_headline(report)), 0)) << '\n';
  if (options.quiet || !report.differs()) return;
  const bool are_several = report.definitions.size() != 1;
  for (const auto& one : report.definitions) {
    if (!one.differs()) continue;
    if (are_several) out << '\n' << wrapped(printable(one.name + ": " + diff_sentence(report, one)), 2) << '\n';
    write_definition(out, told, one, options);
  }
  write_changed_findings(out, "elsewhere in the files: ", told, report.other_findings, options);
}

/// What holds for the whole report.
void write_footer(std::ostream& out, const study::DiffReport& report, const TextOptions& options) {
  if (tells_prices(report)) out << options.style.dim(wrapped(price_words(find_price_range(report)), 2)) << '\n';
  if (const auto words = fargate_price_words(report); !words.empty())
    out << options.style.dim(wrapped(printable(words), 2)) << '\n';
  write_assumptions_text(out, report.assumptions, options.verbose, options.style);
}

}  // namespace

void write_diff_text(std::ostream& out, const DiffView& told, const TextOptions& options) {
  std::ostringstream body;
  std::ostringstream footer;
  write_body(body, told, options);
  if (!options.quiet && told.report().differs()) write_footer(footer, told.report(), options);
  write_first_screen(out, body.str(), footer.str(), options.verbose);
}

}  // namespace bayplan::report
