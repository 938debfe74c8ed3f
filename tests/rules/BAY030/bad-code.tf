data "aws_ecs_cluster" "${SERVICE}" {
  cluster_name = "${CLUSTER}"
}
