// The network mode itself, and ports that the platform keeps.
#include "base/strings.hpp"
#include "rules/file/spelling.hpp"
#include "rules/network/network_mode.hpp"
#include "rules/network/port_mappings.hpp"
#include "rules/task/platform.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::Compatibility;
using model::ContainerDefinition;

bool is_router(const ContainerDefinition& container) {
  const auto firelens = container.node.find("firelensConfiguration");
  return firelens && firelens.is_object();
}

const ContainerDefinition* find_router(const Context& ctx) {
  for (const auto& container : ctx.task.container_definitions) {
    if (is_router(container)) return &container;
  }
  return nullptr;
}

void windows_port_3150(const Context& ctx, Emitter& emit) {
  constexpr std::int64_t kReserved = 3150;  // developer guide, task_definition_parameters
  if (!ctx.targets(Compatibility::kFargate) || !is_windows(ctx)) return;
  for (const auto& claim : container_port_claims(ctx, emit)) {
    if (!claim.ports.contains(kReserved)) continue;
    emit.at(claim.node)
        .says("port {} is reserved on Windows on Fargate according to the documentation", kReserved)
        .help("use another port");
  }
}

void network_mode_default(const Context& ctx, Emitter& emit) {
  const auto& mode = ctx.task.network_mode;
  if (!mode || !equal_ignoring_case(*mode, "default")) return;
  auto report = emit.at(mode);
  report.says("invalid networkMode \"{}\"; in the documentation it means an absent networkMode", *mode);
  if (ctx.targets(Compatibility::kFargate)) {
    report.help("use \"awsvpc\", the only mode on Fargate");
  } else {
    report.help(is_windows(ctx) ? "omit networkMode; Windows containers then use Docker's nat network"
                                : "omit networkMode, or use \"bridge\"");
  }
}

void network_mode_missing(const Context& ctx, Emitter& emit) {
  if (!ctx.sees_task() || ctx.is_describe() || ctx.task.network_mode.present()) return;
  if (ctx.targets(Compatibility::kFargate) || is_windows(ctx)) return;
  if (is_spelled_otherwise(ctx.root, "networkMode", {"network"})) return;
  auto report = emit.missing(ctx.root, "networkMode");
  if (ctx.targets(Compatibility::kManagedInstances)) {
    report.says("networkMode is missing; one page of the documentation requires it on Managed Instances")
        .help("add \"networkMode\": \"awsvpc\"");
  } else {
    report.says("networkMode is missing; ECS uses bridge").help("add \"networkMode\": \"bridge\", or \"awsvpc\"");
  }
}

void firelens_port_24224(const Context& ctx, Emitter& emit) {
  constexpr std::int64_t kForward = 24224;  // Fluentd's forward protocol (developer guide, firelens-taskdef)
  const auto mode = network_mode(ctx);
  const auto* router = find_router(ctx);
  if (!router || (mode != NetworkMode::kAwsvpc && mode != NetworkMode::kHost)) return;
  for (const auto& claim : container_port_claims(ctx, emit)) {
    if (is_router(*claim.container) || !claim.ports.contains(kForward)) continue;
    auto report = emit.at(claim.node);
    report
        .says("port {} is used by the FireLens router, which shares its ports with this container in {} mode", kForward,
              name_of(*mode))
        .help("use another port for this container")
        .related(router->node.find("firelensConfiguration"), "the log router");
    relate_network_mode(ctx, report);
  }
}

}  // namespace

std::span<const Rule> network_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY329", kTaskDefinition, windows_port_3150},
      {"BAY330", kTaskDefinition, network_mode_default},
      {"BAY331", kTaskDefinition, network_mode_missing},
      {"BAY332", kTaskDefinition, firelens_port_24224},
  };
  return kRules;
}

}  // namespace bayplan::rules
