#include "lint/run_summary.hpp"

#include <numeric>

namespace bayplan::lint {

void Summary::add(const FileReport& report) {
  ++files;
  skipped_rules += report.skipped.size();
  bool has_findings = false;
  for (const auto& finding : report.findings) {
    if (finding.suppression) {
      ++suppressed;
      continue;
    }
    has_findings = true;
    ++findings[static_cast<std::size_t>(finding.severity)];
    if (finding.fix && finding.fix->safe) ++fixable;
  }
  if (has_findings) ++files_with_findings;
}

std::size_t Summary::at_or_above(Severity severity) const {
  return std::accumulate(findings.begin() + static_cast<std::ptrdiff_t>(severity), findings.end(), std::size_t{0});
}

}  // namespace bayplan::lint
