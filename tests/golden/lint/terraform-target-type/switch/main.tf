# Whether tasks have network interfaces of their own, the definition decides, which is elsewhere.
variable "definition" {}
variable "is_awsvpc" {}

resource "aws_lb_target_group" "web" {
  count       = 1
  target_type = "instance"
}

resource "aws_ecs_service" "web" {
  name            = "web"
  task_definition = var.definition
  desired_count   = 2
  dynamic "network_configuration" {
    for_each = var.is_awsvpc ? [1] : []
    content {
      subnets = ["subnet-0123456789abcdef0"]
    }
  }
  load_balancer {
    target_group_arn = aws_lb_target_group.web[0].arn
    container_name   = "app"
    container_port   = 80
  }
}
