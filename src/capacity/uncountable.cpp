#include "capacity/uncountable.hpp"

#include <fmt/core.h>

#include "base/excerpt.hpp"
#include "capacity/gpu_needs.hpp"
#include "capacity/gpu_request.hpp"

namespace bayplan::capacity {
namespace {

using text::Value;

constexpr std::size_t kMaxSaid = 40;

std::string cannot_be(std::string_view name, Value value) {
  if (value.is_object() || value.is_array()) return fmt::format("{} cannot be {}", name, text::name_of(value.kind()));
  return fmt::format("{} cannot be '{}'", name, shortened_to(value.text(), kMaxSaid));
}

/// Checks a member of a container that must be a whole number.
void check_integer(const model::IntegerField& size, const std::string& name, std::string_view unit,
                   std::vector<Uncountable>& found) {
  if (!size.present() || size.unknown() || size.value.value_or(-1) >= 0) return;
  found.push_back({size.node, cannot_be(name, size.node), fmt::format("{}: a whole number from 0 up", unit)});
}

void check_gpus(const model::ContainerDefinition& container, const std::string& name, std::vector<Uncountable>& found) {
  for (const auto& wanted : container.resource_requirements) {
    const bool is_count = wanted.type && *wanted.type == "GPU" && !wanted.nvidia_mps && wanted.value.present();
    if (!is_count || wanted.value.unknown() || (wanted.value && parse_gpu_value(*wanted.value))) continue;
    found.push_back({wanted.value.node, cannot_be(name + ": the value of GPU", wanted.value.node),
                     "write how many (\"1\"), a fraction (\"0.5\") or \"ALL\""});
  }
}

void check_task_level(const model::TaskDefinition& task, std::vector<Uncountable>& found) {
  if (task.is_windows()) return;  // does not count there
  const auto check = [&](const model::StringField& size, bool is_read, std::string_view help) {
    if (size.present() && !size.unknown() && !is_read)
      found.push_back({size.node, cannot_be(size.node.key(), size.node), std::string(help)});
  };
  check(task.cpu, task.cpu_units().has_value(), "use CPU units (\"512\"; 1 vCPU is 1024) or \"0.5 vCPU\"");
  check(task.memory, task.memory_mib().has_value(), "use MiB (\"2048\") or \"2 GB\"");
}

}  // namespace

std::vector<Uncountable> uncountable_sizes(const model::TaskDefinition& task) {
  std::vector<Uncountable> found;
  check_task_level(task, found);
  for (std::size_t i = 0; i < task.container_definitions.size(); ++i) {
    const auto& container = task.container_definitions[i];
    check_integer(container.cpu, member_name(container, i, "cpu"), "CPU units", found);
    check_integer(container.memory, member_name(container, i, "memory"), "MiB", found);
    check_integer(container.memory_reservation, member_name(container, i, "memoryReservation"), "MiB", found);
    check_gpus(container, member_name(container, i, "resourceRequirements"), found);
  }
  return found;
}

std::vector<Uncountable> uncountable_needs(Value needs) {
  std::vector<Uncountable> found;
  if (!needs || !needs.is_object()) return found;
  for (const Value entry : needs.children()) {
    const Value memory = entry.find("gpuMemory");
    const Value capability = entry.find("minComputeCapability");
    if (memory && !memory.integer() && !parse_gpu_memory(memory.text()))
      found.push_back(
          {memory, cannot_be("gpuMemory", memory), "use MiB as a number up to 9999999, or \"14GiB\" or \"24GB\""});
    if (capability && !parse_tenths(capability.text()))
      found.push_back({capability, cannot_be("minComputeCapability", capability),
                       "write it as NVIDIA does: \"7.0\" for V100, \"7.5\" for T4, \"8.0\" for A100"});
  }
  return found;
}

}  // namespace bayplan::capacity
