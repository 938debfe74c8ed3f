#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "placement/model/scenario.hpp"
#include "study/whatif/variant.hpp"

namespace bayplan::study {

/// The instances that changes leave of a scenario: a view of both, which must outlive it.
class PlannedInstances {
 public:
  PlannedInstances(const placement::Scenario& scenario, const std::vector<ScenarioChange>& changes);
  PlannedInstances(const PlannedInstances&) = delete;
  PlannedInstances& operator=(const PlannedInstances&) = delete;

  const std::vector<placement::ContainerInstance>& instances() const { return *instances_; }
  const std::vector<const placement::InstanceProfile*>& profiles() const { return profiles_; }
  const placement::InstanceProfile& profile_of(std::uint32_t instance) const {
    return *profiles_[(*instances_)[instance].profile];
  }
  bool is_changed() const { return is_changed_; }
  bool is_another(std::uint32_t instance) const;  ///< Than in the scenario: what ran there does not.
  std::int64_t count_of(const std::string& instance_type) const;

 private:
  void replace_instances(const ReplaceInstances& replacement);
  void replace_types(const std::vector<const ReplaceType*>& replacements);

  const placement::Scenario& scenario_;
  std::vector<const placement::InstanceProfile*> profiles_;
  const std::vector<placement::ContainerInstance>* instances_;
  std::vector<placement::ContainerInstance> own_;  ///< Where others take their place.
  bool is_changed_ = false;
  bool are_all_others_ = false;
};

/// What one more instance of the type would be, ACTIVE and in no zone yet. Of a type that is there: what all its
/// instances have in common, of what they register the least. Of others: what the catalog says.
Result<placement::InstanceProfile> one_more_of(const PlannedInstances& planned, const catalog::Catalog& catalog,
                                               const std::string& instance_type);

/// The profile with the zone, the subnet that all planned instances have there, and the region's price.
placement::InstanceProfile in_zone(placement::InstanceProfile profile, const std::string& zone,
                                   const PlannedInstances& planned, const std::string& region);

/// The profile with another type in its place. `pattern`: of one_more_of.
placement::InstanceProfile with_type(const placement::InstanceProfile& profile,
                                     const placement::InstanceProfile& pattern, bool is_from_catalog,
                                     const std::string& region);

/// What it registers was stated, or described, and is not what the catalog says of its type.
bool registers_as_stated(const placement::InstanceProfile& profile);

}  // namespace bayplan::study
