# terraform-aws-modules/ecs/aws//modules/cluster, versions 6 and 7: the cluster that its inputs make. Capacity providers are not read.
# Source: variables.tf and main.tf of github.com/terraform-aws-modules/terraform-aws-ecs, tags v6.0.0 to v7.5.0, 2026-11.

variable "create" { default = true }
variable "setting" { default = [{ name = "containerInsights", value = "enabled" }] }

resource "aws_ecs_cluster" "this" {
  count = var.create ? 1 : 0

  name    = var.name
  setting = var.setting == null ? [] : var.setting
}
