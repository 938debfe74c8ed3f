#include "lint/summary.hpp"

#include <numeric>

namespace bayplan::lint {

std::size_t Summary::at_or_above(Severity severity) const {
  return std::accumulate(findings.begin() + static_cast<std::ptrdiff_t>(severity), findings.end(), std::size_t{0});
}

Summary summarize(const Run& run) {
  Summary summary{.files = run.files.size()};
  for (const auto& file : run.files) {
    for (const auto& finding : file.findings) ++summary.findings[static_cast<std::size_t>(finding.severity)];
    summary.skipped_rules += file.skipped.size();
  }
  return summary;
}

}  // namespace bayplan::lint
