{
  "family": "web",
  "requiresCompatibilities": ["EC2"],
  "containerDefinitions": [
    {
      "name": "web",
      "image": "${image}",
      "memory": 64,
      "portMappings": [
        {"containerPort": 80}
        ${extra_ports}
      ],
      "mountPoints": ${mounts}
      ${log_configuration}
    }
    ${sidecars}
  ]
}
