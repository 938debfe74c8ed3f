jq '.[0].image = env.IMAGE | .[0].memory = 512' containers.json > made.json
aws ecs register-task-definition --family web --container-definitions file://made.json
