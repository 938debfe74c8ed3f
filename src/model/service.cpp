#include "model/service.hpp"

#include "model/object_reader.hpp"
#include "model/provider_share.hpp"

namespace bayplan::model {

using text::Value;

CapacityProviderStrategyItem bind_provider_share(const ObjectReader& item) {
  return {item.object(), item.string("capacityProvider"), item.integer("base"), item.integer("weight")};
}

namespace {

void bind_request(const ObjectReader& reader, PlacementRequest& request) {
  request.node = reader.object();
  request.task_definition = reader.string("taskDefinition");
  request.launch_type = reader.string("launchType");
  if (request.launch_type.value == "") request.launch_type = {};  // deployment tools write "" for absent
  request.platform_version = reader.string("platformVersion");
  request.placement_strategy = reader.list("placementStrategy", [](const ObjectReader& item) {
    return PlacementStrategyItem{item.object(), item.string("type"), item.string("field")};
  });
  request.placement_constraints = reader.list("placementConstraints", [](const ObjectReader& item) {
    return bind_placement_constraint(item.object(), item.placeholders());
  });
  request.capacity_provider_strategy = reader.list("capacityProviderStrategy", bind_provider_share);
  const ObjectReader network = reader.member("networkConfiguration");
  request.network_configuration = network.object();
  request.awsvpc_configuration = network.value("awsvpcConfiguration");
  request.subnets = network.member("awsvpcConfiguration").strings("subnets");
}

DeploymentCircuitBreaker bind_circuit_breaker(const ObjectReader& reader) {
  const ObjectReader threshold = reader.member("thresholdConfiguration");
  return {reader.object(),
          reader.boolean("enable"),
          reader.boolean("rollback"),
          reader.boolean("resetOnHealthyTask"),
          threshold.string("type"),
          threshold.integer("value")};
}

void bind_service_members(const ObjectReader& reader, Service& service) {
  bind_request(reader, service);
  service.desired_count = reader.integer("desiredCount");
  service.scheduling_strategy = reader.string("schedulingStrategy");
  service.availability_zone_rebalancing = reader.string("availabilityZoneRebalancing");
  service.deployment_controller = reader.member("deploymentController").string("type");
  const ObjectReader deployment = reader.member("deploymentConfiguration");
  service.deployment_strategy = deployment.string("strategy");
  service.minimum_healthy_percent = deployment.integer("minimumHealthyPercent");
  service.maximum_percent = deployment.integer("maximumPercent");
  service.circuit_breaker = bind_circuit_breaker(deployment.member("deploymentCircuitBreaker"));
  service.start_delay = reader.string("startDelay");
  service.duration = reader.string("duration");
}

}  // namespace

Value PlacementRequest::fargate_mark() const {
  if (launch_type.value == "FARGATE") return launch_type.node;
  for (const auto& item : capacity_provider_strategy) {
    const auto name = item.capacity_provider.value;
    if (name == "FARGATE" || name == "FARGATE_SPOT") return item.capacity_provider.node;
  }
  return {};
}

Service bind_service(Value node, const Placeholders& placeholders) {
  const ObjectReader reader(node, placeholders);
  Service service;
  bind_service_members(reader, service);
  service.service_name = reader.string("serviceName");
  return service;
}

ServiceUpdate bind_service_update(Value node, const Placeholders& placeholders) {
  const ObjectReader reader(node, placeholders);
  ServiceUpdate update;
  bind_service_members(reader, update);
  update.service_name = reader.string("service");
  update.force_new_deployment = reader.boolean("forceNewDeployment");
  return update;
}

TaskRun bind_task_run(Value node, const Placeholders& placeholders) {
  const ObjectReader reader(node, placeholders);
  TaskRun run;
  bind_request(reader, run);
  run.count = reader.integer("count");
  run.group = reader.string("group");
  run.overrides = reader.value("overrides");
  run.start_at = reader.string("startAt");
  run.every = reader.string("every");
  run.duration = reader.string("duration");
  run.start_delay = reader.string("startDelay");
  run.all_or_nothing = reader.boolean("allOrNothing");
  return run;
}

}  // namespace bayplan::model
