// A variant for each zone or instance that could be lost.
#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "study/whatif/load_variants.hpp"
#include "study/whatif/planned_instances.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

using Indexes = std::vector<std::uint32_t>;

template <class Event>
Indexes instances_of(const Variant& variant) {
  Indexes all;
  for (const auto& event : variant.events) {
    if (const auto* one = std::get_if<Event>(&event))
      all.insert(all.end(), one->instances.begin(), one->instances.end());
  }
  std::sort(all.begin(), all.end());
  return all;
}

/// Variants that lose more than `base` does.
class Losses {
 public:
  Losses(const placement::Scenario& scenario, const Variant& base)
      : base_(base),
        planned_(scenario, base.changes),
        lost_(instances_of<TerminateInstances>(base)),
        drained_(instances_of<DrainInstances>(base)) {
    for (std::uint32_t i = 0; i < planned_.instances().size(); ++i) {
      if (!is_lost(i)) ++left_[type_of(i)];
    }
  }

  const PlannedInstances& planned() const { return planned_; }
  bool is_lost(std::uint32_t instance) const { return std::binary_search(lost_.begin(), lost_.end(), instance); }
  bool is_drained(std::uint32_t instance) const {
    return std::binary_search(drained_.begin(), drained_.end(), instance);
  }

  /// `more`: sorted. `zone`: the one that is lost, if it is one.
  Variant losing(const Indexes& more, const std::string& what, const std::string& zone) const {
    Variant variant;
    variant.name = base_.name.empty() ? what : fmt::format("{}, {}", base_.name, what);
    variant.changes = base_.changes;
    variant.deployments = base_.deployments;
    variant.origin = base_.origin;
    TerminateInstances lost;
    std::set_union(lost_.begin(), lost_.end(), more.begin(), more.end(), std::back_inserter(lost.instances));
    variant.events.emplace_back(std::move(lost));
    for (const auto& event : base_.events) {
      if (auto kept = kept_of(event, more, zone)) variant.events.push_back(std::move(*kept));
    }
    return variant;
  }

 private:
  const std::string& type_of(std::uint32_t instance) const { return planned_.profile_of(instance).instance_type; }

  /// What of the event is left when more is lost.
  std::optional<ClusterEvent> kept_of(const ClusterEvent& event, const Indexes& more, const std::string& zone) const {
    if (std::holds_alternative<TerminateInstances>(event)) return std::nullopt;  // among the lost already
    if (const auto* drain = std::get_if<DrainInstances>(&event)) return without(*drain, more);
    if (const auto* remove = std::get_if<RemoveInstances>(&event)) return without(*remove, more);
    if (const auto* add = std::get_if<AddInstances>(&event); add != nullptr && !zone.empty())
      return without(*add, zone);
    return event;
  }

  static std::optional<ClusterEvent> without(const DrainInstances& drain, const Indexes& more) {
    DrainInstances rest;
    std::set_difference(drain.instances.begin(), drain.instances.end(), more.begin(), more.end(),
                        std::back_inserter(rest.instances));
    if (rest.instances.empty()) return std::nullopt;
    return rest;
  }

  /// Removes all instances of a type if fewer are left than the event removes.
  std::optional<ClusterEvent> without(const RemoveInstances& remove, const Indexes& more) const {
    const auto gone =
        std::count_if(more.begin(), more.end(), [&](std::uint32_t i) { return type_of(i) == remove.instance_type; });
    const std::int64_t left = left_.at(remove.instance_type) - gone;
    if (left <= 0) return std::nullopt;
    return RemoveInstances{remove.instance_type, std::min(remove.count, left)};
  }

  static std::optional<ClusterEvent> without(const AddInstances& add, const std::string& zone) {
    AddInstances rest = add;
    std::erase_if(rest.instances, [&](const auto& one) { return add.profiles[one.profile].availability_zone == zone; });
    if (rest.instances.empty()) return std::nullopt;
    return rest;
  }

  const Variant& base_;
  PlannedInstances planned_;
  Indexes lost_;
  Indexes drained_;
  std::map<std::string, std::int64_t> left_;  ///< Keyed by type.
};

}  // namespace

std::vector<Variant> each_zone(const placement::Scenario& scenario, const Variant& base) {
  const Losses losses(scenario, base);
  std::map<std::string, Indexes> zones;
  for (std::uint32_t i = 0; i < losses.planned().instances().size(); ++i) {
    const auto& zone = losses.planned().profile_of(i).availability_zone;
    if (!zone.empty() && !losses.is_lost(i)) zones[zone].push_back(i);
  }
  std::vector<Variant> variants;
  for (const auto& [zone, instances] : zones) variants.push_back(losses.losing(instances, "lose-az " + zone, zone));
  return variants;
}

std::vector<Variant> each_instance(const placement::Scenario& scenario, const Variant& base) {
  const Losses losses(scenario, base);
  std::vector<Variant> variants;
  for (std::uint32_t i = 0; i < losses.planned().instances().size(); ++i) {
    if (losses.is_lost(i) || losses.is_drained(i)) continue;
    variants.push_back(losses.losing({i}, "terminate " + losses.planned().instances()[i].id, {}));
  }
  return variants;
}

}  // namespace bayplan::study
