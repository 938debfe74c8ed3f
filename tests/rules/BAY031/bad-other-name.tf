resource "aws_ecs_cluster" "main" {
  name = "main"
}

module "group" {
  source = "./group"
  tags {
    "cost center" = "shop"
    "${var.owner}" = "yes"
  }
}

module "other" {
  "source" = "./group"
}
