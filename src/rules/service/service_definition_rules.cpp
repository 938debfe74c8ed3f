// A service or RunTask call held against the task definition that it names.
#include <algorithm>

#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "rules/task/execution_role.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::Compatibility;
using text::Value;

/// The definition that the request names, where a file holds it; a reference that is not known yet counts as skipped.
const model::TaskDefinition* definition_of(const ServiceContext& ctx, Emitter& emit) {
  if (ctx.input == ServiceInput::kScenario) return nullptr;
  if (ctx.request.task_definition.unknown()) emit.skip(ctx.request.task_definition.node);
  return ctx.definition.task;
}

bool takes_no_network_configuration(std::string_view mode) {
  return mode == "bridge" || mode == "host" || mode == "none";
}

bool is_only_for_ec2(const model::TaskDefinition& task) {
  return task.targets(Compatibility::kEc2) && !task.targets(Compatibility::kFargate) &&
         !task.targets(Compatibility::kManagedInstances);
}

bool is_known(const model::List<model::StringField>& list) {
  return std::all_of(list.begin(), list.end(), [](const auto& item) { return item.known(); });
}

bool holds(const model::List<model::StringField>& list, std::string_view name) {
  return std::any_of(list.begin(), list.end(), [&](const auto& item) { return item.value == name; });
}

std::string in_words(const model::List<model::StringField>& list) {
  std::vector<std::string_view> names;
  for (const auto& item : list) names.push_back(*item);
  return one_of(names, "and");
}

/// What keeps a definition off Fargate, in words; empty when nothing is seen to. What it asks Fargate for itself was
/// checked when it was registered.
std::string obstacle_to_fargate(const model::TaskDefinition& task, const NamedDefinition& definition) {
  const auto& mode = task.network_mode;
  if (mode && takes_no_network_configuration(*mode)) {
    return "its networkMode is " + std::string(*mode) + " (" + definition.place_of(mode.node) + ")";
  }
  if (task.targets(Compatibility::kFargate)) return {};
  const std::string at = " (" + definition.place_of(task.node) + ")";
  if (!mode.present()) return "its networkMode is not awsvpc" + at;
  if (!task.cpu.present()) return "it has no task-level cpu" + at;
  if (!task.memory.present()) return "it has no task-level memory" + at;
  return {};
}

void launch_type_on_fargate(const ServiceContext& ctx, const model::TaskDefinition& task, Emitter& emit) {
  const std::string obstacle = obstacle_to_fargate(task, ctx.definition);
  if (obstacle.empty()) return;
  auto report = emit.at(ctx.request.launch_type);
  report.says("{} cannot run on FARGATE: {}{}", ctx.definition.name, obstacle, ctx.definition.doubt)
      .help(
          "use another launchType, or make the definition compatible with Fargate: networkMode awsvpc, cpu and memory");
  hedge(report, ctx);
}

void network_configuration_missing(const ServiceContext& ctx, Emitter& emit) {
  const auto* task = definition_of(ctx, emit);
  // Fargate has no other mode than awsvpc, whatever the definition is.
  const bool is_on_fargate =
      task == nullptr && ctx.input != ServiceInput::kScenario && ctx.request.launch_type.value == "FARGATE";
  const bool uses_awsvpc = is_on_fargate || (task != nullptr && task->network_mode.value == "awsvpc");
  if (!ctx.sees_absence() || !uses_awsvpc) return;
  // A service of an EXTERNAL controller has its network in the task sets.
  if (ctx.service != nullptr && ctx.service->deployment_controller.value == "EXTERNAL") return;
  const Value network = ctx.request.network_configuration;
  const bool is_absent = !network || network.is_null();
  if (!is_absent && (!network.is_object() || network.find("awsvpcConfiguration"))) return;
  auto report =
      is_absent ? emit.missing(ctx.request.node, "networkConfiguration") : emit.missing(network, "awsvpcConfiguration");
  if (is_on_fargate) {
    report.says("subnets are required because tasks on FARGATE use networkMode awsvpc")
        .related(ctx.request.launch_type.node, "FARGATE is selected here");
  } else {
    report.says("subnets are required because {} uses networkMode awsvpc ({}){}", ctx.definition.name,
                ctx.definition.place_of(task->network_mode.node), ctx.definition.doubt);
  }
  // Each service that calls RunTask has capitals of its own for awsvpcConfiguration.
  if (ctx.input == ServiceInput::kRunTask) {
    report.help("add networkConfiguration with the subnets of the task");
  } else {
    report.help("add \"networkConfiguration\": {\"awsvpcConfiguration\": {\"subnets\": [\"subnet-...\"]}}");
  }
  hedge(report, ctx);
}

void network_configuration_extra(const ServiceContext& ctx, Emitter& emit) {
  const auto* task = definition_of(ctx, emit);
  const Value awsvpc = ctx.request.awsvpc_configuration;
  if (task == nullptr || !awsvpc || !awsvpc.is_object()) return;
  const auto& mode = task->network_mode;
  if (ctx.definition.has_reported_mode()) return;
  const bool is_default = !mode.present() && is_only_for_ec2(*task);
  if (!is_default && !(mode && takes_no_network_configuration(*mode))) return;
  auto report = emit.at_key(ctx.request.network_configuration);
  if (is_default) {
    report.says("networkConfiguration requires networkMode awsvpc, but {} sets no networkMode ({}){}",
                ctx.definition.name, ctx.definition.place_of(task->node), ctx.definition.doubt);
  } else {
    report.says("networkConfiguration requires networkMode awsvpc, but {} uses networkMode {} ({}){}",
                ctx.definition.name, *mode, ctx.definition.place_of(mode.node), ctx.definition.doubt);
  }
  report.help("delete networkConfiguration, or use awsvpc in the definition");
  if (is_default) report.severity(Severity::kWarning);
  hedge(report, ctx);
}

/// Fargate providers are not mixed with others, so all tasks of such a strategy go to Fargate. How ECS answers when
/// their definition cannot run there is not on record, but none of them starts.
void strategy_on_fargate(const ServiceContext& ctx, const model::TaskDefinition& task, Emitter& emit) {
  const auto& strategy = ctx.request.capacity_provider_strategy;
  const auto is_on_fargate = [](const model::CapacityProviderStrategyItem& item) {
    return item.capacity_provider.value == "FARGATE" || item.capacity_provider.value == "FARGATE_SPOT";
  };
  const auto item = std::find_if(strategy.begin(), strategy.end(), is_on_fargate);
  const bool is_mixed = !std::all_of(strategy.begin(), strategy.end(), is_on_fargate);  // BAY1136
  if (item == strategy.end() || is_mixed || ctx.definition.has_reported_mode()) return;
  const auto& accepted = task.compatibilities;
  if (!is_known(accepted) || !is_known(task.requires_compatibilities)) return;
  std::string obstacle;
  if (accepted.empty()) {
    obstacle = obstacle_to_fargate(task, ctx.definition);
  } else if (!holds(accepted, "FARGATE")) {
    obstacle = "it is compatible with " + in_words(accepted) + " (" + ctx.definition.place_of(accepted.node) + ")";
  }
  if (obstacle.empty()) return;
  emit.at(item->capacity_provider)
      .says("{} cannot run on {}: {}{}", ctx.definition.name, *item->capacity_provider, obstacle, ctx.definition.doubt)
      .help(
          "use a capacity provider of instances, or make the definition compatible with Fargate: networkMode awsvpc, "
          "cpu and memory")
      .severity(Severity::kWarning);
}

// ECS answers with `compatibilities` what a definition is fit for; requiresCompatibilities only says what it was
// checked against: one that lists FARGATE runs on EC2 too.
void launch_type_definition(const ServiceContext& ctx, Emitter& emit) {
  const auto* task = definition_of(ctx, emit);
  const auto& launch_type = ctx.request.launch_type;
  if (task == nullptr) return;
  if (!launch_type.present()) return strategy_on_fargate(ctx, *task, emit);
  if (!emit.knows(launch_type)) return;
  if (!task->compatibilities.empty()) {
    if (!is_known(task->compatibilities) || holds(task->compatibilities, *launch_type)) return;
    auto report = emit.at(launch_type);
    report
        .says("{} cannot run on {}: it is compatible with {} ({}){}", ctx.definition.name, *launch_type,
              in_words(task->compatibilities), ctx.definition.place_of(task->compatibilities.node),
              ctx.definition.doubt)
        .help("use another launchType, or register a compatible definition");
    return hedge(report, ctx);
  }
  const auto& required = task->requires_compatibilities;
  const bool is_unchecked = !required.empty() && is_known(required) && !holds(required, *launch_type);
  if (*launch_type == "FARGATE" && ctx.definition.has_reported_mode()) return;
  if (*launch_type == "FARGATE" && is_known(required)) {
    if (!obstacle_to_fargate(*task, ctx.definition).empty()) return launch_type_on_fargate(ctx, *task, emit);
  }
  const bool is_strange =
      *launch_type == "FARGATE" || *launch_type == "EXTERNAL" || *launch_type == "MANAGED_INSTANCES";
  if (!is_unchecked || !is_strange) return;
  emit.at(launch_type)
      .says("{} was not validated for {}; its requiresCompatibilities is {} ({}){}", ctx.definition.name, *launch_type,
            in_words(required), ctx.definition.place_of(required.node), ctx.definition.doubt)
      .help("add \"{}\" there, so that ECS validates the definition for it", *launch_type)
      .severity(Severity::kWarning);
}

/// ECS Exec writes into the container and asks for credentials of the task (developer guide, ecs-exec, 2026).
void execute_command_prerequisites(const ServiceContext& ctx, Emitter& emit) {
  const auto* task = ctx.definition.task;
  const bool is_sent = ctx.is_service_request() || ctx.input == ServiceInput::kRunTask;
  const auto enabled = model::boolean_field(ctx.request.node, "enableExecuteCommand", emit.placeholders());
  if (!is_sent || task == nullptr || enabled.value != true) return;
  for (const auto& container : task->container_definitions) {
    if (container.readonly_root_filesystem.value != true) continue;
    emit.at(enabled)
        .says("execute-command does not work in {} of {}: its root file system is read-only ({}){}",
              container.name ? json_quoted(*container.name) : std::string("a container"), ctx.definition.name,
              ctx.definition.place_of(container.readonly_root_filesystem.node), ctx.definition.doubt)
        .help("delete readonlyRootFilesystem there, or enableExecuteCommand");
    return;
  }
  if (const auto* role = find_fact(ctx.facts, ctx.request.task_definition.node, importers::kAllowedActions)) {
    std::vector<std::string_view> missing{"ssmmessages:CreateControlChannel", "ssmmessages:CreateDataChannel",
                                          "ssmmessages:OpenControlChannel", "ssmmessages:OpenDataChannel"};
    std::erase_if(missing, [&](std::string_view action) { return is_allowed(action, role->value); });
    if (missing.empty()) return;
    emit.at(enabled)
        .says("no policy in this template allows task role {} what execute-command requires: {}", role->resource,
              one_of(missing, "and"))
        .related(role->span, "the role")
        .help("add the actions to a policy of the role, or delete enableExecuteCommand");
    return;
  }
  if (task->task_role_arn.present() || task->task_role_arn.unknown() || !ctx.is_whole) return;
  emit.at(enabled)
      .says("execute-command requires a task role, and {} has none ({}){}", ctx.definition.name,
            ctx.definition.place_of(task->node), ctx.definition.doubt)
      .help("add a taskRoleArn that allows ssmmessages, or delete enableExecuteCommand");
}

}  // namespace

std::span<const Rule> service_definition_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY1116", kService, network_configuration_missing},
      {"BAY1117", kService, network_configuration_extra, {.follows_from = {"BAY1120"}}},
      {"BAY1120", kService, launch_type_definition},
      {"BAY1149", kService, execute_command_prerequisites},
  };
  return kRules;
}

}  // namespace bayplan::rules
