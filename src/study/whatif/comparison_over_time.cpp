#include "study/whatif/comparison_over_time.hpp"

#include <algorithm>
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

/// The event of a flag that names zones or instances; nothing for the other flags.
std::optional<ClusterEvent> timed_event(VariationKey key, const std::string& subject) {
  switch (key) {
    case VariationKey::kLoseAz:
      return LoseAvailabilityZone{subject};
    case VariationKey::kTerminate:
      return TerminateInstances{{}, subject};
    case VariationKey::kDrain:
      return DrainInstances{{}, subject};
    default:
      return std::nullopt;
  }
}

VariantOverTime over_time(const LoadedVariant& loaded, Seconds at) {
  VariantOverTime variant{loaded.variant, {}, at};
  for (const auto& one : loaded.written.variations) {
    if (auto event = timed_event(one.key, one.text)) variant.events.push_back({0, std::move(*event), one.origin});
  }
  return variant;
}

bool is_empty(const VariantOverTime& variant) {
  const auto& own = variant.variant;
  return own.changes.empty() && own.events.empty() && own.deployments.empty() && variant.events.empty();
}

/// The variant and one loss more.
VariantOverTime losing(const VariantOverTime& base, VariationKey key, const std::string& what) {
  VariantOverTime variant = base;
  const auto words = fmt::format("{} {}", name_of(key), what);
  variant.variant.name = is_empty(base) ? words : fmt::format("{}, {}", base.variant.name, words);
  variant.events.insert(variant.events.begin(), {0, *timed_event(key, what), {}});
  return variant;
}

bool loses(const VariantOverTime& variant, VariationKey key, const std::string& what) {
  const auto loss = *timed_event(key, what);
  return std::any_of(variant.events.begin(), variant.events.end(), [&](const TimedEvent& one) {
    return one.event.index() == loss.index() && named_subject(one.event) == what;
  });
}

struct SingleFailure {
  VariantOverTime variant;
  EachOf each = EachOf::kZone;
  std::string lost;
};

/// A variant for each zone, those of groups too, and for each instance that is there at the time. `baseline`: the run
/// without any.
std::vector<SingleFailure> single_failures(const Scenario& scenario, const timeline::History& baseline,
                                           const LoadedVariant& loaded, const VariantOverTime& base) {
  std::vector<SingleFailure> variants;
  const auto add = [&](VariationKey key, const std::string& what) {
    const auto each = key == VariationKey::kTerminate ? EachOf::kInstance : EachOf::kZone;
    if (!loses(base, key, what)) variants.push_back({losing(base, key, what), each, what});
  };
  std::set<std::string> zones;
  for (const auto& profile : scenario.profiles) zones.insert(profile.availability_zone);
  zones.erase("");
  if (loaded.each_az) {
    for (const auto& zone : zones) add(VariationKey::kLoseAz, zone);
  }
  if (!loaded.each_instance) return variants;
  for (const auto& instance : baseline.instances) {
    const bool is_there = instance.launched_at <= base.at && instance.terminated_at.value_or(base.at + 1) > base.at;
    if (is_there) add(VariationKey::kTerminate, instance.id);
  }
  return variants;
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

class Comparing {
 public:
  Comparing(const Scenario& scenario, const std::vector<LoadedVariant>& loaded, Seconds at,
            const std::function<void(std::int64_t, std::int64_t)>& on_progress)
      : scenario_(scenario), loaded_(loaded), at_(at), on_progress_(on_progress) {}

  ComparisonOverTime run() {
    SingleFailure nothing;
    nothing.variant.variant.name = "baseline";
    nothing.each = EachOf::kNoFailure;
    add(nothing);
    std::vector<SingleFailure> failures;
    for (const auto& one : loaded_) {
      const auto variant = over_time(one, at_);
      if (!is_empty(variant)) add({variant, EachOf::kNoFailure, {}});
      auto single = single_failures(scenario_, runs_.front().run.history, one, variant);
      std::move(single.begin(), single.end(), std::back_inserter(failures));
    }
    const auto asked = runs_.size();
    expected_ = runs_.size() + failures.size();
    add_single(failures);
    if (is_sound() && !scenario_.timetable.services.empty()) go_on();
    comparison_.baseline = std::move(runs_.front());
    std::size_t first = 0;
    for (std::size_t i = 1; i < runs_.size(); ++i) {
      if (!runs_[i].run.mistakes.empty()) continue;
      comparison_.variants.push_back(std::move(runs_[i]));
      if (i < asked) ++first;
    }
    std::stable_sort(comparison_.variants.begin() + static_cast<std::ptrdiff_t>(first), comparison_.variants.end(),
                     [](const ComparedRun& a, const ComparedRun& b) { return badness(a) > badness(b); });
    return std::move(comparison_);
  }

 private:
  bool is_sound() const { return comparison_.errors.empty() && comparison_.mistakes.empty(); }

  /// Without figures where the run is wrong. The mistakes of the first run, the baseline, leave nothing to compare.
  void simulate(const Scenario& scenario, const VariantOverTime& variant, ComparedRun& one, bool is_baseline) {
    one.run = run_over_time(scenario, variant);
    const auto& errors = one.run.history.errors;
    comparison_.errors.insert(comparison_.errors.end(), errors.begin(), errors.end());
    for (const auto& mistake : one.run.mistakes) {
      if (is_baseline) {
        comparison_.mistakes.push_back(mistake);
      } else {
        comparison_.withdrawn.push_back(fmt::format("{}: {}", one.name, mistake));
      }
    }
    if (is_sound() && one.run.mistakes.empty()) one.figures = compute_figures(one.run);
  }

  void add(const SingleFailure& asked) {
    const auto& variant = asked.variant;
    ComparedRun one{.name = variant.variant.name, .each = asked.each, .lost = asked.lost};
    if (!variant.events.empty() || !variant.variant.deployments.empty()) one.at = at_;
    simulate(scenario_, variant, one, runs_.empty());
    runs_.push_back(std::move(one));
    variants_.push_back(variant);
    const auto all = std::max({expected_, loaded_.size() + 1, runs_.size()});
    if (on_progress_) on_progress_(static_cast<std::int64_t>(runs_.size()), static_cast<std::int64_t>(all));
  }

  void add_single(const std::vector<SingleFailure>& failures) {
    std::size_t effort = 0;
    for (std::size_t i = 0; i < failures.size() && is_sound(); ++i) {
      if (effort > kMaxEffort) {
        comparison_.left_out = static_cast<std::int64_t>(failures.size() - i);
        return;
      }
      add(failures[i]);
      effort += size_of(runs_.back().run);
    }
  }

  /// What services run has no end: all runs are as long as the longest, so that costs can be held against each other.
  void go_on() {
    Scenario longer = scenario_;
    Seconds end = 0;
    for (const auto& one : runs_) end = std::max(end, one.figures.end);
    longer.timetable.until = end;
    std::size_t effort = 0;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (runs_[i].is_single_failure() && effort > kMaxEffort) {
        comparison_.left_out += static_cast<std::int64_t>(runs_.size() - i);
        runs_.resize(i);
        return;
      }
      if (!runs_[i].run.mistakes.empty()) continue;
      if (runs_[i].figures.end < end) simulate(longer, variants_[i], runs_[i], i == 0);
      if (runs_[i].is_single_failure()) effort += size_of(runs_[i].run);
    }
  }

  static std::tuple<std::int64_t, std::int64_t, Seconds> badness(const ComparedRun& one) {
    const auto& figures = one.figures;
    return {figures.left(), figures.unfinished + figures.held_drains,
            figures.tasks.to_place ? figures.tasks.to_place->worst : 0};
  }

  const Scenario& scenario_;
  const std::vector<LoadedVariant>& loaded_;
  Seconds at_;
  const std::function<void(std::int64_t, std::int64_t)>& on_progress_;
  std::size_t expected_ = 0;  ///< Runs, once the single failures are known.
  ComparisonOverTime comparison_;
  std::vector<ComparedRun> runs_;  ///< The baseline first.
  std::vector<VariantOverTime> variants_;
};

}  // namespace

bool ComparisonOverTime::leaves_more(const ComparedRun& variant) const {
  const auto& before = baseline.figures;
  const auto& after = variant.figures;
  return after.left() > before.left() || after.unfinished > before.unfinished || after.held_drains > before.held_drains;
}

bool ComparisonOverTime::any_leaves_more() const {
  return std::any_of(variants.begin(), variants.end(), [&](const ComparedRun& one) { return leaves_more(one); });
}

bool happens_at_an_instant(const LoadedVariant& variant) {
  const auto& written = variant.written.variations;
  return variant.each_az || variant.each_instance || !variant.variant.deployments.empty() ||
         std::any_of(written.begin(), written.end(),
                     [](const auto& one) { return timed_event(one.key, one.text).has_value(); });
}

ComparisonOverTime compare_over_time(const Scenario& scenario, const std::vector<LoadedVariant>& loaded, Seconds at,
                                     const std::function<void(std::int64_t, std::int64_t)>& on_progress) {
  auto comparison = Comparing(scenario, loaded, at, on_progress).run();
  for (const auto& one : loaded)
    comparison.assumptions.insert(comparison.assumptions.end(), one.assumptions.begin(), one.assumptions.end());
  return comparison;
}

}  // namespace bayplan::study
