# {{ a comment is none }}
resource "aws_ecs_task_definition" "web" {
  family                = "{{ .Family }}"
  container_definitions = <<EOT
[{"name": "{{ .Name }}", "image": "nginx:1.27", "memory": 256}]
EOT
  tags = {
    {{ range .Tags }}
    {{ .Name }} = "{{ .Value }}"
    {{ end }}
  }
}
