resource "aws_autoscaling_group" "nodes" {
  name               = "nodes"
  min_size           = 1
  max_size           = 4
  availability_zones = ["us-east-1a"]
}

resource "aws_ecs_capacity_provider" "nodes" {
  name = "nodes"
  auto_scaling_group_provider {
    auto_scaling_group_arn         = aws_autoscaling_group.nodes.arn
    managed_termination_protection = "ENABLED"
    managed_scaling {
      status = "ENABLED"
    }
  }
}
