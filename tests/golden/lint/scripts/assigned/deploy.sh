jq --arg group "$GROUP" --arg role "$ROLE" \
  '.containerDefinitions[0].logConfiguration.options["awslogs-group"] = $group
   | .containerDefinitions[] |= (.memory == 0)' task.json > made.json
aws ecs register-task-definition --cli-input-json file://made.json
