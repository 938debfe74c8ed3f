resource "aws_ecs_task_definition" "web" {
  family                   = "web"
  requires_compatibilities = ["EC2"]
  network_mode             = "bridge"

  container_definitions = jsonencode([
    {
      name                 = "web"
      image                = "registry.example.com/web:1"
      memory               = 256
      authorization_config = { credentials_parameter = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:registry-AbCdEf" }
    }
  ])
}
