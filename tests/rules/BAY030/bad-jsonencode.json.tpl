{
  "family": "${family}",
  "containerDefinitions": ${jsonencode([
    for c in containers : { name = c.name, image = c.image }
  ])}
}
