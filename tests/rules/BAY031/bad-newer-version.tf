terraform {
  required_version = ">= 0.11.14"
}

resource "aws_ecs_cluster" "main" {
  name = "main"
  name = "other"
}
