variable "environment" {
  type    = list
  default = [{ name = "LEVEL", value = "DEBUG" }, { value = 80, name = "PORT" }]
}

variable "labels" {
  type    = map(any)
  default = { stage = "prod", shard = 7, is_main = true }
}

resource "aws_ecs_task_definition" "web" {
  family = "web"
  container_definitions = jsonencode([{
    name         = "app"
    image        = "nginx:1.27"
    memory       = 256
    environment  = var.environment
    dockerLabels = tomap(var.labels)
    extraHosts   = tolist([{ hostname = "a", ipAddress = "10.0.0.1" }])
  }])
}
