resource "aws_ecs_service" "web" {
  name            = "web"
  task_definition = aws_ecs_task_definition.web.arn

  load_balancer {
    target_group_arn = aws_lb_target_group.web.arn
    container_name   = "app"
    container_port   = 81
  }
}
