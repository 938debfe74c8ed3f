# terraform-aws-modules/ecs/aws, version 5: a cluster and its services.
# Source: variables.tf and main.tf of github.com/terraform-aws-modules/terraform-aws-ecs, tag v5.12.0, 2026-11.

variable "create" { default = true }
variable "services" { default = {} }
variable "cluster_settings" { default = [{ name = "containerInsights", value = "enabled" }] }

module "cluster" {
  source  = "terraform-aws-modules/ecs/aws//modules/cluster"
  version = "5.12.0"

  create = var.create
  cluster_name     = var.cluster_name
  cluster_settings = var.cluster_settings
}

module "service" {
  source   = "terraform-aws-modules/ecs/aws//modules/service"
  version  = "5.12.0"
  for_each = var.create && var.services != null ? var.services : {}

  inputs = [each.value]

  name        = coalesce(each.value.name, each.key)
  cluster_arn = module.cluster.arn
}
