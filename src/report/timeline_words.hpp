#pragma once
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "report/timeline_report.hpp"

/// Sentences about what happens in a run over time.
namespace bayplan::report {

/// "train#1-3 web#2", by name; tasks that ran before the start by their ids, of very many the first.
std::string task_names(const placement::Scenario& scenario, const timeline::History& history,
                       const std::vector<std::uint32_t>& tasks);

/// "p3.2xlarge#1-2,5 c5.large#1"; of instances without a number three; of very many the first.
std::string instance_names(const timeline::History& history, const std::vector<std::uint32_t>& instances);

/// "web (web:2)"
std::string deployment_name(const placement::Scenario& scenario, const timeline::Deployment& deployment);

/// "train#1 waits", "p3.2xlarge#1 is there": what led to something else.
std::string short_words(const TimelineReport& report, const timeline::Event& event);

/// One sentence for events of one instant, one kind and one name, without time: "train#1-2 start on p3.2xlarge#1 (2)".
std::string event_words(const TimelineReport& report, const std::vector<const timeline::Event*>& alike);

/// The events of one sentence are those with the same key.
struct EventKey {
  timeline::Seconds at = 0;
  timeline::EventKind kind = timeline::EventKind::kTaskArrived;
  timeline::StopCause stop = timeline::StopCause::kNone;
  std::uint32_t name = 0;    ///< Workload; of other subjects their number, of instances the cause.
  std::uint32_t detail = 0;  ///< What else tells tasks of one workload apart.
  bool operator==(const EventKey&) const = default;
  bool operator<(const EventKey& other) const {
    return std::tie(at, kind, stop, name, detail) <
           std::tie(other.at, other.kind, other.stop, other.name, other.detail);
  }
};
EventKey key_of(const TimelineReport& report, const timeline::Event& event);

/// Another event of the same instant says all of it.
bool goes_without_saying(const TimelineReport& report, const timeline::Event& event);

bool is_about_task(timeline::EventKind kind);
bool is_about_instance(timeline::EventKind kind);
bool is_about_deployment(timeline::EventKind kind);

}  // namespace bayplan::report
