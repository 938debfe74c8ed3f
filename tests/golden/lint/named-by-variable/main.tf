resource "aws_ecs_task_definition" "web" {
  family                = "web"
  container_definitions = jsonencode(jsondecode(file("${path.module}/read.json")).containerDefinitions)
}
