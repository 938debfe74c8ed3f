variable "vpc" {}

resource "aws_lb_target_group" "this" {
  port     = 80
  protocol = "HTTP"
  vpc_id   = var.vpc
}

output "target_group" {
  value = aws_lb_target_group.this.arn
}
