aws ecs register-task-definition --tags key=a,value=b --cli-input-json file://task.json
