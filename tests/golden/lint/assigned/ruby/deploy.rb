task = JSON.parse(File.read("task.json"))
task["family"] = "web"
ecs.register_task_definition(task)
