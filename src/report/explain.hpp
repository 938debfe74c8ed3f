#pragma once
#include <ostream>
#include <vector>

#include "report/style.hpp"
#include "rules/rule_data.hpp"

namespace bayplan::report {

/// A rule in words: what, why, an example that breaks it and one that does not, what to do, on what evidence.
void write_explain_text(std::ostream& out, const std::vector<const rules::RuleRow*>& rows, const Style& style);

/// The report `bayplan/explain-report/1` (schemas/explain-report.schema.json).
void write_explain_json(std::ostream& out, const std::vector<const rules::RuleRow*>& rows);

/// What stands behind a rule, as a sentence: "documented" -> "AWS documents it; ..."
std::string_view evidence_in_words(std::string_view evidence);

}  // namespace bayplan::report
