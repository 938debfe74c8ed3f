#include "rules/file/shape_findings.hpp"
#include "rules/file/spelling.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

void container_name_missing(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    if (container.name.unknown()) continue;
    if (!container.name.present()) {
      if (is_part_of_container(ctx.root, ctx.kind)) return;
      if (is_spelled_otherwise(container.node, "name", {"containerName"})) continue;
      emit.missing(container.node, "name").says("container name is missing").help("add \"name\": \"...\"");
    } else if (container.name && container.name->empty()) {
      emit.at(container.name).says("container name is empty").help("use letters, digits, _ and -");
    }
  }
}

void container_name_pattern(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    if (!emit.knows(container.name) || container.name->empty() || is_ecs_name(*container.name)) continue;
    auto report = emit.at(container.name);
    if (container.name->size() > 255) {
      report.says("container name has {} characters; the maximum is 255", container.name->size())
          .help("shorten it here and wherever it is referenced");
      continue;
    }
    report.says("container name \"{}\" contains characters other than letters, digits, _ and -", *container.name);
    const std::string better = as_ecs_name(*container.name);
    if (better.empty()) {
      report.help("use only a to z, A to Z, 0 to 9, _ and -");
    } else {
      report.help("use \"{}\"", better);
    }
  }
}

void cpu_negative(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    if (!emit.knows(container.cpu) || *container.cpu >= 0) continue;
    emit.at(container.cpu)
        .says("cpu must be 0 or more, got {}", *container.cpu)
        .help("use CPU units, 1024 per vCPU, or omit it");
  }
}

}  // namespace

std::span<const Rule> container_basics_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY201", kTaskDefinition, container_name_missing},
      {"BAY202", kTaskDefinition, container_name_pattern},
      {"BAY211", kTaskDefinition, cpu_negative},
  };
  return kRules;
}

}  // namespace bayplan::rules
