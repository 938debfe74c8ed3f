#include "timeline/waits.hpp"

#include <algorithm>
#include <map>

#include "timeline/tasks.hpp"

namespace bayplan::timeline {
namespace {

struct Measured {
  Seconds seconds = 0;
  std::uint32_t task = 0;
};

/// The smallest value that is not exceeded by so many percent of all.
Seconds nearest_rank(const std::vector<Measured>& sorted, std::size_t percent) {
  const std::size_t rank = (sorted.size() * percent + 99) / 100;
  return sorted[std::max<std::size_t>(rank, 1) - 1].seconds;
}

std::optional<Delay> delay_of(std::vector<Measured> all) {
  if (all.empty()) return std::nullopt;
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
  const Seconds worst = all.back().seconds;
  const auto first_worst =
      std::partition_point(all.begin(), all.end(), [&](const auto& one) { return one.seconds < worst; });
  return Delay{nearest_rank(all, 50), nearest_rank(all, 95), worst, first_worst->task};
}

/// Of one name, or of all.
struct Sample {
  Waits waits;
  std::vector<Measured> to_place;
  std::vector<Measured> to_running;

  void add(const Task& task, std::uint32_t index, bool is_waiting) {
    ++waits.arrived;
    if (task.placed_at) {
      ++waits.placed;
      to_place.push_back({*task.placed_at - task.arrived_at, index});
    } else if (task.failed) {
      ++waits.failed;
    } else {
      ++(is_waiting ? waits.waiting : waits.given_up);
    }
    if (task.started_at) {
      ++waits.ran;
      to_running.push_back({*task.started_at - task.arrived_at, index});
    }
    if (task.stopped_at && task.stop == StopCause::kEnded) ++waits.ended;
  }

  Waits finish() && {
    waits.to_place = delay_of(std::move(to_place));
    waits.to_running = delay_of(std::move(to_running));
    return std::move(waits);
  }
};

}  // namespace

void measure_waits(const placement::Scenario& scenario, const History& history, Figures& figures) {
  std::vector<Sample> names;
  std::map<std::string_view, std::size_t> positions;
  std::vector<std::size_t> name_of(scenario.workloads.size());
  for (std::size_t i = 0; i < scenario.workloads.size(); ++i) {
    const auto [entry, is_new] = positions.try_emplace(scenario.workloads[i].name, names.size());
    name_of[i] = entry->second;
    if (!is_new) continue;
    names.emplace_back();
    names.back().waits.name = scenario.workloads[i].name;
  }
  Sample all;
  std::vector<bool> is_waiting(history.tasks.size());
  for (const auto& one : figures.waiting) is_waiting[one.task] = true;
  for (std::uint32_t i = 0; i < history.tasks.size(); ++i) {
    const Task& task = history.tasks[i];
    if (task.running != kNoIndex || is_daemon(scenario, task)) continue;
    names[name_of[task.workload]].add(task, i, is_waiting[i]);
    all.add(task, i, is_waiting[i]);
  }
  figures.all = std::move(all).finish();
  for (auto& name : names) {
    if (name.waits.arrived > 0) figures.names.push_back(std::move(name).finish());
  }
}

void measure_cut_off(const placement::Scenario& scenario, const History& history, Figures& figures) {
  const Requirements requirements(scenario, history);
  for (const auto& event : history.events) {
    if (event.kind != EventKind::kTaskStopped || event.stop != StopCause::kInstanceGone) continue;
    const Task& task = history.tasks[event.subject];
    const bool is_own = task.running == kNoIndex && task.placed_at;
    if (!is_own || scenario.workloads[task.workload].kind != placement::WorkloadKind::kTasks) continue;
    const Seconds ran = event.at - task.started_at.value_or(event.at);
    figures.cut_off.push_back({event.subject, ran, event.cause});
    const auto& profile = scenario.profiles[history.instances[task.instance].profile];
    figures.gpu_cut_off +=
        static_cast<double>(gpu_millionths(requirements.of(task), profile)) * static_cast<double>(ran);
  }
}

}  // namespace bayplan::timeline
