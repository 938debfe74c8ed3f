FILE=variable.json
jq --arg family "$FAMILY" '. + {$family, cpu: "256", "memory": "512", executionRoleArn: env.ROLE, networkMode: "awsvpc"}' task.json > a.json
cat piped.json |
  jq ".family = \"$FAMILY\" | .executionRoleArn=\"$ROLE\" | .cpu=\"256\" | .memory=\"512\" | .networkMode=\"awsvpc\"" > b.json
DEFINITION=$(cat $FILE)
echo "$DEFINITION" | jq '.family = env.FAMILY | .networkMode = "awsvpc"' > c.json
aws ecs register-task-definition --cli-input-json file://a.json
