#pragma once
#include "rules/emitter.hpp"
#include "rules/service/service_context.hpp"

// Rules of services and RunTask calls: one declaration a rule, in code order, as in rule_functions.hpp.
namespace bayplan::rules {

void strategy_binpack_field(const ServiceContext& ctx, Emitter& emit);
void strategy_random_field(const ServiceContext& ctx, Emitter& emit);
void strategy_spread_field(const ServiceContext& ctx, Emitter& emit);
void strategy_too_many(const ServiceContext& ctx, Emitter& emit);
void constraint_too_many(const ServiceContext& ctx, Emitter& emit);
void distinct_instance_expression(const ServiceContext& ctx, Emitter& emit);
void placement_on_fargate(const ServiceContext& ctx, Emitter& emit);
void daemon_strategy(const ServiceContext& ctx, Emitter& emit);
void daemon_desired_count(const ServiceContext& ctx, Emitter& emit);
void daemon_max_percent(const ServiceContext& ctx, Emitter& emit);
void daemon_fargate(const ServiceContext& ctx, Emitter& emit);
void launch_type_and_provider(const ServiceContext& ctx, Emitter& emit);
void provider_base_many(const ServiceContext& ctx, Emitter& emit);
void provider_weight_zero(const ServiceContext& ctx, Emitter& emit);
void provider_ranges(const ServiceContext& ctx, Emitter& emit);
void network_configuration_missing(const ServiceContext& ctx, Emitter& emit);
void network_configuration_extra(const ServiceContext& ctx, Emitter& emit);
void deployment_percent(const ServiceContext& ctx, Emitter& emit);
void run_task_count(const ServiceContext& ctx, Emitter& emit);
void launch_type_definition(const ServiceContext& ctx, Emitter& emit);
void az_rebalancing_daemon(const ServiceContext& ctx, Emitter& emit);
void platform_version_ec2(const ServiceContext& ctx, Emitter& emit);
void platform_version_retired(const ServiceContext& ctx, Emitter& emit);
void load_balancer_target(const ServiceContext& ctx, Emitter& emit);
void deployment_settings_conflict(const ServiceContext& ctx, Emitter& emit);
void public_ip_on_ec2(const ServiceContext& ctx, Emitter& emit);
void service_role(const ServiceContext& ctx, Emitter& emit);
void health_check_grace_period(const ServiceContext& ctx, Emitter& emit);
void task_definition_reference(const ServiceContext& ctx, Emitter& emit);
void service_registry_container(const ServiceContext& ctx, Emitter& emit);
void classic_load_balancer_host_port(const ServiceContext& ctx, Emitter& emit);
void target_group_arn_form(const ServiceContext& ctx, Emitter& emit);
void volume_configuration_name(const ServiceContext& ctx, Emitter& emit);
void volume_configuration_size(const ServiceContext& ctx, Emitter& emit);
void provider_mixed(const ServiceContext& ctx, Emitter& emit);
void az_rebalancing_without_effect(const ServiceContext& ctx, Emitter& emit);
void deployment_cannot_move(const ServiceContext& ctx, Emitter& emit);
void subnets_repeated(const ServiceContext& ctx, Emitter& emit);
void code_deploy_load_balancer(const ServiceContext& ctx, Emitter& emit);
void load_balancer_exclusive(const ServiceContext& ctx, Emitter& emit);
void service_name(const ServiceContext& ctx, Emitter& emit);
void classic_load_balancer_fargate(const ServiceContext& ctx, Emitter& emit);
void service_connect_aliases(const ServiceContext& ctx, Emitter& emit);
void service_connect_dns_name(const ServiceContext& ctx, Emitter& emit);
void service_connect_port_name(const ServiceContext& ctx, Emitter& emit);
void external_controller(const ServiceContext& ctx, Emitter& emit);
void service_registries_many(const ServiceContext& ctx, Emitter& emit);
void execute_command_prerequisites(const ServiceContext& ctx, Emitter& emit);

}  // namespace bayplan::rules
