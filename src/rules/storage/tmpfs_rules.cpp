// linuxParameters.tmpfs[]
#include <array>

#include "base/strings.hpp"
#include "rules/storage/tmpfs.hpp"
#include "rules/storage/volumes.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using text::Value;

/// Options that Tmpfs.mountOptions lists (API reference, API_Tmpfs, 2026), in byte order.
constexpr std::array<std::string_view, 39> kMountOptions{
    "async",      "atime",   "bind",        "defaults",   "dev",           "diratime", "dirsync",
    "exec",       "gid",     "mand",        "mode",       "mpol",          "noatime",  "nodev",
    "nodiratime", "noexec",  "nomand",      "norelatime", "nostrictatime", "nosuid",   "nr_blocks",
    "nr_inodes",  "private", "rbind",       "relatime",   "remount",       "ro",       "rprivate",
    "rshared",    "rslave",  "runbindable", "rw",         "shared",        "slave",    "strictatime",
    "suid",       "sync",    "uid",         "unbindable"};
/// Options that have a meaning only with a value.
constexpr std::array<std::string_view, 6> kWithValue{"gid", "mode", "mpol", "nr_blocks", "nr_inodes", "uid"};

bool is_mount_option(std::string_view option) {
  const auto equals = option.find('=');
  return equals == std::string_view::npos ? is_among(option, kMountOptions)
                                          : is_among(option.substr(0, equals), kWithValue);
}

void check_tmpfs(const Tmpfs& tmpfs, Emitter& emit) {
  // Refusal: "invalid tmpfs size value ... must be a non-zero, non-negative integer" (amazon-ecs-agent issue 2226).
  if (emit.knows(tmpfs.size) && *tmpfs.size < 1) {
    emit.at(tmpfs.size)
        .severity(Severity::kError)
        .says("tmpfs size must be 1 MiB or more, got {}", *tmpfs.size)
        .help("use the maximum size in MiB");
  }
  const auto& path = tmpfs.container_path;
  if (emit.knows(path) && !path->empty() && !is_absolute(*path)) {
    emit.at(path).says("tmpfs path must be absolute, got \"{}\"", *path).help("use \"/{}\"", *path);
  }
  for (const auto& option : tmpfs.mount_options) {
    if (!emit.knows(option) || is_mount_option(*option)) continue;
    auto report = emit.at(option);
    report.says("unknown tmpfs option \"{}\"", *option);
    if (option->starts_with("size=")) {
      report.help("delete it; set the size in \"size\"");
    } else {
      report.help("use options of the mount command, one per string: noexec, nosuid, mode=1777");
    }
  }
}

void tmpfs_form(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& tmpfs : bind_tmpfs(container, ctx.placeholders)) check_tmpfs(tmpfs, emit);
  }
}

}  // namespace

std::vector<Tmpfs> bind_tmpfs(const model::ContainerDefinition& container, const model::Placeholders& placeholders) {
  std::vector<Tmpfs> mounts;
  const Value parameters = container.linux_parameters;
  const Value list = parameters ? parameters.find("tmpfs") : Value();
  if (!list || !list.is_array()) return mounts;
  for (const Value element : list.children()) {
    if (!element.is_object()) continue;
    mounts.push_back({.node = element,
                      .container_path = model::string_field(element, "containerPath", placeholders),
                      .size = model::integer_field(element, "size", placeholders),
                      .mount_options = model::string_list(element, "mountOptions", placeholders)});
  }
  return mounts;
}

std::span<const Rule> tmpfs_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY525", kTaskDefinition, tmpfs_form},
  };
  return kRules;
}

}  // namespace bayplan::rules
