locals {
  a = "${local.b}-x"
  b = local.a
}

resource "aws_ecs_cluster" "main" {
  name = local.a
}
