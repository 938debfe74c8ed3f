#pragma once
#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "placement/model/scenario.hpp"
#include "report/timeline/timeline_report.hpp"
#include "timeline/history.hpp"

/// Sentences about what happens in a run over time.
namespace bayplan::report {

/// "train#1 waits", "p3.2xlarge#1 is there": what led to something else.
std::string short_words(const TimelineReport& report, const timeline::Event& event);

/// One sentence for events with the same key, without time: "train#1-2 start on p3.2xlarge#1 (2)".
std::string event_words(const TimelineReport& report, std::span<const timeline::Event* const> alike);
/// The same for one event.
std::string event_words(const TimelineReport& report, const timeline::Event& event);

/// A deployment's rolloutState as ECS has it; "SUPERSEDED" where another took its place.
std::string_view rollout_state(timeline::Deployment::State state);

/// Why a FAILED deployment failed: "3 failed tasks", "in SCALE_UP: not all new tasks were healthy within 24h".
std::string failure_words(const timeline::Deployment& deployment);

/// The answer in one sentence: "YES 5 of 5 tasks ran; the last ended at 1h42m", "NO  1 of 5 tasks failed; ...".
std::string timeline_headline(const TimelineReport& report);

/// What keeps the group of the task's capacity provider from growing for it: "gpu has reached its maxSize of 2". Empty
/// when the group could grow, or is not managed.
std::string group_reason(const TimelineReport& report, const timeline::Task& task, timeline::Seconds at);

/// "Spot: 2 interruptions (m5.large@us-east-1a 2)"; empty without an interruption.
std::string spot_words(const TimelineReport& report);

/// "Below desiredCount: web 5m: 3m after 10m (us-east-1a), 2m after 20m"; empty where no service ever is.
std::string below_desired_words(const TimelineReport& report);

/// Why the task has or had no place, what its group has to do with it first.
std::string reason_words(const TimelineReport& report, const TaskWithoutPlace& one);

/// "p3.2xlarge#2 was scaled in at 41m": what cut a task off.
std::string cut_off_words(const TimelineReport& report, const timeline::InterruptedTask& interrupted_tasks);

/// "web keeps 2 of 2 healthy (minimumHealthyPercent 100) and may start none in addition (maximumPercent 100)"
std::string held_drain_words(const TimelineReport& report, const timeline::BlockedDrain& drain);

/// "train#1-3 web#2", by name; tasks that ran before the start by their ids, of very many the first.
std::string task_names(const placement::Scenario& scenario, const timeline::History& history,
                       const std::vector<std::uint32_t>& tasks);

/// "p3.2xlarge#1-2,5 c5.large#1"; of instances without a number three; of very many the first.
std::string instance_names(const timeline::History& history, const std::vector<std::uint32_t>& instances);
/// The same of one instance.
std::string instance_name(const timeline::Instance& instance);

/// "web (web:2)"
std::string deployment_name(const placement::Scenario& scenario, const timeline::Deployment& deployment);

/// The events of one sentence are those with the same key.
struct EventKey {
  timeline::Seconds at = 0;
  timeline::EventKind kind = timeline::EventKind::kTaskArrived;
  timeline::StopCause stop = timeline::StopCause::kNone;
  OptionalIndex name = 0;    ///< Workload; of other subjects their number, of instances the cause.
  OptionalIndex detail = 0;  ///< What else distinguishes tasks of one workload.
  auto operator<=>(const EventKey&) const =
      default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 reads the 0 that it makes
};
EventKey key_of(const TimelineReport& report, const timeline::Event& event);

/// Another event of the same instant says all of it.
bool goes_without_saying(const TimelineReport& report, const timeline::Event& event);

}  // namespace bayplan::report
