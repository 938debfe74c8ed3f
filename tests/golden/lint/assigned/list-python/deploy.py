containers = json.load(open("containers.json"))
containers[0]["image"] = IMAGE
containers[0]["memory"] = 512
ecs.register_task_definition(family="web", containerDefinitions=containers)
