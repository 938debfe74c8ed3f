#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "placement/checks.hpp"
#include "placement/gpu_devices.hpp"
#include "placement/scenario.hpp"

/// The account book of `verify`: what has been given out, counted upwards from nothing, where the engine counts
/// down what remains. Nothing here calls the engine.
namespace bayplan::placement {

struct GpuAccount {
  bool dedicated = false;
  MiB shared_memory = 0;              ///< Given to MPS tasks.
  std::int64_t share_millionths = 0;  ///< Given of a fractional device.
  bool untouched() const { return !dedicated && shared_memory == 0 && share_millionths == 0; }
};

/// Ports given out on one instance, sorted.
class PortAccount {
 public:
  void add(const std::vector<std::uint16_t>& ports);
  bool has(std::uint16_t port) const { return std::binary_search(ports_.begin(), ports_.end(), port); }
  std::size_t size() const { return ports_.size(); }
  auto begin() const { return ports_.begin(); }
  auto end() const { return ports_.end(); }

 private:
  std::vector<std::uint16_t> ports_;
};

struct InstanceAccount {
  CpuUnits cpu = 0;
  MiB memory = 0;
  std::int64_t network_interfaces = 0;
  PortAccount tcp;
  PortAccount udp;
  std::vector<GpuAccount> gpus;
  std::map<std::string_view, std::int64_t> groups;
  std::int64_t tasks = 0;
};

/// An attribute that `profile` does not have and does not count as having.
bool lacks_attribute(const InstanceProfile& profile, const std::string& name);

using ValueCounts = std::map<std::optional<std::string_view>, std::int64_t>;

class Ledger {
 public:
  explicit Ledger(const Scenario& scenario);

  const InstanceAccount& account(std::uint32_t instance) const { return accounts_[instance]; }
  const InstanceProfile& profile(std::uint32_t instance) const;

  /// Every check that a task of `workload` fails on `instance` now.
  CheckSet failing(std::uint32_t workload, std::uint32_t instance, std::string_view provider);

  /// Books a task; says what is wrong with its GPUs, or nothing.
  std::string book(std::uint32_t workload, std::uint32_t instance, const std::vector<ContainerGpus>& gpus);

  /// Takes back what was booked on the instance since the account was read.
  void put_back(std::uint32_t instance, InstanceAccount account) { accounts_[instance] = std::move(account); }

  /// By how much `instance` misses the checks that it failed.
  Shortfall shortfall(std::uint32_t workload, std::uint32_t instance, CheckSet failed) const;

  /// Tasks of the group by the attribute's value on their instances; one more entry counts those that lack it.
  ValueCounts tasks_by_value(std::string_view group, std::string_view attribute) const;
  std::optional<std::string_view> value_of(std::string_view attribute, std::uint32_t instance) const;

 private:
  CheckSet of_profile(const Workload& workload, const InstanceProfile& profile) const;
  bool ports_free(const capacity::TaskRequirement& task, const InstanceAccount& account) const;
  bool gpus_free(const capacity::TaskRequirement& task, const InstanceProfile& profile,
                 const InstanceAccount& account) const;
  bool constraints_hold(const Workload& workload, std::uint32_t instance) const;
  std::string book_gpus(const capacity::TaskRequirement& task, std::uint32_t instance,
                        const std::vector<ContainerGpus>& gpus);

  const Scenario& scenario_;
  std::vector<InstanceAccount> accounts_;
  std::map<std::uint32_t, std::vector<CheckSet>> by_profile_;  ///< Of a workload: what its profiles fail for good.
};

}  // namespace bayplan::placement
