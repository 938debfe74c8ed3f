#include <map>

#include "base/strings.hpp"
#include "rules/file/spelling.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

void compatibilities_missing(const Context& ctx, Emitter& emit) {
  const auto& list = ctx.task.requires_compatibilities;
  if (!ctx.sees_task() || ctx.is_describe() || list.present()) return;
  if (is_spelled_otherwise(ctx.root, "requiresCompatibilities", {"launchType", "compatibilities"})) return;
  emit.missing(ctx.root, "requiresCompatibilities")
      .says("requiresCompatibilities is missing; ECS validates the definition for EC2 only")
      .help("add \"requiresCompatibilities\": [\"EC2\"] or [\"FARGATE\"]");
}

void compatibilities_contradict(const Context& ctx, Emitter& emit) {
  std::map<std::string_view, text::Value> first;
  for (const auto& item : ctx.task.requires_compatibilities) {
    if (!emit.knows(item)) continue;
    const auto [seen, is_new] = first.emplace(*item, item.node);
    if (is_new) continue;
    emit.at(item)
        .severity(Severity::kStyle)
        .says("{} is listed twice", *item)
        .help("delete one of them")
        .related(seen->second, "first listed here");
  }
  const auto fargate = first.find("FARGATE");
  const auto external = first.find("EXTERNAL");
  if (fargate == first.end() || external == first.end()) return;
  emit.at(external->second)
      .says("FARGATE and EXTERNAL conflict: FARGATE requires networkMode awsvpc, which EXTERNAL does not support")
      .help("use two task definitions")
      .related(fargate->second, "FARGATE is required here");
}

}  // namespace

std::span<const Rule> task_compatibilities_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY107", kTaskDefinition, compatibilities_missing},
      {"BAY108", kTaskDefinition, compatibilities_contradict},
  };
  return kRules;
}

}  // namespace bayplan::rules
