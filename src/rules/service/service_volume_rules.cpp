// volumeConfigurations of a service or a RunTask call: EBS volumes made for its tasks.
#include <algorithm>
#include <array>
#include <optional>

#include "base/json_writer.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using text::Value;

/// EC2 CreateVolume: least GiB of the volume types that have more than 1 (API reference, Size).
std::optional<std::int64_t> least_size(std::string_view volume_type) {
  if (volume_type == "st1" || volume_type == "sc1") return 125;
  if (volume_type == "io1" || volume_type == "io2") return 4;
  return std::nullopt;
}

std::vector<Value> volume_configurations(const ServiceContext& ctx) {
  std::vector<Value> found;
  const bool is_request = ctx.is_service_request() || ctx.input == ServiceInput::kRunTask;
  const Value list = is_request ? ctx.request.node.find("volumeConfigurations") : Value();
  if (!list || !list.is_array()) return found;
  for (const Value element : list.children()) {
    if (element.is_object()) found.push_back(element);
  }
  return found;
}

void volume_configuration_name(const ServiceContext& ctx, Emitter& emit) {
  const auto* task = ctx.definition.task;
  if (task == nullptr) return;
  const auto& volumes = task->volumes;
  const bool names_unknown =
      std::any_of(volumes.begin(), volumes.end(), [](const auto& volume) { return volume.name.unknown(); });
  if (!volumes.is_complete() || names_unknown) return;
  for (const Value configuration : volume_configurations(ctx)) {
    const auto name = model::string_field(configuration, "name", emit.placeholders());
    if (!name.present() || !emit.knows(name)) continue;
    const auto named =
        std::find_if(volumes.begin(), volumes.end(), [&](const auto& volume) { return volume.name.value == *name; });
    const bool is_found = named != volumes.end();
    if (is_found && (named->configured_at_launch.unknown() || named->configured_at_launch.value == true)) continue;
    auto report = emit.at(name);
    if (is_found) {
      report.says("volume {} of {} is not configuredAtLaunch ({}){}", json_quoted(*name), ctx.definition.name,
                  ctx.definition.place_of(named->node), ctx.definition.doubt);
    } else {
      report.says("{} has no volume {}{}", ctx.definition.name, json_quoted(*name), ctx.definition.doubt);
    }
    report.help("add {{\"name\": {}, \"configuredAtLaunch\": true}} to the volumes of the task definition",
                json_quoted(*name));
    hedge(report, ctx);
  }
}

void volume_configuration_size(const ServiceContext& ctx, Emitter& emit) {
  for (const Value configuration : volume_configurations(ctx)) {
    const Value volume = configuration.find("managedEBSVolume");
    if (!volume || !volume.is_object()) continue;
    const auto size = model::integer_field(volume, "sizeInGiB", emit.placeholders());
    const auto type = model::string_field(volume, "volumeType", emit.placeholders());
    if (!size.present() && !volume.find("snapshotId") && ctx.is_whole) {
      emit.missing(volume, "sizeInGiB")
          .says("managedEBSVolume has neither sizeInGiB nor snapshotId")
          .help("add \"sizeInGiB\"");
    } else if (size.present() && emit.knows(size) && type.present() && emit.knows(type)) {
      const auto least = least_size(*type);
      if (!least || *size >= *least) continue;
      emit.at(size)
          .says("a volume of type {} has at least {} GiB, got {}", *type, *least, *size)
          .help("use {}", *least);
    }
  }
}

/// ServiceManagedEBSVolumeConfiguration of the ECS API reference (2026-11). How ECS answers is not on record.
void volume_performance(const ServiceContext& ctx, Emitter& emit) {
  for (const Value configuration : volume_configurations(ctx)) {
    const Value volume = configuration.find("managedEBSVolume");
    if (!volume || !volume.is_object()) continue;
    const auto type = model::string_field(volume, "volumeType", emit.placeholders());
    if (type.present() && !emit.knows(type)) continue;
    const std::string_view name = type.present() ? std::string_view(*type) : "gp3";
    const auto refuse = [&](std::string_view key, std::string_view types) {
      const Value setting = volume.find(key);
      if (!setting || setting.is_null()) return;
      emit.at_key(setting)
          .says("{} is not supported for a volume of type {}", key, name)
          .help("delete it, or use volumeType {}", types);
    };
    constexpr std::array<std::string_view, 7> kTypes{"gp2", "gp3", "io1", "io2", "st1", "sc1", "standard"};
    const bool is_known_type = std::find(kTypes.begin(), kTypes.end(), name) != kTypes.end();
    if (!is_known_type) continue;
    const bool has_provisioned_iops = name == "io1" || name == "io2";
    if (!has_provisioned_iops && name != "gp3") refuse("iops", "gp3, io1 or io2");
    if (name != "gp3") refuse("throughput", "gp3");
    if (has_provisioned_iops && !volume.find("iops") && ctx.is_whole)
      emit.missing(volume, "iops")
          .says("a volume of type {} requires iops", name)
          .help("add \"iops\", or use volumeType gp3");
  }
}

}  // namespace

std::span<const Rule> service_volume_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY1134", kService, volume_configuration_name},
      {"BAY1135", kService, volume_configuration_size},
      {"BAY1164", kService, volume_performance},
  };
  return kRules;
}

}  // namespace bayplan::rules
