variable "cpu" {
  type    = number
  default = 256
}

variable "memory" {
  type = number
}

variable "stage" {
  type = string
  validation {
    condition     = contains(["dev", "prod"], var.stage)
    error_message = "Use dev or prod."
  }
}

variable "tag" {}

resource "aws_ecs_task_definition" "web" {
  family                   = "web-${var.stage}"
  requires_compatibilities = ["FARGATE"]
  network_mode             = "awsvpc"
  cpu                      = var.cpu
  memory                   = var.memory
  container_definitions    = jsonencode([{ name = "app", image = "web:${var.tag}" }])
}
