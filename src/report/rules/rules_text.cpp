#include <algorithm>

#include <fmt/core.h>

#include "base/finding.hpp"
#include "base/strings.hpp"
#include "report/document/table.hpp"
#include "report/lint/lint_writer.hpp"
#include "report/rules/rules_report.hpp"
#include "rules/rule_groups.hpp"

namespace bayplan::report {

using rules::RuleRow;

namespace {

std::size_t position_of_group(std::string_view name) {
  const auto found = std::find_if(rules::kRuleGroups.begin(), rules::kRuleGroups.end(),
                                  [&](const rules::RuleGroup& group) { return group.name == name; });
  return static_cast<std::size_t>(found - rules::kRuleGroups.begin());
}

std::vector<const RuleRow*> rows_of_group(const RulesReport& report, std::string_view group) {
  std::vector<const RuleRow*> rows;
  std::copy_if(report.rows.begin(), report.rows.end(), std::back_inserter(rows),
               [&](const RuleRow* row) { return row->group == group; });
  return rows;
}

Tone tone_of_severity(Severity severity) {
  return severity == Severity::kError ? Tone::kBad : severity == Severity::kWarning ? Tone::kDoubtful : Tone::kPlain;
}

Table rules_table(const std::vector<const RuleRow*>& rows) {
  Column name{"name"};
  name.need = Need::kExtra;
  Table table({"code", "severity", name, "title"});
  for (const auto* row : rows) {
    const auto severity = std::string(name_of(row->severity)) + (row->on_by_default ? "" : ", off");
    table.add({row->code, Cell(severity, tone_of_severity(row->severity)), row->id, row->summary});
  }
  return table;
}

}  // namespace

RulesReport rules_report(std::vector<const RuleRow*> rows, std::size_t all) {
  std::stable_sort(rows.begin(), rows.end(), [](const RuleRow* a, const RuleRow* b) {
    return position_of_group(a->group) < position_of_group(b->group);
  });
  return {std::move(rows), all};
}

std::string rules_answer(const RulesReport& report) {
  const auto count = [&](auto is_counted) {
    return static_cast<std::int64_t>(std::count_if(report.rows.begin(), report.rows.end(), is_counted));
  };
  const auto all = count_of(static_cast<std::int64_t>(report.all), "rule");
  const auto on = count([](const RuleRow* row) { return row->on_by_default; });
  std::vector<std::string> severities;
  for (const auto severity : {Severity::kError, Severity::kWarning, Severity::kInfo, Severity::kStyle}) {
    const auto of_severity = count([&](const RuleRow* row) { return row->severity == severity; });
    if (of_severity > 0) severities.push_back(severity_count(of_severity, severity));
  }
  const auto shown = report.rows.size() == report.all ? all : fmt::format("{} of {}", report.rows.size(), all);
  if (report.rows.empty()) return shown;
  return fmt::format("{}, {} on by default: {}", shown, on, join(severities, ", "));
}

ReportDocument rules_document(const RulesReport& report) {
  ReportDocument document("rules");
  const bool has_rules = !report.rows.empty();
  document.answer("", rules_answer(report), has_rules, has_rules ? kTerminal | Medium::kComment : Medium::kComment, 2);
  document.has_all_lines = true;
  for (const auto* row : report.rows) document.quiet += fmt::format("{}\n", row->code);
  for (const auto& group : rules::kRuleGroups) {
    const auto rows = rows_of_group(report, group.name);
    if (rows.empty()) continue;
    document.section(std::string(group.name), std::string(group.name));
    document.line(0, in_bold(fmt::format("{}: {} ({})", group.name, group.about, rows.size())));
    document.paragraph({in_bold(group.name), {fmt::format(": {}", group.about)}}, kCommentAndPage);
    document.add(block::ShownTable{.table = rules_table(rows), .keeps_columns = true});
  }
  if (!has_rules) return document;
  document.gap();
  document.paragraph(
      {.text = "'bayplan explain CODE' explains a rule; 'off' runs only if it is selected, with --extend-select.",
       .tone = Tone::kFaint,
       .hanging = 2},
      kTerminal);
  return document;
}

}  // namespace bayplan::report
