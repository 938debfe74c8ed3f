aws ecs register-task-definition ^
  --family web ^
  --cli-input-json file://task.json
