// loadBalancers and serviceRegistries of a service, and what is only for services that have them.
#include <algorithm>

#include "base/json_writer.hpp"
#include "importers/cloudformation_facts.hpp"
#include "rules/file/spelling.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::ContainerDefinition;
using text::Value;

/// One element of loadBalancers. ecspresso writes "" for a member that is not set.
struct Target {
  Value node;
  model::StringField container;
  model::IntegerField port;
  model::StringField target_group_arn;
  model::StringField load_balancer_name;  ///< Of a Classic Load Balancer.

  bool has_group() const { return target_group_arn.present() && target_group_arn.value != ""; }
  bool has_name() const { return load_balancer_name.present() && load_balancer_name.value != ""; }
  bool is_classic() const { return has_name() && !has_group(); }
};

std::vector<Target> list_targets(Value service, const model::Placeholders& placeholders) {
  std::vector<Target> targets;
  const Value list = service.is_object() ? service.find("loadBalancers") : Value();
  if (!list || !list.is_array()) return targets;
  for (const Value element : list.children()) {
    if (!element.is_object()) continue;
    targets.push_back({element, model::string_field(element, "containerName", placeholders),
                       model::integer_field(element, "containerPort", placeholders),
                       model::string_field(element, "targetGroupArn", placeholders),
                       model::string_field(element, "loadBalancerName", placeholders)});
  }
  return targets;
}

bool maps_port(const ContainerDefinition& container, std::int64_t port) {
  return std::any_of(container.port_mappings.begin(), container.port_mappings.end(), [&](const auto& mapping) {
    return !mapping.container_port.known() || *mapping.container_port == port;  // a range, or not known yet
  });
}

/// A list that is absent, null or empty. One that is still to be filled in is not.
bool is_without(Value object, std::string_view key) {
  const Value list = object.find(key);
  return !list || list.is_null() || (list.is_array() && list.size() == 0);
}

/// Nothing that could route traffic to the service. With the controller EXTERNAL its task sets have the load balancers.
bool has_no_load_balancer(const ServiceContext& ctx) {
  return ctx.sees_absence() && is_without(ctx.request.node, "loadBalancers") &&
         is_without(ctx.request.node, "vpcLatticeConfigurations") && !ctx.service->deployment_controller.unknown() &&
         ctx.service->deployment_controller.value != "EXTERNAL";
}

/// Nothing of the containers' names and ports is still to be filled in.
bool is_whole(const model::List<ContainerDefinition>& containers) {
  return containers.is_complete() &&
         std::all_of(containers.begin(), containers.end(), [](const ContainerDefinition& one) {
           return one.name.known() && one.port_mappings.is_complete();
         });
}

void check_target(const ServiceContext& ctx, const Target& target, Emitter& emit) {
  if (!emit.knows(target.container)) return;
  const auto& containers = ctx.definition.task->container_definitions;
  const auto named = std::find_if(containers.begin(), containers.end(),
                                  [&](const auto& one) { return one.name.value == *target.container; });
  if (!is_whole(containers)) return;
  if (named == containers.end()) {
    auto report = emit.at(target.container);
    report.says("{} has no container {}{}", ctx.definition.name, json_quoted(*target.container), ctx.definition.doubt)
        .help("use a container of the task definition");
    hedge(report, ctx);
  } else if (emit.knows(target.port) && !maps_port(*named, *target.port)) {
    auto report = emit.at(target.port);
    report
        .says("container {} of {} has no port mapping for containerPort {} ({}){}", json_quoted(*target.container),
              ctx.definition.name, *target.port, ctx.definition.place_of(named->node), ctx.definition.doubt)
        .help("use a containerPort of its portMappings, or add one");
    hedge(report, ctx);
  }
}

void load_balancer_target(const ServiceContext& ctx, Emitter& emit) {
  if (!ctx.is_service_request() || ctx.definition.task == nullptr) return;
  for (const auto& target : list_targets(ctx.request.node, emit.placeholders())) check_target(ctx, target, emit);
}

/// Whether the service surely gives its tasks network interfaces of their own: blocks that Terraform code makes under a
/// condition are a placeholder.
bool has_interfaces(const model::PlacementRequest& request) {
  return request.awsvpc_configuration && request.awsvpc_configuration.is_object();
}

// Tasks with network interfaces of their own are targets by address, the others by instance. Groups for Lambda and for
// Application Load Balancers take neither, and no refusal of those was seen.
void target_type(const ServiceContext& ctx, Emitter& emit) {
  if (!ctx.is_service_request()) return;
  const auto* task = ctx.definition.task;
  const auto* mode = task != nullptr ? &task->network_mode : nullptr;
  if (mode != nullptr && mode->unknown()) return emit.skip(mode->node);
  if (ctx.definition.has_reported_mode()) return;
  const Value mark = ctx.request.fargate_mark();
  const bool is_awsvpc =
      mode != nullptr && mode->present() ? mode->value == "awsvpc" : mark || has_interfaces(ctx.request);
  const bool is_other = mode != nullptr && (mode->value == "bridge" || mode->value == "host");
  if (!is_awsvpc && !is_other) return;
  const std::string_view refused = is_awsvpc ? "instance" : "ip";
  for (const auto& target : list_targets(ctx.request.node, emit.placeholders())) {
    const auto* group = find_fact(ctx.facts, target.target_group_arn.node, "TargetType");
    if (group == nullptr || group->value != refused) continue;
    auto report = emit.at(target.target_group_arn.node);
    report
        .says("target group {} has target type {}, which is incompatible with networkMode {}", group->resource, refused,
              is_awsvpc ? std::string_view("awsvpc") : std::string_view(*mode->value))
        .help("give the target group the target type {}", is_awsvpc ? "ip" : "instance");
    if (group->span.length() > 0) report.related(group->span, "the target group");
    const bool is_mode_near = mode != nullptr && mode->present() && ctx.definition.file.empty();
    if (is_mode_near) report.related(mode->node, "the network mode");
  }
}

// A listener makes the group part of a load balancer. One of another stack that takes the group from this one comes
// after the service.
void target_group_without_listener(const ServiceContext& ctx, Emitter& emit) {
  if (!ctx.is_service_request()) return;
  for (const auto& target : list_targets(ctx.request.node, emit.placeholders())) {
    const auto* group = find_fact(ctx.facts, target.target_group_arn.node, importers::kNoListener);
    if (group == nullptr) continue;
    emit.at(target.target_group_arn.node)
        .says("no listener of this template forwards to target group {}", group->resource)
        .related(group->span, "the target group")
        .help("add a listener or a listener rule that forwards to it, and let the service depend on that");
  }
}

void load_balancer_exclusive(const ServiceContext& ctx, Emitter& emit) {
  if (!ctx.is_service_request()) return;
  for (const auto& target : list_targets(ctx.request.node, emit.placeholders())) {
    if (!target.has_group() || !target.has_name()) continue;
    emit.at_key(target.load_balancer_name.node)
        .says("loadBalancerName and targetGroupArn are mutually exclusive")
        .related(target.target_group_arn.node.key_span(), "the target group")
        .help("delete loadBalancerName; only Classic Load Balancers are named by it");
  }
}

// The form alone is looked at: whether the group exists, only the account knows.
void target_group_arn_form(const ServiceContext& ctx, Emitter& emit) {
  if (!ctx.is_service_request()) return;
  for (const auto& target : list_targets(ctx.request.node, emit.placeholders())) {
    const auto& arn = target.target_group_arn;
    if (!target.has_group() || !emit.knows(arn)) continue;
    if (arn->find(":targetgroup/") != std::string::npos) continue;
    if (is_output_for(*arn, "targetGroupArn") || is_name_to_fill_in(*arn)) {
      emit.skip(arn.node);
      continue;
    }
    auto report = emit.at(arn);
    if (arn->find(":loadbalancer/") != std::string::npos) {
      report.says("targetGroupArn is the ARN of a load balancer");
    } else if (arn->find(":listener") != std::string::npos) {
      report.says("targetGroupArn is the ARN of a listener");
    } else {
      report.says("targetGroupArn must be the ARN of a target group, got {}", json_quoted(*arn));
    }
    report.help("use arn:aws:elasticloadbalancing:REGION:ACCOUNT:targetgroup/NAME/ID");
  }
}

void classic_load_balancer_fargate(const ServiceContext& ctx, Emitter& emit) {
  const Value mark = ctx.request.fargate_mark();
  if (!ctx.is_service_request() || !mark) return;
  for (const auto& target : list_targets(ctx.request.node, emit.placeholders())) {
    if (!target.is_classic()) continue;
    emit.at_key(target.load_balancer_name.node)
        .says("Fargate does not support Classic Load Balancers")
        .related(mark, std::string(mark.text()) + " is selected here")
        .help("use an Application or Network Load Balancer: targetGroupArn");
  }
}

// A Classic Load Balancer sends to one port of every instance; a host port of 0 is another one on each.
void classic_load_balancer_host_port(const ServiceContext& ctx, Emitter& emit) {
  const auto* task = ctx.definition.task;
  if (!ctx.is_service_request() || task == nullptr || task->network_mode.value != "bridge") return;
  for (const auto& target : list_targets(ctx.request.node, emit.placeholders())) {
    if (!target.is_classic() || !emit.knows(target.container) || !emit.knows(target.port)) continue;
    for (const auto& container : task->container_definitions) {
      if (container.name.value != *target.container) continue;
      for (const auto& mapping : container.port_mappings) {
        const bool is_dynamic = mapping.host_port.value == 0 || (ctx.is_whole && !mapping.host_port.present());
        if (mapping.container_port.value != *target.port || !is_dynamic) continue;
        auto report = emit.at(target.port);
        report
            .says(
                "a Classic Load Balancer requires a host port for containerPort {} of {}, which has a dynamic one "
                "({}){}",
                *target.port, json_quoted(*target.container), ctx.definition.place_of(mapping.node),
                ctx.definition.doubt)
            .help("set hostPort there, or use an Application Load Balancer: targetGroupArn");
        hedge(report, ctx);
      }
    }
  }
}

void health_check_grace_period(const ServiceContext& ctx, Emitter& emit) {
  if (!ctx.is_service_request() || !has_no_load_balancer(ctx)) return;
  const auto period = model::integer_field(ctx.request.node, "healthCheckGracePeriodSeconds", emit.placeholders());
  if (!period.present() || !emit.knows(period) || *period <= 0) return;
  auto report = emit.at(period);
  report.says("healthCheckGracePeriodSeconds has no effect without a load balancer; ECS rejected it until 2024")
      .help("delete healthCheckGracePeriodSeconds, or add loadBalancers");
  report.remove(period.node, false);
}

void code_deploy_load_balancer(const ServiceContext& ctx, Emitter& emit) {
  if (!ctx.is_service_request() || ctx.service->deployment_controller.value != "CODE_DEPLOY") return;
  const auto& controller = ctx.service->deployment_controller;
  if (has_no_load_balancer(ctx)) {
    emit.at(controller)
        .says("the deployment controller CODE_DEPLOY requires an Application or Network Load Balancer")
        .help("add loadBalancers with a targetGroupArn");
  }
  for (const auto& target : list_targets(ctx.request.node, emit.placeholders())) {
    if (!target.is_classic()) continue;
    emit.at_key(target.load_balancer_name.node)
        .says("the deployment controller CODE_DEPLOY does not support Classic Load Balancers")
        .related(controller.node, "CODE_DEPLOY is selected here")
        .help("use an Application or Network Load Balancer: targetGroupArn");
  }
}

// Services whose tasks have network interfaces of their own, or several target groups, use the service-linked role.
void service_role(const ServiceContext& ctx, Emitter& emit) {
  if (!ctx.is_service_request()) return;
  const auto role = model::string_field(ctx.request.node, "role", emit.placeholders());
  if (!role.present() || role.value == "") return;
  const auto* task = ctx.definition.task;
  const bool is_awsvpc =
      static_cast<bool>(ctx.request.awsvpc_configuration) || (task != nullptr && task->network_mode.value == "awsvpc");
  auto tell = [&](std::string_view what) {
    auto report = emit.at_key(role.node);
    report.says("{}", what).help("delete role; ECS uses AWSServiceRoleForECS");
    report.remove(role.node, false);
  };
  if (has_no_load_balancer(ctx)) return tell("role is only valid for a service with a load balancer");
  if (is_awsvpc) return tell("role cannot be set for a service with networkMode awsvpc");
  if (list_targets(ctx.request.node, emit.placeholders()).size() > 1)
    tell("role cannot be set for a service with several target groups");
}

void external_controller(const ServiceContext& ctx, Emitter& emit) {
  if (!ctx.is_service_request() || ctx.service->deployment_controller.value != "EXTERNAL") return;
  for (const std::string_view key : {"loadBalancers", "taskDefinition"}) {
    const Value given = ctx.request.node.find(key);
    const bool is_blank = given && given.is_string() && given.text().empty();
    if (!given || is_blank || is_without(ctx.request.node, key)) continue;
    auto report = emit.at_key(given);
    report.says("{} cannot be set for a service with the deployment controller EXTERNAL", key)
        .related(ctx.service->deployment_controller.node, "EXTERNAL is selected here")
        .help("delete it here, and set it in create-task-set");
  }
}

void service_registries_many(const ServiceContext& ctx, Emitter& emit) {
  const Value list = ctx.request.node.find("serviceRegistries");
  if (!ctx.is_service_request() || !list || !list.is_array() || list.size() < 2) return;
  emit.at(list).says("a service can have one entry in serviceRegistries, got {}", list.size()).help("keep one of them");
}

void service_registry_container(const ServiceContext& ctx, Emitter& emit) {
  const auto* task = ctx.definition.task;
  const Value list = ctx.request.node.find("serviceRegistries");
  if (!ctx.is_service_request() || task == nullptr || !list || !list.is_array()) return;
  const auto& mode = task->network_mode;
  if (mode.value != "bridge" && mode.value != "host") return;
  for (const Value registry : list.children()) {
    if (!registry.is_object()) continue;
    const Value name = registry.find("containerName"), port = registry.find("containerPort");
    const bool has_name = name && !name.is_null() && !name.text().empty();
    const bool has_port = port && !port.is_null() && port.integer() != 0;
    if (has_name && has_port) continue;
    const Value empty = has_name ? port : name;
    auto report = empty && !empty.is_null() ? emit.at(empty)
                                            : emit.missing(registry, has_name ? "containerPort" : "containerName");
    report
        .says("containerName and containerPort are required because {} uses networkMode {} ({}){}", ctx.definition.name,
              *mode, ctx.definition.place_of(mode.node), ctx.definition.doubt)
        .help("add the container and the port that the SRV record of the service is for");
    hedge(report, ctx);
  }
}

/// Only SRV records contain a port; with others, tasks have addresses of their own (awsvpc).
void service_registry_records(const ServiceContext& ctx, Emitter& emit) {
  const Value list = ctx.request.node.find("serviceRegistries");
  if (!ctx.is_service_request() || !list || !list.is_array()) return;
  for (const Value registry : list.children()) {
    const Value arn = registry.is_object() ? registry.find("registryArn") : Value();
    const auto* records = arn ? find_fact(ctx.facts, arn, importers::kRecordTypes) : nullptr;
    if (records == nullptr || records->value.empty() || records->value.find("SRV") != std::string::npos) continue;
    for (const std::string_view key : {"containerPort", "port"}) {
      const Value port = registry.find(key);
      if (!port || port.is_null() || port.text().empty()) continue;
      if (emit.placeholders().holds(port)) {
        emit.skip(port);
        continue;
      }
      auto report = emit.at_key(port);
      report
          .says("{} cannot be set: {} has no SRV record, and records of other types have no port", key,
                records->resource)
          .help("delete {}, or add a DNS record of type SRV there", key);
      if (records->span.length() > 0) report.related(records->span, "its records");
    }
  }
}

/// The port of the SRV record is either `port` or that of a container.
void service_registry_port(const ServiceContext& ctx, Emitter& emit) {
  const Value list = ctx.request.node.find("serviceRegistries");
  if (!ctx.is_service_request() || !list || !list.is_array()) return;
  for (const Value registry : list.children()) {
    // A plan of Terraform has "" and 0 for what the code leaves out.
    const auto is_given = [&](std::string_view key) {
      const Value value = registry.is_object() ? registry.find(key) : Value();
      return value && !value.is_null() && !value.text().empty() && value.integer() != 0;
    };
    const std::string_view other = is_given("containerName") ? "containerName" : "containerPort";
    if (!is_given("port") || !is_given(other)) continue;
    auto report = emit.at_key(registry.find("port"));
    if (is_given("containerName") && is_given("containerPort")) {
      report.says("port cannot be combined with containerName and containerPort");
    } else {
      report.severity(Severity::kWarning)
          .says(
              "port and {}: ECS rejects port with both containerName and containerPort; with one of them, its answer "
              "has not been recorded",
              other);
    }
    report.related(registry.find(other), "the port of a container is given here")
        .help("keep either port, or containerName with containerPort");
  }
}

}  // namespace

std::span<const Rule> service_load_balancer_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY1124", kService, load_balancer_target},
      {"BAY1128", kService, service_role},
      {"BAY1129", kService, health_check_grace_period},
      {"BAY1131", kService, service_registry_container},
      {"BAY1168", kService, service_registry_records},
      {"BAY1132", kService, classic_load_balancer_host_port},
      {"BAY1133", kService, target_group_arn_form},
      {"BAY1140", kService, code_deploy_load_balancer},
      {"BAY1141", kService, load_balancer_exclusive},
      {"BAY1143", kService, classic_load_balancer_fargate},
      {"BAY1147", kService, external_controller},
      {"BAY1148", kService, service_registries_many},
      {"BAY1158", kService, target_type, {.follows_from = {"BAY1120"}}},
      {"BAY1167", kService, service_registry_port},
      {"BAY1169", kService, target_group_without_listener},
  };
  return kRules;
}

}  // namespace bayplan::rules
