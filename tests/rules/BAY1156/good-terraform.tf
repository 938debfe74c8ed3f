resource "aws_autoscaling_group" "protected" {
  min_size              = 1
  max_size              = 4
  availability_zones    = ["us-east-1a"]
  protect_from_scale_in = true
}

variable "protect" {
  type = bool
}

resource "aws_autoscaling_group" "unknown" {
  min_size              = 1
  max_size              = 4
  availability_zones    = ["us-east-1a"]
  protect_from_scale_in = var.protect
}

resource "aws_ecs_capacity_provider" "protected" {
  name = "protected"
  auto_scaling_group_provider {
    auto_scaling_group_arn         = aws_autoscaling_group.protected.arn
    managed_termination_protection = "ENABLED"
  }
}

resource "aws_ecs_capacity_provider" "unknown" {
  name = "unknown"
  auto_scaling_group_provider {
    auto_scaling_group_arn         = aws_autoscaling_group.unknown.arn
    managed_termination_protection = "ENABLED"
  }
}
