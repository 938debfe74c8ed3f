stage('Deploy') {
    sh """
        sed -i "s/IMAGE_TAG/${params.TAG}/g" ecs/tasks/web-${params.STAGE}.json
        aws ecs register-task-definition --family \$FAMILY --cli-input-json file://ecs/tasks/web-${params.STAGE}.json
        aws ecs register-task-definition --cli-input-json file://ecs/tasks/job-${params.STAGE}.json
    """
}
