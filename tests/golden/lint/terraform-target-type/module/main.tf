module "alb" {
  source = "./alb"
  vpc    = "vpc-0123456789abcdef0"
}

module "ecs" {
  source       = "./ecs"
  target_group = module.alb.target_group
  subnets      = ["subnet-0123456789abcdef0"]
}
