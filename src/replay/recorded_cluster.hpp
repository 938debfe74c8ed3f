#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "catalog/catalog.hpp"
#include "placement/engine/filters.hpp"
#include "placement/model/groups.hpp"
#include "placement/model/instance_state.hpp"
#include "placement/model/scenario.hpp"
#include "replay/records/history.hpp"

namespace bayplan::replay {

using namespace placement;  // NOLINT: what is recorded becomes the input of placement

/// Tasks that have the same requirement, group, strategies and constraints: what fits one fits all.
struct PlacementClass {
  Workload workload;
  std::uint32_t group = 0;
  std::vector<Strategy> strategies;  ///< effective_strategies of the workload.
};

/// What a task takes of an instance and keeps until it is STOPPED.
struct HeldResources {
  capacity::TaskRequirement requirement;
  std::uint32_t group = 0;
};

/// The resources that a record says are left of an instance.
struct RemainingResources {
  CpuUnits cpu = 0;
  MiB memory = 0;
  std::vector<std::uint16_t> tcp_ports;  ///< Taken, sorted.
  std::vector<std::uint16_t> udp_ports;
  std::vector<std::string> free_gpus;
};

/// The cluster as the records say it was at one time. Unlike placement's Occupancy it follows what happened: a task is
/// put where ECS put it, whether or not it fits, and the records of an instance replace what was computed.
class RecordedCluster {
 public:
  /// `scenario`: the cluster at the beginning; `catalog` must outlive this.
  RecordedCluster(Scenario scenario, const catalog::Catalog& catalog);
  RecordedCluster(const RecordedCluster&) = delete;
  RecordedCluster& operator=(const RecordedCluster&) = delete;

  const Scenario& scenario() const { return scenario_; }
  const std::vector<InstanceState>& states() const { return states_; }
  const InstanceProfile& profile(std::uint32_t instance) const {
    return scenario_.profiles[scenario_.instances[instance].profile];
  }
  Groups& groups() { return groups_; }
  const Groups& groups() const { return groups_; }
  std::size_t size() const { return states_.size(); }

  /// The instance with this ARN of a container instance.
  std::optional<std::uint32_t> find(std::string_view arn) const;
  /// The instance with this EC2 ID.
  std::optional<std::uint32_t> find_ec2(std::string_view id) const;
  /// Adds an instance of the profile without tasks.
  std::uint32_t add_instance(InstanceProfile profile);
  /// The instance has this profile from now on; its tasks stay.
  void set_profile(std::uint32_t instance, InstanceProfile profile);
  /// Status and agent; the rest of the profile stays.
  void set_state(std::uint32_t instance, InstanceStatus status, bool agent_connected);
  void set_provider(std::uint32_t instance, const std::string& provider);

  /// A definition that was registered meanwhile.
  std::uint32_t add_definition(TaskDefinition definition);
  std::optional<std::uint32_t> definition_named(std::string_view name) const;

  std::uint32_t add_class(Workload workload);
  const PlacementClass& placement_class(std::uint32_t index) const { return classes_[index].what; }
  std::size_t class_count() const { return classes_.size(); }
  bool passes(std::uint32_t task_class, std::uint32_t instance, std::string_view provider) const {
    const auto& filter = *classes_[task_class].filter;
    return filter.may_have_room(rooms_[instance]) && filter.passes(instance, states_[instance], provider);
  }
  const Filter& filter(std::uint32_t task_class) const { return *classes_[task_class].filter; }

  /// Puts a task there. Returns the GPUs that it uses: those of the record, else the first free ones.
  std::vector<std::uint32_t> take(std::uint32_t instance, const HeldResources& held,
                                  const std::vector<std::string>& gpu_ids);
  /// The task counts in its group no longer and keeps its resources.
  void leave_group(std::uint32_t instance, std::uint32_t group);
  /// A task is there whose resources are counted already.
  void count_task(std::uint32_t instance) { ++states_[instance].tasks; }
  /// It counts in its group.
  void enter_group(std::uint32_t instance, std::uint32_t group);
  /// Its resources are free again.
  void release(std::uint32_t instance, const HeldResources& held, const std::vector<std::uint32_t>& gpus);
  /// What a record says is left replaces what was computed.
  void set_remaining(std::uint32_t instance, const RemainingResources& remaining);

  InstanceState save(std::uint32_t instance) const { return states_[instance]; }
  void restore(std::uint32_t instance, const InstanceState& state);

  /// Number of the value of the attribute on each instance, from 0; instances without it share one.
  const std::vector<std::uint32_t>& values_of(std::string_view attribute);
  std::size_t value_count(std::string_view attribute);

 private:
  struct FilteredClass {
    PlacementClass what;
    std::optional<Filter> filter;  ///< Refers to the workload.
  };
  struct AttributeValues {
    std::vector<std::uint32_t> of_instance;
    std::map<std::string, std::uint32_t> numbers;  ///< The key of an absent value begins with NUL.
    std::uint64_t made_at = 0;
  };

  std::uint32_t add_profile(InstanceProfile profile);
  AttributeValues& values(std::string_view attribute);
  void update_room(std::uint32_t instance) { rooms_[instance] = compute_room(states_[instance]); }

  Scenario scenario_;
  const catalog::Catalog& catalog_;
  Groups groups_;
  ProfileChecks checks_;
  std::vector<InstanceState> states_;
  std::vector<Room> rooms_;
  std::deque<FilteredClass> classes_;  ///< Its elements do not move.
  std::map<std::string, std::uint32_t, std::less<>> by_arn_;
  std::map<std::string, std::uint32_t, std::less<>> by_ec2_id_;
  std::map<std::string, std::uint32_t, std::less<>> by_definition_;
  /// Profiles that differ from the one of an instance in status and agent alone.
  std::map<std::tuple<std::uint32_t, InstanceStatus, bool>, std::uint32_t> state_variants_;
  std::vector<std::uint32_t> base_profile_;  ///< Of each instance, as last described.
  std::map<std::string, AttributeValues, std::less<>> values_;
  std::uint64_t changes_ = 1;  ///< Of attributes and instances.
};

/// The GPUs of a text that has their IDs with commas between them.
std::vector<std::string> gpu_ids_in(std::string_view text);

}  // namespace bayplan::replay
