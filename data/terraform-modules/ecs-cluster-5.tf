# terraform-aws-modules/ecs/aws//modules/cluster, version 5: the cluster that its inputs make. Capacity providers are not read.
# Source: variables.tf and main.tf of github.com/terraform-aws-modules/terraform-aws-ecs, tag v5.12.0, 2026-11.

variable "create" { default = true }
variable "cluster_settings" { default = [{ name = "containerInsights", value = "enabled" }] }

resource "aws_ecs_cluster" "this" {
  count = var.create ? 1 : 0

  name    = var.cluster_name
  setting = flatten([var.cluster_settings])
}
