#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "placement/checks.hpp"
#include "placement/groups.hpp"
#include "placement/instance_state.hpp"
#include "placement/scenario.hpp"

namespace bayplan::placement {

/// The checks that the tasks of one workload make. What does not depend on tasks is asked once a profile.
class Filter {
 public:
  Filter(const Scenario& scenario, const Groups& groups, const Workload& workload, std::uint32_t group);

  /// Every check passes. `provider`: the capacity provider chosen for the task; empty = any instance.
  bool passes(std::uint32_t instance, const InstanceState& state, std::string_view provider) const;

  /// What depends on tasks passes: resources, memberOf that looks at tasks, distinctInstance.
  bool has_room(std::uint32_t instance, const InstanceState& state) const;

  /// Whether instances of each profile pass all checks but those of `has_room`.
  std::vector<char> profiles_allowed(std::string_view provider) const;

  /// A memberOf looks at tasks: an instance that failed may pass later.
  bool may_recover() const { return !live_.empty(); }

  /// Every check that fails.
  CheckSet failing(std::uint32_t instance, const InstanceState& state, std::string_view provider) const;

  /// Every check that fails, and by how much.
  Rejection reject(std::uint32_t instance, const InstanceState& state, std::string_view provider) const;

  /// Required attributes that the instance lacks.
  const std::vector<std::string>& missing_attributes(std::uint32_t instance) const {
    return missing_[scenario_.instances[instance].profile];
  }

  /// A daemon service wants a task here: the instance is ACTIVE, in an allowed zone, satisfies the constraints and has
  /// none of the service yet.
  /// Whether there is room is another question.
  bool wants_daemon(std::uint32_t instance, const InstanceState& state) const;

  /// Checks of the profile alone that fail: status, agent, attributes, location, memberOf on attributes.
  CheckSet profile_failures(std::uint32_t profile) const { return profile_failures_[profile]; }

 private:
  CheckSet check_profile(const InstanceProfile& profile);
  bool is_foreign(const InstanceProfile& profile, std::string_view provider) const;
  CheckSet check_tasks(const InstanceProfile& profile, const InstanceState& state) const;

  const Scenario& scenario_;
  const Groups& groups_;
  const Workload& workload_;
  std::uint32_t group_;
  std::vector<CheckSet> profile_failures_;
  std::vector<std::vector<std::string>> missing_;  ///< Required attributes, by profile.
  std::vector<const query::Expression*> live_;     ///< memberOf that looks at tasks.
  bool distinct_ = false;
};

}  // namespace bayplan::placement
