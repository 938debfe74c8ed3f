resource "aws_ecs_task_definition" "web" {
  family = "web"
  container_definitions = jsonencode([{
    name  = "app"
    image = "nginx:1.27" memory = 256
  }])
}

resource "aws_ecs_cluster" "main" {
  name =
}

resource "aws_ecs_cluster" "other" {
  name = "other"
