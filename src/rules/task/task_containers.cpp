#include <algorithm>
#include <map>

#include "rules/file/spelling.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

/// RegisterTaskDefinition: "Too many containers." (aws/amazon-ecs-cli issue 184; service quotas page, 2026).
constexpr std::size_t kMaxContainers = 10;

void containers_empty(const Context& ctx, Emitter& emit) {
  if (!ctx.sees_task()) return;
  const text::Value list = ctx.task.container_definitions.node;
  if (list && list.is_array() && list.size() == 0) {
    emit.at(list).says("containerDefinitions is empty").help("add at least one container");
  } else if (!list || list.is_null()) {
    if (is_spelled_otherwise(ctx.root, "containerDefinitions", {"containers"})) return;
    const text::Value image = ctx.root.find("image");
    if (image && !list) {
      emit.missing(ctx.root, "containerDefinitions")
          .says("containerDefinitions is missing; the keys of a container are in the task definition")
          .related(image.key_span(), "a key of a container")
          .help("move them to \"containerDefinitions\": [{...}]");
      return;
    }
    emit.missing(ctx.root, "containerDefinitions")
        .says("containerDefinitions is missing")
        .help("add \"containerDefinitions\": [{...}] with at least one container");
  }
}

void too_many_containers(const Context& ctx, Emitter& emit) {
  const text::Value list = ctx.task.container_definitions.node;
  if (!list || !list.is_array() || list.size() <= kMaxContainers) return;
  emit.at(list.at(kMaxContainers).opening(), list)
      .says("{} containers; the maximum is {} per task definition", list.size(), kMaxContainers)
      .help("split the task");
}

void no_essential_container(const Context& ctx, Emitter& emit) {
  const auto& containers = ctx.task.container_definitions;
  if (containers.empty() || containers.size() != containers.node.size()) return;
  const bool none = std::all_of(containers.begin(), containers.end(), [](const model::ContainerDefinition& container) {
    return container.essential.known() && !*container.essential;
  });
  if (!none) return;
  emit.at(containers[0].essential)
      .says(containers.size() == 1 ? "the only container is not essential" : "no container is essential")
      .help("omit essential (it defaults to true) on the main container");
}

void duplicate_container_name(const Context& ctx, Emitter& emit) {
  std::map<std::string_view, text::Value> first;
  for (const auto& container : ctx.task.container_definitions) {
    if (!emit.knows(container.name) || container.name->empty()) continue;
    const auto [seen, is_new] = first.emplace(*container.name, container.name.node);
    if (is_new) continue;
    emit.at(container.name)
        .says("duplicate container name \"{}\"", *container.name)
        .help("rename one of them")
        .related(seen->second, "first used here");
  }
}

}  // namespace

std::span<const Rule> task_containers_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY103", kTaskDefinition, containers_empty},
      {"BAY104", kTaskDefinition, too_many_containers},
      {"BAY105", kTaskDefinition, no_essential_container},
      {"BAY106", kTaskDefinition, duplicate_container_name},
  };
  return kRules;
}

}  // namespace bayplan::rules
