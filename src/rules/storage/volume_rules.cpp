// volumes[]: their names and kinds, and whether a container mounts them.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

#include "base/strings.hpp"
#include "rules/file/spelling.hpp"
#include "rules/storage/volumes.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::Volume;
using text::Value;

bool is_configured_at_launch(const Volume& volume) {
  return volume.configured_at_launch && *volume.configured_at_launch;
}

bool holds_a_value(Value object) {
  const auto members = object.children();
  return std::any_of(members.begin(), members.end(), [](Value member) { return !member.is_null(); });
}

/// The members by which a volume is of some kind. An empty host together with another kind means nothing.
std::vector<Value> list_kinds(const Volume& volume) {
  constexpr std::array<std::string_view, 4> kConfigurations{"dockerVolumeConfiguration", "efsVolumeConfiguration",
                                                            "s3filesVolumeConfiguration",
                                                            "fsxWindowsFileServerVolumeConfiguration"};
  std::vector<Value> kinds;
  for (const Value member : volume.node.children()) {
    const bool is_configuration = is_among(member.key(), kConfigurations);
    const bool is_host = member.key() == "host" && volume.source_path && !volume.source_path->empty();
    const bool is_launch = member.key() == "configuredAtLaunch" && is_configured_at_launch(volume);
    if (is_host || is_launch || (is_configuration && member.is_object() && holds_a_value(member)))
      kinds.push_back(member);
  }
  return kinds;
}

void volume_name(const Context& ctx, Emitter& emit) {
  constexpr std::size_t kLongest = 255;
  constexpr std::string_view kForm = "1 to 255 letters, digits, _ and -";
  for (const auto& volume : ctx.task.volumes) {
    if (!volume.name.present()) {
      if (is_spelled_otherwise(volume.node, "name")) continue;
      emit.missing(volume.node, "name")
          .says("volume has no name, so it cannot be mounted")
          .help("add \"name\": {}", kForm);
      continue;
    }
    if (!emit.knows(volume.name) || is_ecs_name(*volume.name)) continue;
    if (volume.name->size() > kLongest) {
      emit.at(volume.name)
          .says("volume name has {} characters; the maximum is {}", volume.name->size(), kLongest)
          .help("shorten it here and in mountPoints");
      continue;
    }
    auto report = emit.at(volume.name);
    report.says("invalid volume name \"{}\"", *volume.name);
    const std::string meant = as_ecs_name(*volume.name);
    if (meant.empty()) {
      report.help("use {}", kForm);
    } else {
      report.help("use \"{}\" here and in mountPoints", meant);
    }
  }
}

bool are_equal(Value one, Value other) {
  if (one.kind() != other.kind() || one.text() != other.text() || one.size() != other.size()) return false;
  for (std::size_t i = 0; i < one.size(); ++i) {
    const Value same = one.is_object() ? other.find(one.at(i).key()) : other.at(i);
    if (!same || !are_equal(one.at(i), same)) return false;
  }
  return true;
}

void volume_name_duplicate(const Context& ctx, Emitter& emit) {
  std::map<std::string_view, const Volume*> first;
  for (const auto& volume : ctx.task.volumes) {
    if (!emit.knows(volume.name)) continue;
    const auto [seen, is_new] = first.emplace(*volume.name, &volume);
    if (is_new) continue;
    // The volumes of aws_ecs_task_definition are a set, in which equal blocks are one.
    if (ctx.client == DeployClient::kTerraform && are_equal(volume.node, seen->second->node)) continue;
    emit.at(volume.name)
        .says("duplicate volume name \"{}\"", *volume.name)
        .help("rename one of them")
        .related(seen->second->name.node, "first used here");
  }
}

void volume_kind_many(const Context& ctx, Emitter& emit) {
  for (const auto& volume : ctx.task.volumes) {
    const auto kinds = list_kinds(volume);
    if (kinds.size() < 2) continue;
    std::vector<std::string_view> names;
    for (const Value kind : kinds) names.push_back(kind.key());
    emit.at_key(kinds[1])
        .says("{} has {}; only one volume type is allowed", in_words(volume), one_of(names, "and"))
        .help("keep one of them, or use two volumes")
        .related(kinds[0].key_span(), "the first type");
  }
}

// ECS refuses "Volumes [x] are not referenced by any of the containers", seen for volumes configured at launch alone.
void volume_unmounted(const Context& ctx, Emitter& emit) {
  const auto names = volume_names(ctx);
  const auto mounted = mounted_volumes(ctx);
  if (!names || !mounted) return;
  const std::set<std::string_view> known(names->begin(), names->end());
  std::set<std::string_view> mounts;
  for (const auto& mount : *mounted) mounts.insert(*mount);
  const bool all_lead_somewhere = std::includes(known.begin(), known.end(), mounts.begin(), mounts.end());
  if (!all_lead_somewhere) return;  // perhaps to this one: BAY501 speaks
  for (const auto& volume : ctx.task.volumes) {
    if (!is_configured_at_launch(volume) || mounts.contains(*volume.name)) continue;
    emit.at(volume.name)
        .says("{} is configured at launch but not mounted by any container", in_words(volume))
        .help("add {{\"sourceVolume\": \"{}\", \"containerPath\": \"/...\"}} to mountPoints, or delete the volume",
              *volume.name)
        .related(volume.configured_at_launch.node, "configured at launch");
  }
}

void launch_volume_many(const Context& ctx, Emitter& emit) {
  const Volume* first = nullptr;
  for (const auto& volume : ctx.task.volumes) {
    if (!is_configured_at_launch(volume)) continue;
    if (first == nullptr) {
      first = &volume;
      continue;
    }
    emit.at(volume.configured_at_launch)
        .says("{} is also configured at launch; only one such volume is allowed per task", in_words(volume))
        .help("keep configuredAtLaunch on one volume")
        .related(first->configured_at_launch.node, "first used here");
  }
}

}  // namespace

std::span<const Rule> volume_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY502", kTaskDefinition, volume_name},        {"BAY503", kTaskDefinition, volume_name_duplicate},
      {"BAY504", kTaskDefinition, volume_kind_many},   {"BAY505", kTaskDefinition, volume_unmounted},
      {"BAY521", kTaskDefinition, launch_volume_many},
  };
  return kRules;
}

}  // namespace bayplan::rules
