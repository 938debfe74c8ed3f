#include "placement/engine/group_launches.hpp"

#include <algorithm>

#include "placement/engine/filters.hpp"
#include "placement/model/instance_state.hpp"

namespace bayplan::placement {

bool can_launch_for(const Scenario& scenario, const InstanceGroup& group, const Workload& workload) {
  Groups groups;
  const Filter filter(scenario, groups, workload, groups.number(workload.group));
  return std::any_of(group.types.begin(), group.types.end(), [&](const InstanceGroup::Type& type) {
    return std::any_of(type.profiles.begin(), type.profiles.end(), [&](std::uint32_t profile) {
      return filter.allows(profile, group.capacity_provider) &&
             resources_fit(empty_instance(scenario.profiles[profile]), workload.requirement);
    });
  });
}

}  // namespace bayplan::placement
