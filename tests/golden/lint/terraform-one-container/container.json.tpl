{
  "name": "web",
  "image": "${image}",
  "memory": 128,
  "entrypoint": ["sh"],
  "networkMode": "awsvpc"
}
