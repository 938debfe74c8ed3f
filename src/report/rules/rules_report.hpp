#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "report/document/report_document.hpp"
#include "report/document/terminal.hpp"
#include "rules/rule_data.hpp"

namespace bayplan::report {

/// What the reports of `rules` are about: rows of the rule data, ordered by group and code.
struct RulesReport {
  std::vector<const rules::RuleRow*> rows;
  std::size_t all = 0;  ///< How many rules there are.
};

/// The rows in the order of the report: group by group, as `rules::kRuleGroups` has them, each by code.
RulesReport rules_report(std::vector<const rules::RuleRow*> rows, std::size_t all);

/// "33 of 317 rules, 30 on by default: 20 error, 10 warning, 3 info"
std::string rules_answer(const RulesReport& report);

/// schemas/rules-report.schema.json
void write_rules_json(std::ostream& out, const RulesReport& report);

/// A row a rule. Columns are those of the JSON report.
void write_rules_csv(std::ostream& out, const RulesReport& report);

/// The answer, then a table for each group. Terminal: under `--quiet` codes only, with `-v` names of rules too,
/// whatever the width; nothing where no rule is left, because standard error says so.
ReportDocument rules_document(const RulesReport& report);

}  // namespace bayplan::report
