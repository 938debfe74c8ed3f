variable "image" {}
# Inputs of published modules in the keys of their versions.
module "web" {
  source  = "terraform-aws-modules/ecs/aws//modules/service"
  version = "~> 6.0"
  name    = "web"
  cluster_arn = "x"
  memory  = 512

  subnet_ids = ["subnet-12345678"]
  container_definitions = {
    app = {
      image        = var.image
      cpu          = 256
      essential    = true
      portMappings = [{ containerPort = 80, hostPort = 8080 }]
      environment  = [{ name = "A", value = 1 }]
    }
    side = { create = false, image = "x" }
  }
  load_balancer = {
    a = { target_group_arn = "arn:aws:elasticloadbalancing:us-east-1:123456789012:targetgroup/a/0123456789abcdef", container_name = "app", container_port = 81 }
  }
}

module "five" {
  source  = "terraform-aws-modules/ecs/aws"
  version = "5.11.0"
  cluster_name = "c"
  services = {
    api = {
      cpu = 512
      subnet_ids = ["subnet-12345678"]
      container_definitions = { app = { image = "nginx:1.25", cpu = 600, port_mappings = [{ containerPort = 80 }] } }
    }
  }
}
module "old" {
  source  = "terraform-aws-modules/ecs/aws//modules/service"
  version = "4.1.3"
}
module "app" {
  source = "cloudposse/ecs-container-definition/aws"
  version = "0.58.1"
  container_name = "app"
  container_image = "nginx:1.25"
  container_memory = 2
  port_mappings = [{ containerPort = 80, hostPort = 81, protocol = "tcp" }]
}
resource "aws_ecs_task_definition" "x" {
  family = "x"
  network_mode = "awsvpc"
  requires_compatibilities = ["FARGATE"]
  cpu = 256
  memory = 512
  container_definitions = "[${module.app.json_map_encoded}]"
}
module "svc" {
  source = "cloudposse/ecs-alb-service-task/aws"
  version = "0.76.1"
  container_definition_json = module.app.json_map_encoded_list
  task_memory = 600
  subnet_ids = ["subnet-12345678"]
  vpc_id = "x"
}
