variable "memory" {
  type = number
}

variable "environment" {}

resource "aws_ecs_task_definition" "api" {
  family                = "api-${var.environment}"
  container_definitions = jsonencode([{ name = "api", image = "api:1", memory = var.memory }])
}
