#pragma once
#include "report/explain.hpp"

namespace bayplan::cli {

/// A rule with what `bayplan lint` prints for its examples today. The examples go through the whole command, in memory.
/// `colored`: with the escape codes that a terminal would get.
report::ExplainedRule show_rule(const rules::RuleRow& row, bool colored);

}  // namespace bayplan::cli
