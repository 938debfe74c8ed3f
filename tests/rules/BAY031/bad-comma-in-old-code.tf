data "template_file" "web" {
  template = "[{\"name\": \"web\", \"image\": \"nginx:1.27\", \"memory\": $${memory}}]"

  vars {
    memory = "256",
    port   = "80"
  }
}

resource "aws_ecs_task_definition" "web" {
  family                = "web"
  container_definitions = data.template_file.web.rendered
}
