locals {
  services = {
    train = { count = 2, gpus = "2", memory = 60000 }
    infer = { count = 3, gpus = "1", memory = 16000 }
  }
}

resource "aws_ecs_task_definition" "this" {
  for_each                 = local.services
  family                   = each.key
  requires_compatibilities = ["EC2"]
  network_mode             = "bridge"

  container_definitions = jsonencode([
    {
      name                 = each.key
      image                = "123456789012.dkr.ecr.us-east-1.amazonaws.com/${each.key}:1"
      memory               = each.value.memory
      essential            = true
      resourceRequirements = [{ type = "GPU", value = each.value.gpus }]
    },
  ])
}

resource "aws_ecs_service" "this" {
  for_each        = local.services
  name            = each.key
  cluster         = aws_ecs_cluster.main.id
  task_definition = aws_ecs_task_definition.this[each.key].arn
  desired_count   = each.value.count

  capacity_provider_strategy {
    capacity_provider = aws_ecs_capacity_provider.gpu.name
    weight            = 1
  }

  ordered_placement_strategy {
    type  = "binpack"
    field = "memory"
  }
}
