// Task-level cpu and memory: their form (RegisterTaskDefinition, members cpu and memory, API model of 2026-08).
#include <cmath>
#include <optional>
#include <string>

#include "base/strings.hpp"
#include "rules/rule_functions.hpp"

namespace bayplan::rules {
namespace {

/// A decimal number and what follows it: "0.5", "1 CPU", "500m".
struct Quantity {
  double number = 0;
  std::string unit;  ///< Lowered.
};

std::optional<Quantity> read_quantity(std::string_view text) {
  text = trim(text);
  const auto end = std::min(text.size(), text.find_first_not_of("0123456789."));
  const auto number = to_number(text.substr(0, end));
  if (!number) return std::nullopt;
  return Quantity{*number, lower(trim(text.substr(end)))};
}

/// `value` rounded up to a whole number.
std::string whole(double value) {
  return std::to_string(static_cast<std::int64_t>(std::ceil(value)));
}

/// What was meant, in CPU units: "500m" of Kubernetes, "1 CPU", "0.5".
std::string cpu_meant(std::string_view text) {
  const auto quantity = read_quantity(text);
  if (!quantity || quantity->number <= 0 || quantity->number > 1e6) return {};
  const auto& unit = quantity->unit;
  if (unit == "m") return whole(quantity->number * 1024 / 1000);
  if (unit.empty() || unit == "cpu" || unit == "cpus" || unit == "vcpu" || unit == "vcpus" || unit == "core" ||
      unit == "cores") {
    return whole(quantity->number * 1024);
  }
  return unit == "units" || unit == "unit" ? whole(quantity->number) : std::string();
}

/// What was meant, in MiB: "512MB", "1Gi", "2G".
std::string memory_meant(std::string_view text) {
  const auto quantity = read_quantity(text);
  if (!quantity || quantity->number <= 0 || quantity->number > 1e6) return {};
  const auto& unit = quantity->unit;
  if (unit == "gb" || unit == "g" || unit == "gi" || unit == "gib") return whole(quantity->number * 1024);
  if (unit.empty() || unit == "mb" || unit == "m" || unit == "mi" || unit == "mib") return whole(quantity->number);
  return {};
}

/// The unit of memory must be the last thing in the text (pattern of the API model).
bool has_blank_after_unit(std::string_view text) {
  const std::string_view word = trim(text);
  return lower(word).ends_with("gb") && word.back() != text.back();
}

}  // namespace

void task_cpu_format(const Context& ctx, Emitter& emit) {
  const auto& cpu = ctx.task.cpu;
  if (!emit.knows(cpu) || model::parse_task_cpu(*cpu)) return;
  auto report = emit.at(cpu);
  const std::string meant = cpu_meant(*cpu);
  if (cpu->empty()) {
    report.says("cpu is empty");
  } else {
    report.says("ECS cannot read \"{}\" as a cpu size", *cpu);
  }
  if (meant.empty()) {
    report.help("write CPU units, 1024 a vCPU (\"512\"), or \"0.5 vCPU\"");
  } else {
    report.help("write \"{}\": CPU units, 1024 a vCPU", meant);
  }
}

void task_memory_format(const Context& ctx, Emitter& emit) {
  const auto& memory = ctx.task.memory;
  if (!emit.knows(memory) || (model::parse_task_memory(*memory) && !has_blank_after_unit(*memory))) return;
  auto report = emit.at(memory);
  const std::string meant = memory_meant(*memory);
  if (memory->empty()) {
    report.says("memory is empty");
  } else {
    report.says("ECS cannot read \"{}\" as a memory size", *memory);
  }
  if (meant.empty()) {
    report.help("write MiB (\"512\") or GB (\"0.5 GB\")");
  } else {
    report.help("write \"{}\": MiB, without a unit", meant);
  }
}

void ec2_task_cpu_range(const Context& ctx, Emitter& emit) {
  constexpr CpuUnits kSmallest = 128;
  constexpr CpuUnits kLargest = 196608;
  if (ctx.targets(model::Compatibility::kFargate) || !emit.knows(ctx.task.cpu)) return;
  const auto cpu = ctx.task.cpu_units();
  if (!cpu || (*cpu >= kSmallest && *cpu <= kLargest)) return;
  emit.at(ctx.task.cpu)
      .says("task cpu {} is outside {} to {}", *cpu, kSmallest, kLargest)
      .help("write \"{}\"{}", *cpu < kSmallest ? kSmallest : kLargest, *cpu < kSmallest ? " at least" : " at most");
}

void fargate_size_missing(const Context& ctx, Emitter& emit) {
  if (!ctx.sees_task() || !ctx.targets(model::Compatibility::kFargate)) return;
  const auto report_absent = [&](const model::StringField& field, std::string_view key, std::string_view example) {
    if (field.present() || field.unknown()) return;
    emit.missing(ctx.root, key).says("Fargate needs {} at task level", key).help("add \"{}\": \"{}\"", key, example);
  };
  report_absent(ctx.task.cpu, "cpu", "256");
  report_absent(ctx.task.memory, "memory", "512");
}

}  // namespace bayplan::rules
