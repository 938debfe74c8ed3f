#include "rules/network/network_mode.hpp"

#include <string>

#include "base/strings.hpp"
#include "rules/file/spelling.hpp"
#include "rules/task/platform.hpp"

namespace bayplan::rules {
namespace {

using model::Compatibility;

std::optional<NetworkMode> stated_mode(std::string_view text) {
  for (const auto mode : {NetworkMode::kBridge, NetworkMode::kHost, NetworkMode::kAwsvpc, NetworkMode::kNone}) {
    if (equal_ignoring_case(text, name_of(mode))) return mode;
  }
  return std::nullopt;
}

std::optional<NetworkMode> default_mode(const Context& ctx) {
  const auto& task = ctx.task;
  if (task.targets(Compatibility::kFargate)) return NetworkMode::kAwsvpc;
  const bool is_settled = !task.targets(Compatibility::kManagedInstances) &&
                          (task.targets(Compatibility::kEc2) || task.targets(Compatibility::kExternal));
  if (!is_settled || !is_linux(ctx)) return std::nullopt;
  return NetworkMode::kBridge;
}

/// A placeholder in requiresCompatibilities may be FARGATE.
bool knows_compatibilities(const model::TaskDefinition& task) {
  const auto& list = task.requires_compatibilities;
  if (list.present() && !list.node.is_array()) return false;
  for (const auto& item : list) {
    if (item.unknown()) return false;
  }
  return true;
}

}  // namespace

std::string_view name_of(NetworkMode mode) {
  switch (mode) {
    case NetworkMode::kBridge:
      return "bridge";
    case NetworkMode::kHost:
      return "host";
    case NetworkMode::kAwsvpc:
      return "awsvpc";
    case NetworkMode::kNone:
      return "none";
  }
  return "bridge";
}

std::optional<NetworkMode> network_mode(const Context& ctx) {
  const auto& field = ctx.task.network_mode;
  if (field) return stated_mode(*field);
  if (field.present() || field.unknown() || !ctx.sees_task() || !knows_compatibilities(ctx.task)) return std::nullopt;
  if (is_spelled_otherwise(ctx.root, "networkMode", {"network"})) return std::nullopt;
  return default_mode(ctx);
}

bool runs_in(const Context& ctx, Emitter& emit, NetworkMode mode) {
  if (ctx.task.network_mode.unknown()) emit.skip(ctx.task.network_mode.node);
  return has_network_mode(ctx, mode);
}

void relate_network_mode(const Context& ctx, Report& report) {
  const auto& field = ctx.task.network_mode;
  if (field) report.related(field.node, "networkMode is " + std::string(*field) + " here");
}

}  // namespace bayplan::rules
