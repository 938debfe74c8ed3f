jq --argjson web "$WEB" '.containerDefinitions = [$web]' task.json > made.json
jq '.containerDefinitions == []' kept.json
aws ecs register-task-definition --cli-input-json file://made.json
