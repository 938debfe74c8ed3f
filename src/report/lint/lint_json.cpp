#include "report/lint/lint_writer.hpp"

#include <string>
#include <vector>

#include "base/json_writer.hpp"
#include "report/document/json_parts.hpp"
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
      .member("url", row.url())
      .member("file", file.file)
      .member("line", begin.line)
      .member("column", begin.column)
      .member("endLine", end.line)
      .member("endColumn", end.column)
      .member("offset", finding.span.begin)
      .member("pointer", finding.pointer)
      .member("container", finding.container)
      .member("fingerprint", finding.fingerprint)
      .member("suppressed", finding.suppression.has_value());
  write_fix(json, finding.fix);
  write_related(json, finding.related, lines);
  json.end_object();
}

void write_summary(JsonWriter& json, const lint::Summary& summary) {
  json.key("summary").begin_object(Layout::kLine).member("files", summary.files);
  for (const auto severity : {Severity::kError, Severity::kWarning, Severity::kInfo, Severity::kStyle}) {
    json.member(name_of(severity), summary.count(severity));
  }
  json.member("suppressed", summary.suppressed)
      .member("fixed", summary.fixed)
      .member("skippedRules", summary.skipped_rules)
      .member("lookedAt", summary.search.looked_at)
      .member("recognized", summary.search.recognized)
      .member("passedOver", summary.search.passed_over.size())
      .end_object();
}

void write_passed_over(JsonWriter& json, const lint::SearchSummary& search) {
  json.key("passedOver").begin_array();
  for (const auto& one : search.passed_over) {
    json.begin_object(Layout::kLine)
        .member("path", one.path)
        .member("reason", name_of(one.reason))
        .member("message", one.message)
        .end_object();
  }
  json.end_array();
}

class JsonLintWriter : public LintWriter {
 public:
  JsonLintWriter(std::ostream& out, const Lazy<rules::RuleData>& data) : json_(out), data_(data) {
    begin_report(json_, "lint-report");
    json_.member("columnUnit", "unicodeCodePoints");
    json_.key("assumptions").begin_array(Layout::kLine).end_array();
    json_.key("findings").begin_array();
  }

  void file(const lint::FileReport& report) override {
    files_.push_back({report.file, report.kind, report.family});
    for (const auto& skip : report.skipped) skipped_.push_back({files_.size() - 1, skip});
    if (report.findings.empty()) return;
    const text::LineIndex lines(report.document->source());
    for (const auto& finding : report.findings) write_finding(json_, report, finding, lines, data_);
  }

  void finish(const lint::Summary& summary) override {
    json_.end_array().member("answer", summary_line(summary));
    write_skipped();
    write_files();
    write_passed_over(json_, summary.search);
    write_summary(json_, summary);
    json_.end_object().finish();
  }

 private:
  struct FileRow {
    std::string file;
    rules::FileKind kind;
    std::string family;
  };
  struct SkipRow {
    std::size_t file;  ///< Index into `files_`.
    rules::Skip skip;
  };

  void write_skipped() {
    json_.key("skipped").begin_array();
    for (const auto& row : skipped_) {
      json_.begin_object(Layout::kLine)
          .member("code", row.skip.code)
          .member("file", files_[row.file].file)
          .member("pointer", row.skip.pointer)
          .member("because", row.skip.because)
          .end_object();
    }
    json_.end_array();
  }

  void write_files() {
    json_.key("files").begin_array();
    for (const auto& row : files_) {
      json_.begin_object(Layout::kLine)
          .member("file", row.file)
          .member("kind", rules::name_of(row.kind))
          .member_or_null("family", row.family)
          .end_object();
    }
    json_.end_array();
  }

  JsonWriter json_;
  const Lazy<rules::RuleData>& data_;
  std::vector<FileRow> files_;
  std::vector<SkipRow> skipped_;
};

}  // namespace

std::unique_ptr<LintWriter> lint_json(std::ostream& out, const Lazy<rules::RuleData>& data, const LintView& /*view*/) {
  return std::make_unique<JsonLintWriter>(out, data);
}

}  // namespace bayplan::report
