#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "report/timeline_report.hpp"

/// Sentences about what happens in a run over time.
namespace bayplan::report {

/// "train#1 waits", "p3.2xlarge#1 is there": what led to something else.
std::string short_words(const TimelineReport& report, const timeline::Event& event);

/// One sentence for events with the same key, without time: "train#1-2 start on p3.2xlarge#1 (2)".
std::string event_words(const TimelineReport& report, const std::vector<const timeline::Event*>& alike);

/// A deployment's rolloutState as ECS has it; "SUPERSEDED" where another took its place.
std::string_view rollout_state(timeline::Deployment::State state);

}  // namespace bayplan::report
