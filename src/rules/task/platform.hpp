#pragma once
#include <cstdint>
#include <string_view>

#include "rules/context.hpp"

namespace bayplan::rules {

enum class OperatingSystem : std::uint8_t { kLinux, kWindows, kUnknown };

/// What the containers of a task run on, as far as the file says.
struct Platform {
  OperatingSystem system = OperatingSystem::kUnknown;
  text::Value stated;  ///< operatingSystemFamily, or the constraint that says so; absent when it is the default.
};

/// In this order:
///   operatingSystemFamily                  unknown when it is a placeholder or no family at all
///   a placement constraint                 on ecs.os-type or ecs.os-family
///   LINUX, the default of Fargate and Managed Instances (developer guide, task_definition_parameters, 2026)
///   unknown for a bare list of containers, and where an image is one for Windows
///   LINUX: definitions from before runtimePlatform say nothing
Platform determine_platform(const model::TaskDefinition& task, bool sees_task);

/// Microsoft's own base images, and the tags of those built on them.
bool is_windows_image(std::string_view image);

/// Rules for Windows ask this: nothing is taken for Windows that does not say so.
bool is_windows(const Context& ctx);
/// Rules for Linux alone ask this; those that only keep away from Windows ask `!is_windows`.
bool is_linux(const Context& ctx);

}  // namespace bayplan::rules
