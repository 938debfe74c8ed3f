#include "rules/file/shape_findings.hpp"
#include "rules/file/spelling.hpp"
#include "rules/rule_functions.hpp"

namespace bayplan::rules {

void container_name_missing(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    if (container.name.unknown()) continue;
    if (!container.name.present()) {
      if (is_part_of_container(ctx.root, ctx.kind)) return;
      if (is_spelled_otherwise(container.node, "name", {"containerName"})) continue;
      emit.missing(container.node, "name").says("the container has no name").help("add \"name\": \"...\"");
    } else if (container.name && container.name->empty()) {
      emit.at(container.name).says("the container's name is empty").help("give it a name of letters, digits, _ and -");
    }
  }
}

void container_name_pattern(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    if (!emit.knows(container.name) || container.name->empty() || is_ecs_name(*container.name)) continue;
    auto report = emit.at(container.name);
    if (container.name->size() > 255) {
      report.says("the container's name has {} characters; at most 255 are allowed", container.name->size())
          .help("shorten it, here and where other members name the container");
      continue;
    }
    report.says("container name \"{}\" has characters other than letters, digits, _ and -", *container.name);
    const std::string better = as_ecs_name(*container.name);
    if (better.empty()) {
      report.help("write the letters a to z and A to Z, digits, _ and -");
    } else {
      report.help("write \"{}\"", better);
    }
  }
}

void cpu_negative(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    if (!emit.knows(container.cpu) || *container.cpu >= 0) continue;
    emit.at(container.cpu)
        .says("cpu {} is negative", *container.cpu)
        .help("write CPU units, 1024 a vCPU, or leave it out");
  }
}

}  // namespace bayplan::rules
