variable "target_group" {}
variable "subnets" {}

resource "aws_ecs_task_definition" "this" {
  family       = "web"
  network_mode = "awsvpc"
  container_definitions = jsonencode([
    { name = "app", image = "nginx:1.27", memory = 256, portMappings = [{ containerPort = 80 }] }
  ])
}

resource "aws_ecs_service" "this" {
  name            = "web"
  task_definition = aws_ecs_task_definition.this.arn
  desired_count   = 2
  network_configuration {
    subnets = var.subnets
  }
  load_balancer {
    target_group_arn = var.target_group
    container_name   = "app"
    container_port   = 80
  }
}
