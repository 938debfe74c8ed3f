#include "report/lint_json.hpp"

#include <string>

#include "base/json_writer.hpp"
#include "lint/summary.hpp"
#include "text/location.hpp"

namespace bayplan::report {
namespace {

using Layout = JsonWriter::Layout;

void write_fix(JsonWriter& json, const std::optional<Fix>& fix) {
  json.key("fix");
  if (!fix) {
    json.null();
    return;
  }
  json.begin_object(Layout::kLine).member("safe", fix->safe).key("edits").begin_array(Layout::kLine);
  for (const auto& edit : fix->edits) {
    json.begin_object(Layout::kLine)
        .member("offset", edit.span.begin)
        .member("length", edit.span.length())
        .member("text", edit.text)
        .end_object();
  }
  json.end_array().end_object();
}

void write_related(JsonWriter& json, const std::vector<Related>& related, const text::LineIndex& lines) {
  json.key("related").begin_array(Layout::kLine);
  for (const auto& place : related) {
    const auto at = lines.location(place.span.begin);
    json.begin_object(Layout::kLine)
        .member("message", place.message)
        .member("line", at.line)
        .member("column", at.column)
        .end_object();
  }
  json.end_array();
}

void write_finding(JsonWriter& json, const lint::FileReport& file, const lint::LintFinding& finding,
                   const text::LineIndex& lines, const Lazy<rules::RuleData>& data) {
  const auto& row = data.get().row(finding.code);
  const auto begin = lines.location(finding.span.begin);
  const auto end = lines.location(finding.span.end);
  json.begin_object()
      .member("code", finding.code)
      .member("rule", row.id)
      .member("group", row.group)
      .member("evidence", finding.evidence)
      .member("severity", name_of(finding.severity))
      .member("message", finding.message)
      .member("help", finding.help)
      .member("url", row.source_url())
      .member("file", file.file)
      .member("line", begin.line)
      .member("column", begin.column)
      .member("endLine", end.line)
      .member("endColumn", end.column)
      .member("offset", finding.span.begin)
      .member("pointer", finding.pointer)
      .member("container", finding.container)
      .member("fingerprint", finding.fingerprint)
      .member("suppressed", false);
  write_fix(json, finding.fix);
  write_related(json, finding.related, lines);
  json.end_object();
}

void write_findings(JsonWriter& json, const lint::Run& run, const Lazy<rules::RuleData>& data) {
  json.key("findings").begin_array();
  for (const auto& file : run.files) {
    if (file.findings.empty()) continue;
    const text::LineIndex lines(file.document->source());
    for (const auto& finding : file.findings) write_finding(json, file, finding, lines, data);
  }
  json.end_array();
}

void write_skipped(JsonWriter& json, const lint::Run& run) {
  json.key("skipped").begin_array();
  for (const auto& file : run.files) {
    for (const auto& skip : file.skipped) {
      json.begin_object(Layout::kLine)
          .member("code", skip.code)
          .member("file", file.file)
          .member("pointer", skip.pointer)
          .member("because", skip.because)
          .end_object();
    }
  }
  json.end_array();
}

void write_file(JsonWriter& json, const lint::FileReport& file) {
  json.begin_object(Layout::kLine).member("file", file.file).member("kind", rules::name_of(file.kind)).key("family");
  (file.family.empty() ? json.null() : json.value(file.family)).end_object();
}

void write_summary(JsonWriter& json, const lint::Summary& summary) {
  json.key("summary").begin_object(Layout::kLine).member("files", summary.files);
  for (const auto severity : {Severity::kError, Severity::kWarning, Severity::kInfo, Severity::kStyle}) {
    json.member(name_of(severity), summary.count(severity));
  }
  json.member("suppressed", 0).member("fixed", 0).member("skippedRules", summary.skipped_rules).end_object();
}

}  // namespace

void write_lint_json(std::ostream& out, const lint::Run& run, const Lazy<rules::RuleData>& data) {
  JsonWriter json(out);
  json.begin_object().member("schema", "bayplan/lint-report/1").member("columnUnit", "unicodeCodePoints");
  json.key("assumptions").begin_array(Layout::kLine).end_array();
  write_findings(json, run, data);
  write_skipped(json, run);
  json.key("files").begin_array();
  for (const auto& file : run.files) write_file(json, file);
  for (const auto& file : run.not_linted) write_file(json, file);
  json.end_array();
  write_summary(json, lint::summarize(run));
  json.end_object().finish();
}

}  // namespace bayplan::report
