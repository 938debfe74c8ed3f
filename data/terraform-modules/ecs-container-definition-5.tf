# terraform-aws-modules/ecs/aws//modules/container-definition, version 5: the container definition that its inputs make.
# Source: variables.tf and main.tf of github.com/terraform-aws-modules/terraform-aws-ecs, tag v5.12.0, 2026-11.
# Variables without a default, a type and a condition are not listed: one that is not set is null.

variable "operating_system_family" { default = "LINUX" }
variable "command" { type = list(string) }
variable "cpu" { type = number }
variable "dependencies" { type = list(object({ condition = string, containerName = string })) }
variable "disable_networking" { type = bool }
variable "dns_search_domains" { type = list(string) }
variable "dns_servers" { type = list(string) }
variable "docker_labels" { type = map(string) }
variable "docker_security_options" { type = list(string) }
variable "entrypoint" { type = list(string) }
variable "environment" { type = list(object({ name = string, value = string })) }
variable "environment_files" { type = list(object({ value = string, type = string })) }
variable "essential" { type = bool }
variable "extra_hosts" { type = list(object({ hostname = string, ipAddress = string })) }
variable "hostname" { type = string }
variable "image" { type = string }
variable "interactive" {
  type    = bool
  default = false
}
variable "links" { type = list(string) }
variable "log_configuration" { default = {} }
variable "memory" { type = number }
variable "memory_reservation" { type = number }
variable "name" { type = string }
variable "privileged" {
  type    = bool
  default = false
}
variable "pseudo_terminal" {
  type    = bool
  default = false
}
variable "readonly_root_filesystem" {
  type    = bool
  default = true
}
variable "repository_credentials" { type = map(string) }
variable "resource_requirements" { type = list(object({ type = string, value = string })) }
variable "secrets" { type = list(object({ name = string, valueFrom = string })) }
variable "start_timeout" {
  type    = number
  default = 30
}
variable "stop_timeout" {
  type    = number
  default = 120
}
variable "system_controls" { type = list(map(string)) }
variable "ulimits" { type = list(object({ hardLimit = number, name = string, softLimit = number })) }
variable "user" { type = string }
variable "working_directory" { type = string }
variable "enable_cloudwatch_logging" {
  type    = bool
  default = true
}

locals {
  is_linux = var.operating_system_family == "LINUX"
  awslogs = {
    logDriver = "awslogs"
    options = {
      awslogs-region        = data.aws_region.current.name
      awslogs-group         = aws_cloudwatch_log_group.this.name
      awslogs-stream-prefix = "ecs"
    }
  }
  log     = var.enable_cloudwatch_logging ? merge(local.awslogs, var.log_configuration) : var.log_configuration
  has_log = var.enable_cloudwatch_logging || length(var.log_configuration) > 0
}

output "container_definition" {
  value = {
    command                = var.command
    cpu                    = var.cpu
    dependsOn              = var.dependencies
    disableNetworking      = local.is_linux ? var.disable_networking : null
    dnsSearchDomains       = local.is_linux ? var.dns_search_domains : null
    dnsServers             = local.is_linux ? var.dns_servers : null
    dockerLabels           = var.docker_labels
    dockerSecurityOptions  = var.docker_security_options
    entryPoint             = var.entrypoint
    environment            = var.environment
    environmentFiles       = var.environment_files
    essential              = var.essential
    extraHosts             = local.is_linux ? var.extra_hosts : null
    firelensConfiguration  = var.firelens_configuration
    healthCheck            = var.health_check == null ? null : length(var.health_check) == 0 ? null : merge({ interval = 30, retries = 3, timeout = 5 }, var.health_check)
    hostname               = var.hostname
    image                  = var.image
    interactive            = var.interactive
    links                  = local.is_linux ? var.links : null
    linuxParameters        = local.is_linux ? var.linux_parameters : null
    logConfiguration       = local.has_log ? local.log : null
    memory                 = var.memory
    memoryReservation      = var.memory_reservation
    mountPoints            = var.mount_points
    name                   = var.name
    portMappings           = var.port_mappings
    privileged             = local.is_linux ? var.privileged : null
    pseudoTerminal         = var.pseudo_terminal
    readonlyRootFilesystem = local.is_linux ? var.readonly_root_filesystem : null
    repositoryCredentials  = var.repository_credentials
    resourceRequirements   = var.resource_requirements
    secrets                = var.secrets
    startTimeout           = var.start_timeout
    stopTimeout            = var.stop_timeout
    systemControls         = var.system_controls
    ulimits                = local.is_linux ? var.ulimits : null
    user                   = local.is_linux ? var.user : null
    volumesFrom            = var.volumes_from
    workingDirectory       = var.working_directory
  }
}
