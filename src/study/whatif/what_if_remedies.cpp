#include "study/whatif/what_if_remedies.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "study/whatif/comparison.hpp"
#include "study/whatif/planned_instances.hpp"
#include "study/why/additions.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

constexpr std::size_t kMaxKinds = 24;      ///< Types times zones.
constexpr std::int64_t kMaxAdded = 1'000;  ///< Instances of one type.
/// Instances and tasks over all trials: about a second.
constexpr std::int64_t kEffort = 10'000'000;
constexpr const char* kStrategies[] = {"binpack:memory", "binpack:cpu", "spread:instanceId"};

std::int64_t effort_of(const Scenario& scenario) {
  auto effort = static_cast<std::int64_t>(scenario.instances.size() + scenario.running.size());
  for (const auto& workload : scenario.workloads) effort += workload.count.value_or(0);
  return effort;
}

/// A type in a zone, or in any; of the same type and zone, instances can differ in attributes and capacity provider.
struct Kind {
  scenario::InstancesArgument argument;
  std::optional<MicroUsd> hourly_price;

  std::pair<std::string, std::vector<std::string>> place() const {
    return {argument.instance_type, argument.availability_zones};
  }
};

/// Every type of the cluster in every one of the zones, the cheapest first.
std::vector<Kind> list_kinds(const Scenario& cluster, const std::set<std::string>& zones) {
  std::map<std::string, std::optional<MicroUsd>> types;
  for (const auto& instance : cluster.instances) {
    const auto& profile = cluster.profiles[instance.profile];
    if (!profile.instance_type.empty()) types.emplace(profile.instance_type, profile.hourly_price);
  }
  std::vector<Kind> kinds;
  for (const auto& [type, price] : types) {
    for (const auto& zone : zones) {
      auto& kind = kinds.emplace_back(Kind{{type, 1, {}, {}, {}}, price});
      if (!zone.empty()) kind.argument.availability_zones.push_back(zone);
    }
  }
  std::stable_sort(kinds.begin(), kinds.end(), [](const Kind& a, const Kind& b) {
    return price_or_last(a.hourly_price) < price_or_last(b.hourly_price);
  });
  return kinds;
}

void sort_by_cost(std::vector<Remedy>& remedies) {
  const auto order = [](const Remedy& remedy) {
    return std::pair(std::get<AppendFlags>(remedy.change).asks_for_less, price_or_last(remedy.hourly_cost));
  };
  std::stable_sort(remedies.begin(), remedies.end(),
                   [&](const Remedy& a, const Remedy& b) { return order(a) < order(b); });
}

WrittenVariant with(WrittenVariant variant, VariationKey key, std::string text) {
  variant.variations.push_back({key, std::move(text), {}});
  return variant;
}

std::string value_of(const Kind& kind, std::int64_t count) {
  auto argument = kind.argument;
  argument.count = count;
  return text_of(argument);
}

/// What a search has found, and the effort that it may still take.
class CountedTrials {
 public:
  CountedTrials(WhatIf& what_if, const Scenario& scenario)
      : what_if_(what_if), effort_each_(std::max<std::int64_t>(1, effort_of(scenario))) {}

  bool may_try() {
    if (effort_left_ >= effort_each_) return true;
    found_.exhausted = true;
    return false;
  }

  /// Leaves nothing more of any name without a place: places for other tasks are no help.
  bool suffices(const Variant& variant) {
    if (!may_try()) return false;
    effort_left_ -= effort_each_;
    ++found_.tried;
    if (variant.changes.empty()) return what_if_.effect(variant).worse.empty();
    return compute_effect(what_if_.baseline(), what_if_.evaluate(variant)).worse.empty();
  }

  void keep(AppendFlags change, std::optional<MicroUsd> hourly_cost = 0) {
    found_.list.push_back({.change = std::move(change), .hourly_cost = hourly_cost});
  }
  void keep_addition(const Kind& kind, std::int64_t count) {
    keep({"--add " + value_of(kind, count)},
         kind.hourly_price ? std::optional(*kind.hourly_price * count) : std::nullopt);
  }

  const VariantResult& baseline() const { return what_if_.baseline(); }
  bool is_exhausted() const { return found_.exhausted; }
  Remedies found() && {
    sort_by_cost(found_.list);
    return std::move(found_);
  }

 private:
  WhatIf& what_if_;
  std::int64_t effort_each_;
  std::int64_t effort_left_ = kEffort;
  Remedies found_;
};

/// Looks for what helps one variant.
class Search {
 public:
  Search(CountedTrials& trials, const VariantLoader& loader, const WrittenVariant& variant, const VariantResult& result)
      : trials_(trials), loader_(loader), variant_(variant), result_(result) {}

  void try_strategies() {
    const bool has_strategy = std::any_of(variant_.variations.begin(), variant_.variations.end(), [](const auto& one) {
      return one.key == VariationKey::kStrategy || one.key == VariationKey::kPlacementStrategy;
    });
    if (has_strategy) return;
    for (const auto* strategy : kStrategies) {
      if (suffices(with(variant_, VariationKey::kStrategy, strategy)))
        trials_.keep({std::string("--strategy ") + strategy});
    }
  }

  void try_more_instances() {
    std::set<std::pair<std::string, std::vector<std::string>>> cured;  // fewer words came first
    for (const auto& kind : kinds()) {
      const auto count = cured.contains(kind.place()) ? std::nullopt : smallest_addition(kind);
      if (!count) continue;
      trials_.keep_addition(kind, *count);
      cured.insert(kind.place());
    }
  }

  /// Each name that lost places asks for no more than have one.
  void try_fewer() {
    WrittenVariant fewer = variant_;
    AppendFlags change{{}, true};
    for (const auto& name : result_.names) {
      const auto lacking = trials_.baseline().more_lacking(name);
      if (lacking <= 0) continue;
      if (lacking >= name.desired) return;  // to do without is no help
      const auto value = name.name + "=" + std::to_string(name.desired - lacking);
      change.flags += (change.flags.empty() ? "--scale " : " --scale ") + value;
      drop_scale(fewer, name.name, change);
      fewer = with(std::move(fewer), VariationKey::kScale, value);
    }
    if (!change.flags.empty() && suffices(fewer)) trials_.keep(std::move(change));
  }

 private:
  /// A name is scaled once.
  static void drop_scale(WrittenVariant& variant, const std::string& name, AppendFlags& change) {
    auto& all = variant.variations;
    const auto scaled = std::find_if(all.begin(), all.end(), [&](const WrittenVariation& one) {
      return one.key == VariationKey::kScale && one.text.starts_with(name + "=");
    });
    if (scaled == all.end()) return;
    change.in_place_of += (change.in_place_of.empty() ? "--scale " : " --scale ") + scaled->text;
    all.erase(scaled);
  }

  /// A flag that contradicts the variant is no remedy.
  bool suffices(const WrittenVariant& written) {
    if (!trials_.may_try()) return false;
    const auto loaded = loader_.load(written);
    return loaded.errors.empty() && trials_.suffices(loaded.variant);
  }

  /// Lost types too, but only zones that are left. Behind them, those with attributes and a capacity provider, for
  /// which a type and a zone may be too few words.
  std::vector<Kind> kinds() const {
    const auto& cluster = *result_.scenario;
    std::set<std::string> zones;
    for (std::uint32_t i = 0; i < cluster.instances.size(); ++i) {
      if (!is_gone(i)) zones.insert(cluster.profiles[cluster.instances[i].profile].availability_zone);
    }
    auto found = list_kinds(cluster, zones);
    for (auto& one : additions_like_cluster(cluster, PlannedInstances(cluster, {}))) {
      const auto& in = one.argument.availability_zones;
      const bool has_more = !one.argument.attributes.empty() || !one.argument.capacity_provider.empty();
      if (has_more && zones.contains(in.empty() ? std::string() : in.front()))
        found.push_back({std::move(one.argument), one.profile.hourly_price});
    }
    if (found.size() > kMaxKinds) found.resize(kMaxKinds);
    return found;
  }

  bool is_gone(std::uint32_t instance) const {
    return std::binary_search(result_.gone.begin(), result_.gone.end(), instance);
  }

  bool suffices_with(const Kind& kind, std::int64_t count) {
    return suffices(with(variant_, VariationKey::kAdd, value_of(kind, count)));
  }

  /// Instances of the kind that suffice, found between one that does not and one that does. One an unplaced task is
  /// the most that can help.
  std::optional<std::int64_t> smallest_addition(const Kind& kind) {
    const auto most = std::min(kMaxAdded, result_.unplaced());
    if (!suffices_with(kind, most)) return std::nullopt;
    return smallest(most, [&](std::int64_t count) { return suffices_with(kind, count); });
  }

  CountedTrials& trials_;
  const VariantLoader& loader_;
  const WrittenVariant& variant_;
  const VariantResult& result_;
};

/// Whether `count` instances of the type help against every failure.
bool suffices_for_all(CountedTrials& trials, const VariantLoader& loader, const WrittenVariant& base,
                      const VariantsOf& failures, const Kind& type, std::int64_t count) {
  const auto loaded = loader.load(with(base, VariationKey::kAdd, value_of(type, count)));
  if (!loaded.errors.empty()) return false;
  const auto variants = failures(loaded.variant);
  return std::all_of(variants.begin(), variants.end(),
                     [&](const Variant& variant) { return trials.suffices(variant); });
}

}  // namespace

Remedies find_remedies_of_all(WhatIf& what_if, const Scenario& scenario, const VariantLoader& loader,
                              const WrittenVariant& base, const VariantsOf& failures, std::int64_t most) {
  CountedTrials trials(what_if, scenario);
  most = std::min(most, kMaxAdded);
  for (const auto& type : list_kinds(scenario, {""})) {
    const auto suffices = [&](std::int64_t count) {
      return suffices_for_all(trials, loader, base, failures, type, count);
    };
    if (!suffices(most)) continue;
    const auto fewest = smallest(most, suffices);
    if (!trials.is_exhausted()) trials.keep_addition(type, fewest);
  }
  return std::move(trials).found();
}

Remedies find_remedies(WhatIf& what_if, const Scenario& scenario, const VariantLoader& loader,
                       const WrittenVariant& variant, const VariantResult& result) {
  CountedTrials trials(what_if, scenario);
  Search search(trials, loader, variant, result);
  search.try_strategies();
  search.try_more_instances();
  search.try_fewer();
  return std::move(trials).found();
}

}  // namespace bayplan::study
