grep -vE '^ *//' grep.json > made.json
python3 -c "print(''.join(l for l in open('python.json') if not l.strip().startswith('//')))" > made2.json
npx strip-json-comments strip.json > made3.json
curl -s https://example.com/list | grep -v "https://example.com" > url.json
cat other.json5 > kept.json
aws ecs register-task-definition --cli-input-json file://made.json
