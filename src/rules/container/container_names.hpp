#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "rules/context.hpp"
#include "rules/emitter.hpp"

namespace bayplan::rules {

/// "'web'", or "this container" when it has no name that can be read.
std::string called(const model::ContainerDefinition& container);

/// The first container of that name; null when there is none. Names are compared as ECS does, with their case.
const model::ContainerDefinition* find_container(const Context& ctx, std::string_view name);

/// `find_container` for a rule that asks for every container of a task.
class ContainersByName {
 public:
  explicit ContainersByName(const Context& ctx);
  const model::ContainerDefinition* find(std::string_view name) const;

 private:
  std::map<std::string_view, const model::ContainerDefinition*> containers_;
};

/// False when a name that is not found may yet be there: a container without a readable name, a text that broke off.
/// A placeholder counts the rule as skipped.
bool sees_all_names(const Context& ctx, Emitter& emit);

/// The names that a misspelled one is compared with: those of the first 100 containers, so that many misspelled names
/// of a file take no quadratic time. ECS accepts no more than 10 containers.
std::vector<std::string_view> names_to_suggest(const Context& ctx);

/// What to write for a name that no container has: the nearest one, else all of them, if they are few.
std::string name_hint(const Context& ctx, std::string_view wrong);

}  // namespace bayplan::rules
