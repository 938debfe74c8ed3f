#include "study/whatif/comparison.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/core.h>

#include "study/simulation/events_by_kind.hpp"
#include "study/whatif/comparison_over_time.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

std::int64_t excess_of(const Effect& effect) {
  std::int64_t excess = 0;
  for (const auto& [name, more] : effect.worse) excess += more;
  return excess;
}

using Harm = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

/// Ranks effects so that the worst come first.
Harm harm_of(const Effect& effect) {
  return {excess_of(effect), effect.unplaced, effect.held, effect.moves};
}

/// A single failure: the variant's name behind that of its base says what is lost.
AskedVariant find_failure(const LoadedVariant& base, Variant variant, EachOf each) {
  AskedVariant asked{std::move(variant), base.written, base.assumptions, each, {}, base.variant.name};
  const std::string verb = each == EachOf::kZone ? "lose-az " : "terminate ";
  asked.lost = asked.variant.name.substr((asked.base.empty() ? 0 : asked.base.size() + 2) + verb.size());
  const auto key = each == EachOf::kZone ? VariationKey::kLoseAz : VariationKey::kTerminate;
  asked.written.variations.push_back({key, asked.lost, {}});
  return asked;
}

/// Each variant, unless it only asks for single failures; then a variant for each of those.
std::vector<AskedVariant> asked_variants(const Scenario& scenario, const std::vector<LoadedVariant>& variants) {
  std::vector<AskedVariant> asked;
  for (const auto& loaded : variants) {
    if (!is_empty(loaded.variant))
      asked.push_back({loaded.variant, loaded.written, loaded.assumptions, EachOf::kNoFailure, {}, {}});
    if (loaded.each_az) {
      for (auto& variant : each_zone(scenario, loaded.variant))
        asked.push_back(find_failure(loaded, std::move(variant), EachOf::kZone));
    }
    if (loaded.each_instance) {
      for (auto& variant : each_instance(scenario, loaded.variant))
        asked.push_back(find_failure(loaded, std::move(variant), EachOf::kInstance));
    }
  }
  return asked;
}

/// Deployments are runs over time, each of its own.
std::optional<Error> refuse_deployments(const std::vector<AskedVariant>& variants, bool has_runs, bool has_policy) {
  const auto deploys = [](const AskedVariant& one) { return !one.variant.deployments.empty(); };
  const auto count = static_cast<std::size_t>(std::count_if(variants.begin(), variants.end(), deploys));
  if (count > 0 && has_runs) {
    return Error{.message = "--runs and --deploy cannot be combined: a deployment is one run over time",
                 .help = "Remove one of them."};
  }
  if (count > 0 && has_policy) {
    return Error{.message = "settings.policy and --deploy cannot be combined: a deployment is a run over time",
                 .help = "Remove one of them; --strategy simulates with a placement strategy of ECS."};
  }
  if (count <= kMostDeployed) return std::nullopt;
  return Error{.message = "more than 200 variants with a deployment, each a separate run over time",
               .help = "Terminate some instances by --terminate ID instead of --each-instance."};
}

/// Figures of one variant while its runs are made.
class RunBook {
 public:
  /// `baseline`: of the same seed.
  void add(const VariantResult& baseline, const VariantResult& result, std::uint64_t seed) {
    const auto& summary = result.summary;
    unplaced_.add(result.unplaced());
    instances_used_.add(summary.instances_used);
    free_gpus_.add(summary.gpu.free);
    largest_free_block_.add(summary.gpu.largest_free_block);
    room_.resize(result.room.size());
    for (std::size_t i = 0; i < room_.size(); ++i) room_[i].add(result.room[i].more);
    figures_.placed_all += result.unplaced() == 0 ? 1 : 0;
    figures_.left_idle += summary.instances_used < summary.instances ? 1 : 0;
    const auto harm = harm_of(compute_effect(baseline, result));
    if (figures_.runs++ == 0) figures_.first_seed = seed;
    if (figures_.runs > 1 && harm <= worst_) return;
    worst_ = harm;
    figures_.worst_seed = seed;
  }

  RunFigures figures() const {
    RunFigures figures = figures_;
    figures.unplaced = unplaced_.distribution();
    figures.instances_used = instances_used_.distribution();
    figures.free_gpus = free_gpus_.distribution();
    figures.largest_free_block = largest_free_block_.distribution();
    for (const auto& room : room_) figures.room.push_back(room.distribution());
    return figures;
  }

 private:
  RunFigures figures_;
  Harm worst_;
  Histogram unplaced_, instances_used_, free_gpus_, largest_free_block_;
  std::vector<Histogram> room_;
};

/// A scenario with its ties drawn by one seed, and the study of it.
struct DrawnRun {
  DrawnRun(const Scenario& given, std::uint64_t seed) : scenario(given) {
    scenario.ties = TieOrder::kDrawn;
    scenario.seed = seed;
    what_if.emplace(scenario);
  }
  Scenario scenario;
  std::optional<WhatIf> what_if;
};

/// The result, and with it the run whose scenario it views.
VariantResult kept(VariantResult result, const std::shared_ptr<DrawnRun>& run) {
  struct Both {
    std::shared_ptr<DrawnRun> run;
    std::shared_ptr<const Scenario> scenario;
  };
  const auto both = std::make_shared<Both>(Both{run, result.scenario});
  result.scenario = std::shared_ptr<const Scenario>(both, both->scenario.get());
  return result;
}

void sort_failures(std::vector<ComparedVariant>& variants) {
  const auto first = std::stable_partition(variants.begin(), variants.end(), [](const ComparedVariant& variant) {
    return variant.asked.each == EachOf::kNoFailure;
  });
  std::stable_sort(first, variants.end(), [](const ComparedVariant& a, const ComparedVariant& b) {
    return a.finishes() != b.finishes() ? !a.finishes() : harm_of(a.effect) > harm_of(b.effect);
  });
}

/// Single failures come last; only the worst of them is reported.
bool is_reported(const std::vector<ComparedVariant>& variants, std::size_t index) {
  return index < kToldFailures || variants[index - kToldFailures].asked.each == EachOf::kNoFailure;
}

/// Events alone touch little: their effect is found without looking at every instance and task.
bool has_effect_alone(const AskedVariant& asked) {
  return asked.each != EachOf::kNoFailure && asked.variant.changes.empty();
}

/// What lets each failure of the kind happen, where several leave more without a place and all come on top of the same.
Remedies remedies_of_all(WhatIf& what_if, const Scenario& scenario, const VariantLoader& loader,
                         const Comparison& comparison, EachOf each) {
  std::vector<const ComparedVariant*> fatal;
  for (const auto& variant : comparison.variants) {
    if (variant.asked.each == each && comparison.excess(variant) > 0) fatal.push_back(&variant);
  }
  const auto has_other_base = [&](const auto* variant) { return variant->asked.base != fatal.front()->asked.base; };
  if (fatal.size() < 2 || std::any_of(fatal.begin(), fatal.end(), has_other_base)) return {};
  auto base = fatal.front()->asked.written;
  base.variations.pop_back();  // what the failure loses
  std::set<std::string> names;
  for (const auto* variant : fatal) names.insert(variant->asked.lost);
  const auto failures = [&](const Variant& variant) {
    auto all = each == EachOf::kZone ? each_zone(scenario, variant) : each_instance(scenario, variant);
    std::erase_if(all, [&](const Variant& one) { return names.count(one.name.substr(one.name.rfind(' ') + 1)) == 0; });
    return all;
  };
  const auto worst = comparison.excess(*fatal.front());
  const auto shares = each == EachOf::kZone ? static_cast<std::int64_t>(fatal.size()) : 1;
  return find_remedies_of_all(what_if, scenario, loader, base, failures, worst * shares);
}

/// Notes the mistakes from index `known` on, with the name of what they refute.
void withdraw(const std::string& name, const std::vector<std::string>& mistakes, std::size_t known,
              Comparison& comparison) {
  for (std::size_t i = known; i < mistakes.size(); ++i)
    comparison.withdrawn.push_back(fmt::format("{}: {}", name, mistakes[i]));
}

/// The variant against the baseline; nothing where the check of it finds a mistake. A single failure has no more than
/// its effect.
std::optional<ComparedVariant> compare_variant(WhatIf& what_if, const Scenario& scenario, const AskedVariant& asked,
                                               Comparison& comparison) {
  ComparedVariant variant{asked, {}, {}, {}, {}, {}};
  const auto known = what_if.mistakes().size();
  if (!asked.variant.deployments.empty())
    variant.deployed = std::make_shared<const DeployedVariant>(deploy(scenario, asked.variant));
  if (!has_effect_alone(asked)) variant.result = what_if.evaluate(asked.variant);
  variant.effect =
      has_effect_alone(asked) ? what_if.effect(asked.variant) : compute_effect(comparison.baseline, variant.result);
  withdraw(variant.name(), what_if.mistakes(), known, comparison);
  if (variant.deployed) withdraw(variant.name(), variant.deployed->mistakes, 0, comparison);
  const bool holds = what_if.mistakes().size() == known && (!variant.deployed || variant.deployed->mistakes.empty());
  return holds ? std::optional(std::move(variant)) : std::nullopt;
}

/// Completes what is reported: the results of single failures, and what would help against each variant.
void complete_reported(WhatIf& what_if, const Scenario& scenario, const ComparisonRequest& request,
                       Comparison& comparison) {
  auto& variants = comparison.variants;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    auto& variant = variants[i];
    const bool is_shown = is_reported(variants, i);
    const auto known = what_if.mistakes().size();
    if (has_effect_alone(variant.asked) && (is_shown || request.every_failure))
      variant.result = what_if.evaluate(variant.asked.variant);
    if (is_shown && comparison.excess(variant) > 0 && request.loader != nullptr)
      variant.remedies = find_remedies(what_if, scenario, *request.loader, variant.asked.written, variant.result);
    if (what_if.mistakes().size() == known) continue;
    withdraw(variant.name(), what_if.mistakes(), known, comparison);
    variants.erase(variants.begin() + static_cast<std::ptrdiff_t>(i--));
  }
}

/// What lets every zone, or every instance, be lost.
void add_remedies_of_all(WhatIf& what_if, const Scenario& scenario, const VariantLoader& loader,
                         Comparison& comparison) {
  const auto known = what_if.mistakes().size();
  comparison.of_zones = remedies_of_all(what_if, scenario, loader, comparison, EachOf::kZone);
  comparison.of_instances = remedies_of_all(what_if, scenario, loader, comparison, EachOf::kInstance);
  if (what_if.mistakes().size() == known) return;
  withdraw("changes for all failures", what_if.mistakes(), known, comparison);
  comparison.of_zones = comparison.of_instances = {};
}

Comparison compare_once(const Scenario& scenario, const ComparisonRequest& request,
                        const std::vector<AskedVariant>& asked) {
  Comparison comparison;
  const auto what_if = std::make_shared<WhatIf>(scenario);
  comparison.keeps = what_if;
  comparison.baseline = what_if->baseline();
  comparison.mistakes = what_if->mistakes();
  if (!comparison.mistakes.empty()) return comparison;
  std::int64_t done = 0;
  for (const auto& one : asked) {
    if (auto variant = compare_variant(*what_if, scenario, one, comparison))
      comparison.variants.push_back(std::move(*variant));
    if (request.on_progress) request.on_progress(++done, static_cast<std::int64_t>(asked.size()));
  }
  sort_failures(comparison.variants);
  complete_reported(*what_if, scenario, request, comparison);
  // Without one of the losses, no change is known to help against all of them.
  if (request.loader != nullptr && comparison.withdrawn.empty())
    add_remedies_of_all(*what_if, scenario, *request.loader, comparison);
  return comparison;
}

Comparison compare_runs(const Scenario& scenario, const ComparisonRequest& request,
                        const std::vector<AskedVariant>& asked) {
  Comparison comparison;
  const auto note_mistakes = [&](const DrawnRun& run) {
    const auto& mistakes = run.what_if->mistakes();
    comparison.mistakes.insert(comparison.mistakes.end(), mistakes.begin(), mistakes.end());
    return mistakes.empty();
  };
  RunBook baseline;
  std::vector<RunBook> books(asked.size());
  for (std::int64_t run = 0; run < *request.runs; ++run) {
    const std::uint64_t seed = scenario.seed + static_cast<std::uint64_t>(run);
    DrawnRun drawn(scenario, seed);
    const auto& start = drawn.what_if->baseline();
    baseline.add(start, start, seed);
    for (std::size_t i = 0; i < books.size(); ++i) books[i].add(start, drawn.what_if->evaluate(asked[i].variant), seed);
    if (!note_mistakes(drawn)) return comparison;
    if (request.on_progress) request.on_progress(run + 1, *request.runs);
  }
  std::map<std::uint64_t, std::shared_ptr<DrawnRun>> shown;  // by seed; as long as a result of it
  const auto run_of = [&](std::uint64_t seed) {
    auto& run = shown[seed];
    if (!run) run = std::make_shared<DrawnRun>(scenario, seed);
    return run;
  };
  comparison.baseline_runs = baseline.figures();
  const auto run = run_of(comparison.baseline_runs->worst_seed);
  comparison.baseline = kept(run->what_if->baseline(), run);
  for (std::size_t i = 0; i < books.size(); ++i) {
    auto figures = books[i].figures();
    const auto own = run_of(figures.worst_seed);
    auto result = kept(own->what_if->evaluate(asked[i].variant), own);
    const auto effect = compute_effect(comparison.baseline, result);
    comparison.variants.push_back({asked[i], effect, std::move(result), std::move(figures), {}, {}});
  }
  for (const auto& [seed, one] : shown) note_mistakes(*one);
  sort_failures(comparison.variants);
  return comparison;
}

/// Leaves more tasks, deployments or drains undone.
bool leaves_more(const TimedFigures& before, const TimedFigures& after) {
  return after.left() > before.left() || after.unfinished > before.unfinished || after.held_drains > before.held_drains;
}

}  // namespace

Effect compute_effect(const VariantResult& baseline, const VariantResult& result) {
  Effect effect{result.unplaced(), result.held(), result.moves, {}};
  for (std::uint32_t i = 0; i < baseline.names.size(); ++i) {
    const auto* name = result.find(baseline.names[i]);
    const auto more = name == nullptr ? 0 : name->lacks_more_than(baseline.names[i]);
    if (more > 0) effect.worse.emplace_back(i, more);
  }
  return effect;
}

bool RunFigures::differ() const {
  const auto differs = [](const Distribution& one) { return one.min < one.max; };
  return differs(unplaced) || differs(instances_used) || differs(free_gpus) || differs(largest_free_block) ||
         std::any_of(room.begin(), room.end(), differs);
}

std::int64_t Comparison::excess(const ComparedVariant& variant) const {
  return excess_of(variant.effect);
}

bool Comparison::helps_nothing(const ComparedVariant& variant) const {
  const auto& asked = variant.asked.variant;
  const auto [terminated, drained, removals, additions, scales] = by_kind(asked.events);
  // Next to a loss, a scaling or a deployment they make up for what that leaves over: a printed fix is such a variant.
  const bool is_alone =
      terminated.empty() && drained.empty() && removals.empty() && scales.empty() && asked.deployments.empty();
  const bool is_to_help = is_alone && (!additions.empty() || !asked.changes.empty());
  return is_to_help && baseline.unplaced() > 0 && variant.result.unplaced() >= baseline.unplaced();
}

bool Comparison::is_worse(const ComparedVariant& variant) const {
  if (is_over_time()) return leaves_more(baseline_over_time->figures, variant.over_time->figures);
  return excess(variant) > 0 || helps_nothing(variant) || !variant.finishes();
}

bool Comparison::any_is_worse() const {
  return std::any_of(variants.begin(), variants.end(), [&](const auto& variant) { return is_worse(variant); });
}

bool is_empty(const Variant& variant) {
  return variant.changes.empty() && variant.events.empty() && variant.timed_events.empty() &&
         variant.deployments.empty();
}

bool happens_at_an_instant(const LoadedVariant& loaded) {
  return loaded.each_az || loaded.each_instance || !loaded.variant.timed_events.empty() ||
         !loaded.variant.deployments.empty();
}

Comparison compare(const Scenario& scenario, const ComparisonRequest& request) {
  if (scenario.timetable.has_time) return compare_over_time(scenario, request);
  const auto asked = asked_variants(scenario, request.variants);
  if (auto error = refuse_deployments(asked, request.runs.has_value(), scenario.policy.has_value())) {
    Comparison refused;
    refused.errors.push_back(std::move(*error));
    return refused;
  }
  return request.runs ? compare_runs(scenario, request, asked) : compare_once(scenario, request, asked);
}

}  // namespace bayplan::study
