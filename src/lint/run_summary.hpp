#pragma once
#include <array>
#include <cstddef>

#include "lint/files/passed_over.hpp"
#include "lint/lint.hpp"

namespace bayplan::lint {

/// Counts of a lint run; findings that were silenced count only as such.
struct Summary {
  std::size_t files = 0;                  ///< Linted.
  std::size_t files_with_findings = 0;    ///< Of these, with at least one that is not suppressed.
  std::array<std::size_t, 4> findings{};  ///< One entry per severity.
  std::size_t suppressed = 0;
  std::size_t fixable = 0;  ///< Findings with a safe fix.
  std::size_t fixed = 0;    ///< Findings that --fix took away before this count.
  bool was_fixed = false;   ///< --fix was applied: the remaining findings have no fix.
  std::size_t skipped_rules = 0;
  SearchSummary search;
  bool omits_empty = false;  ///< A run without a definition has no summary line.

  void add(const FileReport& report);  ///< Adds the report of a linted file.
  std::size_t count(Severity severity) const { return findings[static_cast<std::size_t>(severity)]; }
  std::size_t at_or_above(Severity severity) const;
};

}  // namespace bayplan::lint
