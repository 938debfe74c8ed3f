#include "report/lint/lint_writer.hpp"

#include <tuple>
#include <vector>

#include <fmt/core.h>

#include "base/strings.hpp"

namespace bayplan::report {

std::string severity_count(std::int64_t count, Severity severity) {
  const bool has_plural = severity == Severity::kError || severity == Severity::kWarning;
  return has_plural ? count_of(count, name_of(severity)) : fmt::format("{} {}", count, name_of(severity));
}

std::string summary_line(const lint::Summary& summary) {
  if (summary.files == 0) {
    const auto excluded = static_cast<std::int64_t>(summary.search.count(lint::PassReason::kExcluded));
    return excluded > 0
               ? fmt::format("no task definition checked; {} excluded by the config", count_of(excluded, "file"))
               : "no task definition found";
  }
  std::vector<std::string> counts;
  for (const auto severity : {Severity::kError, Severity::kWarning, Severity::kInfo, Severity::kStyle}) {
    const auto count = static_cast<std::int64_t>(summary.count(severity));
    if (count > 0) counts.push_back(severity_count(count, severity));
  }
  std::string line = counts.empty() ? "no findings" : join(counts, ", ");
  if (summary.fixed > 0) {
    const std::string left = counts.empty() ? ", none left" : "; " + line + " left";
    line = std::to_string(summary.fixed) + " fixed" + left;
  }
  const bool is_everywhere = counts.empty() || summary.files_with_findings == summary.files;
  line += " in " + (is_everywhere ? "" : std::to_string(summary.files_with_findings) + " of ") +
          count_of(static_cast<std::int64_t>(summary.files), "file");
  if (summary.suppressed > 0) line += "; " + std::to_string(summary.suppressed) + " suppressed";
  if (summary.skipped_rules > 0) {
    line += "; " + count_of(static_cast<std::int64_t>(summary.skipped_rules), "rule") + " skipped (unknown values)";
  }
  if (summary.fixable > 0 && !summary.was_fixed) line += "; " + std::to_string(summary.fixable) + " fixable with --fix";
  return line;
}

bool is_search_told(const lint::SearchSummary& search) {
  return search.has_folders && !search.passed_over.empty();
}

std::string search_line(const lint::SearchSummary& search, bool is_verbose) {
  using lint::PassReason;
  std::vector<std::string> counts;
  for (const auto& [reason, one, many] :
       {std::tuple(PassReason::kUnrecognized, "unrecognized", "unrecognized"),
        std::tuple(PassReason::kGitignored, "gitignored", "gitignored"),
        std::tuple(PassReason::kExcluded, "excluded", "excluded"),
        std::tuple(PassReason::kToolFolder, "tool folder", "tool folders"),
        std::tuple(PassReason::kLinkOutside, "link to outside", "links to outside")}) {
    const auto count = static_cast<std::int64_t>(search.count(reason));
    if (count > 0) counts.push_back(count_of(count, one, many));
  }
  return count_of(static_cast<std::int64_t>(search.looked_at), "file") + " checked, " +
         std::to_string(search.recognized) + " recognized; skipped: " + join(counts, ", ") +
         (is_verbose ? "" : " (-v lists them)");
}

}  // namespace bayplan::report
