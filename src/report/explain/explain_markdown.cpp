#include "report/explain/explain_report.hpp"

#include <algorithm>
#include <string>

#include "base/strings.hpp"
#include "report/document/escape.hpp"
#include "report/document/terminal.hpp"
#include "rules/rule_groups.hpp"

namespace bayplan::report {
namespace {

using rules::RuleRow;

std::string link_to(const RuleRow& row) {
  return "[" + std::string(row.code) + "](#" + lower(row.code) + ")";
}

std::string count_in(const std::vector<ExplainedRule>& rules, std::string_view group) {
  const auto count =
      std::count_if(rules.begin(), rules.end(), [&](const auto& one) { return one.row->group == group; });
  return count_of(count, "rule");
}

void write_contents(std::ostream& out, const std::vector<ExplainedRule>& rules) {
  out << "# Checks\n\n"
         "This page lists all rules of `bayplan lint`. Each has a page with a bad example, what bayplan prints for it, "
         "a good example "
         "and its source.\n\n```\nbayplan explain BAY113\n```\n\nprints the page of a rule. To select rules, see "
         "[lint.md](lint.md). What may be an error and what only a warning: "
         "[false-positives.md](false-positives.md).\n`scripts/checks` generates these pages from `data/rules.json` and "
         "from the output of the program.\n\n";
  for (const auto& group : rules::kRuleGroups) {
    out << "- [" << group.name << "](#" << group.name << ") (" << count_in(rules, group.name) << "): " << group.about
        << '\n';
  }
  for (const auto& group : rules::kRuleGroups) {
    out << "\n## " << group.name << "\n\n| code | title | name | severity |\n| --- | --- | --- | --- |\n";
    for (const auto& rule : rules) {
      const RuleRow& row = *rule.row;
      if (row.group != group.name) continue;
      out << "| " << link_to(row) << " | " << markdown_text(row.summary) << " | " << row.id << " | "
          << name_of(row.severity) << (row.on_by_default ? "" : ", off") << " |\n";
    }
  }
  out << "\n`off`: runs only if it is selected.\n\n# Rules by code\n";
}

/// Longer than any run of backticks inside.
std::string fence_for(std::string_view text) {
  return text.find("```") == std::string_view::npos ? "```" : "``````";
}

std::string_view language_of(std::string_view name) {
  if (name.ends_with(".yaml") || name.ends_with(".yml")) return "yaml";
  return name.ends_with(".json") ? "json" : "";
}

void write_files(std::ostream& out, std::string_view title, const ShownExample& example) {
  for (const auto& file : example.files) {
    const auto fence = fence_for(file.text);
    out << '\n' << title;
    if (example.files.size() > 1) out << ", " << markdown_code(file.name);
    out << ":\n\n" << fence << language_of(file.name) << '\n';
    for (const auto& line : elided_lines(file.text)) out << line << '\n';
    out << fence << '\n';
  }
}

void write_output(std::ostream& out, const ShownExample& example) {
  if (example.output.empty()) return;
  const auto fence = fence_for(example.output);
  out << '\n' << fence << "\n$ " << example.command << '\n' << trim(example.output) << '\n' << fence << '\n';
}

std::string severity_in_words(const RuleRow& row) {
  std::string words = "**" + std::string(name_of(row.severity)) + "** (" + std::string(row.evidence) + ": " +
                      std::string(evidence_in_words(row.evidence)) + ")";
  if (row.documented_refusal) words += "; **error** with `--strict`";
  for (const auto& item : row.severity_when) {
    words += "; **" + std::string(name_of(item.severity)) + "** when " + markdown_text(item.when);
  }
  return words;
}

void write_facts(std::ostream& out, const RuleRow& row) {
  out << "\n- severity: " << severity_in_words(row) << "\n- group: " << row.group << ", "
      << (row.on_by_default ? "on" : "off") << " by default; applies to "
      << (row.applies_to == "all" ? "every launch type" : markdown_text(row.applies_to))
      << "\n- source: " << markdown_with_links(row.source) << '\n';
  for (const auto& answer : row.answers)
    out << "- answered (" << answer.date << "): " << markdown_code(answer.text) << '\n';
  if (!row.reviewed.empty()) out << "- reviewed: " << row.reviewed << '\n';
}

void write_rule(std::ostream& out, const ExplainedRule& rule) {
  const RuleRow& row = *rule.row;
  out << "\n## " << row.code << "\n\n**" << markdown_text(row.summary) << "**"
      << (rules::is_house_code(row.code) ? "" : " (`" + std::string(row.id) + "`)") << "\n\n"
      << markdown_text(row.why) << '\n';
  write_files(out, "Bad", rule.bad);
  write_output(out, rule.bad);
  write_files(out, "Good", rule.good);
  if (!row.good.arguments.empty()) write_output(out, rule.good);
  out << "\nFix: " << markdown_text(row.fix) << '\n';
  if (!row.implemented) out << "\nThis version of bayplan does not check it yet.\n";
  write_facts(out, row);
}

}  // namespace

void write_explain_markdown(std::ostream& out, const std::vector<ExplainedRule>& rules, bool with_contents) {
  if (with_contents) write_contents(out, rules);
  for (const auto& rule : rules) write_rule(out, rule);
}

}  // namespace bayplan::report
