resource "aws_alb_target_group" "blue" {
  target_type = "ip"
}

resource "aws_alb_target_group" "green" {
  target_type = "instance"
}

resource "aws_alb_target_group" "open" {
  target_type = var.target_type
}

variable "target_type" {}
