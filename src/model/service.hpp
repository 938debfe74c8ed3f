#pragma once
#include <string_view>
#include <vector>

#include "model/field.hpp"
#include "model/task_definition.hpp"
#include "text/document.hpp"

/// Services and RunTask calls as written, in the input of create-service, update-service and run-task, in the answer of
/// describe-services and in scenarios: nothing is looked up, defaulted or refused here.
namespace bayplan::model {

struct PlacementStrategyItem {
  text::Value node;
  StringField type;
  StringField field;
};

struct CapacityProviderStrategyItem {
  text::Value node;
  StringField capacity_provider;
  IntegerField base;    ///< Absent = 0.
  IntegerField weight;  ///< Absent = 0.
};

/// What services and RunTask calls have in common.
struct PlacementRequest {
  text::Value node;
  StringField task_definition;
  StringField launch_type;
  StringField platform_version;
  List<PlacementStrategyItem> placement_strategy;
  List<PlacementConstraint> placement_constraints;
  List<CapacityProviderStrategyItem> capacity_provider_strategy;
  text::Value network_configuration;
  text::Value awsvpc_configuration;  ///< networkConfiguration.awsvpcConfiguration
  List<StringField> subnets;         ///< networkConfiguration.awsvpcConfiguration.subnets

  /// launchType, or the first capacity provider that is FARGATE or FARGATE_SPOT; absent when neither puts tasks on
  /// Fargate.
  text::Value fargate_mark() const;
};

/// deploymentConfiguration.deploymentCircuitBreaker
struct DeploymentCircuitBreaker {
  text::Value node;
  BooleanField enable;
  BooleanField rollback;
  BooleanField reset_on_healthy_task;  ///< Absent = true.
  StringField threshold_type;          ///< thresholdConfiguration
  IntegerField threshold_value;
};

/// Keys of CreateService, and how long its tasks take (scenarios only).
struct Service : PlacementRequest {
  StringField service_name;
  IntegerField desired_count;
  StringField scheduling_strategy;  ///< Absent = REPLICA.
  StringField availability_zone_rebalancing;
  StringField deployment_controller;     ///< Its type; absent = ECS.
  StringField deployment_strategy;       ///< deploymentConfiguration.strategy; absent = ROLLING.
  IntegerField minimum_healthy_percent;  ///< deploymentConfiguration
  IntegerField maximum_percent;
  DeploymentCircuitBreaker circuit_breaker;
  StringField start_delay;  ///< Durations.
  StringField duration;

  bool is_daemon() const { return scheduling_strategy.value == "DAEMON"; }
};

/// Keys of RunTask, and when (scenarios only).
struct TaskRun : PlacementRequest {
  IntegerField count;  ///< Absent = 1.
  StringField group;
  text::Value overrides;
  StringField start_at;  ///< Durations.
  StringField every;     ///< Time between two calls of a scheduled task.
  StringField duration;
  StringField start_delay;
  BooleanField all_or_nothing;
};

/// Keys of UpdateService, where the service is named by `service`; what is absent stays as it is.
struct ServiceUpdate : Service {
  BooleanField force_new_deployment;
};

Service bind_service(text::Value node, const Placeholders& placeholders);
ServiceUpdate bind_service_update(text::Value node, const Placeholders& placeholders);
TaskRun bind_task_run(text::Value node, const Placeholders& placeholders);

}  // namespace bayplan::model
