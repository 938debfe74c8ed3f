#include "replay/timeline.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

namespace bayplan::replay {
namespace {

/// An agent begins to start a task, and reports that, within a minute of its placement.
constexpr Milliseconds kReportDelay = 60'000;

using Kind = TimelineItem::Kind;

/// Tasks in the order of the records that place them, those of one call in the order of its answer: a report of a task
/// may have been read before.
std::vector<std::uint32_t> order_of_placement(const History& history) {
  std::vector<std::uint32_t> position(history.tasks.size());
  for (const auto& call : history.calls) {
    for (std::uint32_t i = 0; i < call.tasks.size(); ++i) position[call.tasks[i]] = i;
  }
  const auto key = [&](std::uint32_t task) {
    const auto& own = history.tasks[task];
    const RecordPlace place = own.call == kNoIndex ? own.place : history.calls[own.call].place;
    return std::tuple(place.file, place.line, own.call, position[task]);
  };
  std::vector<std::uint32_t> order(history.tasks.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  return order;
}

/// The items of a timeline that begins at `start`.
struct ItemList {
  std::vector<TimelineItem>& items;
  Milliseconds start;

  void add(Milliseconds at, Kind kind, std::size_t index) const {
    if (at != kNoTime && (start == kNoTime || at >= start))
      items.push_back({at, static_cast<std::uint32_t>(index), kind});
  }
};

void add_tasks(const History& history, Milliseconds start, const ItemList& items, Timeline& timeline) {
  for (const std::uint32_t i : order_of_placement(history)) {
    const auto& task = history.tasks[i];
    if (task.instance == kNoName) continue;
    const auto launch_type = history.names.text(task.launch_type);
    if (launch_type == "FARGATE" || launch_type == "EXTERNAL") continue;  // not on container instances
    const Milliseconds at = decision_time(task);
    if (!task.is_in_snapshot) {
      if (start != kNoTime && (at == kNoTime || at < start)) {
        if (at != kNoTime && task.stopped != kNoTime && task.stopped < start) continue;  // came and went before it
        ++timeline.placements;
        timeline.not_judged.emplace_back(i, at == kNoTime ? NotJudged::kTimeUnknown : NotJudged::kBeforeSnapshot);
        continue;
      }
      if (at == kNoTime) continue;
      ++timeline.placements;
      if (timeline.first == kNoTime || at < timeline.first) timeline.first = at;
      timeline.last = std::max(timeline.last, at);
      items.add(at, Kind::kDecision, i);
      if (task.was_provisioning && task.created != kNoTime && task.created < at)
        items.add(task.created, Kind::kProbe, i);
    }
    const Milliseconds stopping = task.stopping == kNoTime ? task.stopped : task.stopping;
    if (stopping != kNoTime) items.add(std::max(stopping, at), Kind::kStopping, i);
    if (task.stopped != kNoTime) items.add(std::max(task.stopped, at), Kind::kStopped, i);
  }
}

/// Tasks that agents report, and whose placement has no record: it was lost, or they are tasks of a service, which ECS
/// starts without a call. Their instance is known, and what they take is not.
void find_unseen_tasks(const History& history, Milliseconds start,
                       const std::map<NameId, std::vector<Milliseconds>>& durations, Timeline& timeline) {
  std::optional<Milliseconds> longest;
  for (const auto& [definition, list] : durations)
    longest = std::max(longest.value_or(0), list[list.size() * 99 / 100]);
  const Milliseconds first = start != kNoTime ? start : timeline.first;
  for (std::size_t i = 0; i < history.tasks.size(); ++i) {
    const auto& task = history.tasks[i];
    if (task.instance != kNoName || task.reported_by == kNoName) continue;
    if (task.stopped != kNoTime && task.stopped < first) continue;
    const auto index = static_cast<std::uint32_t>(i);
    Milliseconds begin = first;
    if (task.reported != kNoTime) {
      begin = std::max(first, task.reported - kReportDelay);
    } else if (longest) {
      begin = std::max(first, task.stopped - *longest);
    }
    timeline.items.push_back({begin, index, Kind::kUnseenBegin});
    if (task.stopped != kNoTime) {
      timeline.items.push_back({std::max(begin, task.stopped), index, Kind::kUnseenEnd});
    } else if (longest) {
      timeline.items.push_back({begin + *longest, index, Kind::kUnseenEnd});
    }
  }
}

/// Tasks whose end was lost. Instance events show it; without these a task may run as long as the longest of a hundred
/// of its definition, and is uncertain all that time.
void find_open_tasks(const History& history, Milliseconds start, Timeline& timeline) {
  if (history.counts.instance_events > 0) return;
  constexpr std::size_t kFewestDurations = 20;
  std::map<NameId, std::vector<Milliseconds>> durations;
  Milliseconds last = kNoTime;
  for (const auto& task : history.tasks) {
    if (task.instance == kNoName) continue;
    last = std::max({last, task.stopped, decision_time(task)});
    if (task.stopped != kNoTime && task.created != kNoTime)
      durations[task.definition].push_back(task.stopped - task.created);
  }
  for (auto& [definition, list] : durations) std::sort(list.begin(), list.end());
  for (std::size_t i = 0; i < history.tasks.size(); ++i) {
    const auto& task = history.tasks[i];
    if (task.stopped != kNoTime || task.instance == kNoName) continue;
    const auto known = durations.find(task.definition);
    if (known == durations.end() || known->second.size() < kFewestDurations) continue;
    const Milliseconds until = decision_time(task) + known->second[known->second.size() * 99 / 100];
    if (until >= last) continue;  // it may run on
    timeline.is_open[i] = true;
    ++timeline.open_tasks;
    timeline.items.push_back({until, static_cast<std::uint32_t>(i), Kind::kPresumedEnd});
  }
  find_unseen_tasks(history, start, durations, timeline);
}

}  // namespace

Milliseconds decision_time(const RecordedTask& task) {
  return task.was_provisioning || task.created == kNoTime ? task.with_instance : task.created;
}

Timeline make_timeline(const History& history, std::span<const Milliseconds> snapshots) {
  Timeline timeline;
  timeline.is_open.resize(history.tasks.size());
  const Milliseconds start = snapshots.empty() ? kNoTime : snapshots.front();
  const ItemList items{timeline.items, start};
  add_tasks(history, start, items, timeline);
  for (std::size_t i = 0; i < history.observations.size(); ++i)
    items.add(history.observations[i].at, Kind::kObservation, i);
  for (std::size_t i = 0; i < history.services.size(); ++i) items.add(history.services[i].at, Kind::kTerms, i);
  for (std::size_t i = 0; i < history.failures.size(); ++i) items.add(history.failures[i].at, Kind::kFailure, i);
  for (std::size_t i = 0; i < history.calls.size(); ++i) {
    if (!history.calls[i].failures.empty()) items.add(history.calls[i].at, Kind::kCallFailure, i);
  }
  for (std::size_t i = 1; i < snapshots.size(); ++i) items.add(snapshots[i], Kind::kSnapshot, i);
  find_open_tasks(history, start, timeline);
  std::stable_sort(timeline.items.begin(), timeline.items.end(), [](const TimelineItem& a, const TimelineItem& b) {
    return a.at != b.at ? a.at < b.at : a.kind < b.kind;
  });
  return timeline;
}

}  // namespace bayplan::replay
