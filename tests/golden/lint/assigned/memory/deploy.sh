jq '.memory = "512"' task.json > made.json
aws ecs register-task-definition --cli-input-json file://made.json
