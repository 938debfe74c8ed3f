$task = Get-Content -Raw task.json | ConvertFrom-Json
$task.family = "web"
$task.executionRoleArn = $role
$task | ConvertTo-Json -Depth 9 | Set-Content made.json
aws ecs register-task-definition --cli-input-json file://made.json
