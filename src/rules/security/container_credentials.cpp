// Credentials of a private registry, and of Active Directory.
#include <algorithm>

#include "base/ascii.hpp"
#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "rules/task/execution_role.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

/// ASCII letters, digits and /_+=.@- (Secrets Manager, CreateSecret.Name).
bool is_secret_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_letter(c) || is_digit(c) || std::string_view("/_+=.@-").find(c) != std::string_view::npos;
  });
}

/// arn:aws:secretsmanager:region:account:secret:name
bool is_secret_arn(std::string_view text) {
  const auto parts = split(text, ':');
  return parts.size() >= 7 && parts[0] == "arn" && parts[2] == "secretsmanager" && parts[5] == "secret";
}

/// credentialspec:ARN and credentialspecdomainless:ARN, of an S3 object or an SSM parameter.
bool is_credential_spec(std::string_view text) {
  const auto parts = split(text, ':');
  if (parts.size() < 4 || (parts[0] != "credentialspec" && parts[0] != "credentialspecdomainless")) return false;
  return parts[1] == "arn" && parts[2].starts_with("aws") && (parts[3] == "s3" || parts[3] == "ssm");
}

// An empty one is BAY024.
void credentials_parameter(const Context& ctx, Emitter& emit) {
  text::Value first;
  for (const auto& container : ctx.task.container_definitions) {
    const auto& secret = container.credentials_parameter;
    if (!secret.present() || (secret && secret->empty())) continue;
    if (!first) first = secret.node;
    if (!emit.knows(secret) || is_secret_name(*secret) || is_secret_arn(*secret)) continue;
    emit.at(secret)
        .says("{} is not the ARN or name of a Secrets Manager secret", json_quoted(*secret))
        .help("use arn:aws:secretsmanager:<region>:<account>:secret:<name>");
  }
  if (!first || !lacks_execution_role(ctx)) return;
  miss_execution_role(ctx, emit, "ECS uses it to read the registry credentials", first, Severity::kWarning);
}

void credential_specs(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    const auto& specs = container.credential_specs;
    if (specs.size() > 1) {
      emit.at(specs[1])
          .says("{} credential specs; the maximum is one per container", specs.size())
          .help("delete the others")
          .related(specs[0].node, "first defined here");
    }
    for (const auto& spec : specs) {
      if (!emit.knows(spec) || is_credential_spec(*spec)) continue;
      emit.at(spec)
          .says("invalid credential spec {}", json_quoted(*spec))
          .help(
              "use credentialspec: or credentialspecdomainless: followed by the ARN of an S3 object or SSM parameter");
    }
  }
}

}  // namespace

std::span<const Rule> container_credentials_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY226", kTaskDefinition, credentials_parameter},
      {"BAY227", kTaskDefinition, credential_specs},
  };
  return kRules;
}

}  // namespace bayplan::rules
