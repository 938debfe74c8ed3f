// volumes[].host.sourcePath
#include <algorithm>
#include <array>

#include "base/strings.hpp"
#include "rules/storage/volumes.hpp"
#include "rules/task/platform.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::Compatibility;
using model::MountPoint;
using model::Volume;

/// On Fargate BAY520 refuses every path.
bool has_host_paths(const Context& ctx) {
  return !ctx.targets(Compatibility::kFargate) &&
         (ctx.targets(Compatibility::kEc2) || ctx.targets(Compatibility::kExternal) ||
          ctx.targets(Compatibility::kManagedInstances));
}

std::vector<const MountPoint*> find_mounts(const Context& ctx, const Volume& volume) {
  std::vector<const MountPoint*> mounts;
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& mount : container.mount_points) {
      if (volume.name && mount.source_volume && *mount.source_volume == *volume.name) mounts.push_back(&mount);
    }
  }
  return mounts;
}

char drive_letter(std::string_view path) {
  return path.size() > 1 && path[1] == ':' ? lower(path.substr(0, 1))[0] : '\0';
}

/// Windows mounts D:\ at D:\ but nothing of D: at C: (Volume.host).
void check_drives(const Context& ctx, Emitter& emit, const Volume& volume) {
  const char drive = drive_letter(*volume.source_path);
  for (const auto* mount : find_mounts(ctx, volume)) {
    if (!emit.knows(mount->container_path)) continue;
    const char inside = drive_letter(*mount->container_path);
    if (drive == '\0' || inside == '\0' || drive == inside) continue;
    emit.at(mount->container_path)
        .says("\"{}\" cannot be mounted at \"{}\"; Windows supports mounts within one drive only", *volume.source_path,
              *mount->container_path)
        .help("use the same drive letter on both sides")
        .related(volume.source_path.node, "the host path");
  }
}

void check_linux_path(const Context& ctx, Emitter& emit, const Volume& volume) {
  const auto& path = volume.source_path;
  if (is_absolute(*path) || (is_windows_path(*path) && !ctx.task.operating_system_family)) return;
  const bool is_a_name = path->find_first_of("/\\.~:") == std::string_view::npos;
  auto report = emit.at(path);
  report.says("sourcePath must be an absolute path, got \"{}\"", *path);
  if (is_a_name) {
    report.help("use \"/{}\"; Docker treats a single word as the name of a volume", *path);
  } else {
    report.help("use the full host path, starting with /");
  }
}

/// Paths that give a container power over the instance.
constexpr std::array<std::string_view, 9> kSensitive{"/",
                                                     "/etc",
                                                     "/proc",
                                                     "/root",
                                                     "/run/docker.sock",
                                                     "/sys",
                                                     "/var/lib/docker",
                                                     "/var/lib/ecs",
                                                     "/var/run/docker.sock"};

bool is_socket(std::string_view path) {
  return path.ends_with(".sock");
}

bool is_read_only(const MountPoint& mount) {
  return mount.read_only && *mount.read_only;
}

void check_sensitive(const Context& ctx, Emitter& emit, const Volume& volume) {
  if (!emit.knows(volume.source_path)) return;
  const std::string path = clean_path(*volume.source_path);
  if (std::find(kSensitive.begin(), kSensitive.end(), path) == kSensitive.end()) return;
  const auto mounts = find_mounts(ctx, volume);
  if (mounts.empty()) return;
  const auto writable =
      std::find_if(mounts.begin(), mounts.end(), [](const auto* mount) { return !is_read_only(*mount); });
  auto report = emit.at(volume.source_path);
  report.related((writable == mounts.end() ? mounts.front() : *writable)->node, "mounted here");
  if (is_socket(path)) {
    report.says("{} gives full control of the instance, even if mounted read-only", path)
        .help("remove it, or use a proxy that allows only what is needed");
  } else if (writable == mounts.end()) {
    report.severity(Severity::kInfo)
        .says("containers can read {} of the instance", path)
        .help("mount only the directories that are needed, not {}", path);
  } else {
    report.says("containers can change {} of the instance", path)
        .help("mount a narrower directory, or add \"readOnly\": true to the mount point");
  }
}

// Seen: "Fargate compatible task definitions do not support sourcePath".
void host_path_fargate(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(Compatibility::kFargate)) return;
  for (const auto& volume : ctx.task.volumes) {
    if (!emit.knows(volume.source_path) || volume.source_path->empty()) continue;
    emit.at(volume.source_path)
        .says("sourcePath is not supported on Fargate")
        .help("delete sourcePath for storage that lasts as long as the task, or use efsVolumeConfiguration");
  }
}

void host_path_form(const Context& ctx, Emitter& emit) {
  if (!has_host_paths(ctx)) return;
  const bool on_windows = is_windows(ctx);
  for (const auto& volume : ctx.task.volumes) {
    if (!emit.knows(volume.source_path) || volume.source_path->empty()) continue;
    if (on_windows) {
      check_drives(ctx, emit, volume);
    } else {
      check_linux_path(ctx, emit, volume);
    }
  }
}

void host_path_sensitive(const Context& ctx, Emitter& emit) {
  if (!has_host_paths(ctx)) return;
  for (const auto& volume : ctx.task.volumes) check_sensitive(ctx, emit, volume);
}

}  // namespace

std::span<const Rule> host_path_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY520", kTaskDefinition, host_path_fargate},
      {"BAY523", kTaskDefinition, host_path_form},
      {"BAY524", kTaskDefinition, host_path_sensitive},
  };
  return kRules;
}

}  // namespace bayplan::rules
