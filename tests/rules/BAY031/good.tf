# Comments of each kind, /* and heredocs */
resource "aws_ecs_task_definition" "web" { // here, too
  family = "web"
  container_definitions = <<-JSON
    [{"name": "app", "image": "nginx:1.27", "memory": 256}]
  JSON
}
