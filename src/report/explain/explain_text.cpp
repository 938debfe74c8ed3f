#include "report/explain/explain_report.hpp"

#include <sstream>
#include <string>

#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "report/document/first_screen.hpp"
#include "report/document/terminal.hpp"

namespace bayplan::report {
namespace {

using rules::RuleRow;

void write_paragraph(std::ostream& out, std::string_view text) {
  out << "  " << wrapped(text, 2) << '\n';
}

void write_indented(std::ostream& out, std::string_view text) {
  for (const auto& line : elided_lines(text)) out << (line.empty() ? "" : "  ") << line << '\n';
}

void write_example(std::ostream& out, std::string_view title, const ShownExample& example, const Style& style) {
  out << '\n' << style.bold(title) << '\n';
  for (const auto& file : example.files) {
    if (example.files.size() > 1) out << "  " << style.dim(file.name + ":") << '\n';
    write_indented(out, file.text);
  }
}

void write_output(std::ostream& out, const ShownExample& example, const Style& style) {
  if (example.output.empty()) return;
  out << "\n  " << style.dim("$ " + example.command) << '\n';
  for (const auto line : split(trim(example.output), '\n')) out << "  " << line << '\n';
}

void write_facts(std::ostream& out, const RuleRow& row, const Style& style) {
  const auto fact = [&](std::string_view name, const std::string& text) {
    out << "  " << style.dim(name) << std::string(12 - name.size(), ' ') << wrapped(text, 14) << '\n';
  };
  fact("severity", style.of(row.severity, name_of(row.severity)) + ": " + std::string(evidence_in_words(row.evidence)));
  if (row.documented_refusal) fact("", style.of(Severity::kError, "error") + " with --strict");
  for (const auto& item : row.severity_when) {
    fact("", style.of(item.severity, name_of(item.severity)) + " when " + std::string(item.when));
  }
  fact("group", std::string(row.group) + (row.on_by_default ? "" : "; off by default"));
  fact("applies to", row.applies_to == "all" ? "every launch type" : std::string(row.applies_to));
  fact("source", std::string(row.source));
  for (const auto& answer : row.answers)
    fact("answered", std::string(answer.date) + ": \"" + std::string(answer.text) + '"');
  if (!rules::is_house_code(row.code)) fact("page", row.url());
  if (!row.reviewed.empty()) fact("reviewed", std::string(row.reviewed));
}

/// How much of the examples of a rule is shown.
enum class ShownExamples : std::uint8_t {
  kAll,
  kBad,
  kBadWithoutOutput,
  kFinding,  ///< Of the bad example only the lines that the finding points to.
};

void write_one(std::ostream& out, const ExplainedRule& rule, ShownExamples shown, const Style& style) {
  const RuleRow& row = *rule.row;
  const auto name = row.name();
  out << style.bold(name) << wrapped(name + ": " + std::string(row.summary), 2).substr(name.size()) << "\n\n";
  write_paragraph(out, row.why);
  if (shown == ShownExamples::kFinding) {
    out << '\n' << style.bold("Bad");
  } else {
    write_example(out, "Bad", rule.bad, style);
  }
  if (shown != ShownExamples::kBadWithoutOutput) write_output(out, rule.bad, style);
  if (shown == ShownExamples::kAll) {
    write_example(out, "Good", rule.good, style);
    if (!row.good.arguments.empty()) write_output(out, rule.good, style);
  } else {
    out << '\n' << style.dim("All examples: bayplan explain " + std::string(row.code) + " -v") << '\n';
  }
  out << '\n' << style.bold("Fix") << '\n';
  write_paragraph(out, row.fix);
  out << '\n';
  write_facts(out, row, style);
  if (!row.implemented) out << "\n  This version of bayplan does not check it yet.\n";
}

/// The most of a rule that fits a screen.
std::string fitting_text(const ExplainedRule& rule, const TextOptions& options) {
  for (const auto shown :
       {ShownExamples::kAll, ShownExamples::kBad, ShownExamples::kBadWithoutOutput, ShownExamples::kFinding}) {
    std::ostringstream text;
    write_one(text, rule, shown, options.style);
    const bool is_last = shown == ShownExamples::kFinding;
    if (options.verbose || is_last || line_count(text.str()) <= kFirstScreenLines) return text.str();
  }
  return {};
}

void write_example(JsonWriter& json, std::string_view key, const ShownExample& example) {
  json.key(key).begin_object().key("files").begin_array();
  for (const auto& file : example.files) {
    json.begin_object().member("file", file.name).member("text", file.text).end_object();
  }
  json.end_array().member("command", example.command);
  if (example.output.empty()) {
    json.key("exitCode").null().key("output").null();
  } else {
    json.member("exitCode", std::int64_t{example.exit_code}).member("output", example.output);
  }
  json.end_object();
}

}  // namespace

std::string_view evidence_in_words(std::string_view evidence) {
  if (evidence == "live") return "a real deployment was rejected for it";
  if (evidence == "issue") return "users reported it in public";
  if (evidence == "server-text") return "the service has its own error message for it";
  if (evidence == "model") return "required by the API model";
  if (evidence == "documented") return "AWS documents it; no rejection has been observed";
  if (evidence == "house") return "a rule of this project";
  return "judgment of bayplan's authors";
}

void write_explain_text(std::ostream& out, const std::vector<ExplainedRule>& rules, const TextOptions& options) {
  for (const auto& rule : rules) {
    if (&rule != &rules.front()) out << '\n';
    out << fitting_text(rule, options);
  }
}

void write_rule(JsonWriter& json, const ExplainedRule& rule) {
  const RuleRow& row = *rule.row;
  json.begin_object()
      .member("code", row.code)
      .member("rule", row.id)
      .member("group", row.group)
      .member("default", row.on_by_default)
      .member("severity", name_of(row.severity))
      .member("evidence", row.evidence)
      .member("evidenceText", evidence_in_words(row.evidence))
      .member("scope", row.applies_to)
      .member("summary", row.summary)
      .member("why", row.why)
      .member("help", row.fix)
      .member("source", row.source)
      .member("url", row.url());
  if (row.reviewed.empty()) {
    json.key("reviewed").null();
  } else {
    json.member("reviewed", row.reviewed);
  }
  json.member("documentedRefusal", row.documented_refusal).member("implemented", row.implemented);
  write_example(json, "bad", rule.bad);
  write_example(json, "good", rule.good);
  json.key("severityWhen").begin_array();
  for (const auto& item : row.severity_when) {
    json.begin_object(JsonWriter::Layout::kLine)
        .member("when", item.when)
        .member("severity", name_of(item.severity))
        .member("evidence", item.evidence)
        .end_object();
  }
  json.end_array().key("answers").begin_array();
  for (const auto& answer : row.answers) {
    json.begin_object(JsonWriter::Layout::kLine)
        .member("text", answer.text)
        .member("date", answer.date)
        .member("source", answer.source)
        .end_object();
  }
  json.end_array().key("supersedes").begin_array(JsonWriter::Layout::kLine);
  for (const auto code : row.supersedes) json.value(code);
  json.end_array().end_object();
}

}  // namespace bayplan::report
