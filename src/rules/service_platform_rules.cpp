// platformVersion of a service or a RunTask call against what its definition needs.
#include <optional>

#include "base/strings.hpp"
#include "rules/service_functions.hpp"

namespace bayplan::rules {
namespace {

using text::Value;

/// A part of a definition that older platform versions do not know.
struct PlatformNeed {
  Value node;
  std::string what;
};

/// arn:...:secret:name:json-key:stage:id: whether one of the last three is written.
bool names_json_key(std::string_view value_from) {
  constexpr std::size_t kOfArn = 7;
  const auto parts = split(value_from, ':');
  if (parts.size() <= kOfArn || parts[2] != "secretsmanager") return false;
  return value_from.substr(static_cast<std::size_t>(parts[kOfArn].data() - value_from.data())).find_first_not_of(':') !=
         std::string_view::npos;
}

std::optional<PlatformNeed> need_of_container(const model::ContainerDefinition& container) {
  if (!container.environment_files.empty()) return PlatformNeed{container.environment_files.node, "environmentFiles"};
  const Value controls = container.node.find("systemControls");
  if (controls && controls.size() > 0) return PlatformNeed{controls, "systemControls"};
  for (const auto& secret : container.secrets) {
    if (secret.value && names_json_key(*secret.value)) return PlatformNeed{secret.value.node, "a key of a secret"};
  }
  return std::nullopt;
}

/// What came to Fargate with Linux platform 1.4.0 (ECS developer guide, platform-linux-fargate; API model of memory,
/// pidMode and systemControls).
std::optional<PlatformNeed> need_of(const model::TaskDefinition& task) {
  constexpr CpuUnits kFirstLargeSize = 8192;
  if (task.cpu_units().value_or(0) >= kFirstLargeSize)
    return PlatformNeed{task.cpu.node, "cpu " + std::string(*task.cpu)};
  if (task.ephemeral_storage && task.ephemeral_storage.is_object())
    return PlatformNeed{task.ephemeral_storage, "ephemeralStorage"};
  if (task.pid_mode && !task.pid_mode->empty()) return PlatformNeed{task.pid_mode.node, "pidMode"};
  for (const auto& volume : task.volumes) {
    const Value efs = volume.node.find("efsVolumeConfiguration");
    if (efs && efs.is_object()) return PlatformNeed{efs, "an EFS volume"};
  }
  for (const auto& container : task.container_definitions) {
    if (auto need = need_of_container(container)) return need;
  }
  return std::nullopt;
}

/// 1.0.0 to 1.3.0.
bool is_before_140(std::string_view version) {
  return version.size() == 5 && version.starts_with("1.") && version[2] < '4' && version.ends_with(".0");
}

}  // namespace

void fargate_platform_140(const ServiceContext& ctx, Emitter& emit) {
  const auto& version = ctx.request.platform_version;
  const auto* task = ctx.definition.task;
  if (task == nullptr || !emit.knows(version) || !is_before_140(*version)) return;
  if (task->is_windows() || !task->targets(model::Compatibility::kFargate)) return;
  const auto need = need_of(*task);
  if (!need) return;
  emit.at(version)
      .says("{} needs Fargate platform 1.4.0 for {} ({}){}, and this asks for {}", ctx.definition.name, need->what,
            ctx.definition.place_of(need->node), ctx.definition.doubt, *version)
      .help("write \"LATEST\" or \"1.4.0\"");
}

}  // namespace bayplan::rules
