// Clusters, their capacity providers, and the default strategy that joins the two.
#include <algorithm>
#include <vector>

#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "rules/file/spelling.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using text::Value;

/// A text that nothing fills in later.
bool knows_text(Value value, Emitter& emit) {
  if (!value || !value.is_string()) return false;
  if (emit.placeholders().holds(value)) emit.skip(value);
  return !emit.placeholders().holds(value);
}

/// An object that the text may hold; absent if it is something else.
Value object_in(Value object, std::string_view key) {
  const Value member = object && object.is_object() ? object.find(key) : Value();
  return member && member.is_object() ? member : Value();
}

std::vector<Value> default_strategy(const Context& ctx) {
  std::vector<Value> items;
  const Value list = ctx.root && ctx.root.is_object() ? ctx.root.find("defaultCapacityProviderStrategy") : Value();
  if (ctx.is_answer || !list || !list.is_array()) return items;
  for (const Value item : list.children()) {
    if (item.is_object()) items.push_back(item);
  }
  return items;
}

void cluster_name(const Context& ctx, Emitter& emit) {
  const Value name = ctx.root && ctx.root.is_object() ? ctx.root.find("clusterName") : Value();
  if (ctx.is_answer || !knows_text(name, emit) || name.text().empty() || is_ecs_name(name.text())) return;
  emit.at(name)
      .says("invalid clusterName {}", json_quoted(name.text()))
      .help("use up to 255 letters, digits, hyphens and underscores");
}

void default_strategy_base(const Context& ctx, Emitter& emit) {
  model::IntegerField first;
  for (const Value item : default_strategy(ctx)) {
    const auto base = model::integer_field(item, "base", emit.placeholders());
    if (!base.present() || !emit.knows(base) || *base <= 0) continue;
    if (!first.present()) {
      first = base;
      continue;
    }
    emit.at(base)
        .says("only one capacity provider of the default strategy can have a base, got a second one ({})", *base)
        .related(first.node, "the first base")
        .help("keep base in one entry");
  }
}

// CloudFormation may associate the providers by a resource of their own, which then has the strategy as well.
void default_strategy_provider(const Context& ctx, Emitter& emit) {
  const auto items = default_strategy(ctx);
  if (items.empty() || !ctx.is_whole) return;
  const Value list = ctx.root.find("capacityProviders");
  std::vector<std::string_view> listed;
  if (list && !list.is_null()) {
    if (!list.is_array()) return;
    for (const Value provider : list.children()) {
      if (!knows_text(provider, emit)) return;
      listed.push_back(provider.text());
    }
  }
  for (const Value item : items) {
    const Value provider = item.find("capacityProvider");
    if (!knows_text(provider, emit) || is_among(provider.text(), listed)) continue;
    auto report = emit.at(provider);
    report.says("{} is not in capacityProviders of the cluster", json_quoted(provider.text()))
        .help("add it to capacityProviders, or use one of those in the strategy");
    if (list) report.related(list.key_span(), "the capacity providers of the cluster");
  }
}

void default_strategy_mixed(const Context& ctx, Emitter& emit) {
  Value fargate, other;
  for (const Value item : default_strategy(ctx)) {
    const Value provider = item.find("capacityProvider");
    if (!knows_text(provider, emit)) continue;
    const bool is_fargate = provider.text() == "FARGATE" || provider.text() == "FARGATE_SPOT";
    Value& first = is_fargate ? fargate : other;
    if (!first) first = provider;
  }
  if (!fargate || !other) return;
  emit.at(other)
      .says("{} and {} cannot be used in the same default strategy", other.text(), fargate.text())
      .related(fargate, "the Fargate capacity provider")
      .help("use either Fargate capacity providers or those of instances");
}

void execute_command_logging(const Context& ctx, Emitter& emit) {
  if (ctx.is_answer) return;
  const Value command = object_in(object_in(ctx.root, "configuration"), "executeCommandConfiguration");
  if (!command) return;
  const auto logging = model::string_field(command, "logging", emit.placeholders());
  if (logging.unknown()) return emit.skip(logging.node);
  const Value log = command.find("logConfiguration");
  const bool overrides = logging.value == "OVERRIDE";
  if (log && log.is_object() && log.size() > 0 && !overrides) {
    auto report = emit.at_key(log);
    report.says("logConfiguration requires logging OVERRIDE, but logging is {}", logging.value.value_or("DEFAULT"))
        .help("set \"logging\": \"OVERRIDE\", or delete logConfiguration");
    return;
  }
  const bool may_name_place =
      log && (!log.is_object() || log.find("cloudWatchLogGroupName") || log.find("s3BucketName"));
  if (!overrides || !ctx.is_whole || (may_name_place && !log.is_null())) return;
  emit.at(logging)
      .says("logging OVERRIDE requires a CloudWatch log group or an S3 bucket in logConfiguration")
      .help("add cloudWatchLogGroupName or s3BucketName, or use \"DEFAULT\"");
}

void provider_name(const Context& ctx, Emitter& emit) {
  const Value name = ctx.root && ctx.root.is_object() ? ctx.root.find("name") : Value();
  if (ctx.is_answer || !knows_text(name, emit) || name.text().empty()) return;
  for (const std::string_view prefix : {"aws", "ecs", "fargate"}) {
    if (!lower(name.text()).starts_with(prefix)) continue;
    emit.at(name)
        .says("the name {} of a capacity provider cannot begin with {}", json_quoted(name.text()), prefix)
        .help("use another name");
    return;
  }
  if (is_ecs_name(name.text())) return;
  emit.at(name)
      .says("invalid capacity provider name {}", json_quoted(name.text()))
      .help("use up to 255 letters, digits, hyphens and underscores");
}

void scaling_step_order(const Context& ctx, Emitter& emit) {
  const Value scaling = object_in(object_in(ctx.root, "autoScalingGroupProvider"), "managedScaling");
  if (ctx.is_answer || !scaling) return;
  const auto least = model::integer_field(scaling, "minimumScalingStepSize", emit.placeholders());
  const auto most = model::integer_field(scaling, "maximumScalingStepSize", emit.placeholders());
  if (!least.present() || !most.present() || !emit.knows(least) || !emit.knows(most) || *least <= *most) return;
  emit.at(least)
      .says("minimumScalingStepSize {} is greater than maximumScalingStepSize {}", *least, *most)
      .related(most.node, "the maximum")
      .help("exchange the two");
}

void termination_protection(const Context& ctx, Emitter& emit) {
  const Value provider = object_in(ctx.root, "autoScalingGroupProvider");
  if (ctx.is_answer || !provider) return;
  const auto protection = model::string_field(provider, "managedTerminationProtection", emit.placeholders());
  if (protection.value != "ENABLED") return;
  const auto* group = find_fact(ctx.facts, provider.find("autoScalingGroupArn"), "NewInstancesProtectedFromScaleIn");
  if (group != nullptr && lower(group->value) != "true") {
    emit.at(protection)
        .says("managedTerminationProtection requires scale-in protection in the Auto Scaling group {}", group->resource)
        .related(group->span, "the Auto Scaling group")
        .help("set {} there, or use DISABLED here", ctx.client == DeployClient::kTerraform
                                                        ? "protect_from_scale_in = true"
                                                        : "NewInstancesProtectedFromScaleIn: true");
    return;
  }
  const Value scaling = object_in(provider, "managedScaling");
  const auto status = model::string_field(scaling, "status", emit.placeholders());
  if (status.value != "DISABLED") return;
  emit.at(protection)
      .says("managedTerminationProtection does not work without managed scaling")
      .related(status.node, "managed scaling is disabled here")
      .help("enable managed scaling, or use \"DISABLED\" here")
      .severity(Severity::kWarning);
}

}  // namespace

std::span<const Rule> cluster_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY1150", kCluster, cluster_name},
      {"BAY1151", kCluster, default_strategy_base},
      {"BAY1152", kCluster, default_strategy_provider},
      {"BAY1153", kCluster, execute_command_logging},
      {"BAY1154", kProvider, provider_name},
      {"BAY1155", kProvider, scaling_step_order},
      {"BAY1156", kProvider, termination_protection},
      {"BAY1163", kCluster, default_strategy_mixed},
  };
  return kRules;
}

}  // namespace bayplan::rules
