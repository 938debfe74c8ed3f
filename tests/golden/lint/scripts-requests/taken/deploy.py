# Takes the sizes and the role from the file, which has none: they stay missing.
import json

import boto3

task = json.load(open("task-definition.json"))
boto3.client("ecs").register_task_definition(
    family=task.get("family", "web"),
    cpu=task["cpu"],
    memory=task["memory"],
    executionRoleArn=task["executionRoleArn"],
    containerDefinitions=task["containerDefinitions"],
)
