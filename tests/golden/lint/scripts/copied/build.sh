sed -e "s/IMAGE_TAG/${BUILD}/" < task.json > "task-${BUILD}.json"
aws ecs register-task-definition --family ${FAMILY} --cli-input-json file://task-${BUILD}.json
aws ecs register-task-definition --cli-input-json file://plain-${BUILD}.json
