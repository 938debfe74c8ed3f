variable "tuple" {
  default = [{ name = "LEVEL", value = "DEBUG" }, { name = "PORT", value = 80 }]
}

variable "tuple_ports" {
  type    = list(any)
  default = [{ containerPort = 80, protocol = "tcp" }]
}

resource "aws_ecs_task_definition" "tuple" {
  family = "web"
  container_definitions = jsonencode([{
    name         = "app"
    image        = "nginx:1.27"
    memory       = 256
    environment  = var.tuple
    portMappings = var.tuple_ports
  }])
}
