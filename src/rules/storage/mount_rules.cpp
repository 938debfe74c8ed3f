// mountPoints[] and volumesFrom[] of containers.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/edit_distance.hpp"
#include "rules/container/container_names.hpp"
#include "rules/file/spelling.hpp"
#include "rules/storage/tmpfs.hpp"
#include "rules/storage/volumes.hpp"
#include "rules/task/platform.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::ContainerDefinition;
using model::MountPoint;
using text::Value;

bool knows_every_name(const Context& ctx) {
  const auto& containers = ctx.task.container_definitions;
  return ctx.is_whole && is_readable(containers) &&
         std::all_of(containers.begin(), containers.end(), [](const auto& one) { return one.name.known(); });
}

/// Whether following volumesFrom from `at` comes to `goal`.
bool leads_to(const Context& ctx, const ContainerDefinition& at, const ContainerDefinition& goal, std::size_t steps) {
  if (steps == 0) return false;
  return std::any_of(at.volumes_from.begin(), at.volumes_from.end(), [&](const model::VolumeFrom& from) {
    const auto* next = from.source_container ? find_container(ctx, *from.source_container) : nullptr;
    return next != nullptr && (next == &goal || leads_to(ctx, *next, goal, steps - 1));
  });
}

/// Circles of more containers than a task can have need not be found.
constexpr std::size_t kMostSteps = 10;

/// Each cycle is reported once, at its first container in the file.
bool is_first_of_circle(const Context& ctx, const ContainerDefinition& container) {
  for (const auto& other : ctx.task.container_definitions) {
    if (&other == &container) return true;
    if (leads_to(ctx, container, other, kMostSteps) && leads_to(ctx, other, container, kMostSteps)) return false;
  }
  return true;
}

void check_source_container(const Context& ctx, Emitter& emit, const ContainerDefinition& container,
                            const model::VolumeFrom& from) {
  const auto* source = find_container(ctx, *from.source_container);
  if (source == nullptr) {
    auto names = names_to_suggest(ctx);
    std::erase(names, *container.name);
    auto report = emit.at(from.source_container);
    report.says("unknown container \"{}\" in volumesFrom", *from.source_container);
    const auto meant = nearest(*from.source_container, names);
    if (meant) {
      report.help("did you mean \"{}\"?", *meant);
    } else {
      report.help("use the name of a container of this task");
    }
  } else if (source == &container) {
    emit.at(from.source_container)
        .severity(Severity::kWarning)
        .says("\"{}\" mounts volumes from itself", *from.source_container)
        .help("delete this entry");
  } else if (leads_to(ctx, *source, container, kMostSteps) && is_first_of_circle(ctx, container)) {
    emit.at(from.source_container)
        .severity(Severity::kWarning)
        .says("circular volumesFrom: \"{}\" uses \"{}\", which leads back to \"{}\", so none can start first",
              *container.name, *source->name, *container.name)
        .help("mount the volumes directly in one of them")
        .related(source->volumes_from.node, "volumesFrom of '" + std::string(*source->name) + "'");
  }
}

/// What is mounted at a path of a container.
struct Mounted {
  Value node;
  const MountPoint* mount_point = nullptr;  ///< Null for a tmpfs.
};
using MountedPaths = std::map<std::string, Mounted>;

void report_duplicate(Emitter& emit, const model::StringField& path, const Mounted& mounted, const Mounted& first) {
  auto report = emit.at(path);
  report.related(first.node, "first mounted here").help("use a different path for each");
  if (mounted.mount_point != nullptr || first.mount_point != nullptr) {
    report.says("duplicate mount point {}; Docker does not create the container", *path);
  } else {
    report.says("duplicate tmpfs mount at {}; only one of them is used", *path);
  }
}

/// Docker lets a mount of the container's own win over one that volumesFrom brings, and says nothing.
void check_hidden_volumes(const Context& ctx, Emitter& emit, const model::VolumeFrom& from, const MountedPaths& taken) {
  const auto* source = from.source_container ? find_container(ctx, *from.source_container) : nullptr;
  if (source == nullptr) return;
  for (const auto& mount : source->mount_points) {
    if (!mount.container_path || !mount.source_volume) continue;
    const auto own = taken.find(clean_path(*mount.container_path));
    if (own == taken.end()) continue;
    const auto* own_mount = own->second.mount_point;
    const bool is_another =
        own_mount == nullptr || (own_mount->source_volume && *own_mount->source_volume != *mount.source_volume);
    if (!is_another) continue;
    emit.at(from.source_container)
        .says("volume \"{}\" of \"{}\" is hidden by a mount of this container at {}", *mount.source_volume,
              *source->name, *mount.container_path)
        .help("use another path for one of them")
        .related(own->second.node, "this mount is used");
  }
}

void mount_unknown_volume(const Context& ctx, Emitter& emit) {
  const auto names = volume_names(ctx);
  if (!names) return;
  const std::set<std::string_view> known(names->begin(), names->end());
  constexpr std::ptrdiff_t kMostCompared = 100;  // many unknown names of a file take no quadratic time
  const std::vector<std::string_view> compared(names->begin(),
                                               names->begin() + std::min(std::ssize(*names), kMostCompared));
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& mount : container.mount_points) {
      if (!emit.knows(mount.source_volume) || mount.source_volume->empty()) continue;
      if (known.contains(*mount.source_volume)) continue;
      // Elastic Beanstalk adds a volume for the logs of each container (its guide, "Dockerrun.aws.json v2").
      if (ctx.root.find("AWSEBDockerrunVersion") && mount.source_volume->starts_with("awseb-logs-")) continue;
      const auto meant = nearest(*mount.source_volume, compared);
      auto report = emit.at(mount.source_volume);
      report.says("unknown volume \"{}\"", *mount.source_volume);
      if (meant) {
        report.help("did you mean \"{}\"?", *meant);
      } else {
        report.help("add {{\"name\": \"{}\"}} to volumes, or use an existing volume", *mount.source_volume);
      }
    }
  }
}

void mount_path(const Context& ctx, Emitter& emit) {
  const bool on_windows = is_windows(ctx);
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& mount : container.mount_points) {
      const auto& path = mount.container_path;
      if (!path.present()) {
        if (is_spelled_otherwise(mount.node, "containerPath", {"path", "mountPath", "target"})) continue;
        emit.missing(mount.node, "containerPath")
            .says("mount point has no containerPath")
            .help("add \"containerPath\": \"/...\"");
        continue;
      }
      if (!emit.knows(path) || on_windows || is_windows_path(*path)) continue;
      if (!is_absolute(*path)) {
        emit.at(path)
            .says("containerPath must be an absolute path, got \"{}\"; Docker does not create the container", *path)
            .help("use \"/{}\"", *path);
      } else if (clean_path(*path) == "/") {
        emit.at(path).says("containerPath must not be /").help("use a directory, such as /data");
      }
    }
  }
}

void mount_path_duplicate(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    MountedPaths taken;
    const auto take = [&](const model::StringField& path, const MountPoint* mount_point) {
      if (!emit.knows(path) || path->empty()) return;
      const Mounted mounted{path.node, mount_point};
      const auto [first, is_new] = taken.try_emplace(clean_path(*path), mounted);
      if (!is_new) report_duplicate(emit, path, mounted, first->second);
    };
    for (const auto& mount : container.mount_points) take(mount.container_path, &mount);
    for (const auto& tmpfs : bind_tmpfs(container, ctx.placeholders)) take(tmpfs.container_path, nullptr);
    for (const auto& from : container.volumes_from) check_hidden_volumes(ctx, emit, from, taken);
  }
}

void volumes_from_unknown(const Context& ctx, Emitter& emit) {
  if (!knows_every_name(ctx)) return;
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& from : container.volumes_from) {
      if (emit.knows(from.source_container) && !from.source_container->empty())
        check_source_container(ctx, emit, container, from);
    }
  }
}

}  // namespace

std::span<const Rule> mount_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY501", kTaskDefinition, mount_unknown_volume},
      {"BAY506", kTaskDefinition, mount_path},
      {"BAY507", kTaskDefinition, mount_path_duplicate},
      {"BAY522", kTaskDefinition, volumes_from_unknown},
  };
  return kRules;
}

}  // namespace bayplan::rules
