import json
import boto3

ecs = boto3.client("ecs")
with open("task.json") as file:
    task = json.load(file)
with open("read.json") as other:
    read = json.load(other)

task["family"] = read["family"]
task["executionRoleArn"] = os.environ["ROLE"]
task.update({"cpu": "256", "memory": "512"})
task["networkMode"] = "awsvpc"
if read["cpu"] == "256":
    print(read["memory"])
answer = ecs.describe_task_definition(taskDefinition="web")["taskDefinition"]
answer["cpu"] = "512"
answer["executionRoleArn"] = os.environ["ROLE"]
with open("answer.json", "w") as out:
    json.dump(answer, out)
ecs.register_task_definition(**task)
