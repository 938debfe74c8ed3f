# Completes the file.
import json

import boto3

task = json.load(open("task-definition.json"))
boto3.client("ecs").register_task_definition(**{**task, "family": "web", "cpu": "256", "memory": "512", "executionRoleArn": ROLE})
