#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "replay/records/history.hpp"
#include "replay/replay.hpp"

namespace bayplan::replay {

/// What happens at one time. At equal times the order of the kinds decides.
struct TimelineItem {
  enum class Kind : std::uint8_t {
    kTerms,    ///< Index into History::services.
    kStopped,  ///< Index into History::tasks, as the next three.
    kStopping,
    kProbe,  ///< A task begins to wait for its instance: judged here and at kDecision.
    kDecision,
    kCallFailure,  ///< Index into History::calls.
    kFailure,      ///< Index into History::failures.
    kObservation,  ///< Index into History::observations.
    kSnapshot,     ///< Index into the snapshots.
    kPresumedEnd,  ///< Index into History::tasks: no task of its definition runs longer.
    kUnseenBegin,  ///< Index into History::tasks: it may run from now on; no record has its placement.
    kUnseenEnd,
  };
  Milliseconds at = 0;
  std::uint32_t index = 0;
  Kind kind = Kind::kDecision;

  /// Of a task, and ECS does not say in which order those of one time happened.
  bool is_of_task() const { return kind >= Kind::kStopped && kind <= Kind::kDecision; }
};

struct Timeline {
  std::vector<TimelineItem> items;               ///< By time.
  std::vector<bool> is_open;                     ///< One entry per task: its end should have a record, and has none.
  std::int64_t open_tasks = 0;                   ///< Of these, how many.
  std::int64_t placements = 0;                   ///< Tasks that ECS placed on container instances.
  Milliseconds first = kNoTime, last = kNoTime;  ///< Of the placements.
  /// Placements that are not in `items`.
  std::vector<std::pair<std::uint32_t, NotJudged>> not_judged;
};

/// When the instance of a task was chosen; kNoTime if no record says it.
Milliseconds decision_time(const RecordedTask& task);

/// What the records of one cluster say, in the order in which it happened. `snapshots`: their times, sorted; nothing
/// before the first one is in the timeline.
Timeline make_timeline(const History& history, std::span<const Milliseconds> snapshots);

}  // namespace bayplan::replay
