variable "instance_type" {}

variable "environment" {}

resource "aws_ecs_cluster" "main" {
  name = "cluster-${var.environment}"
}

resource "aws_instance" "host" {
  count             = 2
  instance_type     = var.instance_type
  availability_zone = "us-east-1a"
}
