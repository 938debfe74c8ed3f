#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/json_writer.hpp"
#include "placement/model/scenario.hpp"
#include "report/timeline/timeline_report.hpp"
#include "timeline/history.hpp"

namespace bayplan::report {

/// What an event of the log is about, by name. Empty: not about such a thing. All but the task's are views of names in
/// the scenario, the history or a report.
struct EventNames {
  std::string task;
  std::string_view container_instance;
  std::string_view service_name;
  std::string_view capacity_provider_name;
  std::string_view subject;  ///< The name that the scenario's `events` uses.
  bool operator==(const EventNames&) const = default;
};
EventNames event_names(const placement::Scenario& scenario, const timeline::History& history,
                       const timeline::Event& event);

/// "events": the whole log.
void write_timeline_events(JsonWriter& json, const TimelineReport& report);

}  // namespace bayplan::report
