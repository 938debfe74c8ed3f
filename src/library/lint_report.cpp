#include "library/lint_report.hpp"

#include <algorithm>
#include <iterator>

#include "library/errors.hpp"
#include "text/location.hpp"

namespace bayplan::v0 {
namespace {

using bayplan::lint::LintFinding;
using bayplan::text::LineIndex;

std::optional<Fix> public_fix(std::optional<bayplan::Fix> fix) {
  if (!fix) return std::nullopt;
  Fix made{.safe = fix->safe};
  for (auto& edit : fix->edits) made.edits.push_back({edit.span.begin, edit.span.length(), std::move(edit.text)});
  return made;
}

std::vector<RelatedPlace> public_places(std::vector<bayplan::Related> places, const LineIndex& lines) {
  std::vector<RelatedPlace> made;
  for (auto& place : places) {
    const auto at = lines.location(place.span.begin);
    made.push_back({std::move(place.message), at.line, at.column});
  }
  return made;
}

Finding public_finding(LintFinding finding, const std::string& file, const LineIndex& lines,
                       const bayplan::rules::RuleRow& row) {
  const auto begin = lines.location(finding.span.begin);
  const auto end = lines.location(finding.span.end);
  Finding made;
  made.code = finding.code;
  made.rule = row.id;
  made.group = row.group;
  made.evidence = finding.evidence;
  made.severity = public_severity(finding.severity);
  made.message = std::move(finding.message);
  made.help = std::move(finding.help);
  made.url = row.url();
  made.file = file;
  made.line = begin.line;
  made.column = begin.column;
  made.end_line = end.line;
  made.end_column = end.column;
  made.offset = finding.span.begin;
  made.length = finding.span.length();
  made.pointer = std::move(finding.pointer);
  made.container = std::move(finding.container);
  made.fingerprint = std::move(finding.fingerprint);
  made.suppressed = finding.suppression.has_value();
  if (finding.suppression) made.suppressed_because = std::move(finding.suppression->reason);
  made.fix = public_fix(std::move(finding.fix));
  made.related = public_places(std::move(finding.related), lines);
  return made;
}

}  // namespace

// The public enumerations have the order of the inner ones.
FileKind public_kind(bayplan::rules::FileKind kind) {
  static_assert(static_cast<int>(FileKind::kDescribe) == static_cast<int>(bayplan::rules::FileKind::kDescribe));
  static_assert(static_cast<int>(FileKind::kRunTask) == static_cast<int>(bayplan::rules::FileKind::kRunTask));
  static_assert(static_cast<int>(FileKind::kUnrecognized) == static_cast<int>(bayplan::rules::FileKind::kUnrecognized));
  return static_cast<FileKind>(kind);
}

Severity public_severity(bayplan::Severity severity) {
  static_assert(static_cast<int>(Severity::kStyle) == static_cast<int>(bayplan::Severity::kStyle));
  static_assert(static_cast<int>(Severity::kError) == static_cast<int>(bayplan::Severity::kError));
  return static_cast<Severity>(severity);
}

bayplan::Severity inner_severity(Severity severity) {
  return static_cast<bayplan::Severity>(severity);
}

std::string_view to_string(Severity severity) {
  return bayplan::name_of(inner_severity(severity));
}

std::string_view to_string(FileKind kind) {
  return bayplan::rules::name_of(static_cast<bayplan::rules::FileKind>(kind));
}

std::size_t LintReport::count_from(Severity severity) const {
  return static_cast<std::size_t>(std::count_if(findings.begin(), findings.end(), [&](const Finding& finding) {
    return !finding.suppressed && finding.severity >= severity;
  }));
}

LintReport public_report(bayplan::lint::FileReport report, const bayplan::Lazy<bayplan::rules::RuleData>& data) {
  LintReport made;
  made.kind = public_kind(report.kind);
  made.checked = bayplan::lint::is_linted(report);
  made.family = std::move(report.family);
  made.file = std::move(report.file);
  if (!report.findings.empty()) {
    const LineIndex lines(report.document->source());
    made.findings.reserve(report.findings.size());
    for (auto& finding : report.findings) {
      const auto& row = data.get().row(finding.code);
      made.findings.push_back(public_finding(std::move(finding), made.file, lines, row));
    }
  }
  for (auto& skip : report.skipped)
    made.skipped.push_back({std::string(skip.code), std::move(skip.pointer), std::move(skip.because)});
  std::transform(report.notes.begin(), report.notes.end(), std::back_inserter(made.notes),
                 [](const bayplan::Error& note) { return to_string(public_error(note)); });
  return made;
}

}  // namespace bayplan::v0
