#include "rules/task/execution_role.hpp"

#include <algorithm>

#include "rules/file/spelling.hpp"

namespace bayplan::rules {
namespace {

constexpr std::string_view kRole = "executionRoleArn";

}  // namespace

bool lacks_execution_role(const Context& ctx) {
  const auto& containers = ctx.task.container_definitions;
  const bool is_misplaced = std::any_of(containers.begin(), containers.end(),
                                        [](const auto& container) -> bool { return !!container.node.find(kRole); });
  return ctx.sees_task() && !ctx.task.execution_role_arn.present() && !is_misplaced &&
         !is_spelled_otherwise(ctx.root, kRole, {"executionRole", "taskExecutionRoleArn"});
}

void miss_execution_role(const Context& ctx, Emitter& emit, std::string_view need, text::Value reason,
                         Severity severity) {
  emit.missing(ctx.root, kRole)
      .says("executionRoleArn is missing: {}", need)
      .help("add \"executionRoleArn\": \"arn:aws:iam::ACCOUNT:role/ecsTaskExecutionRole\"")
      .related(reason, "required for this")
      .severity(severity);
}

}  // namespace bayplan::rules
