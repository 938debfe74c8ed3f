# Gives all that the file lacks.
import json

import boto3

with open("task-definition.json") as file:
    task = json.load(file)
boto3.client("ecs").register_task_definition(
    family="web",
    cpu="256",
    memory="512",
    executionRoleArn=ROLE,
    networkMode="awsvpc",
    requiresCompatibilities=["FARGATE"],
    containerDefinitions=task["containerDefinitions"],
)
