variable "gpu_instances" {
  description = "How many GPU instances run."
  type        = number
}

variable "zones" {
  type    = list(string)
  default = ["us-east-1a", "us-east-1b"]
}

provider "aws" {
  region = "us-east-1"
}

resource "aws_ecs_cluster" "main" {
  name = "training"
}

resource "aws_subnet" "private" {
  count             = length(var.zones)
  vpc_id            = aws_vpc.main.id
  cidr_block        = cidrsubnet("10.0.0.0/16", 8, count.index)
  availability_zone = var.zones[count.index]
}

data "aws_ssm_parameter" "image" {
  name = "/aws/service/ecs/optimized-ami/amazon-linux-2023/gpu/recommended/image_id"
}

resource "aws_launch_template" "gpu" {
  image_id      = data.aws_ssm_parameter.image.value
  instance_type = "g4dn.12xlarge"
  user_data = base64encode(<<-EOT
    #!/bin/bash
    echo ECS_CLUSTER=${aws_ecs_cluster.main.name} >> /etc/ecs/ecs.config
    echo ECS_RESERVED_MEMORY=256 >> /etc/ecs/ecs.config
  EOT
  )
}

resource "aws_autoscaling_group" "gpu" {
  min_size            = 0
  max_size            = 8
  desired_capacity    = var.gpu_instances
  vpc_zone_identifier = aws_subnet.private[*].id

  launch_template {
    id = aws_launch_template.gpu.id
  }
}

resource "aws_ecs_capacity_provider" "gpu" {
  name = "gpu"

  auto_scaling_group_provider {
    auto_scaling_group_arn = aws_autoscaling_group.gpu.arn
  }
}

resource "aws_ecs_cluster_capacity_providers" "main" {
  cluster_name       = aws_ecs_cluster.main.name
  capacity_providers = [aws_ecs_capacity_provider.gpu.name]
}
