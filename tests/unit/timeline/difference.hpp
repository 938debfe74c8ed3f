#pragma once
#include <string>

#include "placement/model/scenario.hpp"
#include "timeline/history.hpp"

namespace bayplan::timeline {

/// The first thing in which two runs of the scenario differ, in words, with the lines of both logs before it; or
/// nothing. Causes and explanations of failures may differ. Of a run that ends with an error, the log up to it counts.
std::string difference(const placement::Scenario& scenario, const History& fast, const History& plain);

/// One event: "120 TASK_PLACED w0#2 on x.small#1".
std::string in_words(const placement::Scenario& scenario, const History& history, const Event& event);

}  // namespace bayplan::timeline
