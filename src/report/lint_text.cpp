#include "report/lint_text.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "lint/summary.hpp"
#include "report/source_frame.hpp"
#include "text/location.hpp"

namespace bayplan::report {
namespace {

using lint::FileReport;
using lint::LintFinding;

bool is_shown(const LintFinding& finding, const LintTextOptions& options) {
  return !options.quiet || finding.severity >= options.fail_on;
}

std::string headline(const FileReport& report, const LintFinding& finding, text::Location at,
                     const Lazy<rules::RuleData>& data, const Style& style) {
  const std::string place = printable(report.file) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
  std::string line = style.bold(place) + " " + style.of(finding.severity, name_of(finding.severity)) + " ";
  ((line += finding.code) += ' ') += data.get().row(finding.code).id;
  return line += ": " + printable(finding.message);
}

/// Digits of the largest line number that the finding shows.
std::size_t gutter_of(const LintFinding& finding, const text::LineIndex& lines) {
  auto last = finding.span.begin;
  for (const auto& related : finding.related) last = std::max(last, related.span.begin);
  return std::max<std::size_t>(3, std::to_string(lines.location(last).line).size());
}

/// More places than these say nothing new.
constexpr std::size_t kMostRelated = 3;

void write_finding(std::ostream& out, const FileReport& report, const LintFinding& finding,
                   const text::LineIndex& lines, const Lazy<rules::RuleData>& data, const Style& style) {
  out << headline(report, finding, lines.location(finding.span.begin), data, style) << '\n';
  const std::size_t gutter = gutter_of(finding, lines);
  write_frame(out, lines, {finding.span, '^', finding.help, finding.severity}, gutter, style);
  std::size_t shown = 0;
  for (const auto& related : finding.related) {
    if (shown++ == kMostRelated) break;
    write_frame(out, lines, {related.span, '-', related.message, Severity::kInfo}, gutter, style);
  }
}

void write_skipped(std::ostream& out, const FileReport& report, const Style& style) {
  for (const auto& skip : report.skipped) {
    out << style.dim(printable(report.file) + ": " + std::string(skip.code) + " skipped at " + skip.pointer + ": " +
                     printable(skip.because) + " is not known yet")
        << '\n';
  }
}

/// "2 errors, 1 warning in 1 file; 3 rules skipped (unknown values)"
std::string summary_line(const lint::Summary& summary) {
  if (summary.files == 0) return "no task definition found";
  std::vector<std::string> counts;
  for (const auto severity : {Severity::kError, Severity::kWarning}) {
    const auto count = static_cast<std::int64_t>(summary.count(severity));
    if (count > 0) counts.push_back(count_of(count, name_of(severity)));
  }
  for (const auto severity : {Severity::kInfo, Severity::kStyle}) {
    const auto count = summary.count(severity);
    if (count > 0) counts.push_back(std::to_string(count) + " " + std::string(name_of(severity)));
  }
  std::string line = counts.empty() ? "no findings" : join(counts, ", ");
  line += " in " + count_of(static_cast<std::int64_t>(summary.files), "file");
  if (summary.skipped_rules > 0) {
    line += "; " + count_of(static_cast<std::int64_t>(summary.skipped_rules), "rule") + " skipped (unknown values)";
  }
  return line;
}

}  // namespace

void write_lint_text(std::ostream& out, const lint::Run& run, const Lazy<rules::RuleData>& data,
                     const LintTextOptions& options) {
  for (const auto& file : run.files) {
    if (file.findings.empty()) continue;
    const text::LineIndex lines(file.document->source());
    for (const auto& finding : file.findings) {
      if (is_shown(finding, options)) write_finding(out, file, finding, lines, data, options.style);
    }
  }
  if (options.quiet) return;
  if (options.verbose) {
    for (const auto& file : run.files) write_skipped(out, file, options.style);
  }
  out << options.style.bold(summary_line(lint::summarize(run))) << '\n';
}

void write_lint_oneline(std::ostream& out, const FileReport& report, const Lazy<rules::RuleData>& data,
                        const LintTextOptions& options) {
  if (report.findings.empty()) return;
  const text::LineIndex lines(report.document->source());
  for (const auto& finding : report.findings) {
    if (!is_shown(finding, options)) continue;
    out << headline(report, finding, lines.location(finding.span.begin), data, options.style) << '\n';
  }
}

}  // namespace bayplan::report
