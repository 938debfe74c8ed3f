{
  "family": "web",
  "containerDefinitions": [{ "name": "app", "image": "nginx:1.27", "memory": "256" }]
}
