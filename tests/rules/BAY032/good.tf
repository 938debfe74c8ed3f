module "vpc" {
  source = "git::https://example.com/vpc.git"
}

resource "aws_ecs_cluster" "main" {
  name = "main"
}
