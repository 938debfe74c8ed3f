Memory=512 aws cloudformation deploy --stack-name web --template-file web.yaml
