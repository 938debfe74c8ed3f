// runtimePlatform, and what does not go with its operating system.
#include <array>

#include "base/strings.hpp"
#include "rules/file/spelling.hpp"
#include "rules/task/platform.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::Compatibility;

/// A Windows release whose support by Microsoft has ended or will (learn.microsoft.com/lifecycle, 2026-11).
struct Release {
  std::string_view family;
  std::string_view supported_until;
  bool has_ended;
};

constexpr std::array<Release, 3> kOldReleases{{
    {"WINDOWS_SERVER_2004_CORE", "2021-12-14", true},
    {"WINDOWS_SERVER_20H2_CORE", "2022-08-09", true},
    {"WINDOWS_SERVER_2016_FULL", "2027-01-12", false},
}};

const Release* old_release(std::string_view family) {
  for (const auto& release : kOldReleases) {
    if (release.family == family) return &release;
  }
  return nullptr;
}

void windows_arm64(const Context& ctx, Emitter& emit) {
  const auto& family = ctx.task.operating_system_family;
  const auto& architecture = ctx.task.cpu_architecture;
  if (!emit.knows(family) || !emit.knows(architecture)) return;
  if (!is_windows(ctx) || !equal_ignoring_case(*architecture, "ARM64")) return;
  emit.at(architecture)
      .related(family.node, "the operating system")
      .help("use \"X86_64\"")
      .says("Windows on {} is not supported by ECS according to the documentation", *architecture);
}

void runtime_platform_missing(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(Compatibility::kFargate) && !ctx.targets(Compatibility::kManagedInstances)) return;
  if (!ctx.sees_task() || ctx.task.runtime_platform) return;
  if (is_spelled_otherwise(ctx.root, "runtimePlatform", {"platform", "os", "arch"})) return;
  emit.missing(ctx.root, "runtimePlatform")
      .says("runtimePlatform is missing; ECS uses LINUX on X86_64, where an ARM64 image cannot run")
      .help(R"(add "runtimePlatform": {"operatingSystemFamily": "LINUX", "cpuArchitecture": "X86_64"}, or "ARM64")");
}

// The definition is accepted; its tasks cannot start, as Fargate runs LINUX by default.
void windows_image_on_linux(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(Compatibility::kFargate) || !ctx.sees_task()) return;
  if (ctx.task.operating_system_family.present() && !ctx.task.operating_system_family.known()) return;
  if (ctx.task.runtime_platform && !ctx.task.runtime_platform.is_object()) return;
  if (is_spelled_otherwise(ctx.root, "runtimePlatform", {"platform", "os", "arch"}) || is_windows(ctx)) return;
  for (const auto& container : ctx.task.container_definitions) {
    if (!container.image || !is_windows_image(*container.image)) continue;
    auto report = emit.at(container.image);
    if (ctx.task.operating_system_family.present()) {
      report.says("a Windows image cannot run on {}", *ctx.task.operating_system_family);
    } else {
      report.says("a Windows image cannot run on LINUX, which Fargate uses without runtimePlatform");
    }
    report.help(R"(add "runtimePlatform": {"operatingSystemFamily": "WINDOWS_SERVER_2022_CORE"})");
    return;
  }
}

void os_family_retired(const Context& ctx, Emitter& emit) {
  const auto& family = ctx.task.operating_system_family;
  const Release* release = emit.knows(family) ? old_release(*family) : nullptr;
  if (release == nullptr) return;
  auto report = emit.at(family);
  report.help("use \"WINDOWS_SERVER_2022_CORE\" or a later release");
  const std::string_view ends = release->has_ended ? "ended" : "ends";
  if (ctx.targets(Compatibility::kFargate)) {
    report.says("{} is not supported on Fargate according to the documentation; Microsoft support {} on {}", *family,
                ends, release->supported_until);
    return;
  }
  report.says("Microsoft support for {} {} on {}", *family, ends, release->supported_until);
  if (!release->has_ended) report.severity(Severity::kInfo);
}

void pid_task_needs_linux(const Context& ctx, Emitter& emit) {
  if (!is_windows(ctx)) return;
  const auto check = [&](const model::StringField& mode, std::string_view key) {
    if (!mode.present() || (mode && mode->empty())) return;
    emit.at(mode)
        .says("{} is not supported in Windows containers according to the documentation", key)
        .help("delete it")
        .related(ctx.platform.get().stated, "the operating system");
  };
  check(ctx.task.pid_mode, "pidMode");
  check(ctx.task.ipc_mode, "ipcMode");
}

}  // namespace

std::span<const Rule> task_platform_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY129", kTaskDefinition, windows_arm64},          {"BAY130", kTaskDefinition, runtime_platform_missing},
      {"BAY131", kTaskDefinition, os_family_retired},      {"BAY136", kTaskDefinition, pid_task_needs_linux},
      {"BAY138", kTaskDefinition, windows_image_on_linux},
  };
  return kRules;
}

}  // namespace bayplan::rules
