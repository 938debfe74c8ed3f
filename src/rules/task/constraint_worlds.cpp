#include "rules/task/constraint_worlds.hpp"

#include <algorithm>
#include <array>

namespace bayplan::rules {
namespace {

using model::Compatibility;

constexpr std::array<std::string_view, 2> kArchitectures{"x86_64", "arm64"};
/// One represents all releases; those that an expression names are added.
constexpr std::array<std::string_view, 2> kFamilies{"LINUX", "WINDOWS_SERVER_2022_CORE"};

bool names_types(const std::vector<ReadConstraint>& constraints) {
  return std::any_of(constraints.begin(), constraints.end(), [](const ReadConstraint& constraint) {
    const auto& predicates = constraint.expression.predicates();
    return std::any_of(predicates.begin(), predicates.end(),
                       [](const auto& predicate) { return predicate.attribute == "ecs.instance-type"; });
  });
}

std::vector<std::string_view> families_in(const std::vector<ReadConstraint>& constraints) {
  std::vector<std::string_view> families(kFamilies.begin(), kFamilies.end());
  for (const auto& constraint : constraints) {
    for (const auto& predicate : constraint.expression.predicates()) {
      if (predicate.attribute != "ecs.os-family") continue;
      for (const auto& value : predicate.values) {
        if (value.text.starts_with("WINDOWS_SERVER_")) families.push_back(value.text);
      }
    }
  }
  return families;
}

void add_worlds(std::string_view type, std::string_view architecture, const std::vector<std::string_view>& families,
                std::vector<World>& worlds) {
  for (const auto family : families) {
    worlds.push_back({type, family == "LINUX" ? "linux" : "windows", family, architecture});
  }
}

}  // namespace

bool runs_on_instances(const Context& ctx) {
  return ctx.targets(Compatibility::kEc2) || ctx.targets(Compatibility::kExternal) ||
         ctx.targets(Compatibility::kManagedInstances);
}

std::vector<ReadConstraint> read_constraints(const Context& ctx, Emitter& emit) {
  std::vector<ReadConstraint> constraints;
  for (const auto& constraint : ctx.task.placement_constraints) {
    if (!emit.knows(constraint.expression)) continue;
    auto parsed = query::parse(*constraint.expression);
    if (parsed) constraints.push_back({std::move(*parsed.expression), constraint.expression.node});
  }
  return constraints;
}

std::vector<World> worlds_of_any_type(const std::vector<ReadConstraint>& constraints) {
  std::vector<World> worlds;
  const auto families = families_in(constraints);
  for (const auto architecture : kArchitectures) add_worlds({}, architecture, families, worlds);
  return worlds;
}

std::vector<World> possible_worlds(const Context& ctx, const std::vector<ReadConstraint>& constraints) {
  if (!names_types(constraints)) return worlds_of_any_type(constraints);
  std::vector<World> worlds;
  const auto families = families_in(constraints);
  for (const auto& type : ctx.catalog.get().types()) {
    for (const auto architecture : kArchitectures) {
      const auto& own = type.architectures;
      const bool has = own.empty() || std::find(own.begin(), own.end(), architecture) != own.end();
      if (has) add_worlds(type.name, architecture, families, worlds);
    }
  }
  return worlds;
}

bool are_few_worlds(const Context& ctx, const std::vector<ReadConstraint>& constraints) {
  constexpr std::size_t kMostLooks = 20'000'000;
  std::size_t values = 0;
  for (const auto& constraint : constraints) {
    for (const auto& predicate : constraint.expression.predicates()) values += 1 + predicate.values.size();
  }
  const std::size_t types = names_types(constraints) ? ctx.catalog.get().types().size() : 1;
  return types * kArchitectures.size() * families_in(constraints).size() * values <= kMostLooks;
}

bool may_hold(const query::Expression& expression, const World& world) {
  std::vector<query::KnownAttribute> known;
  const auto add = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) known.push_back({name, value});
  };
  add("ecs.instance-type", world.instance_type);
  add("ecs.os-type", world.os_type);
  add("ecs.os-family", world.os_family);
  add("ecs.cpu-architecture", world.architecture);
  return expression.evaluate(known) != query::Truth::kFalse;
}

}  // namespace bayplan::rules
