resource "aws_ecs_task_definition" "web" {
  family                   = "web"
  requires_compatibilities = ["EC2"]
  network_mode             = "bridge"

  volume {
    name = "shared"

    efs_volume_configuration {
      file_system_id = ""
    }
  }

  container_definitions = jsonencode([
    {
      name        = "web"
      image       = "nginx:1.27"
      memory      = 256
      mountPoints = [{ sourceVolume = "shared", containerPath = "/shared" }]
    }
  ])
}
