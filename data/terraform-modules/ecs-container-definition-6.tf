# terraform-aws-modules/ecs/aws//modules/container-definition, versions 6 and 7: the container definition that its inputs make.
# Source: variables.tf and main.tf of github.com/terraform-aws-modules/terraform-aws-ecs, tags v6.0.0 to v7.5.0, 2026-11.
# Variables without a default, a type and a condition are not listed: one that is not set is null.

variable "operating_system_family" { default = "LINUX" }
variable "command" { type = list(string) }
variable "cpu" { type = number }
variable "credentialSpecs" { type = list(string) }
variable "dependsOn" { type = list(object({ condition = string, containerName = string })) }
variable "disableNetworking" { type = bool }
variable "dnsSearchDomains" { type = list(string) }
variable "dnsServers" { type = list(string) }
variable "dockerLabels" { type = map(string) }
variable "dockerSecurityOptions" { type = list(string) }
variable "entrypoint" { type = list(string) }
variable "environment" { type = list(object({ name = string, value = string })) }
variable "environmentFiles" { type = list(object({ value = string, type = string })) }
variable "essential" { type = bool }
variable "extraHosts" { type = list(object({ hostname = string, ipAddress = string })) }
variable "firelensConfiguration" { type = object({ options = optional(map(string)), type = optional(string) }) }
variable "healthCheck" {
  type = object({
    command     = optional(list(string), [])
    interval    = optional(number, 30)
    retries     = optional(number, 3)
    startPeriod = optional(number)
    timeout     = optional(number, 5)
  })
}
variable "hostname" { type = string }
variable "image" { type = string }
variable "interactive" {
  type     = bool
  default  = false
  nullable = false
}
variable "links" { type = list(string) }
variable "linuxParameters" {
  type = object({
    capabilities       = optional(object({ add = optional(list(string)), drop = optional(list(string)) }))
    devices            = optional(list(object({ containerPath = optional(string), hostPath = optional(string), permissions = optional(list(string)) })))
    initProcessEnabled = optional(bool)
    maxSwap            = optional(number)
    sharedMemorySize   = optional(number)
    swappiness         = optional(number)
    tmpfs              = optional(list(object({ containerPath = string, mountOptions = optional(list(string)), size = number })))
  })
  default  = {}
  nullable = false
}
variable "logConfiguration" {
  type = object({
    logDriver     = optional(string)
    options       = optional(map(string))
    secretOptions = optional(list(object({ name = string, valueFrom = string })))
  })
  default  = {}
  nullable = false
}
variable "memory" { type = number }
variable "memoryReservation" { type = number }
variable "mountPoints" {
  type = list(object({ containerPath = optional(string), readOnly = optional(bool), sourceVolume = optional(string) }))
}
variable "name" { type = string }
variable "portMappings" {
  type = list(object({
    appProtocol        = optional(string)
    containerPort      = optional(number)
    containerPortRange = optional(string)
    hostPort           = optional(number)
    name               = optional(string)
    protocol           = optional(string)
  }))
}
variable "privileged" {
  type     = bool
  default  = false
  nullable = false
}
variable "pseudoTerminal" {
  type     = bool
  default  = false
  nullable = false
}
variable "readonlyRootFilesystem" {
  type     = bool
  default  = true
  nullable = false
}
variable "repositoryCredentials" { type = object({ credentialsParameter = optional(string) }) }
variable "resourceRequirements" { type = list(object({ type = string, value = string })) }
variable "restartPolicy" {
  type = object({
    enabled              = optional(bool, true)
    ignoredExitCodes     = optional(list(number))
    restartAttemptPeriod = optional(number)
  })
  default  = { enabled = true }
  nullable = false
}
variable "secrets" { type = list(object({ name = string, valueFrom = string })) }
variable "startTimeout" {
  type    = number
  default = 30
}
variable "stopTimeout" {
  type    = number
  default = 120
}
variable "systemControls" { type = list(object({ namespace = optional(string), value = optional(string) })) }
variable "ulimits" { type = list(object({ hardLimit = number, name = string, softLimit = number })) }
variable "user" { type = string }
variable "versionConsistency" {
  type     = string
  default  = "disabled"
  nullable = false
}
variable "volumesFrom" { type = list(object({ readOnly = optional(bool), sourceContainer = optional(string) })) }
variable "workingDirectory" { type = string }
variable "create_cloudwatch_log_group" {
  type     = bool
  default  = true
  nullable = false
}
variable "enable_execute_command" { default = false }

locals {
  is_linux = var.operating_system_family == "LINUX"
  awslogs = {
    logDriver = "awslogs"
    options = {
      awslogs-region        = data.aws_region.current.region
      awslogs-group         = aws_cloudwatch_log_group.this.name
      awslogs-stream-prefix = "ecs"
    }
  }
  log = {
    logDriver     = coalesce(var.logConfiguration.logDriver, var.create_cloudwatch_log_group ? "awslogs" : null)
    options       = var.logConfiguration.options != null ? var.logConfiguration.options : var.create_cloudwatch_log_group ? local.awslogs.options : null
    secretOptions = var.logConfiguration.secretOptions
  }
  has_log = var.create_cloudwatch_log_group || var.logConfiguration.logDriver != null
  linux = {
    capabilities       = var.linuxParameters.capabilities
    devices            = var.linuxParameters.devices
    initProcessEnabled = var.linuxParameters.initProcessEnabled != null ? var.linuxParameters.initProcessEnabled : var.enable_execute_command
    maxSwap            = var.linuxParameters.maxSwap
    sharedMemorySize   = var.linuxParameters.sharedMemorySize
    swappiness         = var.linuxParameters.swappiness
    tmpfs              = var.linuxParameters.tmpfs
  }
}

locals {
  definition = {
    command                = var.command
    cpu                    = var.cpu
    credentialSpecs        = var.credentialSpecs
    dependsOn              = var.dependsOn
    disableNetworking      = local.is_linux ? var.disableNetworking : null
    dnsSearchDomains       = local.is_linux ? var.dnsSearchDomains : null
    dnsServers             = local.is_linux ? var.dnsServers : null
    dockerLabels           = var.dockerLabels
    dockerSecurityOptions  = var.dockerSecurityOptions
    entryPoint             = var.entrypoint
    environment            = var.environment
    environmentFiles       = var.environmentFiles
    essential              = var.essential
    extraHosts             = local.is_linux ? var.extraHosts : null
    firelensConfiguration  = var.firelensConfiguration
    healthCheck            = var.healthCheck
    hostname               = var.hostname
    image                  = var.image
    interactive            = var.interactive
    links                  = local.is_linux ? var.links : null
    linuxParameters        = local.is_linux ? local.linux : null
    logConfiguration       = local.has_log ? local.log : null
    memory                 = var.memory
    memoryReservation      = var.memoryReservation
    mountPoints            = var.mountPoints
    name                   = var.name
    portMappings           = var.portMappings
    privileged             = local.is_linux ? var.privileged : null
    pseudoTerminal         = var.pseudoTerminal
    readonlyRootFilesystem = local.is_linux ? var.readonlyRootFilesystem : null
    repositoryCredentials  = var.repositoryCredentials
    resourceRequirements   = var.resourceRequirements
    restartPolicy          = var.restartPolicy.enabled ? var.restartPolicy : null
    secrets                = var.secrets
    startTimeout           = var.startTimeout
    stopTimeout            = var.stopTimeout
    systemControls         = var.systemControls
    ulimits                = local.is_linux ? var.ulimits : null
    user                   = local.is_linux ? var.user : null
    versionConsistency     = var.versionConsistency
    volumesFrom            = var.volumesFrom
    workingDirectory       = var.workingDirectory
  }
}

output "container_definition" {
  value = local.definition
}

output "container_definition_json" {
  value = jsonencode(local.definition)
}
