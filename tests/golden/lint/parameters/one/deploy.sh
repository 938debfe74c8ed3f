aws cloudformation deploy --stack-name web --template-file web.yaml --parameter-overrides ParameterKey=Memory,ParameterValue=512
