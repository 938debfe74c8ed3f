// What ECS does with the role in executionRoleArn before a container starts: fetch secrets, pull images, write logs.
// Each rule tells its first reason; where several hold, BAY640 silences BAY605, and that BAY807.
#include <algorithm>

#include "rules/logging/log_options.hpp"
#include "rules/task/execution_role.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::Compatibility;
using model::ContainerDefinition;
using text::Value;

/// The first secret of the container, its own or of its log driver.
Value first_secret(const ContainerDefinition& container) {
  if (!container.secrets.empty()) return container.secrets[0].node;
  const auto& log = container.log_configuration;
  return log && !log->secret_options.empty() ? log->secret_options.front().node : Value();
}

/// ACCOUNT.dkr.ecr.REGION.amazonaws.com and its forms with -fips, .cn and .on.aws; public.ecr.aws needs no role.
bool is_private_ecr(std::string_view image) {
  const auto host = image.substr(0, image.find('/'));
  return host.find(".dkr.ecr.") != std::string_view::npos || host.find(".dkr.ecr-fips.") != std::string_view::npos ||
         host.find(".dkr-ecr.") != std::string_view::npos;
}

/// Of ${ACCOUNT}.dkr.ecr.${REGION}.amazonaws.com the literal part decides; what stands inside a placeholder, as a
/// default does, need not be what fills it in.
bool is_surely_private_ecr(const model::StringField& image) {
  if (!image.node.is_string() || !is_private_ecr(image.node.text())) return false;
  const auto before = image.node.text().substr(0, image.node.text().find(".dkr"));
  return std::count(before.begin(), before.end(), '{') == std::count(before.begin(), before.end(), '}');
}

void awslogs_no_role(const Context& ctx, Emitter& emit) {
  const bool is_fargate = ctx.targets(Compatibility::kFargate);
  if ((!is_fargate && !ctx.targets(Compatibility::kExternal)) || !lacks_execution_role(ctx)) return;
  Value first;
  each_log_of(ctx, "awslogs", [&](const ContainerDefinition&, const model::LogConfiguration& log) {
    if (!first) first = log.log_driver.node;
  });
  if (!first) return;
  if (is_fargate) {
    miss_execution_role(ctx, emit, "Fargate uses it to write to awslogs", first, Severity::kError);
  } else {
    miss_execution_role(ctx, emit, "external instances have no instance role to write to awslogs", first,
                        Severity::kWarning);
  }
}

void secrets_no_role(const Context& ctx, Emitter& emit) {
  if (!lacks_execution_role(ctx)) return;
  for (const auto& container : ctx.task.container_definitions) {
    const Value secret = first_secret(container);
    if (!secret) continue;
    miss_execution_role(ctx, emit, "ECS uses it to read secrets", secret, Severity::kError);
    return;
  }
}

void fargate_ecr_role(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(Compatibility::kFargate) || !lacks_execution_role(ctx)) return;
  for (const auto& container : ctx.task.container_definitions) {
    const auto& image = container.image;
    if (!image.present()) continue;
    if (!is_surely_private_ecr(image)) {
      if (image.unknown()) emit.skip(image.node);
      continue;
    }
    miss_execution_role(ctx, emit, "Fargate uses it to pull from a private ECR repository", container.image.node,
                        Severity::kError);
    return;
  }
}

}  // namespace

std::span<const Rule> execution_role_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY605", kTaskDefinition, awslogs_no_role, {.mended_on_fargate = true}},
      {"BAY640", kTaskDefinition, secrets_no_role},
      {"BAY807", kTaskDefinition, fargate_ecr_role, {.mended_on_fargate = true}},
  };
  return kRules;
}

}  // namespace bayplan::rules
