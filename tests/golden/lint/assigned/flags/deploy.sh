SIZE=(--cpu 256
  --memory 512)
OTHER=(--family web)
SIZE+=(--network-mode awsvpc)
aws ecs register-task-definition "${SIZE[@]}" --cli-input-json file://task.json
