#include "rules/task/platform.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "base/strings.hpp"
#include "query/query.hpp"

namespace bayplan::rules {
namespace {

using model::Compatibility;
using query::KnownAttribute;
using query::Truth;

constexpr std::array kLinuxInstance{KnownAttribute{"ecs.os-type", "linux"}, KnownAttribute{"ecs.os-family", "LINUX"}};
constexpr std::array kWindowsInstance{KnownAttribute{"ecs.os-type", "windows"}};

OperatingSystem system_named(std::string_view family) {
  if (lower(family.substr(0, 7)) == "windows") return OperatingSystem::kWindows;
  return equal_ignoring_case(family, "linux") ? OperatingSystem::kLinux : OperatingSystem::kUnknown;
}

/// The system that the constraint leaves open, when it is exactly one.
std::optional<OperatingSystem> system_wanted(const model::PlacementConstraint& constraint) {
  constexpr std::string_view kCommonPart = "ecs.os-";
  if (!constraint.expression || constraint.expression->find(kCommonPart) == std::string_view::npos) return std::nullopt;
  const auto parsed = query::parse(*constraint.expression);
  if (!parsed) return std::nullopt;
  const bool may_be_linux = parsed.expression->evaluate(kLinuxInstance) != Truth::kFalse;
  const bool may_be_windows = parsed.expression->evaluate(kWindowsInstance) != Truth::kFalse;
  if (may_be_linux == may_be_windows) return std::nullopt;
  return may_be_linux ? OperatingSystem::kLinux : OperatingSystem::kWindows;
}

bool has_windows_image(const model::TaskDefinition& task) {
  return std::any_of(task.container_definitions.begin(), task.container_definitions.end(),
                     [](const auto& container) { return container.image && is_windows_image(*container.image); });
}

/// Whether there is a member that may say the family, readable or not.
bool says_family(const model::TaskDefinition& task) {
  const bool is_unreadable =
      task.runtime_platform && !task.runtime_platform.is_null() && !task.runtime_platform.is_object();
  return is_unreadable || task.operating_system_family.present();
}

}  // namespace

bool is_windows_image(std::string_view image) {
  constexpr std::array<std::string_view, 4> kParts{"/windows/", "nanoserver", "servercore", "dotnet/framework"};
  const std::string name = lower(image);
  return std::any_of(kParts.begin(), kParts.end(),
                     [&](std::string_view part) { return name.find(part) != std::string::npos; });
}

Platform determine_platform(const model::TaskDefinition& task, bool sees_task) {
  const auto& family = task.operating_system_family;
  if (family) return {system_named(*family), family.node};
  if (says_family(task)) return {};
  for (const auto& constraint : task.placement_constraints) {
    if (const auto system = system_wanted(constraint)) return {*system, constraint.expression.node};
  }
  if (task.targets(Compatibility::kFargate) || task.targets(Compatibility::kManagedInstances))
    return {OperatingSystem::kLinux, {}};
  if (!sees_task || has_windows_image(task)) return {};
  return {OperatingSystem::kLinux, {}};
}

bool is_windows(const Context& ctx) {
  return ctx.platform.get().system == OperatingSystem::kWindows;
}

bool is_linux(const Context& ctx) {
  return ctx.platform.get().system == OperatingSystem::kLinux;
}

}  // namespace bayplan::rules
