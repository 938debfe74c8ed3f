#include "rules/file/shape_findings.hpp"
#include "rules/file/spelling.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

void family_missing(const Context& ctx, Emitter& emit) {
  const auto& family = ctx.task.family;
  if (!ctx.sees_task() || family.unknown()) return;
  if (ctx.root.find("AWSEBDockerrunVersion")) return;  // Elastic Beanstalk makes one up
  if (!family.present()) {
    if (ctx.client == DeployClient::kCloudFormation) return;  // so does it
    if (is_spelled_otherwise(ctx.root, "family", {"name", "taskFamily"})) return;
    auto report = emit.missing(ctx.root, "family");
    if (names_images_alone(ctx)) {
      report.severity(Severity::kWarning)
          .says("file contains only images of containers; register-task-definition requires family, memory and others")
          .help("merge it with the rest of the task definition before it is registered");
      return;
    }
    report.says("family is missing").help("add \"family\": \"...\", the name of the task definition");
  } else if (family && family->empty()) {
    emit.at(family).says("family is empty").help("use a name for the task definition");
  }
}

void family_pattern(const Context& ctx, Emitter& emit) {
  const auto& family = ctx.task.family;
  if (!emit.knows(family) || family->empty() || is_ecs_name(*family)) return;
  auto report = emit.at(family);
  if (family->size() > 255) {
    report.says("family has {} characters; the maximum is 255", family->size()).help("shorten it");
    return;
  }
  report.says("family \"{}\" contains characters other than letters, digits, _ and -", *family);
  const std::string better = as_ecs_name(*family);
  if (better.empty()) {
    report.help("use only a to z, A to Z, 0 to 9, _ and -");
  } else {
    report.help("use \"{}\"", better);
  }
}

}  // namespace

std::span<const Rule> task_family_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY101", kTaskDefinition, family_missing},
      {"BAY102", kTaskDefinition, family_pattern},
  };
  return kRules;
}

}  // namespace bayplan::rules
