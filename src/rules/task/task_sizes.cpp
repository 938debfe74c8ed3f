// Task-level cpu and memory: their form (RegisterTaskDefinition, members cpu and memory, API model of 2026-08).
#include <string>

#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "rules/file/spelling.hpp"
#include "rules/file/written_sizes.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

/// Safe if a unit shows what was meant.
void offer_size(Report& report, text::Value size, const Quantity& meant, std::string_view unit) {
  const std::string text = std::to_string(meant.amount);
  report.help("use \"{}\": {}", text, unit).fix(size.span(), json_quoted(text), meant.is_certain);
}

/// Typed clients refuse a number; CloudFormation makes a text of it.
bool is_refused_number(const Context& ctx, text::Value size) {
  return !size.is_string() && ctx.client != DeployClient::kCloudFormation;
}

/// The unit of memory must be the last thing in the text (pattern of the API model).
bool has_blank_after_unit(std::string_view text) {
  const std::string_view word = trim(text);
  return lower(word).ends_with("gb") && word.back() != text.back();
}

void task_cpu_format(const Context& ctx, Emitter& emit) {
  const auto& cpu = ctx.task.cpu;
  if (!emit.knows(cpu) || model::parse_task_cpu(*cpu)) return;
  if (is_name_to_fill_in(*cpu)) return emit.skip(cpu.node);
  auto report = emit.at(cpu);
  // Fargate has no configuration for what is no number.
  const bool has_no_size = ctx.targets(model::Compatibility::kFargate) && !read_cpu(*cpu);
  if (cpu->empty() || has_no_size || is_refused_number(ctx, cpu.node)) report.severity(Severity::kError);
  const auto meant = read_cpu(*cpu);
  if (cpu->empty()) {
    report.says("cpu is empty");
  } else {
    report.says("invalid task cpu \"{}\"", *cpu);
  }
  if (!meant) {
    report.help("use CPU units, 1024 per vCPU (\"512\"), or \"0.5 vCPU\"");
  } else {
    offer_size(report, cpu.node, *meant, "CPU units, 1024 per vCPU");
  }
}

void task_memory_format(const Context& ctx, Emitter& emit) {
  const auto& memory = ctx.task.memory;
  if (!emit.knows(memory) || (model::parse_task_memory(*memory) && !has_blank_after_unit(*memory))) return;
  if (is_name_to_fill_in(*memory)) return emit.skip(memory.node);
  auto report = emit.at(memory);
  if (is_refused_number(ctx, memory.node)) report.severity(Severity::kError);
  const auto meant = read_memory(*memory);
  if (memory->empty()) {
    report.says("memory is empty");
  } else {
    report.says("invalid task memory \"{}\"", *memory);
  }
  if (!meant) {
    report.help("use MiB (\"512\") or GB (\"0.5 GB\")");
  } else {
    offer_size(report, memory.node, *meant, "MiB, without a unit");
  }
}

void ec2_task_cpu_range(const Context& ctx, Emitter& emit) {
  constexpr CpuUnits kSmallest = 128;
  constexpr CpuUnits kLargest = 196608;
  if (ctx.targets(model::Compatibility::kFargate) || !emit.knows(ctx.task.cpu)) return;
  const auto cpu = ctx.task.cpu_units();
  if (!cpu || (*cpu >= kSmallest && *cpu <= kLargest)) return;
  const std::string nearest = std::to_string(*cpu < kSmallest ? kSmallest : kLargest);
  emit.at(ctx.task.cpu)
      .says("task cpu must be {} to {} on EC2, got {}", kSmallest, kLargest, *cpu)
      .help("use \"{}\"{}", nearest, *cpu < kSmallest ? " or more" : " or less")
      .fix(ctx.task.cpu.span(), json_quoted(nearest), false);
}

void fargate_size_missing(const Context& ctx, Emitter& emit) {
  if (!ctx.sees_task() || !ctx.targets(model::Compatibility::kFargate)) return;
  const auto is_absent = [](const model::StringField& field) { return !field.present() && !field.unknown(); };
  const bool lacks_cpu = is_absent(ctx.task.cpu), lacks_memory = is_absent(ctx.task.memory);
  if (lacks_cpu && lacks_memory) {
    emit.missing(ctx.root, "cpu")
        .says("Fargate requires task-level cpu and memory")
        .help("add \"cpu\": \"256\" and \"memory\": \"512\"");
  } else if (lacks_cpu) {
    emit.missing(ctx.root, "cpu").says("Fargate requires task-level cpu").help("add \"cpu\": \"256\"");
  } else if (lacks_memory) {
    emit.missing(ctx.root, "memory").says("Fargate requires task-level memory").help("add \"memory\": \"512\"");
  }
}

}  // namespace

std::span<const Rule> task_sizes_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY109", kTaskDefinition, task_cpu_format},
      {"BAY110", kTaskDefinition, task_memory_format},
      {"BAY111", kTaskDefinition, ec2_task_cpu_range, {.follows_from = {"BAY103"}}},
      {"BAY117", kTaskDefinition, fargate_size_missing},
  };
  return kRules;
}

}  // namespace bayplan::rules
