# cloudposse/ecs-container-definition/aws, versions 0.41 to 0.61: the container definition that its inputs make.
# Source: variables.tf, main.tf and outputs.tf of github.com/cloudposse/terraform-aws-ecs-container-definition, tags 0.41.0 to v0.61.2, 2026-11.
# Variables without a default, a type and a condition are not listed: one that is not set is null.

variable "container_name" { type = string }
variable "container_image" { type = string }
variable "container_memory" { type = number }
variable "container_memory_reservation" { type = number }
variable "container_definition" { default = {} }
variable "port_mappings" {
  type = list(object({
    containerPort      = number
    hostPort           = optional(number)
    protocol           = optional(string)
    name               = optional(string)
    appProtocol        = optional(string)
    containerPortRange = optional(string)
  }))
}
variable "healthcheck" {
  type = object({
    command     = list(string)
    interval    = optional(number)
    retries     = optional(number)
    startPeriod = optional(number)
    timeout     = optional(number)
  })
}
variable "container_cpu" {
  type    = number
  default = 0
}
variable "essential" {
  type    = bool
  default = true
}
variable "entrypoint" { type = list(string) }
variable "command" { type = list(string) }
variable "working_directory" { type = string }
variable "environment" { type = list(object({ name = string, value = string })) }
variable "map_environment" { type = map(string) }
variable "map_secrets" { type = map(string) }
variable "environment_files" { type = list(object({ value = string, type = string })) }
variable "secrets" { type = list(object({ name = string, valueFrom = string })) }
variable "extra_hosts" { type = list(object({ hostname = string, ipAddress = string })) }
variable "readonly_root_filesystem" {
  type    = bool
  default = false
}
variable "dns_servers" { type = list(string) }
variable "dns_search_domains" { type = list(string) }
variable "ulimits" { type = list(object({ hardLimit = number, name = string, softLimit = number })) }
variable "links" { type = list(string) }
variable "user" { type = string }
variable "container_depends_on" { type = list(object({ condition = string, containerName = string })) }
variable "docker_labels" { type = map(string) }
variable "start_timeout" { type = number }
variable "stop_timeout" { type = number }
variable "privileged" { type = bool }
variable "system_controls" { type = list(map(string)) }
variable "hostname" { type = string }
variable "disable_networking" { type = bool }
variable "interactive" { type = bool }
variable "pseudo_terminal" { type = bool }
variable "docker_security_options" { type = list(string) }
variable "resource_requirements" { type = list(object({ type = string, value = string })) }
variable "version_consistency" { type = string }

locals {
  environment = var.map_environment != null ? [for name, value in var.map_environment : { name = name, value = value }] : var.environment
  secrets     = var.map_secrets != null ? [for name, value in var.map_secrets : { name = name, valueFrom = value }] : var.secrets
}

locals {
  definition = merge({
    name                   = var.container_name
    image                  = var.container_image
    essential              = var.essential
    entryPoint             = var.entrypoint
    command                = var.command
    workingDirectory       = var.working_directory
    readonlyRootFilesystem = var.readonly_root_filesystem
    mountPoints            = var.mount_points
    dnsServers             = var.dns_servers
    dnsSearchDomains       = var.dns_search_domains
    ulimits                = var.ulimits
    repositoryCredentials  = var.repository_credentials
    links                  = var.links
    volumesFrom            = var.volumes_from
    user                   = var.firelens_configuration != null ? "0" : var.user
    dependsOn              = var.container_depends_on
    privileged             = var.privileged
    portMappings           = var.port_mappings
    healthCheck            = var.healthcheck
    firelensConfiguration  = var.firelens_configuration
    linuxParameters        = var.linux_parameters
    logConfiguration       = var.log_configuration
    memory                 = var.container_memory
    memoryReservation      = var.container_memory_reservation
    cpu                    = var.container_cpu
    environment            = local.environment
    environmentFiles       = var.environment_files
    secrets                = local.secrets
    dockerLabels           = var.docker_labels
    startTimeout           = var.start_timeout
    stopTimeout            = var.stop_timeout
    systemControls         = var.system_controls
    extraHosts             = var.extra_hosts
    hostname               = var.hostname
    disableNetworking      = var.disable_networking
    interactive            = var.interactive
    pseudoTerminal         = var.pseudo_terminal
    dockerSecurityOptions  = var.docker_security_options
    resourceRequirements   = var.resource_requirements
    restartPolicy          = var.restart_policy
    versionConsistency     = var.version_consistency
  }, var.container_definition)
}

output "json_map_object" {
  value = local.definition
}

output "json_map_encoded" {
  value = jsonencode(local.definition)
}
output "json_map_encoded_list" {
  value = jsonencode([local.definition])
}
output "sensitive_json_map_object" {
  value = local.definition
}
output "sensitive_json_map_encoded" {
  value = jsonencode(local.definition)
}
output "sensitive_json_map_encoded_list" {
  value = jsonencode([local.definition])
}
