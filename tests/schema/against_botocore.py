#!/usr/bin/env python3
"""usage: against_botocore.py BAYPLAN -- sets values of every kind at every position of botocore's model of
RegisterTaskDefinition, one at a time: values that its parameter validator rejects must be schema findings at that position, and
values that it accepts must not. EXPLAINED lists the differences and their reasons.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import botocore.session
    from botocore.validate import ParamValidator
except ImportError:
    print("SKIPPED: no botocore (apt-get install python3-botocore)")
    sys.exit(77)

PROBES = [None, 1, -1, 99999999999, 1.5, "text", "12", "", [], ["x"], [1], {}, {"x": 1}, True]
# The rules that say what the validator says: types, unknown and missing members.
SHAPE = {"BAY007", "BAY011", "BAY013", "BAY014", "BAY015", "BAY016", "BAY017", "BAY018", "BAY019", "BAY020", "BAY021",
         "BAY023"}
# Those that speak in their place; of a text they judge its form, which no validator knows.
ROWS = json.loads((pathlib.Path(__file__).resolve().parents[2] / "data/rules.json").read_text())["rules"]
SPECIAL = {row["code"] for row in ROWS if (SHAPE - {"BAY020", "BAY023"}) & set(row.get("supersedes", []))}
SPECIAL.add("BAY328")  # an extra host without a member: in the place of BAY023

# To these a null is a missing member.
OF_NULL = {row["code"] for row in ROWS if "BAY020" in row.get("supersedes", [])}


def explained(shape, value):
    """Why bayplan and botocore may differ about this value; None: they may not."""
    if shape.type_name == "integer" and value is True:
        return "to Python true is an integer; to the service it is not"
    if shape.type_name == "integer" and isinstance(value, int) and abs(value) >= 2**31:
        return "the model's integer has 32 bits; botocore does not look"
    if shape.type_name == "string" and value == "":
        return "the validator knows shortest lengths (tags[].key); bayplan has rules of their own for empty texts"
    if shape.name == "SystemControl" and value == {}:
        return "the model demands neither member of a system control; BAY764 says which one is missing"
    return None


def sample(shape):
    if shape.type_name == "structure":
        return {name: sample(shape.members[name]) for name in shape.required_members}
    if shape.type_name == "list":
        return [sample(shape.member)]
    if shape.type_name == "map":
        return {"some-key": "web"}
    return {"integer": 512, "boolean": False}.get(shape.type_name, shape.enum[0] if getattr(shape, "enum", None) else "web")


def places(shape, at=()):
    """(path, shape) of every member, first element and value of a map; a path holds the samples of what is around."""
    if at:
        yield at, shape
    if shape.type_name == "structure":
        for name, member in shape.members.items():
            yield from places(member, (*at, (name, shape)))
    elif shape.type_name == "list":
        yield from places(shape.member, (*at, (0, shape)))
    elif shape.type_name == "map":
        yield from places(shape.value, (*at, ("some-key", shape)))


def put(task, path, value):
    node = task
    for index, (step, _) in enumerate(path[:-1]):
        inside = path[index + 1][1]
        if isinstance(node, list):
            if not node:
                node.append(sample(inside))
        elif step not in node:
            node[step] = sample(inside)
        node = node[step]
    step = path[-1][0]
    if isinstance(node, list) and not node:
        node.append(value)
    else:
        node[step] = value
    return task


def small_task():
    return {"family": "web", "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": 512}]}


def main():
    program = sys.argv[1]
    model = botocore.session.get_session().get_service_model("ecs")
    shape_of_input = model.operation_model("RegisterTaskDefinition").input_shape
    cases = [(path, shape, value) for path, shape in places(shape_of_input) for value in PROBES]
    validator = ParamValidator()

    with tempfile.TemporaryDirectory() as folder:
        tasks = [put(small_task(), path, value) for path, _, value in cases]
        for index, task in enumerate(tasks):
            pathlib.Path(folder, f"{index:05}-task-definition.json").write_text(json.dumps(task))
        ran = subprocess.run([program, "lint", "--format", "json", folder], stdout=subprocess.PIPE, check=False)
        report = json.loads(ran.stdout)
    told = {}
    for finding in report["findings"]:
        index = int(pathlib.PurePath(finding["file"]).name[:5])
        code, value = finding["code"], cases[index][2]
        if code in SHAPE or (code in SPECIAL and not isinstance(value, str)) or (code in OF_NULL and value is None):
            told.setdefault(index, []).append(finding)

    faults, excused = [], {}
    for index, (path, shape, value) in enumerate(cases):
        pointer = "".join(f"/{step}" for step, _ in path)
        refused = validator.validate(tasks[index], shape_of_input).has_errors()
        ours = [one["code"] for one in told.get(index, []) if (one["pointer"] + "/").startswith(pointer + "/")]
        if refused == bool(ours):
            continue
        reason = explained(shape, value)
        if reason:
            excused[reason] = excused.get(reason, 0) + 1
        else:
            faults.append(f"{pointer} = {json.dumps(value)}: botocore {'refuses' if refused else 'takes'} it, bayplan says {ours or 'nothing'}")
    print("\n".join(faults) or f"{len(cases)} values judged as botocore {botocore.__version__} does, but for:")
    for reason, count in sorted(excused.items()):
        print(f"  {count}: {reason}")
    return 1 if faults else 0


sys.exit(main())
