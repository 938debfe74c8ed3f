#include "capacity/requirement.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/ascii.hpp"
#include "base/strings.hpp"
#include "capacity/attributes.hpp"
#include "capacity/gpu_request.hpp"
#include "capacity/unknown_members.hpp"

namespace bayplan::capacity {

using model::ContainerDefinition;
using model::IntegerField;
using model::TaskDefinition;

namespace {

using Unknown = std::vector<UnknownMember>;

std::int64_t size_of(const IntegerField& field) {
  return std::clamp<std::int64_t>(field.value.value_or(0), 0, kLargestSize);
}

// ECS takes the reservation where it is set and the hard limit otherwise (amazon-ecs-agent task.go, ToHostResources).
MiB reserved_memory(const ContainerDefinition& container) {
  const MiB reservation = size_of(container.memory_reservation);
  return reservation > 0 ? reservation : size_of(container.memory);
}

/// Task-level sizes are ignored for Windows containers (API reference, RegisterTaskDefinition).
bool task_level_counts(const TaskDefinition& task) {
  return !task.is_windows();
}

void add_cpu(const TaskDefinition& task, TaskRequirement& requirement, Unknown& unknown) {
  if (task_level_counts(task)) {
    requirement.cpu = std::min(task.cpu_units().value_or(0), kLargestSize);
    if (requirement.cpu > 0) return;
    if (task.cpu.unknown()) unknown.push_back({"cpu", task.cpu.node});
  }
  for (std::size_t i = 0; i < task.container_definitions.size(); ++i) {
    const auto& container = task.container_definitions[i];
    requirement.cpu += size_of(container.cpu);
    if (container.cpu.unknown()) unknown.push_back({member_name(container, i, "cpu"), container.cpu.node});
  }
}

void add_memory(const TaskDefinition& task, TaskRequirement& requirement, Unknown& unknown) {
  if (task_level_counts(task)) {
    requirement.memory = std::min(task.memory_mib().value_or(0), kLargestSize);
    if (requirement.memory > 0) return;
    if (task.memory.unknown()) unknown.push_back({"memory", task.memory.node});
  }
  for (std::size_t i = 0; i < task.container_definitions.size(); ++i) {
    const auto& container = task.container_definitions[i];
    requirement.memory += reserved_memory(container);
    if (container.memory_reservation.unknown()) {
      unknown.push_back({member_name(container, i, "memoryReservation"), container.memory_reservation.node});
    } else if (container.memory.unknown() && !container.memory_reservation) {
      unknown.push_back({member_name(container, i, "memory"), container.memory.node});
    }
  }
}

/// Port taken on the host, 0 when none or dynamic. In host mode the container's port is the host's.
std::int64_t host_port(const model::PortMapping& mapping, std::string_view network_mode) {
  const std::int64_t port = mapping.host_port.value.value_or(0);
  if (port == 0 && network_mode == "host") return mapping.container_port.value.value_or(0);
  return port;
}

void sort_unique(std::vector<std::uint16_t>& ports) {
  std::sort(ports.begin(), ports.end());
  ports.erase(std::unique(ports.begin(), ports.end()), ports.end());
}

void add_network(const TaskDefinition& task, TaskRequirement& requirement, Unknown& unknown) {
  if (task.network_mode.unknown()) unknown.push_back({"networkMode", task.network_mode.node});
  const std::string_view mode = task.effective_network_mode().value_or("bridge");
  if (mode == "awsvpc") requirement.network_interfaces = 1;
  if (mode == "awsvpc" || mode == "none") return;
  for (std::size_t i = 0; i < task.container_definitions.size(); ++i) {
    const auto& container = task.container_definitions[i];
    add_unknown_elements(container.port_mappings.node, member_name(container, i, "portMappings"), unknown);
    for (const auto& mapping : container.port_mappings) {
      if (mapping.host_port.unknown())
        unknown.push_back({member_name(container, i, "portMappings"), mapping.host_port.node});
      const std::int64_t port = host_port(mapping, mode);
      if (port < 1 || port > 65535) continue;
      const bool udp = mapping.protocol && equal_ignoring_case(*mapping.protocol, "udp");
      (udp ? requirement.udp_ports : requirement.tcp_ports).push_back(static_cast<std::uint16_t>(port));
    }
  }
  sort_unique(requirement.tcp_ports);
  sort_unique(requirement.udp_ports);
}

std::optional<std::string> architecture_of(const TaskDefinition& task) {
  if (!task.cpu_architecture) return std::nullopt;
  if (equal_ignoring_case(*task.cpu_architecture, "ARM64")) return "arm64";
  if (equal_ignoring_case(*task.cpu_architecture, "X86_64")) return "x86_64";
  return std::nullopt;
}

std::string describe_gpu(const TaskRequirement& requirement) {
  switch (requirement.gpu_form) {
    case GpuForm::kNone:
      return {};
    case GpuForm::kCount:
      return fmt::format("{} GPU", requirement.gpu_count);
    case GpuForm::kAll:
      return "all GPUs";
    case GpuForm::kFraction:
      return fmt::format("{:g} GPU", static_cast<double>(requirement.gpu_fraction_millionths) / 1e6);
    case GpuForm::kMps:
      return fmt::format("{} MiB of one shared GPU", requirement.mps_memory);
    case GpuForm::kNeuron:
      return "all Neuron devices";
  }
  return {};
}

std::string describe_ports(std::string_view protocol, const std::vector<std::uint16_t>& ports) {
  if (ports.size() > 3) return fmt::format("{} {} host ports", ports.size(), protocol);
  return fmt::format("{} {} {}", protocol, ports.size() == 1 ? "port" : "ports", fmt::join(ports, ", "));
}

}  // namespace

std::string member_name(const ContainerDefinition& container, std::size_t position, std::string_view member) {
  if (container.name) return fmt::format("containerDefinitions[{}].{}", *container.name, member);
  return fmt::format("containerDefinitions[{}].{}", position, member);
}

std::string describe_cpu(CpuUnits cpu) {
  constexpr CpuUnits kEighth = kUnitsPerVcpu / 8;
  if (cpu % kEighth != 0) return fmt::format("{} CPU units", cpu);
  return fmt::format("{:.10g} vCPU", static_cast<double>(cpu) / kUnitsPerVcpu);
}

std::string describe(const TaskRequirement& requirement) {
  std::vector<std::string> parts;
  if (requirement.wants_devices()) parts.push_back(describe_gpu(requirement));
  if (requirement.cpu > 0) parts.push_back(describe_cpu(requirement.cpu));
  parts.push_back(fmt::format("{} MiB", requirement.memory));
  if (requirement.network_interfaces > 0) parts.push_back(fmt::format("{} ENI", requirement.network_interfaces));
  if (requirement.ebs_volumes > 0) parts.push_back(count_of(requirement.ebs_volumes, "EBS volume"));
  if (!requirement.tcp_ports.empty()) parts.push_back(describe_ports("TCP", requirement.tcp_ports));
  if (!requirement.udp_ports.empty()) parts.push_back(describe_ports("UDP", requirement.udp_ports));
  if (requirement.architecture) parts.push_back(*requirement.architecture);
  return join(parts, ", ");
}

std::optional<Assumption> launch_type_assumption(const TaskRequirement& requirement, std::string subject) {
  const std::string& others = requirement.launch_types_without_ec2;
  if (others.empty()) return std::nullopt;
  return Assumption{std::string(kLaunchTypeNotEc2), std::move(subject),
                    fmt::format("requiresCompatibilities is {}, without EC2; tasks are placed on EC2 instances anyway, "
                                "as if EC2 were listed",
                                others)};
}

std::optional<Assumption> neuron_assumption(const TaskRequirement& requirement, std::string subject) {
  if (!requirement.wants_neuron()) return std::nullopt;
  return Assumption{std::string(kNeuronNotManaged), std::move(subject),
                    "ECS assigns NeuronDevice on Managed Instances only, according to its documentation; inf2 and trn "
                    "instances count as if they registered their devices"};
}

namespace {

/// "/dev/neuron3" is the fourth device; nothing for other paths.
std::optional<std::int64_t> neuron_device(std::string_view path) {
  constexpr std::string_view kDevice = "/dev/neuron";
  if (!path.starts_with(kDevice)) return std::nullopt;
  const auto digits = path.substr(kDevice.size());
  return digits.size() <= 4 && is_digits(digits) ? to_integer(digits) : std::nullopt;
}

std::int64_t mapped_neuron_devices(const TaskDefinition& task) {
  std::int64_t devices = 0;
  for (const auto& container : task.container_definitions) {
    const text::Value parameters = container.linux_parameters;
    const text::Value list = parameters && parameters.is_object() ? parameters.find("devices") : text::Value();
    if (!list || !list.is_array()) continue;
    for (const text::Value device : list.children()) {
      const text::Value path = device.is_object() ? device.find("hostPath") : text::Value();
      if (path && path.is_string()) devices = std::max(devices, neuron_device(path.text()).value_or(-1) + 1);
    }
  }
  return devices;
}

TaskRequirement make_requirement(const TaskDefinition& task, Unknown& unknown) {
  TaskRequirement requirement;
  if (task.family.present()) requirement.family = std::string(task.family.node.text());
  add_unknown_elements(task.container_definitions.node, "containerDefinitions", unknown);
  add_cpu(task, requirement, unknown);
  add_memory(task, requirement, unknown);
  add_gpus(task, requirement, unknown);
  requirement.mapped_neuron_devices = mapped_neuron_devices(task);
  add_network(task, requirement, unknown);
  requirement.ebs_volumes = std::count_if(task.volumes.begin(), task.volumes.end(),
                                          [](const auto& one) { return one.configured_at_launch.value == true; });
  requirement.required_attributes = required_attributes(task);
  requirement.architecture = architecture_of(task);
  requirement.windows = task.is_windows();
  requirement.linux = task.operating_system_family && equal_ignoring_case(*task.operating_system_family, "LINUX");
  requirement.launch_types_without_ec2 = task.launch_types_without_ec2();
  return requirement;
}

}  // namespace

std::string wanted_architecture(const TaskRequirement& task) {
  if (task.architecture) return *task.architecture;
  return task.windows ? "x86_64" : "";
}

std::vector<std::string> wanted_platform(const TaskRequirement& task) {
  std::vector<std::string> wanted;
  const std::string architecture = wanted_architecture(task);
  if (!architecture.empty()) wanted.push_back("ecs.cpu-architecture=" + architecture);
  if (task.windows || task.linux) wanted.push_back(task.windows ? "ecs.os-type=windows" : "ecs.os-type=linux");
  return wanted;
}

void add_unknown_elements(text::Value list, const std::string& name, std::vector<UnknownMember>& unknown) {
  if (!list) return;
  if (list.kind() == text::Kind::kPlaceholder) unknown.push_back({name, list});
  if (!list.is_array()) return;
  for (const text::Value element : list.children()) {
    if (element.kind() == text::Kind::kPlaceholder) unknown.push_back({name, element});
  }
}

TaskRequirement requirement_of(const TaskDefinition& task) {
  Unknown unknown;
  auto requirement = make_requirement(task, unknown);
  for (auto& member : unknown) requirement.unknown.push_back(std::move(member.name));
  return requirement;
}

std::vector<UnknownMember> unknown_members(const TaskDefinition& task) {
  Unknown unknown;
  make_requirement(task, unknown);
  return unknown;
}

}  // namespace bayplan::capacity
