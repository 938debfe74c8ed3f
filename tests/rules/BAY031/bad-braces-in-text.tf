resource "aws_ecs_service" "web" {
  name            = "{{ .Name }}"
  cluster         = "${var.cluster}"
  task_definition = 
}
