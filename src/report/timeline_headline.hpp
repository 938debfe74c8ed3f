#pragma once
#include <string>

#include "report/timeline_report.hpp"

namespace bayplan::report {

/// The answer in one sentence: "YES 5 of 5 tasks ran; the last ended at 1h42m", "NO  1 of 5 tasks failed; ...".
std::string timeline_headline(const TimelineReport& report);

}  // namespace bayplan::report
