resource "aws_ecs_task_definition" "agent" {
  family                   = "agent"
  requires_compatibilities = ["EC2"]
  network_mode             = "bridge"

  volume {
    name      = "docker"
    host_path = "/usr/bin/docker"
  }

  volume {
    name      = "docker"
    host_path = "/opt/docker"
  }

  container_definitions = jsonencode([
    {
      name        = "agent"
      image       = "agent:1"
      memory      = 256
      mountPoints = [{ sourceVolume = "docker", containerPath = "/usr/bin/docker" }]
    }
  ])
}
