jq '.containerDefinitions[] |= (.cpu = 128 | .memory = 256) | .family = "web"' task.json > made.json
jq 'if .family == "web" and .cpu != null then .networkMode else .executionRoleArn end' other.json
jq '.containerDefinitions[] | select(.name == "web") | .environment' other.json
aws ecs describe-task-definition --task-definition web | jq '.taskDefinition | .family = "x" | .cpu = "256"' > answer.json
aws ecs register-task-definition --cli-input-json file://made.json
