resource "aws_ecs_task_definition" "web" {
  family                   = "web"
  container_definitions    = jsonencode([{ name = "app", image = "nginx:1.27", memory = 256 }])
  runtime_platform {
    cpu_architecture = "x86_64"
  }
}
