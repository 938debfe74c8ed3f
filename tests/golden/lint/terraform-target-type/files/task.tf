resource "aws_ecs_task_definition" "api" {
  family       = "api"
  network_mode = "bridge"
  container_definitions = jsonencode([
    { name = "app", image = "nginx:1.27", memory = 256, portMappings = [{ containerPort = 80 }] }
  ])
}
