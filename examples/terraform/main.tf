locals {
  name = "web-${var.stage}"
  port = 8080
}

resource "aws_ecs_task_definition" "web" {
  family                   = local.name
  requires_compatibilities = ["FARGATE"]
  network_mode             = "awsvpc"
  cpu                      = 256
  memory                   = 3072
  execution_role_arn       = aws_iam_role.execution.arn

  container_definitions = jsonencode([
    {
      name         = "app"
      image        = "123456789012.dkr.ecr.us-east-1.amazonaws.com/web:${var.tag}"
      essential    = true
      portMappings = [{ containerPort = local.port }]
      environment  = [{ name = "PORT", value = local.port }] # a number
    },
  ])
}

resource "aws_ecs_task_definition" "worker" {
  family                = "worker"
  container_definitions = templatefile("${path.module}/templates/worker.json.tftpl", { name = "worker", memory = 4 })
}

resource "aws_ecs_service" "web" {
  name            = local.name
  task_definition = aws_ecs_task_definition.web.arn
  launch_type     = "FARGATE"
  desired_count   = 2

  network_configuration {
    subnets = aws_subnet.private[*].id
  }

  load_balancer {
    target_group_arn = aws_lb_target_group.web.arn
    container_name   = "app"
    container_port   = 80
  }
}
