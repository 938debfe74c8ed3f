# A group of addresses, for tasks that share those of their instances.
resource "aws_ecs_service" "blue" {
  name            = "blue"
  task_definition = aws_ecs_task_definition.api.arn
  desired_count   = 2
  load_balancer {
    target_group_arn = aws_alb_target_group.blue.id
    container_name   = "app"
    container_port   = 80
  }
}

# These match, or may.
resource "aws_ecs_service" "green" {
  name            = "green"
  task_definition = aws_ecs_task_definition.api.arn
  desired_count   = 2
  load_balancer {
    target_group_arn = aws_alb_target_group.green.arn
    container_name   = "app"
    container_port   = 80
  }
}

resource "aws_ecs_service" "open" {
  name            = "open"
  task_definition = aws_ecs_task_definition.api.arn
  desired_count   = 2
  load_balancer {
    target_group_arn = aws_alb_target_group.open.arn
    container_name   = "app"
    container_port   = 80
  }
}

resource "aws_ecs_service" "either" {
  name            = "either"
  task_definition = aws_ecs_task_definition.api.arn
  desired_count   = 2
  load_balancer {
    target_group_arn = var.is_blue ? aws_alb_target_group.blue.arn : aws_alb_target_group.green.arn
    container_name   = "app"
    container_port   = 80
  }
}

variable "is_blue" {}
