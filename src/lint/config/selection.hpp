#pragma once
#include <string>
#include <vector>

#include "base/finding.hpp"
#include "base/result.hpp"
#include "rules/rule_data.hpp"

namespace bayplan::lint {

/// Which rules speak. A selector is a code (BAY113), an id (gpu-on-fargate), the beginning of a code (BAY4), a group
/// (security) or ALL.
struct Selection {
  std::vector<std::string> select;         ///< Replaces the default rules.
  std::vector<std::string> extend_select;  ///< Added to the default rules.
  std::vector<std::string> ignore;

  bool is_default() const { return select.empty() && extend_select.empty() && ignore.empty(); }
  /// The longest matching selector decides; at equal length `ignore` wins.
  bool enables(const rules::RuleRow& row) const;
};

/// What a code's severity is to be, whatever the rule says.
struct SeverityOverride {
  std::string selector;
  Severity severity = Severity::kWarning;
};

/// Reads "CODE=LEVEL".
Result<SeverityOverride> parse_severity_override(const std::string& text);

/// An error that names the nearest selector when one of them names no rule.
Result<bool> check_selectors(const std::vector<std::string>& selectors, const rules::RuleData& data);

/// Length of the match: 0 when the selector does not name the row.
std::size_t match_length(std::string_view selector, const rules::RuleRow& row);

}  // namespace bayplan::lint
