#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenario/arguments.hpp"
#include "study/whatif/load_variants.hpp"
#include "study/whatif/planned_instances.hpp"

/// Shared by the files that load variants; no other file includes it.
namespace bayplan::study {

/// "p3.2xlarge=p3.16xlarge"
struct NamePair {
  std::string left;
  std::string right;
};
struct NameCount {
  std::string name;
  std::int64_t count = 0;
};
struct CountRange {
  std::int64_t least = 1;
  std::int64_t most = 1'000'000;
};

/// One variant on the way from words to values, and what is wrong with the words.
struct VariantInWork {
  const placement::Scenario& scenario;
  const catalog::Catalog& catalog;
  const WrittenVariant& written;
  LoadedVariant loaded = {};
  bool knows_instances = true;  ///< False if names of instances and types cannot be looked up.

  Variant& variant() { return loaded.variant; }

  /// Calls `use` with every variation of the key, in order.
  template <class Function>
  void each(VariationKey key, Function use) const {
    for (const auto& one : written.variations) {
      if (one.key == key) use(one);
    }
  }

  /// Nothing with the error noted.
  std::optional<NamePair> split_pair(const WrittenVariation& one);
  std::optional<NameCount> count_of(const WrittenVariation& one, CountRange range);
  std::optional<scenario::InstancesArgument> instances_of(const WrittenVariation& one);

  void fail(const WrittenVariation& one, std::string message, std::string help);
  void fail(const WrittenVariation& one, Error error);
  void fail_at(const placement::Origin& origin, Error error);  ///< The message says it all.
  void assume(Assumption assumption);
};

/// Instances as they are made: profiles, and instances that name them by position.
struct NewInstances {
  std::vector<placement::InstanceProfile> profiles;
  std::vector<placement::ContainerInstance> instances;
};

/// `count` more of the pattern, dealt to the zones in attempt, one profile a zone. `number`: of the last instance of
/// the type.
void deal(VariantInWork& work, const PlannedInstances& planned, const placement::InstanceProfile& pattern,
          const std::vector<std::string>& zones, std::int64_t count, std::int64_t& number, NewInstances& dealt);

/// Planned variations: those of the instances, then the others.
void load_planned_instances(VariantInWork& work);
void load_settings(VariantInWork& work);
/// Events and deployments, once the planned instances are loaded: they find those.
void load_events(VariantInWork& work);

}  // namespace bayplan::study
