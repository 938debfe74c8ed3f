data "template_file" "container" {
  template = file("${path.module}/container.json.tpl")
  vars = {
    image = var.image
  }
}

resource "aws_ecs_task_definition" "web" {
  family                = "web"
  container_definitions = "[${data.template_file.container.rendered}]"
}
