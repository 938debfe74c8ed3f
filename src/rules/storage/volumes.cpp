#include "rules/storage/volumes.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "rules/file/shape_findings.hpp"
#include "rules/file/spelling.hpp"

namespace bayplan::rules {
namespace {

using model::Compatibility;

/// Volumes written into a container: BAY014 says where they belong.
bool has_misplaced_volumes(const Context& ctx) {
  const auto& containers = ctx.task.container_definitions;
  return std::any_of(containers.begin(), containers.end(),
                     [](const auto& container) { return static_cast<bool>(container.node.find("volumes")); });
}

}  // namespace

std::string in_words(const model::Volume& volume) {
  return volume.name && !volume.name->empty() ? "volume '" + std::string(*volume.name) + "'" : name_of(volume.node);
}

std::optional<std::vector<std::string_view>> volume_names(const Context& ctx) {
  const auto& volumes = ctx.task.volumes;
  if (!ctx.sees_task() || !is_readable(volumes) || has_misplaced_volumes(ctx)) return std::nullopt;
  if (!volumes.present() && is_spelled_otherwise(ctx.root, "volumes")) return std::nullopt;
  std::vector<std::string_view> names;
  for (const auto& volume : volumes) {
    if (!volume.name) return std::nullopt;
    names.push_back(*volume.name);
  }
  return names;
}

std::optional<std::vector<model::StringField>> mounted_volumes(const Context& ctx) {
  const auto& containers = ctx.task.container_definitions;
  if (!ctx.sees_task() || containers.empty() || !is_readable(containers)) return std::nullopt;
  std::vector<model::StringField> mounted;
  for (const auto& container : containers) {
    const auto& mounts = container.mount_points;
    if (!is_readable(mounts)) return std::nullopt;
    if (!mounts.present() && is_spelled_otherwise(container.node, "mountPoints", {"mounts", "volumeMounts"}))
      return std::nullopt;
    for (const auto& mount : mounts) {
      if (!mount.source_volume) return std::nullopt;
      mounted.push_back(mount.source_volume);
    }
  }
  return mounted;
}

bool runs_on_hidden_instances(const Context& ctx) {
  return ctx.targets(Compatibility::kFargate) || ctx.targets(Compatibility::kManagedInstances);
}

std::string clean_path(std::string_view path) {
  std::string clean;
  for (const char c : path) {
    if (c != '/' || clean.empty() || clean.back() != '/') clean += c;
  }
  if (clean.size() > 1 && clean.back() == '/') clean.pop_back();
  return clean;
}

bool is_absolute(std::string_view path) {
  return path.starts_with('/');
}

bool is_windows_path(std::string_view path) {
  if (path.starts_with('\\')) return true;
  const char drive = path.empty() ? '\0' : path[0];
  return is_letter(drive) && path.size() > 1 && path[1] == ':';
}

}  // namespace bayplan::rules
