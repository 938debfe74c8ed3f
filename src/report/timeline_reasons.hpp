#pragma once
#include <string>

#include "report/timeline_report.hpp"

/// Why tasks have no place, or lost theirs.
namespace bayplan::report {

/// What keeps the group of the task's capacity provider from growing for it: "gpu stands at its maxSize of 2". Empty
/// when the group could grow, or is not managed.
std::string group_reason(const TimelineReport& report, const timeline::Task& task, timeline::Seconds at);

/// Why the task has or had no place, what its group has to do with it first.
std::string reason_words(const TimelineReport& report, const TaskWithoutPlace& one);

/// "p3.2xlarge#2 was scaled in at 41m": what cut a task off.
std::string cut_off_words(const TimelineReport& report, const timeline::CutOff& cut_off);

/// "web keeps 2 of 2 healthy (minimumHealthyPercent 100) and may start none beside them (maximumPercent 100)"
std::string held_drain_words(const TimelineReport& report, const timeline::HeldDrain& drain);

}  // namespace bayplan::report
