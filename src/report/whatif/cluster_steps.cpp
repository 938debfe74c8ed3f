#include "report/whatif/cluster_steps.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "placement/engine/gpu_devices.hpp"
#include "report/whatif/whatif_words.hpp"
#include "study/whatif/played_variant.hpp"

namespace bayplan::report {

using placement::Scenario;
using study::SimulatedTask;
using timeline::Seconds;

namespace {

/// Steps between the events and the end; longer ways take several moves a step.
constexpr std::size_t kMostMoves = 30;
constexpr std::size_t kNamedMoves = 3;
constexpr Seconds kEvents = 1;  ///< The step of the events.

std::string move_text(const Scenario& scenario, const SimulatedTask& task, const study::TaskTransition& move) {
  return fmt::format("{}#{} {} on {}", scenario.workloads[task.workload].name, task.number,
                     move.is_start ? "starts" : "stops", scenario.instances[move.instance].id);
}

}  // namespace

ClusterSteps make_cluster_steps(const WhatIfReport& report) {
  const auto& given = report.scenario;
  const auto& outcome = report.played->outcome;
  const auto& before = report.played->before;
  const auto& cluster = *report.played->cluster;
  const auto& scenario = cluster.scenario();
  const auto& variant = report.comparison.variants.front();
  ClusterSteps steps;
  const auto& moves = cluster.transitions();
  const auto move_steps = static_cast<Seconds>(std::min(moves.size(), kMostMoves));
  const auto step_of = [&](std::size_t move) {
    return kEvents + 1 + static_cast<Seconds>(move) * move_steps / static_cast<Seconds>(moves.size());
  };
  auto& picture = steps.picture;
  picture = make_empty_picture(scenario);
  picture.end = kEvents + move_steps + 1;
  for (std::uint32_t i = 0; i < picture.instances.size(); ++i) {
    auto& instance = picture.instances[i];
    if (i >= cluster.base_instances()) {
      instance.from = kEvents;
      continue;
    }
    // After a drain the instance has a profile of its own, which says DRAINING from the beginning.
    instance.profile = given.instances[i].profile;
    if (cluster.occupancy().is_gone(i)) instance.to = kEvents;
    if (cluster.is_draining(i)) instance.draining = kEvents;
  }

  // Of each task where it is now in the picture; the task of a picture ends where it leaves its instance.
  std::vector<std::size_t> pictured(cluster.tasks().size());
  const auto add_task = [&](std::uint32_t index, std::uint32_t instance, Seconds from) {
    const bool is_as_before = index < before.size() && from == 0;
    const auto& task = is_as_before ? before[index] : cluster.tasks()[index];
    const bool ran_before = is_as_before && task.running.has_value();
    const auto& requirement =
        ran_before ? cluster.requirement_of_running(*task.running) : scenario.workloads[task.workload].requirement;
    PicturedTask one{task.workload, task.number, instance, from, {}, placement::list_devices(requirement, task.gpus)};
    if (ran_before) {
      const auto& described = scenario.running[*task.running];
      one.kind = add_running_kind(picture, described.task_definition, requirement);
      one.gpus = described.gpus;
      take_off(picture.instances[instance].other, requirement, one.gpus);
    }
    picture.tasks.push_back(std::move(one));
    pictured[index] = picture.tasks.size();
  };
  for (std::uint32_t i = 0; i < before.size(); ++i) {
    if (!before[i].instance) continue;
    add_task(i, *before[i].instance, 0);
    if (cluster.occupancy().is_gone(*before[i].instance)) picture.tasks.back().to = kEvents;
  }
  for (const auto& placed : outcome.placements) {
    const auto& workload = scenario.workloads[placed.attempt.workload];
    if (workload.kind != placement::WorkloadKind::kDaemon) continue;
    picture.tasks.push_back({placed.attempt.workload,
                             placed.attempt.number,
                             placed.instance,
                             0,
                             {},
                             placement::list_devices(workload.requirement, placed.gpus)});
    if (cluster.occupancy().is_gone(placed.instance)) picture.tasks.back().to = kEvents;
  }
  for (const auto& daemon : cluster.started_daemons())
    picture.tasks.push_back({daemon.workload,
                             0,
                             daemon.instance,
                             kEvents,
                             {},
                             placement::list_devices(scenario.workloads[daemon.workload].requirement, daemon.gpus)});

  std::vector<std::vector<std::string>> texts(static_cast<std::size_t>(picture.end) + 1);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const auto step = step_of(i);
    const auto task = moves[i].task;
    texts[static_cast<std::size_t>(step)].push_back(move_text(scenario, cluster.tasks()[task], moves[i]));
    if (moves[i].is_start) {
      add_task(task, moves[i].instance, step);
    } else if (pictured[task] > 0) {
      picture.tasks[pictured[task] - 1].to = step;
    }
  }
  std::erase_if(picture.tasks, [](const PicturedTask& task) { return task.to && *task.to <= task.from; });

  steps.words.emplace_back("Before");
  steps.words.push_back(variant.asked.is_single_failure() ? "Losing " + variant.asked.lost : variant_title(variant));
  for (auto step = kEvents + 1; step < picture.end; ++step) {
    auto parts = std::move(texts[static_cast<std::size_t>(step)]);
    const auto more = parts.size() > kNamedMoves ? parts.size() - kNamedMoves : 0;
    parts.resize(parts.size() - more);
    steps.words.push_back(join(parts, ", ") + (more > 0 ? fmt::format(" and {} more", more) : ""));
  }
  const auto unplaced = variant.result.unplaced();
  steps.words.push_back(unplaced == 0 ? "After: every task is placed"
                                      : fmt::format("After: {} not placed", count_of(unplaced, "task")));
  return steps;
}

}  // namespace bayplan::report
