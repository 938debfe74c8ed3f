// A variant for each zone or instance that could be lost.
#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "study/simulation/events_by_kind.hpp"
#include "study/whatif/load_variants.hpp"
#include "study/whatif/planned_instances.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

using Indexes = std::vector<std::uint32_t>;

/// Variants that lose more than `base` does.
class Losses {
 public:
  Losses(const placement::Scenario& scenario, const Variant& base)
      : base_(base), kinds_(by_kind(base.events)), planned_(scenario, base.changes) {
    for (std::uint32_t i = 0; i < planned_.instances().size(); ++i) {
      if (!is_lost(i)) ++left_[type_of(i)];
    }
  }

  const PlannedInstances& planned() const { return planned_; }
  bool is_lost(std::uint32_t instance) const { return holds(kinds_.terminated, instance); }
  bool is_drained(std::uint32_t instance) const { return holds(kinds_.drained, instance); }

  /// `more`: sorted. `zone`: the one that is lost, if it is one.
  Variant losing(const Indexes& more, const std::string& what, const std::string& zone) const {
    const auto& [terminated, drained, removals, additions, scales] = kinds_;
    Variant variant;
    variant.name = base_.name.empty() ? what : fmt::format("{}, {}", base_.name, what);
    variant.changes = base_.changes;
    variant.deployments = base_.deployments;
    variant.origin = base_.origin;
    TerminateInstances lost;
    std::set_union(terminated.begin(), terminated.end(), more.begin(), more.end(), std::back_inserter(lost.instances));
    variant.events.emplace_back(std::move(lost));
    DrainInstances draining;
    std::set_difference(drained.begin(), drained.end(), more.begin(), more.end(),
                        std::back_inserter(draining.instances));
    if (!draining.instances.empty()) variant.events.emplace_back(std::move(draining));
    for (const auto* removal : removals) {
      if (const auto count = count_left(*removal, more); count > 0)
        variant.events.emplace_back(RemoveInstances{removal->instance_type, count});
    }
    for (const auto* addition : additions) {
      auto added = outside(*addition, zone);
      if (!added.instances.empty()) variant.events.emplace_back(std::move(added));
    }
    for (const auto* scale : scales) variant.events.emplace_back(*scale);
    return variant;
  }

 private:
  const std::string& type_of(std::uint32_t instance) const { return planned_.profile_of(instance).instance_type; }

  static bool holds(const Indexes& sorted, std::uint32_t instance) {
    return std::binary_search(sorted.begin(), sorted.end(), instance);
  }

  /// Removes all instances of a type if fewer are left than the event removes.
  std::int64_t count_left(const RemoveInstances& removal, const Indexes& more) const {
    const auto gone =
        std::count_if(more.begin(), more.end(), [&](std::uint32_t i) { return type_of(i) == removal.instance_type; });
    return std::min(removal.count, left_.at(removal.instance_type) - gone);
  }

  /// What the event adds to zones other than a lost one.
  static AddInstances outside(const AddInstances& addition, const std::string& zone) {
    AddInstances rest = addition;
    if (zone.empty()) return rest;
    std::erase_if(rest.instances,
                  [&](const auto& one) { return addition.profiles[one.profile].availability_zone == zone; });
    return rest;
  }

  const Variant& base_;
  EventsByKind kinds_;  ///< Of `base_`.
  PlannedInstances planned_;
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
