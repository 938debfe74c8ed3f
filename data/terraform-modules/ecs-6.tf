# terraform-aws-modules/ecs/aws, versions 6 and 7: a cluster and its services.
# Source: variables.tf and main.tf of github.com/terraform-aws-modules/terraform-aws-ecs, tags v6.0.0 to v7.5.0, 2026-11.

variable "create" { default = true }
variable "services" { default = {} }
variable "cluster_setting" { default = [{ name = "containerInsights", value = "enabled" }] }

module "cluster" {
  source  = "terraform-aws-modules/ecs/aws//modules/cluster"
  version = "7.0.0"

  create = var.create
  name    = var.cluster_name
  setting = var.cluster_setting
}

module "service" {
  source   = "terraform-aws-modules/ecs/aws//modules/service"
  version  = "7.0.0"
  for_each = var.create && var.services != null ? var.services : {}

  inputs = [each.value]

  name        = coalesce(each.value.name, each.key)
  cluster_arn = module.cluster.arn
}
