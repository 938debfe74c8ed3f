// inferenceAccelerators, ephemeralStorage and enableFaultInjection: what the task has in addition to its containers.

#include "base/strings.hpp"
#include "rules/network/network_mode.hpp"
#include "rules/task/platform.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::Compatibility;

/// Entries of resourceRequirements that name an inference accelerator.
std::vector<text::Value> accelerator_requirements(const Context& ctx) {
  std::vector<text::Value> types;
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& requirement : container.resource_requirements) {
      const auto& type = requirement.type;
      if (type && equal_ignoring_case(*type, "InferenceAccelerator")) types.push_back(type.node);
    }
  }
  return types;
}

/// The first launch type but Fargate that the definition names.
const model::StringField* launch_type_without_ephemeral_storage(const Context& ctx) {
  for (const std::string_view name : {"EC2", "EXTERNAL", "MANAGED_INSTANCES"}) {
    for (const auto& item : ctx.task.requires_compatibilities) {
      if (item && *item == name) return &item;
    }
  }
  return nullptr;
}

/// Whether the list says something, or will.
bool names_launch_types(const Context& ctx) {
  const auto& list = ctx.task.requires_compatibilities;
  return !list.empty() || ctx.placeholders.holds(list.node);
}

// A definition from before the end of Elastic Inference was accepted with them.
void inference_accelerators_retired(const Context& ctx, Emitter& emit) {
  const auto requirements = accelerator_requirements(ctx);
  const text::Value list = ctx.root.find("inferenceAccelerators");
  const auto add = [&](Report report) {
    report.says("Elastic Inference accelerators are no longer supported")
        .help("delete them; use resourceRequirements with GPU or NeuronDevice instead");
    if (ctx.is_describe()) report.severity(Severity::kWarning);
    return report;
  };
  if (list && list.is_array() && list.size() > 0) {
    auto report = add(emit.at_key(list));
    for (const auto& type : requirements) report.related(type, "required here");
    return;
  }
  for (const auto& type : requirements) add(emit.at(type));
}

void ephemeral_storage_range(const Context& ctx, Emitter& emit) {
  constexpr std::int64_t kDefault = 20, kLeast = 21, kMost = 200;  // live: 20 and 201 refused, 21 and 200 accepted
  const auto& size = ctx.task.ephemeral_storage_gib;
  if (!ctx.targets(Compatibility::kFargate) || !emit.knows(size) || (*size >= kLeast && *size <= kMost)) return;
  auto report = emit.at(size);
  if (*size == kDefault) {
    report.says("ephemeralStorage 20 GiB is the Fargate default and cannot be specified")
        .help("delete ephemeralStorage, or use {} to {}", kLeast, kMost);
  } else {
    report.says("ephemeralStorage must be {} to {} GiB, got {}", kLeast, kMost, *size)
        .help(*size < kDefault ? "delete ephemeralStorage; every Fargate task has 20 GiB" : "use 200 or less");
  }
}

void ephemeral_storage_not_fargate(const Context& ctx, Emitter& emit) {
  const text::Value storage = ctx.task.ephemeral_storage;
  if (!storage || !storage.is_object() || ctx.is_describe()) return;
  if (const auto* launch_type = launch_type_without_ephemeral_storage(ctx)) {
    auto report = emit.at_key(storage);
    report.related(launch_type->node, "required here");
    if (**launch_type == "EC2") {
      report.says("ephemeralStorage is not supported on EC2");
    } else {
      report.says("ephemeralStorage is not supported on {} according to the documentation", **launch_type)
          .severity(Severity::kWarning);
    }
    report.help("delete it, or require FARGATE only");
  } else if (ctx.sees_task() && !names_launch_types(ctx) && ctx.targets(Compatibility::kEc2)) {
    emit.at_key(storage)
        .says(
            "ephemeralStorage is supported on Fargate only, and without requiresCompatibilities ECS validates for EC2")
        .help("add \"requiresCompatibilities\": [\"FARGATE\"], or delete it")
        .severity(Severity::kWarning);
  }
}

void fault_injection_scope(const Context& ctx, Emitter& emit) {
  const auto& enabled = ctx.task.enable_fault_injection;
  if (!emit.knows(enabled) || !*enabled) return;
  emit.at(enabled)
      .says("fault injection is enabled; network faults affect every container of the task")
      .help("remove it from production definitions");
}

void fault_injection_unavailable(const Context& ctx, Emitter& emit) {
  const auto& enabled = ctx.task.enable_fault_injection;
  if (!emit.knows(enabled) || !*enabled) return;
  const auto mode = network_mode(ctx);
  const bool works_in_mode = !mode || *mode == NetworkMode::kAwsvpc || *mode == NetworkMode::kHost;
  if (is_windows(ctx)) {
    emit.at(enabled).says("fault injection is not available on Windows").help("delete enableFaultInjection");
  } else if (!works_in_mode) {
    auto report = emit.at(enabled);
    report.says("fault injection is available in awsvpc and host mode only; this task uses {} mode", name_of(*mode))
        .help("use \"networkMode\": \"awsvpc\" or \"host\", or delete enableFaultInjection");
    relate_network_mode(ctx, report);
  }
}

}  // namespace

std::span<const Rule> task_scratch_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY132", kTaskDefinition, inference_accelerators_retired}, {"BAY133", kTaskDefinition, ephemeral_storage_range},
      {"BAY134", kTaskDefinition, ephemeral_storage_not_fargate},  {"BAY135", kTaskDefinition, fault_injection_scope},
      {"BAY137", kTaskDefinition, fault_injection_unavailable},
  };
  return kRules;
}

}  // namespace bayplan::rules
