# Reads the file, and sends something else: what is missing stays missing.
import json

task = json.load(open("task-definition.json"))
print(dict(family="web", count=len(task["containerDefinitions"])))
post(name=task["networkMode"], cpu="256", executionRoleArn=ROLE)
# A task-definition of another kind.
