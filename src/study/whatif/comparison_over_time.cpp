#include "study/whatif/comparison_over_time.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/core.h>

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else
using timeline::Level;

namespace {

/// Events, tasks and instances of the runs of single failures together: what they hold at a time.
constexpr std::size_t kMaxEffort = 2'000'000;

/// What a run holds: its history, and the scenario of its own.
std::size_t size_of(const RunOverTime& run) {
  const auto& history = run.history;
  return history.events.size() + history.tasks.size() + history.instances.size() + run.scenario->instances.size() +
         run.scenario->running.size() + run.scenario->workloads.size();
}

/// The variant and one loss more.
AskedVariant losing(const LoadedVariant& base, EachOf each, VariationKey key, const std::string& what) {
  AskedVariant asked{base.variant, base.written, base.assumptions, each, what, base.variant.name};
  const auto words = fmt::format("{} {}", name_of(key), what);
  asked.variant.name = is_empty(base.variant) ? words : fmt::format("{}, {}", base.variant.name, words);
  auto& events = asked.variant.timed_events;
  events.insert(events.begin(), {0, *timed_event(key, what), {}});
  return asked;
}

bool loses(const Variant& variant, VariationKey key, const std::string& what) {
  const auto loss = *timed_event(key, what);
  return std::any_of(variant.timed_events.begin(), variant.timed_events.end(), [&](const TimedEvent& one) {
    return one.event.index() == loss.index() && named_subject(one.event) == what;
  });
}

/// A variant for each zone, those of groups too, and for each instance that is there at the time. `baseline`: the run
/// without any.
std::vector<AskedVariant> single_failures(const Scenario& scenario, const timeline::History& baseline,
                                          const LoadedVariant& base, Seconds at) {
  std::vector<AskedVariant> failures;
  const auto add = [&](EachOf each, VariationKey key, const std::string& what) {
    if (!loses(base.variant, key, what)) failures.push_back(losing(base, each, key, what));
  };
  std::set<std::string> zones;
  for (const auto& profile : scenario.profiles) zones.insert(profile.availability_zone);
  zones.erase("");
  if (base.each_az) {
    for (const auto& zone : zones) add(EachOf::kZone, VariationKey::kLoseAz, zone);
  }
  if (!base.each_instance) return failures;
  for (const auto& instance : baseline.instances) {
    const bool is_there = instance.launched_at <= at && instance.terminated_at.value_or(at + 1) > at;
    if (is_there) add(EachOf::kInstance, VariationKey::kTerminate, instance.id);
  }
  return failures;
}

TimedFigures compute_figures(const RunOverTime& run) {
  const auto all = timeline::figures(*run.scenario, run.history);
  TimedFigures figures;
  figures.tasks = all.all;
  figures.interrupted_tasks = static_cast<std::int64_t>(all.interrupted_tasks.size());
  figures.unfinished = static_cast<std::int64_t>(all.unfinished.size());
  figures.held_drains = static_cast<std::int64_t>(all.held_drains.size());
  figures.cost = all.cost.total;
  figures.unpriced = all.cost.unpriced;
  constexpr double kMillionths = 1e6;
  figures.gpu_paid = (all.levels.of(Level::kGpuRegistered) + all.levels.of(Level::kGpuBooting)) / kMillionths;
  figures.gpu_used = (all.levels.of(Level::kGpuReserved) - all.levels.gpu_pinned()) / kMillionths;
  figures.end = run.history.end;
  return figures;
}

struct AskedRun {
  AskedVariant asked;
  std::shared_ptr<ComparedRun> compared;

  const RunOverTime& run() const { return compared->run; }
};

bool is_sound(const Comparison& comparison) {
  return comparison.errors.empty() && comparison.mistakes.empty();
}

/// Simulates the variant; null for the baseline. What is wrong with the run is noted: the mistakes of the baseline
/// leave nothing to compare.
std::shared_ptr<ComparedRun> simulate(const Scenario& scenario, const Variant* variant, Seconds at,
                                      Comparison& comparison) {
  auto compared = std::make_shared<ComparedRun>();
  const bool has_instant = variant != nullptr && (!variant->timed_events.empty() || !variant->deployments.empty());
  if (has_instant) compared->at = at;
  auto& run = compared->run;
  run = run_over_time(scenario, variant == nullptr ? Variant() : *variant, at);
  comparison.errors.insert(comparison.errors.end(), run.history.errors.begin(), run.history.errors.end());
  for (const auto& mistake : run.mistakes) {
    if (variant == nullptr) {
      comparison.mistakes.push_back(mistake);
    } else {
      comparison.withdrawn.push_back(fmt::format("{}: {}", variant->name, mistake));
    }
  }
  if (is_sound(comparison) && run.mistakes.empty()) compared->figures = compute_figures(run);
  return compared;
}

/// What services run has no end: all runs become as long as the longest, so that costs can be held against each other.
/// Single failures that the effort does not allow are left out.
void lengthen(const Scenario& scenario, Seconds at, std::shared_ptr<ComparedRun>& baseline, std::vector<AskedRun>& runs,
              Comparison& comparison) {
  Scenario longer = scenario;
  Seconds end = baseline->figures.end;
  for (const auto& one : runs) end = std::max(end, one.compared->figures.end);
  longer.timetable.until = end;
  if (baseline->figures.end < end) baseline = simulate(longer, nullptr, at, comparison);
  std::size_t effort = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    auto& one = runs[i];
    if (one.asked.is_single_failure() && effort > kMaxEffort) {
      comparison.left_out += static_cast<std::int64_t>(runs.size() - i);
      runs.resize(i);
      return;
    }
    if (!one.run().mistakes.empty()) continue;
    if (one.compared->figures.end < end) one.compared = simulate(longer, &one.asked.variant, at, comparison);
    if (one.asked.is_single_failure()) effort += size_of(one.run());
  }
}

/// Ranks runs so that the worst come first.
std::tuple<std::int64_t, std::int64_t, Seconds> badness(const AskedRun& one) {
  const auto& figures = one.compared->figures;
  return {figures.left(), figures.unfinished + figures.held_drains,
          figures.tasks.to_place ? figures.tasks.to_place->worst : 0};
}

}  // namespace

Comparison compare_over_time(const Scenario& scenario, const ComparisonRequest& request) {
  Comparison comparison;
  const Seconds at = request.at;
  auto baseline = simulate(scenario, nullptr, at, comparison);
  std::vector<AskedRun> runs;
  const auto tell_progress = [&](std::size_t all) {
    const auto done = runs.size() + 1;
    if (request.on_progress)
      request.on_progress(static_cast<std::int64_t>(done), static_cast<std::int64_t>(std::max(all, done)));
  };
  const auto add = [&](const AskedVariant& asked, std::size_t all) {
    runs.push_back({asked, simulate(scenario, &asked.variant, at, comparison)});
    tell_progress(all);
  };

  tell_progress(request.variants.size() + 1);
  std::vector<AskedVariant> failures;
  for (const auto& one : request.variants) {
    if (!is_empty(one.variant))
      add({one.variant, one.written, one.assumptions, EachOf::kNoFailure, {}, {}}, request.variants.size() + 1);
    auto single = single_failures(scenario, baseline->run.history, one, at);
    std::move(single.begin(), single.end(), std::back_inserter(failures));
  }
  const auto all = runs.size() + 1 + failures.size();
  std::size_t effort = 0;
  for (std::size_t i = 0; i < failures.size() && is_sound(comparison); ++i) {
    if (effort > kMaxEffort) {
      comparison.left_out = static_cast<std::int64_t>(failures.size() - i);
      break;
    }
    add(failures[i], all);
    effort += size_of(runs.back().run());
  }
  if (is_sound(comparison) && !scenario.timetable.services.empty()) lengthen(scenario, at, baseline, runs, comparison);

  std::erase_if(runs, [](const AskedRun& one) { return !one.run().mistakes.empty(); });
  const auto first =
      std::find_if(runs.begin(), runs.end(), [](const AskedRun& one) { return one.asked.is_single_failure(); });
  std::stable_sort(first, runs.end(), [](const AskedRun& a, const AskedRun& b) { return badness(a) > badness(b); });
  for (auto& one : runs) {
    ComparedVariant variant{std::move(one.asked), {}, {}, {}, {}, {}};
    variant.over_time = std::move(one.compared);
    comparison.variants.push_back(std::move(variant));
  }
  comparison.baseline_over_time = std::move(baseline);
  return comparison;
}

}  // namespace bayplan::study
