// dependsOn: which container waits for which, and for what.
#include <map>

#include "base/strings.hpp"
#include "rules/container_names.hpp"
#include "rules/rule_functions.hpp"
#include "rules/start_order.hpp"

namespace bayplan::rules {
namespace {

using model::ContainerDefinition;
using model::ContainerDependency;

template <class Function>
void each_dependency(const Context& ctx, Function told) {
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& dependency : container.depends_on) told(container, dependency);
  }
}

bool is_self(const ContainerDefinition& container, const ContainerDependency& dependency) {
  return container.name && dependency.container_name && *container.name == *dependency.container_name;
}

/// The other container, when the file shows which one it is.
const ContainerDefinition* other_of(const Context& ctx, const ContainerDefinition& container,
                                    const ContainerDependency& dependency) {
  if (!dependency.container_name || is_self(container, dependency)) return nullptr;
  return find_container(ctx, *dependency.container_name);
}

bool waits_for_end(const ContainerDependency& dependency) {
  return dependency.condition && (*dependency.condition == "COMPLETE" || *dependency.condition == "SUCCESS");
}

std::string_view verb_of(Wait::Kind kind) {
  switch (kind) {
    case Wait::Kind::kDependsOn:
      return "waits for";
    case Wait::Kind::kLink:
      return "links to";
    case Wait::Kind::kVolumes:
      return "takes the volumes of";
  }
  return "waits for";
}

}  // namespace

void depends_unknown(const Context& ctx, Emitter& emit) {
  each_dependency(ctx, [&](const ContainerDefinition& container, const ContainerDependency& dependency) {
    if (!emit.knows(dependency.container_name) || find_container(ctx, *dependency.container_name) != nullptr) return;
    if (!sees_all_names(ctx, emit)) return;
    emit.at(dependency.container_name)
        .says("{} waits for \"{}\", which is no container of this task", called(container), *dependency.container_name)
        .help("{}", name_hint(ctx, *dependency.container_name));
  });
}

void depends_self(const Context& ctx, Emitter& emit) {
  each_dependency(ctx, [&](const ContainerDefinition& container, const ContainerDependency& dependency) {
    if (!is_self(container, dependency)) return;
    emit.at(dependency.container_name)
        .says("{} waits for itself, so it never starts", called(container))
        .help("name another container, or delete the entry");
  });
}

void depends_cycle(const Context& ctx, Emitter& emit) {
  const auto& containers = ctx.task.container_definitions;
  for (const auto& circle : find_circles(ctx)) {
    std::string path = std::string(*containers[circle.front().from].name);
    for (const auto& wait : circle) path += " -> " + std::string(*containers[wait.to].name);
    auto report = emit.at(circle.front().place);
    report.says("these containers wait for each other in a circle, so none starts: {}", path)
        .help("take out the wait that is needed least");
    for (auto wait = circle.begin() + 1; wait < circle.end(); ++wait) {
      report.related(wait->place, called(containers[wait->from]) + " " + std::string(verb_of(wait->kind)) + " " +
                                      called(containers[wait->to]) + " here");
    }
  }
}

void depends_healthy_no_check(const Context& ctx, Emitter& emit) {
  each_dependency(ctx, [&](const ContainerDefinition& container, const ContainerDependency& dependency) {
    const auto* other = other_of(ctx, container, dependency);
    if (other == nullptr || !dependency.condition || *dependency.condition != "HEALTHY") return;
    if (!ctx.is_whole || (other->health_check && !other->health_check.is_null())) return;
    emit.at(dependency.condition)
        .says("{} waits until {} is HEALTHY, but that container has no healthCheck", called(container), called(*other))
        .help("add \"healthCheck\" to {}, or wait for START", called(*other))
        .related(other->name.node, "the container without a healthCheck");
  });
}

void depends_complete_essential(const Context& ctx, Emitter& emit) {
  each_dependency(ctx, [&](const ContainerDefinition& container, const ContainerDependency& dependency) {
    const auto* other = other_of(ctx, container, dependency);
    if (other == nullptr || !waits_for_end(dependency)) return;
    if (other->essential.present() ? !emit.knows(other->essential) : !ctx.is_whole) return;
    if (!other->is_essential()) return;
    auto report = emit.at(dependency.condition);
    report
        .says("{} waits for {} to end ({}), but {} is essential: its end stops the task", called(container),
              called(*other), *dependency.condition, called(*other))
        .help("write \"essential\": false in {}", called(*other));
    if (other->essential) {
      report.related(other->essential.node, "set here");
    } else {
      report.related(other->name.node, "essential is true when it is not written");
    }
  });
}

void depends_duplicate(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    std::map<std::string_view, text::Value> first;
    for (const auto& dependency : container.depends_on) {
      if (!emit.knows(dependency.container_name)) continue;
      const auto [seen, is_new] = first.emplace(*dependency.container_name, dependency.container_name.node);
      if (is_new) continue;
      emit.at(dependency.container_name)
          .says("{} names \"{}\" twice in dependsOn", called(container), *dependency.container_name)
          .help("keep the entry with the condition that is meant")
          .related(seen->second, "the first one");
    }
  }
}

}  // namespace bayplan::rules
