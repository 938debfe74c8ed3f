variable "tasks" {
  default = 3
}

resource "aws_ecs_service" "web" {
  name            = "web"
  task_definition = "web:1"
  desired_count   = var.tasks

  deployment_maximum_percent         = 200
  deployment_minimum_healthy_percent = 100 / var.tasks
}
