// What Fargate, Windows, external and Managed Instances make of the network mode, the roles and the sizes of a task.
#include <algorithm>
#include <set>
#include <string>

#include "base/strings.hpp"
#include "query/query.hpp"
#include "rules/file/spelling.hpp"
#include "rules/task/platform.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::Compatibility;

/// Whether networkMode is one of `modes`; other words are for BAY022 and BAY330.
bool has_mode(const Context& ctx, Emitter& emit, std::initializer_list<std::string_view> modes) {
  const auto& mode = ctx.task.network_mode;
  return emit.knows(mode) && std::find(modes.begin(), modes.end(), *mode) != modes.end();
}

/// Where Windows is asked for on container instances that users register; absent elsewhere.
text::Value windows_on_instances(const Context& ctx, std::initializer_list<Compatibility> compatibilities) {
  const Platform& platform = ctx.platform.get();
  if (platform.system != OperatingSystem::kWindows) return {};
  const bool applies = std::any_of(compatibilities.begin(), compatibilities.end(),
                                   [&](Compatibility compatibility) { return ctx.targets(compatibility); });
  return applies ? platform.stated : text::Value();
}

// No mode suits both EXTERNAL and FARGATE: BAY108 reports the pair.
void fargate_network_mode(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(Compatibility::kFargate) || ctx.targets(Compatibility::kExternal)) return;
  const auto& mode = ctx.task.network_mode;
  if (has_mode(ctx, emit, {"bridge", "host", "none"})) {
    emit.at(mode)
        .says("networkMode must be awsvpc on Fargate, got {}", *mode)
        .help("use \"awsvpc\"")
        .fix(mode.span(), "\"awsvpc\"", false);
  } else if (ctx.sees_task() && !mode.present() &&
             !is_spelled_otherwise(ctx.root, "networkMode", {"network", "network_mode"})) {
    emit.missing(ctx.root, "networkMode")
        .says("networkMode is missing; Fargate requires awsvpc")
        .help("add \"networkMode\": \"awsvpc\"");
  }
}

void fargate_pid_mode(const Context& ctx, Emitter& emit) {
  const auto& mode = ctx.task.pid_mode;
  if (!ctx.targets(Compatibility::kFargate) || !emit.knows(mode) || *mode != "host") return;
  emit.at(mode)
      .says("pidMode host is not supported on Fargate")
      .help("use \"task\" to share processes between the containers, or delete it");
}

void windows_task_size(const Context& ctx, Emitter& emit) {
  const auto stated = windows_on_instances(ctx, {Compatibility::kEc2});
  if (!stated) return;
  const auto& cpu = ctx.task.cpu;
  const auto& memory = ctx.task.memory;
  if (!cpu.present() && !memory.present()) return;
  const bool both = cpu.present() && memory.present();
  emit.at_key(cpu.present() ? cpu.node : memory.node)
      .says("task-level {} ignored for Windows on EC2", both            ? "cpu and memory are"
                                                        : cpu.present() ? "cpu is"
                                                                        : "memory is")
      .help("set them on the containers")
      .related(stated, "Windows is required here");
}

// bridge means the default network of Windows: the agent converts it to nat
// (https://github.com/aws/amazon-ecs-agent/pull/3564, 2023-02).
void windows_network_mode(const Context& ctx, Emitter& emit) {
  const auto stated = windows_on_instances(ctx, {Compatibility::kEc2, Compatibility::kExternal});
  if (!stated || !has_mode(ctx, emit, {"host", "none"})) return;
  emit.at(ctx.task.network_mode)
      .says("networkMode {} is not supported on Windows", *ctx.task.network_mode)
      .help("use \"awsvpc\", or delete networkMode for the default network")
      .related(stated, "Windows is required here");
}

void windows_role_flag(const Context& ctx, Emitter& emit) {
  const auto stated = windows_on_instances(ctx, {Compatibility::kEc2});
  if (!stated || !ctx.task.task_role_arn.present()) return;
  emit.at(ctx.task.task_role_arn)
      .says("task roles on Windows instances work only if the agent was started with -EnableTaskIAMRole")
      .help("run Initialize-ECSAgent -EnableTaskIAMRole in the user data of the instance")
      .related(stated, "Windows is required here");
}

// BAY108 reports FARGATE together with EXTERNAL.
void external_network_mode(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(Compatibility::kExternal) || ctx.targets(Compatibility::kFargate)) return;
  if (!has_mode(ctx, emit, {"awsvpc"})) return;
  emit.at(ctx.task.network_mode)
      .says("networkMode awsvpc is not supported on external instances, which are not in a VPC")
      .help("use \"bridge\", \"host\" or \"none\"");
}

void external_selinux(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(Compatibility::kExternal)) return;
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& item : container.docker_security_options) {
      if (!emit.knows(item) || !item->starts_with("label:")) continue;
      emit.at(item).says("SELinux labels are not supported on external instances, got {}", *item).help("delete it");
    }
  }
}

void managed_network_mode(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(Compatibility::kManagedInstances) || !has_mode(ctx, emit, {"bridge", "none"})) return;
  emit.at(ctx.task.network_mode)
      .says("networkMode must be awsvpc or host on Managed Instances, got {}", *ctx.task.network_mode)
      .help("use \"awsvpc\" or \"host\"");
}

void managed_linux_only(const Context& ctx, Emitter& emit) {
  const auto stated = windows_on_instances(ctx, {Compatibility::kManagedInstances});
  if (!stated) return;
  emit.at(stated)
      .says("Managed Instances support Linux only, got Windows")
      .help("use Linux, or run the task on EC2 or Fargate");
}

// The list of attributes is known in part (ecs.subnet-id, ecs.availability-zone, ecs.instance-type,
// ecs.cpu-architecture): reported are only those that users would have to set on instances, which they cannot here.
void managed_constraint_attributes(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(Compatibility::kManagedInstances)) return;
  for (const auto& constraint : ctx.task.placement_constraints) {
    if (!emit.knows(constraint.expression)) continue;
    const auto parsed = query::parse(*constraint.expression);
    if (!parsed) continue;
    std::set<std::string_view> reported;
    for (const auto& predicate : parsed.expression->predicates()) {
      const std::string_view name = predicate.attribute;
      if (name.empty() || name.starts_with("ecs.") || name.starts_with("com.amazonaws.ecs.")) continue;
      if (!reported.insert(name).second) continue;
      emit.at(constraint.expression)
          .says("attribute {} is not available on Managed Instances, where custom attributes cannot be set", name)
          .help("use a built-in attribute such as ecs.instance-type or ecs.availability-zone");
    }
  }
}

}  // namespace

std::span<const Rule> launch_type_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY801", kTaskDefinition, fargate_network_mode},
      {"BAY803", kTaskDefinition, fargate_pid_mode},
      {"BAY831", kTaskDefinition, windows_task_size},
      {"BAY832", kTaskDefinition, windows_network_mode},
      {"BAY833", kTaskDefinition, windows_role_flag},
      {"BAY850", kTaskDefinition, external_network_mode, {.follows_from = {"BAY108"}}},
      {"BAY852", kTaskDefinition, external_selinux, {.follows_from = {"BAY108"}}},
      {"BAY871", kTaskDefinition, managed_network_mode},
      {"BAY872", kTaskDefinition, managed_linux_only},
      {"BAY873", kTaskDefinition, managed_constraint_attributes},
  };
  return kRules;
}

}  // namespace bayplan::rules
