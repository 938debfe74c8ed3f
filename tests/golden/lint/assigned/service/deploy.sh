jq --argjson subnets "$SUBNETS" '.networkConfiguration.awsvpcConfiguration.subnets = $subnets' service.json > made.json
jq '.networkConfiguration.awsvpcConfiguration.securityGroups = ["sg-12345678"]' kept.json > made2.json
aws ecs create-service --cli-input-json file://made.json
