task = json.load(open("python.json"))
del task["taskDefinitionArn"]
task.pop("revision", None)
task.pop('status')
ecs.register_task_definition(**task)
