{
"family": "${family}",
"containerDefinitions": [
%{ for c in containers ~}
  {
    "name": "${c["name"]}",
    "image": "${c.image == "" ? "nginx:1.27" : c.image}",
%{ if c.large ~}
    "memory": 1024,
%{ else ~}
    "memory": 256,
%{ endif ~}
    "environment": ${jsonencode(c.environment)}
  },
%{ endfor ~}
  {"name": "log", "image": "fluentd:1", "memory": 64}
]
}
