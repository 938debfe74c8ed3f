aws cloudformation deploy --stack-name web --template-file web.yaml \
  --parameter-overrides Memory=$MEMORY Group=/ecs/web
