// Container cpu that is less than meant: no share, or a hard cap near nothing.
#include "rules/file/spelling.hpp"
#include "rules/gpu/gpu_requests.hpp"
#include "rules/task/platform.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::Compatibility;
using model::ContainerDefinition;

bool is_left_out(const ContainerDefinition& container) {
  return !container.cpu.present() && !is_spelled_otherwise(container.node, "cpu", {"cpus", "vcpu", "vcpus"});
}

/// Reports at the value, or at the place where it is missing.
Report at_cpu(const ContainerDefinition& container, Emitter& emit) {
  return container.cpu.present() ? emit.at(container.cpu) : emit.missing(container.node, "cpu");
}

/// Whether a container can be starved by its neighbors: no cpu of the task keeps them apart.
bool shares_an_instance(const Context& ctx) {
  const auto& containers = ctx.task.container_definitions;
  if (!ctx.sees_task() || ctx.task.cpu.present() || !ctx.targets(Compatibility::kEc2)) return false;
  return containers.size() > 1 || (containers.size() == 1 && wants_gpu(containers[0]));
}

// Linux gives 2 shares for 0, 1 and nothing, and never more than 262144 (API_ContainerDefinition, cpu).
void cpu_tiny(const Context& ctx, Emitter& emit) {
  constexpr std::int64_t kLeast = 2, kMost = 262'144;
  if (!shares_an_instance(ctx) || !is_linux(ctx)) return;
  for (const auto& container : ctx.task.container_definitions) {
    if (is_left_out(container)) {
      at_cpu(container, emit)
          .says("container has no cpu, so busy containers on the instance can starve it")
          .help("add cpu in CPU units, 1024 per vCPU");
    }
    if (!emit.knows(container.cpu) || *container.cpu < 0) continue;
    if (*container.cpu < kLeast) {
      at_cpu(container, emit)
          .says("cpu {} is only {} shares, so busy containers on the instance can starve this one", *container.cpu,
                kLeast)
          .help("set what it needs in CPU units, 1024 per vCPU");
    } else if (*container.cpu > kMost) {
      at_cpu(container, emit)
          .says("cpu {} exceeds {}; Linux ignores the rest", *container.cpu, kMost)
          .help("use {} or less", kMost);
    }
  }
}

// Said of container instances only: how Fargate reads 0 is not documented.
void windows_cpu_zero(const Context& ctx, Emitter& emit) {
  if (!is_windows(ctx) || (!ctx.targets(Compatibility::kEc2) && !ctx.targets(Compatibility::kExternal))) return;
  for (const auto& container : ctx.task.container_definitions) {
    if (!is_left_out(container) && (!emit.knows(container.cpu) || *container.cpu != 0)) continue;
    at_cpu(container, emit)
        .says("{} on Windows is a hard limit of 1 % of one processor", container.cpu.present() ? "cpu 0" : "no cpu")
        .help("add cpu in CPU units, 1024 per vCPU")
        .related(ctx.platform.get().stated, "the operating system");
  }
}

}  // namespace

std::span<const Rule> container_cpu_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY212", kTaskDefinition, cpu_tiny},
      {"BAY213", kTaskDefinition, windows_cpu_zero},
  };
  return kRules;
}

}  // namespace bayplan::rules
