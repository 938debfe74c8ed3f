// SARIF 2.1.0 (OASIS), what code scanning services and editors read.
#include "report/lint/lint_writer.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "base/version.hpp"
#include "report/document/escape.hpp"
#include "report/explain/explain_report.hpp"
#include "text/location.hpp"

namespace bayplan::report {
namespace {

using Layout = JsonWriter::Layout;

/// SARIF has three levels (3.27.10); what is information or style is a note.
std::string_view level_of(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kInfo:
    case Severity::kStyle:
      return "note";
  }
  return "none";
}

void write_text(JsonWriter& json, std::string_view key, std::string_view text) {
  json.key(key).begin_object(Layout::kLine).member("text", text).end_object();
}

/// Lines and columns count from 1, the end is exclusive (3.30.8), columns count code points (columnKind).
void write_region(JsonWriter& json, std::string_view key, Span span, const text::LineIndex& lines) {
  const auto begin = lines.location(span.begin);
  const auto end = lines.location(span.end);
  json.key(key)
      .begin_object(Layout::kLine)
      .member("startLine", begin.line)
      .member("startColumn", begin.column)
      .member("endLine", end.line)
      .member("endColumn", end.column)
      .member("byteOffset", span.begin)
      .member("byteLength", span.length())
      .end_object();
}

void write_artifact(JsonWriter& json, const std::string& file) {
  json.key("artifactLocation").begin_object(Layout::kLine).member("uri", relative_uri(file)).end_object();
}

void write_place(JsonWriter& json, const std::string& file, Span span, const text::LineIndex& lines) {
  json.key("physicalLocation").begin_object();
  write_artifact(json, file);
  write_region(json, "region", span, lines);
  json.end_object();
}

void write_location(JsonWriter& json, const lint::FileReport& report, const lint::LintFinding& finding,
                    const text::LineIndex& lines) {
  json.key("locations").begin_array().begin_object();
  write_place(json, report.file, finding.span, lines);
  if (!finding.named_path.empty()) {
    json.key("logicalLocations").begin_array(Layout::kLine).begin_object(Layout::kLine);
    json.member("fullyQualifiedName", finding.named_path).end_object().end_array();
  }
  json.end_object().end_array();
}

void write_related(JsonWriter& json, const lint::FileReport& report, const lint::LintFinding& finding,
                   const text::LineIndex& lines) {
  if (finding.related.empty()) return;
  json.key("relatedLocations").begin_array();
  for (const auto& related : finding.related) {
    json.begin_object();
    write_place(json, report.file, related.span, lines);
    write_text(json, "message", related.message);
    json.end_object();
  }
  json.end_array();
}

void write_fix(JsonWriter& json, const lint::FileReport& report, const lint::LintFinding& finding,
               const text::LineIndex& lines) {
  if (!finding.fix || !finding.fix->safe) return;
  json.key("fixes").begin_array().begin_object();
  write_text(json, "description", finding.help.empty() ? "apply the fix" : std::string_view(finding.help));
  json.key("artifactChanges").begin_array().begin_object();
  write_artifact(json, report.file);
  json.key("replacements").begin_array();
  for (const auto& edit : finding.fix->edits) {
    json.begin_object();
    write_region(json, "deletedRegion", edit.span, lines);
    write_text(json, "insertedContent", edit.text);
    json.end_object();
  }
  json.end_array().end_object().end_array().end_object().end_array();
}

void write_suppression(JsonWriter& json, const lint::LintFinding& finding) {
  if (!finding.suppression) return;
  const bool in_source = finding.suppression->by == lint::Suppression::By::kComment;
  json.key("suppressions").begin_array(Layout::kLine).begin_object(Layout::kLine);
  json.member("kind", in_source ? "inSource" : "external");
  if (!finding.suppression->reason.empty()) json.member("justification", finding.suppression->reason);
  json.end_object().end_array();
}

std::string sarif_message(const lint::LintFinding& finding) {
  return finding.help.empty() ? finding.message : finding.message + ": " + finding.help;
}

class SarifLintWriter : public LintWriter {
 public:
  SarifLintWriter(std::ostream& out, const Lazy<rules::RuleData>& data) : json_(out), data_(data) {
    json_.begin_object()
        .member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
        .member("version", "2.1.0")
        .key("runs")
        .begin_array()
        .begin_object()
        .member("columnKind", "unicodeCodePoints")
        .key("results")
        .begin_array();
  }

  void file(const lint::FileReport& report) override {
    if (report.findings.empty()) return;
    const text::LineIndex lines(report.document->source());
    for (const auto& finding : report.findings) write_result(report, finding, lines);
  }

  void unreadable(const Error& error) override { unreadable_.push_back(error); }

  void finish(const lint::Summary& /*summary*/) override {
    json_.end_array();
    write_tool();
    write_invocation();
    json_.end_object().end_array().end_object().finish();
  }

 private:
  void write_result(const lint::FileReport& report, const lint::LintFinding& finding, const text::LineIndex& lines) {
    const auto [entry, is_new] = rule_index_.emplace(finding.code, rules_.size());
    if (is_new) rules_.push_back(finding.code);
    json_.begin_object()
        .member("ruleId", finding.code)
        .member("ruleIndex", entry->second)
        .member("level", level_of(finding.severity));
    write_text(json_, "message", sarif_message(finding));
    write_location(json_, report, finding, lines);
    write_related(json_, report, finding, lines);
    json_.key("partialFingerprints")
        .begin_object(Layout::kLine)
        .member("bayplanFingerprint/v1", finding.fingerprint)
        .end_object();
    write_fix(json_, report, finding, lines);
    write_suppression(json_, finding);
    json_.end_object();
  }

  /// Must follow the results, because only rules with findings are listed.
  void write_tool() {
    json_.key("tool").begin_object().key("driver").begin_object().member("name", "bayplan");
    json_.member("semanticVersion", version()).key("rules").begin_array();
    for (const auto code : rules_) write_rule(data_.get().row(code));
    json_.end_array().end_object().end_object();
  }

  void write_rule(const rules::RuleRow& row) {
    json_.begin_object().member("id", row.code).member("name", row.id);
    write_text(json_, "shortDescription", row.summary);
    write_text(json_, "fullDescription", row.why);
    if (const auto url = row.web_url()) json_.member("helpUri", *url);
    json_.key("help").begin_object();
    json_.member("text",
                 fmt::format("{}. Examples and sources: bayplan explain {} ({})", row.fix, row.code, row.url()));
    json_.member("markdown", help_page(row)).end_object();
    json_.key("defaultConfiguration").begin_object(Layout::kLine).member("level", level_of(row.severity)).end_object();
    json_.key("properties").begin_object(Layout::kLine).key("tags").begin_array(Layout::kLine);
    json_.value(row.group).end_array().member("evidence", row.evidence).end_object().end_object();
  }

  /// The page of the rule inside the report: viewers show it next to the result, without a network.
  static std::string help_page(const rules::RuleRow& row) {
    const auto as_shown = [](const rules::Example& example) {
      ShownExample shown;
      for (const auto& file : example.files) shown.files.push_back({std::string(file.name), file.text()});
      return shown;
    };
    std::ostringstream page;
    write_explain_markdown(page, {{&row, as_shown(row.bad), as_shown(row.good)}}, false);
    return std::string(trim(page.str())) + "\n";
  }

  void write_invocation() {
    json_.key("invocations").begin_array().begin_object();
    json_.member("executionSuccessful", unreadable_.empty());
    if (!unreadable_.empty()) {
      json_.key("toolExecutionNotifications").begin_array();
      for (const auto& error : unreadable_) write_notification(error);
      json_.end_array();
    }
    json_.end_object().end_array();
  }

  void write_notification(const Error& error) {
    json_.begin_object().member("level", "error");
    write_text(json_, "message", error.message);
    if (!error.file.empty()) {
      json_.key("locations").begin_array().begin_object().key("physicalLocation").begin_object();
      write_artifact(json_, error.file);
      json_.end_object().end_object().end_array();
    }
    json_.end_object();
  }

  JsonWriter json_;
  const Lazy<rules::RuleData>& data_;
  std::map<std::string_view, std::size_t> rule_index_;
  std::vector<std::string_view> rules_;  ///< Listed in order of their first result.
  std::vector<Error> unreadable_;
};

}  // namespace

std::unique_ptr<LintWriter> lint_sarif(std::ostream& out, const Lazy<rules::RuleData>& data, const LintView& /*view*/) {
  return std::make_unique<SarifLintWriter>(out, data);
}

}  // namespace bayplan::report
