#include "rules/container/container_names.hpp"

#include <fmt/core.h>

#include "base/edit_distance.hpp"
#include "base/strings.hpp"

namespace bayplan::rules {

std::string called(const model::ContainerDefinition& container) {
  const bool is_named = container.name && !container.name->empty();
  return is_named ? fmt::format("\"{}\"", *container.name) : std::string("this container");
}

const model::ContainerDefinition* find_container(const Context& ctx, std::string_view name) {
  for (const auto& container : ctx.task.container_definitions) {
    if (container.name && *container.name == name) return &container;
  }
  return nullptr;
}

ContainersByName::ContainersByName(const Context& ctx) {
  for (const auto& container : ctx.task.container_definitions) {
    if (container.name) containers_.emplace(*container.name, &container);
  }
}

const model::ContainerDefinition* ContainersByName::find(std::string_view name) const {
  const auto found = containers_.find(name);
  return found == containers_.end() ? nullptr : found->second;
}

bool sees_all_names(const Context& ctx, Emitter& emit) {
  const auto& containers = ctx.task.container_definitions;
  if (!ctx.is_whole || containers.empty() || containers.size() != containers.node.size()) return false;
  for (const auto& container : containers) {
    if (!emit.knows(container.name)) return false;
  }
  return true;
}

std::vector<std::string_view> names_to_suggest(const Context& ctx) {
  constexpr std::size_t kMost = 100;
  std::vector<std::string_view> names;
  for (const auto& container : ctx.task.container_definitions) {
    if (container.name && !container.name->empty()) names.push_back(*container.name);
    if (names.size() == kMost) break;
  }
  return names;
}

std::string name_hint(const Context& ctx, std::string_view wrong) {
  constexpr std::size_t kMostListed = 10;
  const auto names = names_to_suggest(ctx);
  if (const auto meant = nearest(wrong, names)) {
    return equal_ignoring_case(wrong, *meant) ? fmt::format("use \"{}\"", *meant)
                                              : fmt::format("did you mean \"{}\"?", *meant);
  }
  if (names.size() > kMostListed) return "use the name of a container of this task";
  return "this task has " + one_of(names, "and");
}

}  // namespace bayplan::rules
