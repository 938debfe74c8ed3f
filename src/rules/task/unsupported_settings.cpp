// Settings that one platform has and another lacks: a table for each, and one way to read them.
#include <array>
#include <span>
#include <string_view>

#include "rules/task/platform.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::Compatibility;
using text::Value;

enum class Place : std::uint8_t { kTask, kContainer, kVolume };

/// What a setting must hold to be in use: false, 0, an empty text and an empty list ask for nothing.
enum class InUse : std::uint8_t { kWhenTrue, kWhenFilled, kWhenNumber };

struct Setting {
  Place place;
  std::string_view key;
  InUse in_use;
  std::string_view instead = "delete it";
};

// Sets of settings; those that another rule reports with better evidence are not repeated.

/// Developer guide, task_definition_parameters, 2026. pidMode: BAY136.
constexpr std::array kNotOnWindowsFargate{
    Setting{Place::kContainer, "environmentFiles", InUse::kWhenFilled, "use environment for the variables"},
    Setting{Place::kContainer, "linuxParameters", InUse::kWhenFilled},
    Setting{Place::kContainer, "privileged", InUse::kWhenTrue},
    Setting{Place::kContainer, "readonlyRootFilesystem", InUse::kWhenTrue},
    Setting{Place::kContainer, "systemControls", InUse::kWhenFilled},
    Setting{Place::kContainer, "ulimits", InUse::kWhenFilled},
    Setting{Place::kContainer, "user", InUse::kWhenFilled, "delete it, and set the user in the image"},
    Setting{Place::kVolume, "efsVolumeConfiguration", InUse::kWhenFilled, "use an FSx for Windows share on EC2"}};

/// Developer guide, task_definition_parameters and windows_task_definitions, 2026. ipcMode and pidMode: BAY136; Docker
/// volumes with another driver than local: BAY518.
constexpr std::array kNotOnWindows{
    Setting{Place::kTask, "proxyConfiguration", InUse::kWhenFilled},
    Setting{Place::kContainer, "disableNetworking", InUse::kWhenTrue},
    Setting{Place::kContainer, "dnsSearchDomains", InUse::kWhenFilled},
    Setting{Place::kContainer, "dnsServers", InUse::kWhenFilled},
    Setting{Place::kContainer, "extraHosts", InUse::kWhenFilled},
    Setting{Place::kContainer, "links", InUse::kWhenFilled},
    Setting{Place::kContainer, "linuxParameters", InUse::kWhenFilled},
    Setting{Place::kContainer, "memoryReservation", InUse::kWhenNumber, "use \"memory\", the hard limit"},
    Setting{Place::kContainer, "privileged", InUse::kWhenTrue},
    Setting{Place::kContainer, "readonlyRootFilesystem", InUse::kWhenTrue},
    Setting{Place::kContainer, "systemControls", InUse::kWhenFilled},
    Setting{Place::kContainer, "ulimits", InUse::kWhenFilled},
    Setting{Place::kContainer, "user", InUse::kWhenFilled, "delete it, and set the user in the image"}};

/// Developer guide, ecs-anywhere, 2026. EFS: BAY515.
constexpr std::array kNotOnExternal{
    Setting{Place::kTask, "proxyConfiguration", InUse::kWhenFilled, "delete it; App Mesh is not available there"}};

/// Developer guide, managed-instances-tasks-services, 2026. ephemeralStorage: BAY134; inferenceAccelerators: BAY132;
/// volumes: BAY516, BAY519; maxSwap and swappiness: BAY744; sharedMemorySize: BAY746. tmpfs, host paths and
/// dockerLabels stood on that page, too, and have come since.
constexpr std::array kNotOnManagedInstances{Setting{Place::kTask, "ipcMode", InUse::kWhenFilled},
                                            Setting{Place::kTask, "proxyConfiguration", InUse::kWhenFilled},
                                            Setting{Place::kContainer, "disableNetworking", InUse::kWhenTrue},
                                            Setting{Place::kContainer, "dnsSearchDomains", InUse::kWhenFilled},
                                            Setting{Place::kContainer, "dnsServers", InUse::kWhenFilled},
                                            Setting{Place::kContainer, "dockerSecurityOptions", InUse::kWhenFilled},
                                            Setting{Place::kContainer, "extraHosts", InUse::kWhenFilled},
                                            Setting{Place::kContainer, "hostname", InUse::kWhenFilled},
                                            Setting{Place::kContainer, "links", InUse::kWhenFilled}};

constexpr Setting kPrivileged{Place::kContainer, "privileged", InUse::kWhenTrue,
                              "delete it; Fargate supports only SYS_PTRACE in linuxParameters.capabilities.add"};
constexpr Setting kIpcMode{Place::kTask, "ipcMode", InUse::kWhenFilled};
constexpr Setting kConstraints{Place::kTask, "placementConstraints", InUse::kWhenFilled,
                               "delete it; the subnets of the service or run-task select the zones"};
constexpr Setting kSecurityOptions{Place::kContainer, "dockerSecurityOptions", InUse::kWhenFilled};

bool is_in_use(Value value, InUse in_use) {
  switch (in_use) {
    case InUse::kWhenTrue:
      return value.boolean().value_or(false);
    case InUse::kWhenNumber:
      return value.integer().value_or(0) != 0;
    case InUse::kWhenFilled:
      return value.is_string() ? !value.text().empty() : value.size() > 0;
  }
  return false;
}

/// The objects that hold settings of that place.
std::vector<Value> holders(const Context& ctx, Place place) {
  std::vector<Value> result;
  if (place == Place::kTask && ctx.root.is_object()) result.push_back(ctx.root);
  if (place == Place::kContainer) {
    for (const auto& container : ctx.task.container_definitions) result.push_back(container.node);
  }
  if (place == Place::kVolume) {
    for (const auto& volume : ctx.task.volumes) result.push_back(volume.node);
  }
  return result;
}

/// Tells every use of `setting`; `stated` is the place that asks for the platform, absent when it is assumed.
void refuse(const Context& ctx, Emitter& emit, const Setting& setting, std::string_view platform, Value stated) {
  for (const Value holder : holders(ctx, setting.place)) {
    const Value value = holder.find(setting.key);
    if (!value || value.is_null()) continue;
    if (ctx.placeholders.holds(value)) {
      emit.skip(value);
      continue;
    }
    if (!is_in_use(value, setting.in_use)) continue;
    auto report = emit.at_key(value);
    report.says("{} is not supported {}", setting.key, platform).help("{}", setting.instead);
    if (stated) report.related(stated, "required here");
  }
}

void refuse_all(const Context& ctx, Emitter& emit, std::span<const Setting> settings, std::string_view platform,
                Value stated) {
  for (const auto& setting : settings) refuse(ctx, emit, setting, platform, stated);
}

/// The element of requiresCompatibilities; absent when the launch type is assumed.
Value compatibility_named(const Context& ctx, std::string_view name) {
  for (const auto& item : ctx.task.requires_compatibilities) {
    if (item && *item == name) return item.node;
  }
  return {};
}

void refuse_on_fargate(const Context& ctx, Emitter& emit, const Setting& setting) {
  if (!ctx.targets(Compatibility::kFargate)) return;
  refuse(ctx, emit, setting, "on Fargate", compatibility_named(ctx, "FARGATE"));
}

void fargate_privileged(const Context& ctx, Emitter& emit) {
  refuse_on_fargate(ctx, emit, kPrivileged);
}

void fargate_ipc_mode(const Context& ctx, Emitter& emit) {
  refuse_on_fargate(ctx, emit, kIpcMode);
}

void fargate_constraints(const Context& ctx, Emitter& emit) {
  refuse_on_fargate(ctx, emit, kConstraints);
}

void fargate_security_options(const Context& ctx, Emitter& emit) {
  refuse_on_fargate(ctx, emit, kSecurityOptions);
}

void fargate_windows_parameters(const Context& ctx, Emitter& emit) {
  const Platform& platform = ctx.platform.get();
  if (!ctx.targets(Compatibility::kFargate) || platform.system != OperatingSystem::kWindows) return;
  refuse_all(ctx, emit, kNotOnWindowsFargate, "on Windows on Fargate", platform.stated);
}

void windows_parameters(const Context& ctx, Emitter& emit) {
  const Platform& platform = ctx.platform.get();
  if (!ctx.targets(Compatibility::kEc2) || platform.system != OperatingSystem::kWindows) return;
  refuse_all(ctx, emit, kNotOnWindows, "in Windows containers", platform.stated);
}

void external_unsupported(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(Compatibility::kExternal)) return;
  refuse_all(ctx, emit, kNotOnExternal, "on external instances", compatibility_named(ctx, "EXTERNAL"));
}

void managed_unsupported(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(Compatibility::kManagedInstances)) return;
  refuse_all(ctx, emit, kNotOnManagedInstances, "on Managed Instances", compatibility_named(ctx, "MANAGED_INSTANCES"));
}

}  // namespace

std::span<const Rule> unsupported_settings_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY802", kTaskDefinition, fargate_privileged},
      {"BAY804", kTaskDefinition, fargate_ipc_mode},
      {"BAY805", kTaskDefinition, fargate_constraints, {.mended_on_fargate = true}},
      {"BAY806", kTaskDefinition, fargate_security_options},
      {"BAY809", kTaskDefinition, fargate_windows_parameters},
      {"BAY830", kTaskDefinition, windows_parameters},
      {"BAY851", kTaskDefinition, external_unsupported, {.follows_from = {"BAY850"}}},
      {"BAY870", kTaskDefinition, managed_unsupported},
  };
  return kRules;
}

}  // namespace bayplan::rules
