jq 'del(.taskDefinitionArn, .revision, .status)' task.json > made.json
jq 'del(.revision, .containerDefinitions[0].status)' some.json > made2.json
jq 'del(.tags)' other.json > made3.json
aws ecs register-task-definition --cli-input-json file://made.json
