resource "aws_ecs_service" "web" {
  name            = "web"
  cluster         = "main"
  task_definition = "web:1"
  desired_count   = 2
  launch_type     = "FARGATE"

  network_configuration {
    subnets = [["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"]]
  }
}
