aws ecs register-task-definition --cli-input-json file://job.json
