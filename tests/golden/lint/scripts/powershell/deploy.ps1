$definition = Get-Content task.json -Raw
$definition = $definition -replace "role-of-task", $role
$definition = $definition.Replace('group of logs', $other).Replace('log+group', $group)
$definition | Set-Content made.json
