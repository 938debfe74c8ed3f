#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "placement/engine/checks.hpp"
#include "placement/model/groups.hpp"
#include "placement/model/instance_state.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::placement {

/// Checks that each profile fails with any tasks on the instance: status, agent, attributes, location, memberOf that no
/// tasks would satisfy. Computed once for all workloads that ask for the same; a live cluster has a profile for each
/// instance.
class ProfileChecks {
 public:
  explicit ProfileChecks(const Scenario& scenario) : scenario_(scenario) {}

  /// Returns one entry per profile. The workload must not move in memory.
  std::shared_ptr<const std::vector<CheckSet>> failures(const Workload& workload);
  /// Takes in the profiles that the scenario has got since, for everybody who holds a list.
  void follow();

 private:
  /// Required attributes, architecture, Windows, Linux, zones, expressions, Workload::only_profile.
  using Wanted = std::tuple<std::vector<std::string>, std::string, bool, bool, std::optional<std::vector<std::string>>,
                            std::vector<std::string>, OptionalIndex>;

  /// The failures of all workloads that want the same as this one.
  struct CachedFailures {
    const Workload* workload = nullptr;
    std::shared_ptr<std::vector<CheckSet>> failures;
  };

  void check_more(CachedFailures& known) const;

  const Scenario& scenario_;
  std::map<Wanted, CachedFailures> known_;
};

/// The checks that the tasks of one workload make.
class Filter {
 public:
  Filter(const Scenario& scenario, const Groups& groups, const Workload& workload, std::uint32_t group,
         ProfileChecks& checks);
  Filter(const Scenario& scenario, const Groups& groups, const Workload& workload, std::uint32_t group);

  /// Every check passes. `provider`: the capacity provider chosen for the task; empty = any instance.
  bool passes(std::uint32_t instance, const InstanceState& state, std::string_view provider) const;

  /// What depends on tasks passes: resources, memberOf that looks at tasks, distinctInstance.
  bool has_room(std::uint32_t instance, const InstanceState& state) const;

  /// The part of `has_room` that CPU, memory, interfaces, EBS attachments and the number of GPUs decide.
  bool may_have_room(const Room& room) const {
    return least_.cpu <= room.cpu && least_.memory <= room.memory &&
           least_.network_interfaces <= room.network_interfaces && least_.whole_gpus <= room.whole_gpus &&
           least_.ebs_attachments <= room.ebs_attachments && least_.shared_attachments <= room.shared_attachments;
  }
  /// Otherwise `has_room` considers only distinctInstance.
  bool needs_room_only() const { return needs_room_only_; }
  /// ... and fixed host ports.
  bool needs_room_and_ports_only() const { return needs_room_and_ports_only_; }
  bool is_distinct() const { return distinct_; }
  /// What a task takes of the room that `may_have_room` looks at.
  std::array<std::int64_t, 6> least_room() const {
    return {least_.cpu,        least_.memory,          least_.network_interfaces,
            least_.whole_gpus, least_.ebs_attachments, least_.shared_attachments};
  }
  /// What passes this one passes the other, but for distinctInstance, which looks at the tasks of the own group. False
  /// where devices or other tasks decide, too.
  bool is_like(const Filter& other) const;

  /// Whether instances of the profile pass all checks but those of `has_room`.
  bool allows(std::uint32_t profile, std::string_view provider) const {
    return failing_for_good(profile, provider).empty();
  }
  /// The checks that instances of the profile fail whatever runs there.
  CheckSet failing_for_good(std::uint32_t profile, std::string_view provider) const;

  /// A memberOf looks at tasks: an instance that failed may pass later.
  bool may_recover() const { return !live_.empty(); }

  /// Every check that fails.
  CheckSet failing(std::uint32_t instance, const InstanceState& state, std::string_view provider) const;

  /// The checks that `may_have_room` covers.
  CheckSet failing_room(const Room& room) const;

  /// Every check that fails, and by how much.
  Rejection reject(std::uint32_t instance, const InstanceState& state, std::string_view provider) const;

  /// Required attributes that the instance lacks.
  std::vector<std::string> missing_attributes(std::uint32_t instance) const;

  /// A daemon service wants a task here: the instance is ACTIVE, in an allowed zone, satisfies the constraints and has
  /// none of the service yet.
  /// Whether there is room is another question.
  bool wants_daemon(std::uint32_t instance, const InstanceState& state) const;
  /// Whether the instance allows a daemon, whether or not it has one of the service.
  bool allows_daemon(std::uint32_t instance, const InstanceState& state) const;

  /// Checks that fail with any tasks on the instance: status, agent, attributes, location, memberOf that no tasks would
  /// satisfy.
  CheckSet profile_failures(std::uint32_t profile) const { return (*profile_failures_)[profile]; }

 private:
  void set_least();
  bool is_foreign(const InstanceProfile& profile, std::string_view provider) const;
  CheckSet check_tasks(const InstanceProfile& profile, const InstanceState& state) const;

  const Scenario& scenario_;
  const Groups& groups_;
  const Workload& workload_;
  std::uint32_t group_;
  std::shared_ptr<const std::vector<CheckSet>> profile_failures_;
  std::vector<const query::Expression*> live_;  ///< memberOf that looks at tasks.
  bool distinct_ = false;
  Room least_;
  bool needs_room_only_ = false;
  bool needs_room_and_ports_only_ = false;
};

}  // namespace bayplan::placement
