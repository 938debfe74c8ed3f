#include "report/lint_text.hpp"

#include "base/utf8.hpp"
#include "text/location.hpp"

namespace bayplan::report {
namespace {

std::string headline(const lint::FileReport& report, const lint::LintFinding& finding, text::Location at,
                     const rules::RuleData& data, const Style& style) {
  const std::string place = printable(report.file) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
  std::string line = style.bold(place) + " " + style.of(finding.severity, name_of(finding.severity)) + " ";
  ((line += finding.code) += ' ') += data.row(finding.code).id;
  return line += ": " + printable(finding.message);
}

}  // namespace

void write_lint_oneline(std::ostream& out, const lint::FileReport& report, const rules::RuleData& data,
                        const Style& style) {
  if (report.findings.empty()) return;
  const text::LineIndex lines(report.document->source());
  for (const auto& finding : report.findings) {
    out << headline(report, finding, lines.location(finding.span.begin), data, style) << '\n';
  }
}

}  // namespace bayplan::report
