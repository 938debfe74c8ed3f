#pragma once
#include "base/lazy.hpp"
#include "bayplan/lint.hpp"
#include "lint/lint.hpp"
#include "rules/rule_data.hpp"

namespace bayplan::v0 {

FileKind public_kind(bayplan::rules::FileKind kind);
Severity public_severity(bayplan::Severity severity);
bayplan::Severity inner_severity(Severity severity);

/// With every position resolved. Findings of the report are moved from.
LintReport public_report(bayplan::lint::FileReport report, const bayplan::Lazy<bayplan::rules::RuleData>& data);

}  // namespace bayplan::v0
