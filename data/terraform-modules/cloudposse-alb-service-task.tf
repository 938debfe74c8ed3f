# cloudposse/ecs-alb-service-task/aws, versions 0.60 to 0.78: the task definition and service that its inputs make. Names come from labels of
# another module and are unknown.
# Source: variables.tf and main.tf of github.com/cloudposse/terraform-aws-ecs-alb-service-task, tags 0.60.0 to v0.78.0, 2026-11.
# Variables without a default, a type and a condition are not listed: one that is not set is null. Blocks are written as lists.

variable "enabled" { default = true }
variable "ecs_service_enabled" { default = true }
variable "task_definition" { default = [] }
variable "launch_type" { default = "FARGATE" }
variable "platform_version" { default = "LATEST" }
variable "scheduling_strategy" { default = "REPLICA" }
variable "network_mode" { default = "awsvpc" }
variable "task_cpu" {
  type    = number
  default = 256
}
variable "task_memory" {
  type    = number
  default = 512
}
variable "desired_count" {
  type    = number
  default = 1
}
variable "ephemeral_storage_size" { default = 0 }
variable "deployment_controller_type" { default = "ECS" }
variable "deployment_maximum_percent" { default = 200 }
variable "deployment_minimum_healthy_percent" { default = 100 }
variable "health_check_grace_period_seconds" { default = 0 }
variable "runtime_platform" { default = [] }
variable "assign_public_ip" { default = false }
variable "capacity_provider_strategies" { default = [] }
variable "ecs_load_balancers" { default = [] }
variable "ordered_placement_strategy" { default = [] }
variable "service_placement_constraints" { default = [] }
variable "task_placement_constraints" { default = [] }
variable "service_registries" { default = [] }
variable "efs_volumes" { default = [] }
variable "docker_volumes" { default = [] }
variable "fsx_volumes" { default = [] }
variable "bind_mount_volumes" { default = [] }

resource "aws_ecs_task_definition" "default" {
  count = var.enabled && length(var.task_definition) == 0 ? 1 : 0

  family                   = module.this.id
  container_definitions    = var.container_definition_json
  requires_compatibilities = [var.launch_type]
  network_mode             = var.network_mode
  cpu                      = var.task_cpu
  memory                   = var.task_memory
  ipc_mode                 = var.ipc_mode
  pid_mode                 = var.pid_mode
  execution_role_arn       = aws_iam_role.ecs_exec.arn
  task_role_arn            = aws_iam_role.ecs_task.arn
  ephemeral_storage        = var.ephemeral_storage_size == 0 ? [] : [{ size_in_gib = var.ephemeral_storage_size }]
  placement_constraints    = var.task_placement_constraints
  proxy_configuration      = var.proxy_configuration == null ? [] : [var.proxy_configuration]
  runtime_platform         = var.runtime_platform
  volume                   = concat(var.docker_volumes, var.efs_volumes, var.fsx_volumes, var.bind_mount_volumes)
}

resource "aws_ecs_service" "default" {
  count = var.enabled && var.ecs_service_enabled ? 1 : 0

  name                               = module.this.id
  cluster                            = var.ecs_cluster_arn
  task_definition                    = length(var.task_definition) == 0 ? aws_ecs_task_definition.default[0].arn : var.task_definition[0]
  desired_count                      = var.desired_count
  deployment_maximum_percent         = var.deployment_maximum_percent
  deployment_minimum_healthy_percent = var.deployment_minimum_healthy_percent
  deployment_controller              = [{ type = var.deployment_controller_type }]
  health_check_grace_period_seconds  = var.health_check_grace_period_seconds
  launch_type                        = length(var.capacity_provider_strategies) > 0 ? null : var.launch_type
  platform_version                   = var.launch_type == "FARGATE" ? var.platform_version : null
  scheduling_strategy                = var.launch_type == "FARGATE" ? "REPLICA" : var.scheduling_strategy
  propagate_tags                     = var.propagate_tags
  capacity_provider_strategy         = var.capacity_provider_strategies
  load_balancer                      = var.ecs_load_balancers
  ordered_placement_strategy         = var.ordered_placement_strategy
  placement_constraints              = var.service_placement_constraints
  service_registries                 = var.service_registries
  network_configuration = var.network_mode != "awsvpc" ? [] : [{
    assign_public_ip = var.assign_public_ip
    security_groups  = aws_security_group.ecs_service.ids
    subnets          = var.subnet_ids
  }]
}
