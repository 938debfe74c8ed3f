// platformVersion of a service or a RunTask call.
#include "base/json_writer.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

/// The one version of Linux that is open, and the one of Windows (ECS developer guide, platform-fargate and
/// platform-windows-fargate, 2026).
constexpr std::string_view kOpenVersion = "1.4.0";
constexpr std::string_view kWindowsVersion = "1.0.0";

/// 1.0.0 to 1.3.0 (ECS developer guide, platform-versions-retired, 2026).
bool is_retired(std::string_view version) {
  return version.size() == 5 && version.starts_with("1.") && version[2] >= '0' && version[2] < '4' &&
         version.ends_with(".0");
}

bool may_be_on_fargate(const ServiceContext& ctx) {
  const auto& launch_type = ctx.request.launch_type;
  return !launch_type.present() || launch_type.value == "FARGATE";
}

void platform_version_retired(const ServiceContext& ctx, Emitter& emit) {
  const auto& version = ctx.request.platform_version;
  if (!may_be_on_fargate(ctx) || !emit.knows(version) || version->empty()) return;
  const auto* task = ctx.definition.task;
  const bool may_be_windows = task == nullptr || task->is_windows();
  if (*version == "LATEST" || *version == kOpenVersion || (may_be_windows && *version == kWindowsVersion)) return;
  auto report = emit.at(version);
  if (is_retired(*version)) {
    report.says("Fargate platform version {} is retired, so tasks cannot start on it", *version);
  } else {
    report.says("unknown Fargate platform version {}", json_quoted(*version));
  }
  report.help("use \"LATEST\", or omit platformVersion");
}

}  // namespace

std::span<const Rule> service_platform_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY1123", kService, platform_version_retired},
  };
  return kRules;
}

}  // namespace bayplan::rules
