#!/bin/sh
# Takes the containers alone.
aws ecs register-task-definition --family web --memory 512 --container-definitions "$(jq -c .containerDefinitions task-definition.json)"
