#pragma once
#include "report/explain/explain_report.hpp"

namespace bayplan::cli {

/// A rule with what `bayplan lint` prints for its examples today. The examples go through the whole command, in memory.
/// `colored`: with the escape codes that a terminal would get. `brief`: a good example is linted only where its command
/// says something, that is, has flags; half the time of all rules goes into the other ones.
report::ExplainedRule show_rule(const rules::RuleRow& row, bool colored, bool brief = false);

}  // namespace bayplan::cli
