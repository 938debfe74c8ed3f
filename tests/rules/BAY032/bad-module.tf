module "ecs" {
  source = "git::https://example.com/ecs.git"
}

module "vpc" {
  source = "git::https://example.com/vpc.git"
}
