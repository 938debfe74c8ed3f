{
  "family": "web",
  "requiresCompatibilities": ["EC2"],
  "containerDefinitions": [
    {"name": "web", "image": "nginx:1.27", "memory": 64, "environment": [ENV_VARS], "portMappings": [{"containerPort": PORT}]}
  ]
}
