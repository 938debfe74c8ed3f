// What works but could be better: images that move, roles, health checks, sidecars, cpu.
#include <algorithm>
#include <array>

#include "base/strings.hpp"
#include "rules/container/image_names.hpp"
#include "rules/file/spelling.hpp"
#include "rules/gpu/gpu_images.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::Compatibility;
using model::ContainerDefinition;

bool has_digest(std::string_view image) {
  return image.find('@') != std::string_view::npos;
}

bool has_no_version(std::string_view image) {
  const auto tag = image_parts(image).tag;
  return !has_digest(image) && (tag.empty() || tag == "latest");
}

/// The service resolves tags to digests unless versionConsistency of the container is disabled.
bool is_left_to_move(const ContainerDefinition& container) {
  return container.version_consistency && *container.version_consistency == "disabled";
}

/// Sidecars, by the last part of their repository.
constexpr std::array<std::string_view, 13> kSidecars{"aws-appmesh-envoy",
                                                     "aws-for-fluent-bit",
                                                     "aws-otel-collector",
                                                     "aws-xray-daemon",
                                                     "cloudwatch-agent",
                                                     "datadog-agent",
                                                     "envoy",
                                                     "fluent-bit",
                                                     "fluentd",
                                                     "opentelemetry-collector",
                                                     "opentelemetry-collector-contrib",
                                                     "otelcol",
                                                     "xray-daemon"};

bool is_sidecar(const ContainerDefinition& container) {
  const auto parts = image_parts(*container.image);
  const auto name = parts.name();
  const bool is_datadog = name == "agent" && parts.repository.find("datadog") != std::string::npos;
  return is_datadog || is_among(name, kSidecars);
}

/// A log router and an App Mesh proxy that the others cannot do without; AWS wants the router essential (developer
/// guide, firelens-taskdef, 2026).
bool serves_every_container(const Context& ctx, const ContainerDefinition& container) {
  if (container.node.find("firelensConfiguration")) return true;
  const text::Value proxy = ctx.root.is_object() ? ctx.root.find("proxyConfiguration") : text::Value();
  const auto name = model::string_field(proxy, "containerName", ctx.placeholders);
  return name && container.name && *name == *container.name;
}

bool is_known_essential(const ContainerDefinition& container) {
  return !container.essential.unknown() && container.is_essential();
}

void image_latest(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    if (!knows_image(container.image, emit) || container.image->empty() || !has_no_version(*container.image)) continue;
    if (container.version_consistency.unknown()) emit.skip(container.version_consistency.node);
    if (container.version_consistency.present() && !container.version_consistency) continue;
    auto report = emit.at(container.image);
    report.help("use a version tag or a digest");
    if (is_left_to_move(container)) {
      report.says("image \"{}\" has no fixed version and can change with the next task", *container.image)
          .related(container.version_consistency.node, "version consistency is disabled here");
    } else {
      report.severity(Severity::kInfo)
          .says("image \"{}\" has no fixed version and can change with the next deployment", *container.image);
    }
  }
}

void version_consistency_off(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    if (!emit.knows(container.version_consistency) || !is_left_to_move(container)) continue;
    if (!knows_image(container.image, emit) || container.image->empty() || has_digest(*container.image)) continue;
    emit.at(container.image)
        .says("tag of \"{}\" can move within one deployment because versionConsistency is disabled", *container.image)
        .help("delete versionConsistency, or use the image digest")
        .related(container.version_consistency.node, "disabled here");
  }
}

void no_health_check(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    if (!is_known_essential(container) || container.port_mappings.empty()) continue;
    if (container.health_check && !container.health_check.is_null()) continue;
    if (is_spelled_otherwise(container.node, "healthCheck")) continue;
    emit.missing(container.node, "healthCheck")
        .says("container has no health check, so it counts as healthy as long as its process runs")
        .help("add \"healthCheck\": {\"command\": [\"CMD-SHELL\", \"...\"]}");
  }
}

void no_task_role(const Context& ctx, Emitter& emit) {
  const bool applies = ctx.targets(Compatibility::kEc2) && ctx.sees_task() && ctx.root.is_object();
  if (!applies || ctx.task.task_role_arn.present()) return;
  if (is_spelled_otherwise(ctx.root, "taskRoleArn", {"taskRole", "role", "iamRole"})) return;
  emit.missing(ctx.root, "taskRoleArn")
      .says("task has no task role, so on EC2 its containers can use the instance role")
      .help("add \"taskRoleArn\" with the permissions that the program needs");
}

void all_containers_essential(const Context& ctx, Emitter& emit) {
  const auto& containers = ctx.task.container_definitions;
  const bool has_other = std::any_of(containers.begin(), containers.end(), [](const auto& container) {
    return is_known_essential(container) && container.image && !is_sidecar(container);
  });
  if (!has_other) return;
  for (const auto& container : containers) {
    if (!knows_image(container.image, emit) || !is_sidecar(container)) continue;
    if (!is_known_essential(container) || serves_every_container(ctx, container)) continue;
    auto report = container.essential ? emit.at(container.essential) : emit.missing(container.node, "essential");
    report.says("sidecar is essential, so the whole task stops when it stops")
        .help("add \"essential\": false, unless the task is useless without it");
  }
}

void no_cpu_anywhere(const Context& ctx, Emitter& emit) {
  const bool applies = ctx.targets(Compatibility::kEc2) && !ctx.targets(Compatibility::kFargate) && ctx.sees_task();
  if (!applies || !ctx.root.is_object() || ctx.task.cpu.present()) return;
  const auto& containers = ctx.task.container_definitions;
  const bool none = std::all_of(containers.begin(), containers.end(), [](const auto& container) {
    const bool is_zero = container.cpu && *container.cpu == 0;
    return is_zero || (!container.cpu.present() && !is_spelled_otherwise(container.node, "cpu", {"cpus", "vcpu"}));
  });
  if (containers.empty() || !none || is_spelled_otherwise(ctx.root, "cpu")) return;
  emit.missing(ctx.root, "cpu")
      .says("neither the task nor a container sets cpu, so packing by cpu counts it as zero")
      .help("add \"cpu\" to the containers, in CPU units of 1024 per vCPU");
}

}  // namespace

std::span<const Rule> practice_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY907", kTaskDefinition, image_latest},
      {"BAY908", kTaskDefinition, version_consistency_off},
      {"BAY911", kTaskDefinition, no_health_check},
      {"BAY912", kTaskDefinition, no_task_role},
      {"BAY914", kTaskDefinition, all_containers_essential},
      {"BAY915", kTaskDefinition, no_cpu_anywhere},
  };
  return kRules;
}

}  // namespace bayplan::rules
