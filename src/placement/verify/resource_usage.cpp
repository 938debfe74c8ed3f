#include "placement/verify/resource_usage.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include <fmt/core.h>

#include "capacity/copies.hpp"

namespace bayplan::placement {
namespace {

using capacity::GpuForm;
using capacity::kMaxReservedPorts;
using capacity::TaskRequirement;

/// An instance as a constraint sees it, read from the resource accounting.
class AccountView : public query::InstanceView {
 public:
  AccountView(const InstanceProfile& profile, const InstanceAccount& account,
              const std::vector<std::string_view>& group_names)
      : profile_(profile), account_(account), group_names_(group_names) {}

  std::optional<std::string_view> attribute(std::string_view name) const override {
    for (const auto& [own, value] : profile_.attributes) {
      if (own == name) return value;
    }
    const bool is_capability = name.find("ecs.capability.") != std::string_view::npos;
    if (is_capability && !lacks_attribute(profile_, std::string(name))) return "";
    return std::nullopt;
  }
  bool agent_connected() const override { return profile_.agent_connected; }
  std::optional<std::string_view> agent_version() const override { return stated(profile_.agent_version); }
  std::optional<std::string_view> ec2_instance_id() const override { return stated(profile_.ec2_instance_id); }
  std::optional<std::int64_t> registered_at() const override { return profile_.registered_at; }
  std::int64_t running_tasks_count() const override { return account_.tasks; }
  std::vector<std::string_view> task_groups() const override {
    std::vector<std::string_view> names;
    for (const auto& own : account_.groups) names.push_back(group_names_[own.group]);
    return names;
  }

 private:
  static std::optional<std::string_view> stated(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional<std::string_view>(text);
  }
  const InstanceProfile& profile_;
  const InstanceAccount& account_;
  const std::vector<std::string_view>& group_names_;
};

bool is_fractional(const InstanceProfile& profile) {
  return profile.gpu_fraction_millionths != 1'000'000;
}

template <class Predicate>
std::int64_t count_gpus(const InstanceAccount& account, Predicate predicate) {
  return std::count_if(account.gpus.begin(), account.gpus.end(), predicate);
}

void add_to_group(InstanceAccount& account, std::uint32_t group) {
  for (auto& own : account.groups) {
    if (own.group == group) {
      ++own.tasks;
      return;
    }
  }
  if (account.groups.empty()) account.groups.reserve(4);
  account.groups.push_back({group, 1});
}

/// All that `of_profile` looks at, in one text.
std::string describe_demand(const Workload& workload) {
  std::string text;
  const auto add = [&](std::string_view part) { text.append(part).push_back('\0'); };
  add(std::to_string(workload.requirement.required_attributes.size()));
  for (const auto& name : workload.requirement.required_attributes) add(name);
  add(workload.requirement.architecture.value_or(""));
  add(workload.requirement.windows ? "windows" : workload.requirement.linux ? "linux" : "");
  add(workload.availability_zones ? std::to_string(workload.availability_zones->size()) : "");
  if (workload.availability_zones) {
    for (const auto& zone : *workload.availability_zones) add(zone);
  }
  add(workload.only_profile ? std::to_string(*workload.only_profile) : "");
  for (const auto& constraint : workload.constraints) {
    if (constraint.expression && !constraint.depends_on_tasks()) add(constraint.source);
  }
  return text;
}

/// What is taken before the first placement.
void open_with(InstanceAccount& account, const InstanceUse& taken, const InstanceProfile& profile) {
  account.cpu = taken.cpu;
  account.memory = taken.memory;
  account.network_interfaces = taken.network_interfaces;
  account.ebs_volumes = taken.ebs_volumes;
  account.tasks = taken.tasks;
  account.tcp.add(taken.tcp_ports);
  account.udp.add(taken.udp_ports);
  for (std::size_t gpu = 0; gpu < taken.gpus.size(); ++gpu) {
    const auto& use = taken.gpus[gpu];
    // A fractional device that is all taken is taken by shares: each that goes leaves room.
    const bool all_shares = use.dedicated && is_fractional(profile);
    account.gpus[gpu] = all_shares ? GpuAccount{false, false, 0, profile.gpu_fraction_millionths}
                                   : GpuAccount{use.dedicated, use.is_shared, use.shared_memory, use.share_millionths};
  }
}

}  // namespace

void PortAccount::add(const std::vector<std::uint16_t>& ports) {
  if (ports_.empty() && std::adjacent_find(ports.begin(), ports.end(), std::greater_equal<>()) == ports.end()) {
    ports_ = ports;
    return;
  }
  for (const auto port : ports) {
    const auto at = std::lower_bound(ports_.begin(), ports_.end(), port);
    if (at == ports_.end() || *at != port) ports_.insert(at, port);
  }
}

void PortAccount::remove(const std::vector<std::uint16_t>& ports) {
  for (const auto port : ports) {
    const auto at = std::lower_bound(ports_.begin(), ports_.end(), port);
    if (at != ports_.end() && *at == port) ports_.erase(at);
  }
}

std::int64_t InstanceAccount::tasks_of(std::uint32_t group) const {
  for (const auto& own : groups) {
    if (own.group == group) return own.tasks;
  }
  return 0;
}

std::int64_t attachments_for(const InstanceProfile& profile, std::int64_t ebs_volumes,
                             std::int64_t network_interfaces) {
  return ebs_volumes + (profile.interfaces_take_attachments ? network_interfaces : 0);
}

bool lacks_attribute(const InstanceProfile& profile, const std::string& name) {
  if (profile.attributes.count(name) > 0) return false;
  const bool is_capability = name.find("ecs.capability.") != std::string::npos;
  const bool must_be_stated = name == "ecs.capability.gpu-sharing-mps";
  return !is_capability || must_be_stated || !profile.has_all_capabilities;
}

std::vector<std::string> other_platform(const InstanceProfile& profile, const capacity::TaskRequirement& task) {
  std::vector<std::string> other;
  const bool runs_x86 = task.windows && !task.architecture;  // there is no other Windows on EC2
  for (const auto& [name, value] : profile.attributes) {
    if (name == "ecs.cpu-architecture") {
      if (task.architecture && *task.architecture != value) other.push_back(name + "=" + *task.architecture);
      if (runs_x86 && value != "x86_64") other.push_back(name + "=x86_64");
    }
    if (name == "ecs.os-type") {
      if (task.windows && value != "windows") other.push_back(name + "=windows");
      if (!task.windows && task.linux && value != "linux") other.push_back(name + "=linux");
    }
  }
  return other;
}

ResourceUsage::ResourceUsage(const Scenario& scenario) : scenario_(scenario), accounts_(scenario.instances.size()) {
  for (std::size_t i = 0; i < accounts_.size(); ++i) {
    const auto& own = scenario.profiles[scenario.instances[i].profile];
    accounts_[i].tcp.add(own.reserved_tcp_ports);
    accounts_[i].udp.add(own.reserved_udp_ports);
    accounts_[i].gpus.resize(static_cast<std::size_t>(own.gpu_count + own.neuron_devices));
    if (i < scenario.in_use.size()) open_with(accounts_[i], scenario.in_use[i], own);
  }
  for (const auto& task : scenario.running) {
    if (!task.stopping) add_to_group(accounts_[task.instance], number_of(task.group));
  }
  for (const auto& workload : scenario.workloads) {
    bool distinct = false;
    bool looks = false;
    for (const auto& constraint : workload.constraints) {
      distinct |= constraint.type == ConstraintType::kDistinctInstance;
      looks |= constraint.depends_on_tasks();
    }
    group_of_.push_back(number_of(workload.group));
    is_distinct_.push_back(distinct);
    looks_at_tasks_.push_back(looks);
  }
  of_profiles_.resize(scenario.workloads.size());
}

std::uint32_t ResourceUsage::number_of(std::string_view group) {
  const auto [entry, is_new] = groups_.try_emplace(group, static_cast<std::uint32_t>(group_names_.size()));
  if (is_new) group_names_.push_back(group);
  return entry->second;
}

const std::vector<CheckSet>& ResourceUsage::of_profiles(std::uint32_t workload) {
  auto& known = of_profiles_[workload];
  if (known != nullptr) return *known;
  const auto [entry, is_new] = by_demand_.try_emplace(describe_demand(scenario_.workloads[workload]));
  if (is_new) {
    for (const auto& each : scenario_.profiles)
      entry->second.push_back(of_profile(scenario_.workloads[workload], each));
  }
  known = &entry->second;
  return *known;
}

const InstanceProfile& ResourceUsage::profile(std::uint32_t instance) const {
  return scenario_.profiles[scenario_.instances[instance].profile];
}

CheckSet ResourceUsage::of_profile(const Workload& workload, const InstanceProfile& profile) const {
  CheckSet failed;
  if (profile.status != InstanceStatus::kActive) failed.add(Check::kStatus);
  if (!profile.agent_connected) failed.add(Check::kAgent);
  for (const auto& name : workload.requirement.required_attributes) {
    if (lacks_attribute(profile, name)) failed.add(Check::kAttribute);
  }
  if (!other_platform(profile, workload.requirement).empty()) failed.add(Check::kAttribute);
  if (workload.availability_zones && !profile.availability_zone.empty()) {
    const auto& zones = *workload.availability_zones;
    if (std::count(zones.begin(), zones.end(), profile.availability_zone) == 0) failed.add(Check::kLocation);
  }
  const InstanceAccount untouched;
  const AccountView view(profile, untouched, group_names_);
  for (const auto& constraint : workload.constraints) {
    const bool is_of_profile = constraint.expression && !constraint.depends_on_tasks();
    if (is_of_profile && !constraint.expression->holds(view)) failed.add(Check::kMemberOf);
  }
  if (workload.only_profile && &profile != &scenario_.profiles[*workload.only_profile]) failed.add(Check::kMemberOf);
  return failed;
}

bool ResourceUsage::ports_free(const TaskRequirement& task, const InstanceAccount& account) const {
  if (task.tcp_ports.empty() && task.udp_ports.empty()) return true;
  for (const auto port : task.tcp_ports) {
    if (account.tcp.has(port)) return false;
  }
  for (const auto port : task.udp_ports) {
    if (account.udp.has(port)) return false;
  }
  return account.tcp.size() + account.udp.size() + task.tcp_ports.size() + task.udp_ports.size() <= kMaxReservedPorts;
}

bool ResourceUsage::gpus_free(const TaskRequirement& task, const InstanceProfile& profile,
                              const InstanceAccount& account) const {
  if (task.gpu_form == GpuForm::kNone) return true;
  if (task.wants_gpu() && profile.neuron_devices > 0) return false;
  const bool fractional = is_fractional(profile);
  const auto untouched = count_gpus(account, [](const GpuAccount& gpu) { return gpu.untouched(); });
  switch (task.gpu_form) {
    case GpuForm::kNone:
      return true;
    case GpuForm::kCount:
      return (fractional ? 0 : untouched) >= task.gpu_count;
    case GpuForm::kAll:
      return profile.gpu_count > 0 && untouched == profile.gpu_count && task.gpu_containers.size() == 1;
    case GpuForm::kNeuron:
      return profile.neuron_devices > 0 && untouched == profile.neuron_devices && task.gpu_containers.size() == 1;
    case GpuForm::kFraction:
      return fractional && count_gpus(account, [&](const GpuAccount& gpu) {
                             return !gpu.dedicated && gpu.share_millionths + task.gpu_fraction_millionths <=
                                                          profile.gpu_fraction_millionths;
                           }) > 0;
    case GpuForm::kMps:
      return !fractional && count_gpus(account, [&](const GpuAccount& gpu) {
                              return !gpu.dedicated && gpu.shared_memory + task.mps_memory <= profile.gpu_memory;
                            }) > 0;
  }
  return false;
}

bool ResourceUsage::constraints_hold(const Workload& workload, std::uint32_t instance) const {
  const AccountView view(profile(instance), accounts_[instance], group_names_);
  return std::all_of(workload.constraints.begin(), workload.constraints.end(), [&](const Constraint& constraint) {
    return !constraint.depends_on_tasks() || constraint.expression->holds(view);
  });
}

CheckSet ResourceUsage::failing(std::uint32_t workload_index, std::uint32_t instance, std::string_view provider) {
  const auto& workload = scenario_.workloads[workload_index];
  const auto& task = workload.requirement;
  const auto& own = profile(instance);
  const auto& account = accounts_[instance];
  const auto* known = of_profiles_[workload_index];
  CheckSet failed = (known != nullptr ? *known : of_profiles(workload_index))[scenario_.instances[instance].profile];
  if (!provider.empty() && own.capacity_provider_name != provider) failed.add(Check::kCapacityProvider);
  if (task.cpu > 0 && account.cpu + task.cpu > own.cpu) failed.add(Check::kCpu);
  if (task.memory > 0 && account.memory + task.memory > own.memory) failed.add(Check::kMemory);
  if (!ports_free(task, account)) failed.add(Check::kPorts);
  if (!gpus_free(task, own, account)) failed.add(task.wants_neuron() ? Check::kNeuronDevice : Check::kGpu);
  if (account.network_interfaces + task.network_interfaces > own.network_interfaces && task.network_interfaces > 0) {
    failed.add(Check::kNetworkInterface);
  }
  const std::int64_t attachments = attachments_for(own, task.ebs_volumes, task.network_interfaces);
  const std::int64_t attached = attachments_for(own, account.ebs_volumes, account.network_interfaces);
  if (attachments > 0 && attached + attachments > own.ebs_attachments) failed.add(Check::kEbsAttachment);
  if (looks_at_tasks_[workload_index] && !constraints_hold(workload, instance)) failed.add(Check::kMemberOf);
  if (is_distinct_[workload_index] && account.tasks_of(group_of_[workload_index]) > 0) {
    failed.add(Check::kDistinctInstance);
  }
  return failed;
}

std::string ResourceUsage::book_gpus(const TaskRequirement& task, std::uint32_t instance,
                                     const std::vector<ContainerGpus>& gpus) {
  auto& account = accounts_[instance];
  if (gpus.size() != task.gpu_containers.size()) return "has GPUs for a wrong number of containers";
  std::set<std::uint32_t> devices;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    const auto& wanted = task.gpu_containers[i];
    if (gpus[i].container != wanted.container) return "has a GPU in a container that asked for none";
    std::int64_t count = 1;
    if (task.gpu_form == GpuForm::kCount) count = wanted.count;
    if (task.gpu_form == GpuForm::kAll) count = profile(instance).gpu_count;
    if (task.gpu_form == GpuForm::kNeuron) count = profile(instance).neuron_devices;
    if (static_cast<std::int64_t>(gpus[i].devices.size()) != count)
      return "has a container with a wrong number of GPUs";
    for (const auto device : gpus[i].devices) {
      if (device >= account.gpus.size()) return fmt::format("has gpu{}, which is not there", device);
      const bool whole = task.gpu_form != GpuForm::kFraction && task.gpu_form != GpuForm::kMps;
      if (whole && !account.gpus[device].untouched()) return fmt::format("has gpu{}, which another has", device);
      if (whole) account.gpus[device].dedicated = true;
      devices.insert(device);
    }
  }
  if (task.gpu_form != GpuForm::kFraction && task.gpu_form != GpuForm::kMps) return {};
  if (devices.size() != 1) return "has shares on more than one GPU";
  auto& gpu = account.gpus[*devices.begin()];
  gpu.share_millionths += task.gpu_fraction_millionths;
  if (task.gpu_form == GpuForm::kMps) gpu.is_shared = true;
  gpu.shared_memory += task.mps_memory;
  const bool overfull = gpu.dedicated || gpu.share_millionths > profile(instance).gpu_fraction_millionths ||
                        (task.gpu_form == GpuForm::kMps && gpu.shared_memory > profile(instance).gpu_memory);
  return overfull ? fmt::format("has a share of gpu{} that is not free", *devices.begin()) : std::string{};
}

std::string ResourceUsage::book(std::uint32_t workload, std::uint32_t instance,
                                const std::vector<ContainerGpus>& gpus) {
  const auto& task = scenario_.workloads[workload].requirement;
  auto& account = accounts_[instance];
  account.cpu += task.cpu;
  account.memory += task.memory;
  account.network_interfaces += task.network_interfaces;
  account.ebs_volumes += task.ebs_volumes;
  account.tcp.add(task.tcp_ports);
  account.udp.add(task.udp_ports);
  add_to_group(account, group_of_[workload]);
  ++account.tasks;
  changes_.push_back(instance);
  return book_gpus(task, instance, gpus);
}

std::string ResourceUsage::leave_group(std::uint32_t instance, std::uint32_t group) {
  auto& groups = accounts_[instance].groups;
  const auto own = std::find_if(groups.begin(), groups.end(), [&](const auto& each) { return each.group == group; });
  if (own == groups.end()) return fmt::format("leaves {}, but none of it runs there", group_names_[group]);
  if (--own->tasks == 0) groups.erase(own);
  changes_.push_back(instance);
  return {};
}

void ResourceUsage::give_back(std::uint32_t instance, const TaskRequirement& task,
                              const std::vector<std::uint32_t>& gpus) {
  auto& account = accounts_[instance];
  const auto less = [](std::int64_t& taken, std::int64_t by) { taken = std::max<std::int64_t>(0, taken - by); };
  less(account.cpu, task.cpu);
  less(account.memory, task.memory);
  less(account.network_interfaces, task.network_interfaces);
  less(account.ebs_volumes, task.ebs_volumes);
  account.tcp.remove(task.tcp_ports);
  account.udp.remove(task.udp_ports);
  --account.tasks;
  const bool shares = task.gpu_form == GpuForm::kMps || task.gpu_form == GpuForm::kFraction;
  for (const auto gpu : gpus) {
    if (gpu >= account.gpus.size()) continue;  // `book` has spoken
    if (!shares) account.gpus[gpu] = {};
    less(account.gpus[gpu].shared_memory, task.mps_memory);
    less(account.gpus[gpu].share_millionths, task.gpu_fraction_millionths);
    // Which tasks are on a shared GPU is not accounted: it is idle again when all of its memory is.
    if (task.gpu_form == GpuForm::kMps && account.gpus[gpu].shared_memory == 0) account.gpus[gpu].is_shared = false;
  }
  changes_.push_back(instance);
}

AttributeValues ResourceUsage::values_of(std::string_view attribute) const {
  AttributeValues values;
  std::map<std::optional<std::string_view>, std::uint32_t> numbers;
  const InstanceAccount untouched;
  for (const auto& each : scenario_.profiles) {
    const auto value = AccountView(each, untouched, group_names_).attribute(attribute);
    const auto number = static_cast<std::uint32_t>(numbers.size());
    values.of_profile.push_back(numbers.try_emplace(value, number).first->second);
  }
  values.count = numbers.size();
  return values;
}

std::vector<std::int64_t> ResourceUsage::tasks_by_value(std::uint32_t group, const AttributeValues& values) const {
  std::vector<std::int64_t> tasks(values.count);
  for (std::uint32_t i = 0; i < accounts_.size(); ++i) tasks[value_of(values, i)] += accounts_[i].tasks_of(group);
  return tasks;
}

}  // namespace bayplan::placement
