#!/usr/bin/env python3
"""usage: editors.py BAYPLAN PROJECT -- the schemas that `bayplan schema` prints work in an editor.

A schema-driven validator (python3-jsonschema) reads definitions in JSON and YAML with them: valid definitions pass, including
placeholders; each invalid one has an error at its position; and no definition without bayplan findings has an error.
"""
import csv, json, os, re, subprocess, sys

try:
    import jsonschema, yaml
except ImportError:
    print("SKIPPED: no python3-jsonschema or python3-yaml")
    sys.exit(77)

bayplan, project = sys.argv[1:3]
INPUTS = ("task-definition", "service", "run-task")

GOOD = {
    "task-definition": ["""
family: web
requiresCompatibilities: [FARGATE]
networkMode: awsvpc
cpu: "256"
memory: "512"
containerDefinitions:
  - name: web
    image: nginx:1.27
    portMappings: [{containerPort: 80}]
    environment: [{name: MODE, value: "1"}]
""", """
family: ${FAMILY}
requiresCompatibilities: ["{{ launch_type }}"]
networkMode: ${NETWORK_MODE}
runtimePlatform: "<RUNTIME>"
containerDefinitions:
  - name: web
    image: ${IMAGE}
    cpu: ${CPU}
    memory: "%MEMORY%"
    essential: $ESSENTIAL
    portMappings: "__PORTS__"
    logConfiguration: {logDriver: "#{DRIVER}#", options: "${OPTIONS}"}
    linuxParameters: {initProcessEnabled: REPLACE_ME}
""", "{family: web, containerDefinitions: '${CONTAINERS}'}"],
    "service": ["{serviceName: web, taskDefinition: web, desiredCount: 2, launchType: '${LAUNCH_TYPE}'}"],
    "run-task": ["{taskDefinition: web, count: '${COUNT}', placementStrategy: [{type: binpack, field: memory}]}"],
}
CONTAINER = "family: web\ncontainerDefinitions:\n  - name: web\n    image: nginx\n    "
BAD = {  # text, the place of the fault
    "task-definition": [
        ("{family: web}", ""),
        ("family: web\ncontainerDefinitions: []", "containerDefinitions"),
        ("family: web\nnetworkMode: vpc\ncontainerDefinitions: [{name: a, image: b}]", "networkMode"),
        ("family: web\nmemory: 512\ncontainerDefinitions: [{name: a, image: b}]", "memory"),
        ("family: web\ncontainerDefinitions: [{name: a}]", "containerDefinitions/0"),
        (CONTAINER + 'memory: "512"', "containerDefinitions/0/memory"),
        (CONTAINER + "memroy: 512", "containerDefinitions/0"),
        (CONTAINER + "essential: 'yes'", "containerDefinitions/0/essential"),
        (CONTAINER + "portMappings: {containerPort: 80}", "containerDefinitions/0/portMappings"),
        (CONTAINER + "environment: [{name: PORT, value: 80}]", "containerDefinitions/0/environment/0/value"),
        (CONTAINER + "logConfiguration: {logDriver: cloudwatch}", "containerDefinitions/0/logConfiguration/logDriver"),
        (CONTAINER + "logConfiguration: syslog", "containerDefinitions/0/logConfiguration"),
    ],
    "service": [("{serviceName: web, desiredCount: two}", "desiredCount"), ("{serviceName: web, launchType: ec2}", "launchType")],
    "run-task": [("{taskDefinition: web, placementStrategy: [{type: pack}]}", "placementStrategy/0/type")],
}


def check(condition, message):
    if not condition:
        raise SystemExit(f"editors: {message}")


def run(*arguments):
    return subprocess.run([bayplan, *arguments], capture_output=True, text=True).stdout


def every_schema(schema, place=""):
    yield place, schema
    for keyword, value in schema.items():
        if keyword in ("properties", "$defs", "patternProperties"):
            for name, inner in value.items():
                yield from every_schema(inner, f"{place}/{keyword}/{name}")
        elif keyword in ("items", "additionalProperties", "if", "then", "else") and isinstance(value, dict):
            yield from every_schema(value, f"{place}/{keyword}")
        elif keyword in ("anyOf", "oneOf"):
            for i, inner in enumerate(value):
                yield from every_schema(inner, f"{place}/{keyword}/{i}")


def load(name):
    schema = json.loads(run("schema", name))
    jsonschema.Draft202012Validator.check_schema(schema)
    check(schema["$id"] == f"urn:bayplan:schema:{name}" and schema["title"] and schema["description"], f"{name}: no head")
    for place, inner in every_schema(schema):
        check(not any(keyword.startswith("x-") for keyword in inner), f"{name}{place}: a keyword that validators do not know")
        if "pattern" in inner:
            re.compile(inner["pattern"])
        for member, description in inner.get("properties", {}).items():
            check(description.get("description", "").endswith("."), f"{name}{place}: an editor has nothing to show for {member}")
    return schema


def as_json_and_yaml(text):
    """The value as each of the two languages reads it."""
    value = yaml.safe_load(text)
    return [value, json.loads(json.dumps(value))]


def place_of(error):
    """Where the deepest cause lies."""
    return "/".join(map(str, jsonschema.exceptions.best_match([error]).absolute_path))


def examples(schemas):
    count = 0
    for name, schema in schemas.items():
        judge = jsonschema.Draft202012Validator(schema)
        for text in GOOD[name]:
            for value in as_json_and_yaml(text):
                errors = [f"{place_of(error)}: {error.message[:100]}" for error in judge.iter_errors(value)]
                check(not errors, f"{name}: a good one is faulted: {errors}\n{text}")
                count += 1
        for text, place in BAD[name]:
            for value in as_json_and_yaml(text):
                places = [place_of(error) for error in judge.iter_errors(value)]
                check(places == [place], f"{name}: wanted a fault at '{place}', found {places}\n{text}")
                count += 1
    return count


def corpus(schema):
    folder = os.path.join(project, "..", "shared", "corpus")
    if not os.path.exists(folder):
        print("SKIPPED the corpus: ../shared/corpus is not there")
        return 0
    rows = csv.DictReader(open(os.path.join(folder, "manifest.csv")))
    wanted = [r for r in rows if r["kind"] == "register-input" and r["parses"] == "yes" and r["file"].endswith(".json")]
    files = [os.path.join(folder, "files", row["file"]) for row in wanted]
    said = {f["file"] for f in json.loads(run("lint", "--format", "json", *files))["findings"]}
    judge = jsonschema.Draft202012Validator(schema)
    judged = wrong = 0
    for file in files:
        try:
            value = json.loads(open(file, "rb").read().decode("utf-8-sig"))
        except ValueError:
            continue
        judged += 1
        errors = [error for error in judge.iter_errors(value) if '{"Ref":' not in json.dumps(error.instance)]
        if errors and file not in said:
            wrong += 1
            print(f"{file}: bayplan says nothing, the schema {place_of(errors[0])}: {errors[0].message[:120]}")
    check(wrong == 0 and judged > 100, f"{wrong} of {judged} definitions are faulted wrongly")
    return judged


def main():
    schemas = {name: load(name) for name in INPUTS}
    count = examples(schemas)
    judged = corpus(schemas["task-definition"])
    print(f"{count} examples and {judged} definitions of the corpus judged as bayplan does")


main()
