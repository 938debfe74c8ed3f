resource "aws_ecs_cluster" "main" {
  name = "main"
  "full name": "other"
}
