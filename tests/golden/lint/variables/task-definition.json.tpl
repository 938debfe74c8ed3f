{
  "family": "web-${ENVIRONMENT}",
  "requiresCompatibilities": ["FARGATE"],
  "networkMode": "awsvpc",
  "cpu": "{{ cpu }}",
  "memory": "<MEMORY>",
  "executionRoleArn": "arn:aws:iam::%ACCOUNT%:role/ecs",
  "containerDefinitions": [
    {
      "name": "web",
      "image": "__IMAGE__:${TAG:-latest}",
      "essential": true,
      "cpu": ${WEB_CPU},
      "command": ["sh", "-c", "echo $TAG ${TAG}"],
      "portMappings": [{"containerPort": @PORT@, "hostPort": "80"}],
    }
  ]
}
