// What ECS does with the role in executionRoleArn before a container starts: fetch secrets, pull images, write logs.
// Each rule reports its first reason; if several hold, BAY640 silences BAY605, and that BAY807.
#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "base/pattern.hpp"
#include "base/strings.hpp"
#include "importers/cloudformation_facts.hpp"
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

/// Of ${ACCOUNT}.dkr.ecr.${REGION}.amazonaws.com the literal part decides; the text inside of a placeholder, as a
/// default does, need not be what fills it in.
bool is_surely_private_ecr(const Context& ctx, const model::StringField& image) {
  if (!image.node) return false;
  const auto* repository = find_fact(ctx.facts, image.node, importers::kResourceType);
  const bool is_of_template = repository != nullptr && repository->value == "AWS::ECR::Repository";
  const std::string_view text = image.node.text();
  const bool is_of_terraform = text.find("aws_ecr_repository.") != std::string_view::npos &&
                               text.find(".repository_url") != std::string_view::npos;
  if (is_of_template || is_of_terraform) return true;
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
    if (!is_surely_private_ecr(ctx, image)) {
      if (image.unknown()) emit.skip(image.node);
      continue;
    }
    miss_execution_role(ctx, emit, "Fargate uses it to pull from a private ECR repository", container.image.node,
                        Severity::kError);
    return;
  }
}

/// The action with which ECS reads the secret; empty where the reference does not show what it is.
std::string_view secret_action(const Context& ctx, const model::StringField& value_from) {
  const Value node = value_from.node;
  if (!node) return {};
  if (const auto* resource = find_fact(ctx.facts, node, importers::kResourceType)) {
    if (resource->value == "AWS::SecretsManager::Secret") return "secretsmanager:GetSecretValue";
    return resource->value == "AWS::SSM::Parameter" ? "ssm:GetParameters" : std::string_view();
  }
  const std::string_view text = node.text();
  if (text.find(":secretsmanager:") != std::string_view::npos) return "secretsmanager:GetSecretValue";
  const bool is_parameter = text.find(":ssm:") != std::string_view::npos || (value_from && text.find(':') == text.npos);
  return is_parameter ? "ssm:GetParameters" : std::string_view();
}

/// What ECS does with the execution role, and the actions that this takes.
struct Need {
  std::string_view purpose;
  Value because;
  std::vector<std::string_view> actions;
};

/// ECS developer guide, task_execution_IAM_role (2026). On EC2 the agent pulls images and writes logs with the role of
/// the instance.
std::vector<Need> list_needs(const Context& ctx) {
  std::vector<Need> needs;
  const bool is_fargate_alone = ctx.targets(Compatibility::kFargate) && !ctx.targets(Compatibility::kEc2);
  const auto add_secret = [&](const model::NamedValue& secret) {
    const auto action = secret_action(ctx, secret.value);
    if (!action.empty()) needs.push_back({"read a secret", secret.node, {action}});
    if (find_fact(ctx.facts, secret.value.node, importers::kKeyOfSecret) != nullptr)
      needs.push_back({"decrypt a secret with a customer managed key", secret.node, {"kms:Decrypt"}});
  };
  for (const auto& container : ctx.task.container_definitions) {
    const auto& log = container.log_configuration;
    for (const auto& secret : container.secrets) add_secret(secret);
    if (log) std::for_each(log->secret_options.begin(), log->secret_options.end(), add_secret);
    for (const auto& file : container.environment_files) {
      needs.push_back({"read an environment file", file.node, {"s3:GetObject"}});
    }
    if (!is_fargate_alone) continue;
    if (is_surely_private_ecr(ctx, container.image)) {
      needs.push_back({"pull from a private ECR repository",
                       container.image.node,
                       {"ecr:GetAuthorizationToken", "ecr:BatchGetImage", "ecr:GetDownloadUrlForLayer"}});
    }
    if (log && log->log_driver.value == "awslogs") {
      needs.push_back({"write to awslogs", log->log_driver.node, {"logs:CreateLogStream", "logs:PutLogEvents"}});
    }
  }
  return needs;
}

/// The role and its policies are in the template of the definition. What is attached to it elsewhere is not seen, and
/// ECS accepts the definition, so this is a warning.
void role_lacks_permission(const Context& ctx, Emitter& emit) {
  const auto* role = find_fact(ctx.facts, ctx.task.execution_role_arn.node, importers::kAllowedActions);
  if (role == nullptr) return;
  std::set<std::string_view> reported;
  for (Need& need : list_needs(ctx)) {
    std::erase_if(need.actions, [&](std::string_view action) {
      return is_allowed(action, role->value) || !reported.insert(action).second;
    });
    if (need.actions.empty()) continue;
    const std::string missing = one_of(need.actions, "and");
    emit.at(ctx.task.execution_role_arn)
        .says("no policy in this template allows execution role {} to {}: {}", role->resource, need.purpose, missing)
        .related(role->span, "the role")
        .related(need.because, "needed here")
        .help("add {} to a policy of the role", missing);
  }
}

}  // namespace

bool is_allowed(std::string_view action, std::string_view patterns) {
  while (!patterns.empty()) {
    const auto end = std::min(patterns.find(' '), patterns.size());
    if (glob_matches(lower(patterns.substr(0, end)), lower(action))) return true;
    patterns.remove_prefix(std::min(end + 1, patterns.size()));
  }
  return false;
}

std::span<const Rule> execution_role_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY139", kTaskDefinition, role_lacks_permission},
      {"BAY605", kTaskDefinition, awslogs_no_role, {.mended_on_fargate = true}},
      {"BAY640", kTaskDefinition, secrets_no_role},
      {"BAY807", kTaskDefinition, fargate_ecr_role, {.mended_on_fargate = true}},
  };
  return kRules;
}

}  // namespace bayplan::rules
