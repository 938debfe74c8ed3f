#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "placement/model/scenario.hpp"

/// How a scenario sets up the instances of its types.
namespace bayplan::fleet {

/// What the constraints and strategies of a scenario's tasks look at: nothing else distinguishes two instances.
struct ReferencedProperties {
  std::set<std::string, std::less<>> attributes;
  bool ec2_instance_id = false;
  bool agent_version = false;
  bool registered_at = false;
};

ReferencedProperties find_referenced_properties(const placement::Scenario& scenario);

/// Instances that are alike, down to what runs on them.
struct ExistingInstances {
  placement::InstanceProfile profile;
  std::vector<std::uint32_t> instances;  ///< Indexes into Scenario::instances, ascending.
};

struct InstanceConfigurations {
  /// Profiles to be bought: ACTIVE, without IDs and place, except for the zone where an Auto Scaling group launches in
  /// some of the scenario's zones only. By instance type, then in the order of the file.
  std::map<std::string, std::vector<placement::InstanceProfile>, std::less<>> to_buy;
  /// Instances that can take tasks, by instance type, then in the order of the file.
  std::map<std::string, std::vector<ExistingInstances>, std::less<>> standing;
};

/// The distinct set-ups of the instances of a scenario and of what its Auto Scaling groups launch. Attributes that
/// no constraint mentions and that differ between instances of one set-up are left out.
InstanceConfigurations find_configurations(const placement::Scenario& scenario);

}  // namespace bayplan::fleet
