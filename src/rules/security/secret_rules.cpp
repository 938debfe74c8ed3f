// secrets of containers and secretOptions of their logs (RegisterTaskDefinition, Secret; developer guide,
// specifying-sensitive-data; 2026).
#include <string>

#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "rules/file/spelling.hpp"
#include "rules/logging/log_options.hpp"
#include "rules/security/secret_references.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::NamedValue;
using model::StringField;

/// Calls `visit(secret)` for all secrets and then all secretOptions of a container.
template <class Function>
void each_secret(const Context& ctx, Function visit) {
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& secret : container.secrets) visit(secret);
    if (!container.log_configuration) continue;
    for (const auto& secret : container.log_configuration->secret_options) visit(secret);
  }
}

/// Calls `visit(valueFrom, ARN)` for each known one of Secrets Manager.
template <class Function>
void each_secrets_manager_arn(const Context& ctx, Emitter& emit, Function visit) {
  each_secret(ctx, [&](const NamedValue& secret) {
    if (!emit.knows(secret.value)) return;
    const auto arn = read_secret_arn(*secret.value);
    if (arn && arn->is_secrets_manager) visit(secret.value, *arn);
  });
}

void tell_unreadable(const StringField& value, Emitter& emit) {
  const std::string_view text = *value;
  auto report = emit.at(value);
  if (trim(text).empty()) {
    report.says("valueFrom is empty; must be the ARN of a secret or parameter, or the name of a parameter")
        .help("use the ARN of the secret")
        .severity(Severity::kWarning);
  } else if (text.starts_with("arn:")) {
    report.says("valueFrom must be the ARN of a secret or parameter, got another ARN")
        .help("use arn:aws:secretsmanager:REGION:ACCOUNT:secret:NAME or arn:aws:ssm:REGION:ACCOUNT:parameter/NAME")
        .severity(Severity::kWarning);
  } else {
    // The value may be the secret itself: it is not repeated.
    report.says("valueFrom is not an ARN or a valid SSM parameter name")
        .help(text.find(':') == std::string_view::npos
                  ? "use the ARN, or a name of at most 2048 letters, digits and . - _ /"
                  : "use the full ARN before the key of a secret: arn:aws:secretsmanager:...:secret:NAME:KEY::");
  }
}

/// "eu-west-1", not a placeholder for one.
bool is_region(std::string_view text) {
  const bool is_plain = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
  return is_plain && text.find('-') != std::string_view::npos;
}

/// The region of all awslogs, when they agree on one.
StringField region_of_logs(const Context& ctx) {
  StringField region;
  bool agree = true;
  each_log_of(ctx, "awslogs", [&](const auto&, const model::LogConfiguration& log) {
    const auto own = option(ctx, log, "awslogs-region");
    if (!own.known() || !is_region(*own)) return;
    agree = agree && (!region.known() || *region == *own);
    if (!region.known()) region = own;
  });
  return agree ? region : StringField();
}

void tell_field_count(const StringField& value, const SecretArn& arn, Emitter& emit) {
  constexpr std::size_t kPlain = 7, kFull = 10;
  const bool names_part = !arn.json_key.empty() || !arn.version_stage.empty() || !arn.version_id.empty();
  auto report = emit.at(value);
  if (arn.fields > kFull) {
    report.says("secret ARN has too many fields after json-key:version-stage:version-id")
        .help("use SECRET-ARN:json-key:version-stage:version-id");
  } else if (names_part) {
    report.says("secret ARN has {} fields; must have 7, or 10 with json-key:version-stage:version-id", arn.fields)
        .help("use {}", json_quoted(std::string(*value) + std::string(kFull - arn.fields, ':')));
  } else {
    const std::size_t extra = arn.fields - kPlain;
    report.says("secret ARN ends in a colon").help("use {}", json_quoted(value->substr(0, value->size() - extra)));
  }
}

void secret_value_from(const Context& ctx, Emitter& emit) {
  each_secret(ctx, [&](const NamedValue& secret) {
    const auto& value = secret.value;
    if (!emit.knows(value) || read_secret_arn(*value) || is_parameter_name(*value)) return;
    tell_unreadable(value, emit);
  });
}

void secret_arn_fields(const Context& ctx, Emitter& emit) {
  constexpr std::size_t kPlain = 7, kFull = 10;
  each_secrets_manager_arn(ctx, emit, [&](const StringField& value, const SecretArn& arn) {
    if (arn.fields != kPlain && arn.fields != kFull) {
      tell_field_count(value, arn, emit);
    } else if (!arn.version_stage.empty() && !arn.version_id.empty()) {
      emit.at(value)
          .says("version stage {} and version ID {} are mutually exclusive", arn.version_stage, arn.version_id)
          .help("keep one, and leave the other empty between the colons");
    }
  });
}

void secret_arn_suffix(const Context& ctx, Emitter& emit) {
  each_secrets_manager_arn(ctx, emit, [&](const StringField& value, const SecretArn& arn) {
    if (arn.json_key.empty() || has_suffix(arn.secret)) return;
    emit.at(value)
        .says("secret ARN ends with the name {}, without the six-character suffix", arn.secret)
        .help("copy the full ARN; a JSON key is often not found with the short one");
  });
}

void secret_cross_region(const Context& ctx, Emitter& emit) {
  const auto region = region_of_logs(ctx);
  if (!region.known()) return;
  each_secret(ctx, [&](const NamedValue& secret) {
    if (!emit.knows(secret.value)) return;
    const auto arn = read_secret_arn(*secret.value);
    if (!arn || !is_region(arn->region) || arn->region == *region) return;
    emit.at(secret.value)
        .says("secret is in {}, but the task logs to {}", arn->region, *region)
        .help("if the task runs in {}, use a copy of the secret there", *region)
        .related(region.node, "log region is set here");
  });
}

void secret_name_blank(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& secret : container.secrets) {
      constexpr std::string_view kMessage = "secret has no name";
      constexpr std::string_view kHelp = "add the name of the environment variable that gets the secret";
      if (secret.name.known() && trim(*secret.name).empty()) {
        emit.at(secret.name).says(kMessage).help(kHelp).severity(Severity::kWarning);
      } else if (!secret.name.node && !is_spelled_otherwise(secret.node, "name")) {
        emit.missing(secret.node, "name").says(kMessage).help(kHelp);
      }
    }
  }
}

}  // namespace

std::span<const Rule> secret_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY641", kTaskDefinition, secret_value_from}, {"BAY642", kTaskDefinition, secret_arn_fields},
      {"BAY643", kTaskDefinition, secret_arn_suffix}, {"BAY644", kTaskDefinition, secret_cross_region},
      {"BAY645", kTaskDefinition, secret_name_blank},
  };
  return kRules;
}

}  // namespace bayplan::rules
