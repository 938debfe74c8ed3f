#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "placement/engine/checks.hpp"
#include "placement/engine/gpu_devices.hpp"
#include "placement/model/scenario.hpp"

/// The resource accounting of `verify`: what has been given out, counted upwards from nothing, where the engine counts
/// down what remains. Nothing here calls the engine.
namespace bayplan::placement {

struct GpuAccount {
  bool dedicated = false;
  bool is_shared = false;             ///< MPS tasks are on it, however little memory they take.
  MiB shared_memory = 0;              ///< Given to MPS tasks.
  std::int64_t share_millionths = 0;  ///< Given of a fractional device.
  bool untouched() const { return !dedicated && !is_shared && share_millionths == 0; }
};

/// Ports given out on one instance, sorted.
class PortAccount {
 public:
  void add(const std::vector<std::uint16_t>& ports);
  void remove(const std::vector<std::uint16_t>& ports);
  bool has(std::uint16_t port) const { return std::binary_search(ports_.begin(), ports_.end(), port); }
  std::size_t size() const { return ports_.size(); }
  auto begin() const { return ports_.begin(); }
  auto end() const { return ports_.end(); }

 private:
  std::vector<std::uint16_t> ports_;
};

/// Tasks of one group on one instance; groups as the accounting numbers them.
struct GroupAccount {
  std::uint32_t group = 0;
  std::int64_t tasks = 0;
};

struct InstanceAccount {
  CpuUnits cpu = 0;
  MiB memory = 0;
  std::int64_t network_interfaces = 0;
  std::int64_t ebs_volumes = 0;
  PortAccount tcp;
  PortAccount udp;
  std::vector<GpuAccount> gpus;
  std::vector<GroupAccount> groups;
  std::int64_t tasks = 0;

  std::int64_t tasks_of(std::uint32_t group) const;
};

/// Attachments that EBS volumes and network interfaces take of an instance of the profile.
std::int64_t attachments_for(const InstanceProfile& profile, std::int64_t ebs_volumes, std::int64_t network_interfaces);

/// An attribute that `profile` does not have and does not count as having.
bool lacks_attribute(const InstanceProfile& profile, const std::string& name);

/// The attributes that runtimePlatform asks for and in which the instance differs, as name=value.
std::vector<std::string> other_platform(const InstanceProfile& profile, const capacity::TaskRequirement& task);

/// The values of an attribute, numbered; instances that lack it have a number of their own.
struct AttributeValues {
  std::vector<std::uint32_t> of_profile;  ///< One entry per profile: the number of its value.
  std::size_t count = 0;
};

class ResourceUsage {
 public:
  explicit ResourceUsage(const Scenario& scenario);

  const InstanceAccount& account(std::uint32_t instance) const { return accounts_[instance]; }
  const InstanceProfile& profile(std::uint32_t instance) const;
  std::uint32_t number_of(std::string_view group);
  std::uint32_t group_of(std::uint32_t workload) const { return group_of_[workload]; }
  /// The instance of every change so far, in order.
  const std::vector<std::uint32_t>& changes() const { return changes_; }

  /// Every check that a task of `workload` fails on `instance` now.
  CheckSet failing(std::uint32_t workload, std::uint32_t instance, std::string_view provider);

  /// Books a task; says what is wrong with its GPUs, or nothing.
  std::string book(std::uint32_t workload, std::uint32_t instance, const std::vector<ContainerGpus>& gpus);

  /// A task of the group on the instance counts in it no longer; says what is wrong, or nothing.
  std::string leave_group(std::uint32_t instance, std::uint32_t group);
  /// The instance has back what a task on the devices `gpus` was given; never more than it registers.
  void give_back(std::uint32_t instance, const capacity::TaskRequirement& task, const std::vector<std::uint32_t>& gpus);

  /// Takes back what was booked on the instance since the account was read.
  void put_back(std::uint32_t instance, InstanceAccount account) {
    accounts_[instance] = std::move(account);
    changes_.push_back(instance);
  }

  /// Returns by how much `instance` misses the checks that it failed.
  Shortfall shortfall(std::uint32_t workload, std::uint32_t instance, CheckSet failed) const;

  AttributeValues values_of(std::string_view attribute) const;
  std::uint32_t value_of(const AttributeValues& values, std::uint32_t instance) const {
    return values.of_profile[scenario_.instances[instance].profile];
  }
  /// Tasks of the group by the value of their instances.
  std::vector<std::int64_t> tasks_by_value(std::uint32_t group, const AttributeValues& values) const;

 private:
  const std::vector<CheckSet>& of_profiles(std::uint32_t workload);
  CheckSet of_profile(const Workload& workload, const InstanceProfile& profile) const;
  bool ports_free(const capacity::TaskRequirement& task, const InstanceAccount& account) const;
  bool gpus_free(const capacity::TaskRequirement& task, const InstanceProfile& profile,
                 const InstanceAccount& account) const;
  bool constraints_hold(const Workload& workload, std::uint32_t instance) const;
  std::string book_gpus(const capacity::TaskRequirement& task, std::uint32_t instance,
                        const std::vector<ContainerGpus>& gpus);

  const Scenario& scenario_;
  std::vector<InstanceAccount> accounts_;
  std::map<std::string_view, std::uint32_t> groups_;
  std::vector<std::string_view> group_names_;
  std::vector<std::uint32_t> group_of_;  ///< One entry per workload.
  std::vector<bool> is_distinct_;        ///< One entry per workload.
  std::vector<bool> looks_at_tasks_;     ///< One entry per workload: whether one of its constraints reads tasks.
  /// What profiles fail for good, by what a workload asks of them: workloads that ask the same share it.
  std::map<std::string, std::vector<CheckSet>> by_demand_;
  std::vector<const std::vector<CheckSet>*>
      of_profiles_;  ///< One entry per workload, in `by_demand_`; null until asked for.
  std::vector<std::uint32_t> changes_;
};

}  // namespace bayplan::placement
