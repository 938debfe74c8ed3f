#pragma once
#include <deque>

#include "base/finding.hpp"
#include "rules/rule_data.hpp"

namespace bayplan::lint {

/// One fault, one finding: drops the general finding where a special one speaks of the same value.
void drop_superseded(std::deque<Finding>& findings, const rules::RuleData& data);

}  // namespace bayplan::lint
