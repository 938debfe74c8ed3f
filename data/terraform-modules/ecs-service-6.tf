# terraform-aws-modules/ecs/aws//modules/service, versions 6 and 7: the task definition and service that its inputs make.
# Source: variables.tf and main.tf of github.com/terraform-aws-modules/terraform-aws-ecs, tags v6.0.0 to v7.5.0, 2026-11.
# Variables without a default, a type and a condition are not listed: one that is not set is null. Blocks are written as lists.

variable "create" { default = true }
variable "create_service" { default = true }
variable "create_task_definition" { default = true }
variable "create_task_exec_iam_role" { default = true }
variable "create_tasks_iam_role" { default = true }
variable "create_security_group" { default = true }
variable "container_definitions" { default = {} }
variable "cpu" {
  type    = number
  default = 1024
}
variable "memory" {
  type    = number
  default = 2048
}
variable "network_mode" { default = "awsvpc" }
variable "requires_compatibilities" { default = ["FARGATE"] }
variable "runtime_platform" {
  type = object({
    cpu_architecture        = optional(string, "X86_64")
    operating_system_family = optional(string, "LINUX")
  })
  default  = { cpu_architecture = "X86_64", operating_system_family = "LINUX" }
  nullable = false
}
variable "launch_type" { default = "FARGATE" }
variable "desired_count" {
  type    = number
  default = 1
}
variable "deployment_maximum_percent" { default = 200 }
variable "deployment_minimum_healthy_percent" { default = 66 }
variable "enable_ecs_managed_tags" { default = true }
variable "enable_execute_command" { default = false }
variable "assign_public_ip" { default = false }
variable "security_group_ids" { default = [] }
variable "subnet_ids" { default = [] }

locals {
  makes_definition = var.create && var.create_task_definition
  is_external      = var.deployment_controller == null ? false : var.deployment_controller.type == "EXTERNAL"
  is_daemon        = var.scheduling_strategy == "DAEMON"
  is_fargate       = var.launch_type == "FARGATE"
}

module "container_definition" {
  source   = "terraform-aws-modules/ecs/aws//modules/container-definition"
  version  = "7.0.0"
  for_each = var.container_definitions

  inputs = [var.container_definition_defaults, each.value]

  name                    = coalesce(each.value.name, each.key)
  enable_execute_command  = var.enable_execute_command
  operating_system_family = var.runtime_platform.operating_system_family
}

resource "aws_ecs_task_definition" "this" {
  count = local.makes_definition ? 1 : 0

  container_definitions    = jsonencode([for name, one in module.container_definition : one.container_definition if coalesce(var.container_definitions[name].create, true)])
  cpu                      = var.cpu
  enable_fault_injection   = var.enable_fault_injection
  ephemeral_storage        = var.ephemeral_storage == null ? [] : [var.ephemeral_storage]
  execution_role_arn       = var.create_task_exec_iam_role ? aws_iam_role.task_exec.arn : var.task_exec_iam_role_arn
  family                   = coalesce(var.family, var.name)
  ipc_mode                 = var.ipc_mode
  memory                   = var.memory
  network_mode             = var.network_mode
  pid_mode                 = var.pid_mode
  placement_constraints    = var.task_definition_placement_constraints == null ? [] : [for one in var.task_definition_placement_constraints : { expression = one.expression, type = coalesce(one.type, "memberOf") }]
  proxy_configuration      = var.proxy_configuration == null ? [] : [var.proxy_configuration]
  requires_compatibilities = var.requires_compatibilities
  runtime_platform         = [var.runtime_platform]
  task_role_arn            = var.create_tasks_iam_role ? aws_iam_role.tasks.arn : var.tasks_iam_role_arn
  volume = var.volume == null ? [] : [for name, one in var.volume : {
    configure_at_launch         = one.configure_at_launch
    docker_volume_configuration = one.docker_volume_configuration == null ? [] : [one.docker_volume_configuration]
    efs_volume_configuration = one.efs_volume_configuration == null ? [] : [{
      authorization_config    = one.efs_volume_configuration.authorization_config == null ? [] : [one.efs_volume_configuration.authorization_config]
      file_system_id          = one.efs_volume_configuration.file_system_id
      root_directory          = one.efs_volume_configuration.root_directory
      transit_encryption      = one.efs_volume_configuration.transit_encryption
      transit_encryption_port = one.efs_volume_configuration.transit_encryption_port
    }]
    fsx_windows_file_server_volume_configuration = one.fsx_windows_file_server_volume_configuration == null ? [] : [{
      authorization_config = one.fsx_windows_file_server_volume_configuration.authorization_config == null ? [] : [one.fsx_windows_file_server_volume_configuration.authorization_config]
      file_system_id       = one.fsx_windows_file_server_volume_configuration.file_system_id
      root_directory       = one.fsx_windows_file_server_volume_configuration.root_directory
    }]
    host_path = one.host_path
    name      = coalesce(one.name, name)
  }]
}

resource "aws_ecs_service" "this" {
  count = var.create && var.create_service ? 1 : 0

  availability_zone_rebalancing = var.availability_zone_rebalancing
  capacity_provider_strategy = var.capacity_provider_strategy == null ? [] : local.is_external ? [] : [for one in var.capacity_provider_strategy : {
    base              = one.base
    capacity_provider = one.capacity_provider
    weight            = one.weight
  }]
  cluster                            = var.cluster_arn
  deployment_circuit_breaker         = var.deployment_circuit_breaker == null ? [] : [var.deployment_circuit_breaker]
  deployment_controller              = var.deployment_controller == null ? [] : [var.deployment_controller]
  deployment_maximum_percent         = local.is_daemon || local.is_external ? null : var.deployment_maximum_percent
  deployment_minimum_healthy_percent = local.is_daemon || local.is_external ? null : var.deployment_minimum_healthy_percent
  desired_count                      = local.is_daemon || local.is_external ? null : var.desired_count
  enable_ecs_managed_tags            = var.enable_ecs_managed_tags
  enable_execute_command             = var.enable_execute_command
  health_check_grace_period_seconds  = var.health_check_grace_period_seconds
  launch_type                        = local.is_external || var.capacity_provider_strategy != null ? null : var.launch_type
  load_balancer                      = var.load_balancer == null ? [] : [for one in var.load_balancer : { container_name = one.container_name, container_port = one.container_port, elb_name = one.elb_name, target_group_arn = one.target_group_arn }]
  name                               = var.name
  network_configuration = var.network_mode != "awsvpc" || local.is_external ? [] : [{
    assign_public_ip = var.assign_public_ip
    security_groups  = var.create_security_group ? aws_security_group.this.ids : var.security_group_ids
    subnets          = var.subnet_ids
  }]
  ordered_placement_strategy = var.ordered_placement_strategy == null ? [] : [for one in var.ordered_placement_strategy : { field = one.field, type = one.type }]
  placement_constraints      = var.placement_constraints == null ? [] : [for one in var.placement_constraints : { expression = one.expression, type = one.type }]
  platform_version           = local.is_fargate && !local.is_external ? var.platform_version : null
  propagate_tags             = var.propagate_tags
  scheduling_strategy        = local.is_fargate ? "REPLICA" : var.scheduling_strategy
  service_registries         = var.service_registries == null ? [] : local.is_external ? [] : [var.service_registries]
  task_definition            = local.makes_definition ? aws_ecs_task_definition.this[0].arn : var.task_definition_arn
}
