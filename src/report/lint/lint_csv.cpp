#include "report/lint/lint_writer.hpp"

#include "report/document/csv.hpp"
#include "text/location.hpp"

namespace bayplan::report {
namespace {

class CsvLintWriter : public LintWriter {
 public:
  CsvLintWriter(std::ostream& out, const Lazy<rules::RuleData>& data) : csv_(out), data_(data) {
    csv_.header({"file", "line", "column", "endLine", "endColumn", "severity", "code", "rule", "group", "evidence",
                 "message", "help", "pointer", "container", "fixable", "suppressed", "fingerprint", "url"});
  }

  void file(const lint::FileReport& report) override {
    if (report.findings.empty()) return;
    const text::LineIndex lines(report.document->source());
    for (const auto& finding : report.findings) row(report.file, finding, lines);
  }

  void finish(const lint::Summary& /*summary*/) override {}

 private:
  void row(const std::string& file, const lint::LintFinding& finding, const text::LineIndex& lines) {
    const auto& rule = data_.get().row(finding.code);
    const auto begin = lines.location(finding.span.begin);
    const auto end = lines.location(finding.span.end);
    csv_.text(file);
    for (const auto position : {begin.line, begin.column, end.line, end.column})
      csv_.number(static_cast<std::int64_t>(position));
    csv_.text(name_of(finding.severity)).text(finding.code).text(rule.id).text(rule.group).text(finding.evidence);
    csv_.text(finding.message).text(finding.help).text(finding.pointer).text(container_name(finding));
    csv_.flag(finding.fix && finding.fix->safe).flag(finding.suppression.has_value());
    csv_.text(finding.fingerprint).text(rule.url()).end_row();
  }

  static std::string_view container_name(const lint::LintFinding& finding) {
    return finding.container ? std::string_view(*finding.container) : std::string_view();
  }

  CsvWriter csv_;
  const Lazy<rules::RuleData>& data_;
};

}  // namespace

std::unique_ptr<LintWriter> lint_csv(std::ostream& out, const Lazy<rules::RuleData>& data, const LintView& /*view*/) {
  return std::make_unique<CsvLintWriter>(out, data);
}

}  // namespace bayplan::report
