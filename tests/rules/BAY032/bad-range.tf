locals {
  tens     = range(1000)
  hundreds = flatten([for a in range(15) : [for b in local.tens : a * b]])
}

resource "aws_ecs_cluster" "main" {
  name = join("-", [for i in concat(local.tens, local.tens, local.tens, local.tens, local.tens, local.tens, local.tens, local.tens, local.tens, local.tens) : [for j in concat(local.tens, local.tens, local.tens, local.tens, local.tens, local.tens, local.tens, local.tens, local.tens, local.tens) : i * j]]...)
}
