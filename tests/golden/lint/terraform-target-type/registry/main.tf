resource "aws_ecs_task_definition" "api" {
  family       = "api"
  network_mode = "awsvpc"
  container_definitions = jsonencode([
    { name = "app", image = "nginx:1.27", memory = 256, portMappings = [{ containerPort = 80 }] }
  ])
}

resource "aws_service_discovery_service" "addresses" {
  name = "addresses"
  dns_config {
    namespace_id = var.namespace
    dns_records {
      ttl  = 10
      type = "A"
    }
  }
}

resource "aws_service_discovery_service" "ports" {
  name = "ports"
  dns_config {
    namespace_id = var.namespace
    dns_records {
      ttl  = 10
      type = "A"
    }
    dns_records {
      ttl  = 10
      type = "SRV"
    }
  }
}

resource "aws_ecs_service" "addresses" {
  name            = "addresses"
  task_definition = aws_ecs_task_definition.api.arn
  desired_count   = 2
  network_configuration {
    subnets = ["subnet-0123456789abcdef0"]
  }
  service_registries {
    registry_arn   = aws_service_discovery_service.addresses.arn
    container_name = "app"
    container_port = 80
  }
}

resource "aws_ecs_service" "ports" {
  name            = "ports"
  task_definition = aws_ecs_task_definition.api.arn
  desired_count   = 2
  network_configuration {
    subnets = ["subnet-0123456789abcdef0"]
  }
  service_registries {
    registry_arn   = aws_service_discovery_service.ports.arn
    container_name = "app"
    container_port = 80
  }
}
