resource "aws_ecs_task_definition" "web" {
  family = "web"
  container_definitions = jsonencode([{
    name         = "app"
    image        = "nginx:1.27"
    memory       = 64
    portMappings = [{ containerPort = 80 }]
  }])
}
