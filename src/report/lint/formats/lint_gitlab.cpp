#include "report/lint/lint_writer.hpp"

#include <string>

#include "base/json_writer.hpp"
#include "report/document/escape.hpp"
#include "text/location.hpp"

namespace bayplan::report {
namespace {

using Layout = JsonWriter::Layout;

/// GitLab knows info, minor, major, critical and blocker.
std::string_view gitlab_severity(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "critical";
    case Severity::kWarning:
      return "major";
    case Severity::kInfo:
      return "minor";
    case Severity::kStyle:
      return "info";
  }
  return "info";
}

class GitlabLintWriter : public LintWriter {
 public:
  GitlabLintWriter(std::ostream& out, const Lazy<rules::RuleData>& data) : json_(out), data_(data) {
    json_.begin_array();
  }

  void file(const lint::FileReport& report) override {
    if (report.findings.empty()) return;
    const text::LineIndex lines(report.document->source());
    for (const auto& finding : report.findings) {
      if (!finding.suppression) write_issue(report, finding, lines);
    }
  }

  void finish(const lint::Summary& /*summary*/) override { json_.end_array().finish(); }

 private:
  void write_issue(const lint::FileReport& report, const lint::LintFinding& finding, const text::LineIndex& lines) {
    const auto& row = data_.get().row(finding.code);
    json_.begin_object()
        .member("description", row.name() + ": " + finding.message)
        .member("check_name", finding.code)
        .member("fingerprint", finding.fingerprint)
        .member("severity", gitlab_severity(finding.severity))
        .key("location")
        .begin_object(Layout::kLine)
        .member("path", repository_path(report.file))
        .key("lines")
        .begin_object(Layout::kLine)
        .member("begin", lines.location(finding.span.begin).line)
        .member("end", lines.location(finding.span.end).line)
        .end_object()
        .end_object();
    if (!finding.help.empty()) {
      json_.key("content").begin_object(Layout::kLine).member("body", finding.help).end_object();
    }
    json_.end_object();
  }

  JsonWriter json_;
  const Lazy<rules::RuleData>& data_;
};

}  // namespace

std::unique_ptr<LintWriter> lint_gitlab(std::ostream& out, const Lazy<rules::RuleData>& data,
                                        const LintView& /*view*/) {
  return std::make_unique<GitlabLintWriter>(out, data);
}

}  // namespace bayplan::report
