"""Reports for other programs contain the data of the JSON report: place_formats.py BAYPLAN PROJECT

Reads pictures and tables of the examples, of an empty cluster, and of a cluster with hostile names with third-party readers:
Python's XML parser and its csv module.
"""
import csv
import io
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

bayplan, project = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = ["</text><b onload=1>", "]]>&amp;<!--", "\"'`,;|", "=HYPERLINK(\"http://x\")", "+1", "@a", "-2", "two\nlines", "\u0645\u0647\u0645\u0629",
           "\U0001f6a2" * 8, "n" * 300, "\u202eevil\u0007\u001b[31m", "a\tb", " a "]


def check(condition, message):
    if not condition:
        raise SystemExit(f"place formats: {message}")


def report(folder, output, *arguments):
    run = subprocess.run([bayplan, *arguments, "--output", output], cwd=folder, capture_output=True)
    check(run.returncode in (0, 1), f"{arguments}: exit {run.returncode}: {run.stderr.decode()[:500]}")
    return run.stdout.decode()


def printable(text):
    return re.sub("[\x00-\x08\x0a-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", "\ufffd", text).replace("\t", " ")


def shown(text):
    """As every text comes out of a table: printable, and no formula."""
    text = printable(text)
    return "'" + text if text[:1] in tuple("=+-@") else text


def rows_of(text):
    check(text.endswith("\r\n") and "\n" not in text.replace("\r\n", ""), "lines do not end in CRLF")
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    check(all(len(row) == len(rows[0]) for row in rows), "rows differ in length")
    check(len(set(rows[0])) == len(rows[0]), "a heading stands twice")
    check(not any(re.match("[=+@\t]|-(?![0-9.])", cell) for row in rows for cell in row), "a cell is a formula")
    return [dict(zip(rows[0], row)) for row in rows[1:]]


def picture(text):
    root = xml.etree.ElementTree.fromstring(text)
    check(root.tag == SVG + "svg", "not an SVG")
    for element in root.iter():
        check(element.tag.removeprefix(SVG) in {"svg", "title", "style", "defs", "pattern", "rect", "text", "path", "g"}, element.tag)
        check(not any("href" in name or name.startswith("on") for name in element.attrib), "a link or a script")
    check("http" not in text.replace("http://www.w3.org/2000/svg", "").replace("http://x", ""), "something to fetch")
    check("@import" not in text and not re.search(r"url\((?!#)", text), "something to fetch")
    check(not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text), "a control character went through")
    return root


def titles(root):
    return [group.find(SVG + "title").text for group in root.iter(SVG + "g")]


def place(folder, *arguments):
    answer = json.loads(report(folder, "json", "place", *arguments))
    root = picture(report(folder, "svg", "place", *arguments))
    instances = answer["containerInstances"]
    check(len(titles(root)) == (len(instances) if len(instances) <= 500 else len(titles(root))), f"{folder}: boxes")
    if "timeline" in answer:
        rows_of(report(folder, "csv", "place", *arguments))
        return
    rows = rows_of(report(folder, "csv", "place", *arguments))
    placed = {shown(one["task"]): one for one in answer["placements"]}
    failed = {shown(one["task"]): one for one in answer["failures"]}
    check(len(rows) == len(placed) + len(failed), f"{folder}: rows")
    for row in rows:
        if row["state"] == "placed":
            one = placed[row["task"]]
            check(row["containerInstance"] == shown(one["containerInstance"]), "instance")
            check(row["gpuIds"] == shown(" ".join(gpu for container in one["containers"] for gpu in container["gpuIds"])), "GPUs")
            check(row["tied"] == json.dumps(one["tied"]), "tied")
        else:
            check(row["reason"] == shown(failed[row["task"]]["reason"]), "reason")
    if len(instances) > 500:
        return
    told = {title.split(": CPU ")[0].removesuffix(", DRAINING"): title for title in titles(root)}
    for instance in instances:
        name = ", ".join(printable(instance[key]) for key in ("id", "instanceType", "availabilityZone") if instance[key])
        check(name in told, f"no box of {name}")
        free = sum(gpu["state"] == "IDLE" for gpu in instance["gpus"])
        check(not instance["gpus"] or f"{free} of {len(instance['gpus'])} GPUs free" in told[name], f"{name}: GPUs")


def hostile(folder, instances):
    definitions, tasks = [], []
    for i, name in enumerate(HOSTILE):
        definitions.append({"family": f"t{i}", "containerDefinitions": [{"name": "c", "image": "a:1", "cpu": 64, "memory": 64}]})
        tasks.append({"taskDefinition": f"t{i}", "count": 3, "group": name})
    cluster = [{"instanceType": "p3.16xlarge", "ec2InstanceId": f"{name}-{i}", "availabilityZone": HOSTILE[i % 3],
                "attributes": {name: name}} for i, name in enumerate(HOSTILE)][:instances]
    services = [{"serviceName": name, "taskDefinition": f"t{i}", "desiredCount": 2} for i, name in enumerate(HOSTILE)]
    services.append({"serviceName": "big", "taskDefinition": "big", "desiredCount": 2})
    definitions.append({"family": "big", "containerDefinitions": [{"name": "c", "image": "a:1", "cpu": 64, "memory": 999999}]})
    scenario = {"cluster": {"containerInstances": cluster}, "taskDefinitions": definitions, "tasks": tasks, "services": services}
    (folder / "hostile.json").write_text(json.dumps(scenario))
    place(folder, "hostile.json", "--no-lint")


def columns(folder, command, key, name, *more):
    """Rows of a table are those of the JSON report."""
    answer = json.loads(report(folder, "json", *shlex.split(command)))
    rows = rows_of(report(folder, "csv", *shlex.split(command)))
    wanted = [one for one in key(answer)]
    check(len(rows) == len(wanted), f"{command}: {len(rows)} rows, not {len(wanted)}")
    for row, one in zip(rows, wanted):
        check(row[name[0]] == shown(str(one[name[1]])), f"{command}: {row[name[0]]} is not {one[name[1]]}")
        for column in more:
            given = one[column]
            same = row[column] == "" if given is None else \
                row[column] == json.dumps(given) if isinstance(given, bool) else \
                float(row[column]) == given if isinstance(given, (int, float)) else row[column] == shown(given)
            check(same, f"{command}: {column} is {row[column]}, not {given}")


def tables():
    examples = project / "examples"
    columns(project, "catalog 'g*' 'm7*' t3.micro", lambda answer: answer["types"], ("instanceType", "instanceType"), "vcpus", "memory",
            "registeredMemory", "memoryBasis", "networkInterfaces", "awsvpcTasks", "awsvpcTasksTrunking", "networkGbps", "hourlyPrice")
    columns(examples / "broken-gpu", "fit train.json --no-lint", lambda answer: answer["taskDefinitions"][0]["types"], ("instanceType", "instanceType"),
            "fits", "copies", "copiesMin", "copiesMax", "bindingResource", "hourlyPrice", "pricePerCopy", "memoryBasis")
    columns(project / "tests/rules", "lint BAY002 BAY015 BAY113 BAY408 BAY204", lambda answer: answer["findings"], ("code", "code"), "file", "line", "column", "endColumn",
            "severity", "message", "help", "pointer", "container", "fingerprint", "suppressed")
    columns(examples / "pull-request", "diff train-main.json train.json", lambda answer: answer["taskDefinitions"][0]["fields"], ("path", "path"),
            "change", "before", "after", "hidden")
    columns(examples / "lose-a-zone", "whatif scenario.yaml --lose-az us-east-2a --each-instance", lambda answer: [{"name": "baseline"}] + answer["variants"],
            ("variant", "name"))
    columns(examples / "cheapest-fleet", "fleet scenario.yaml --types 'g4dn.*'", lambda answer: answer["recommended"]["fleet"] + answer["ideal"]["fleet"] + [
        one for other in answer["alternatives"] for one in other["fleet"]], ("instanceType", "instanceType"), "count", "hourlyPrice", "availabilityZone", "owned")


def comment(folder, *arguments):
    """A page that a comment on GitHub has room for; True where it had to be cut."""
    page = report(folder, "markdown", *arguments)
    check(len(page) <= 65536, f"{arguments}: {len(page)} characters")
    check(page.count("<details>") == page.count("</details>"), f"{arguments}: details are left open")
    check(page.count("\n```") % 2 == 0, f"{arguments}: a fence is left open")
    return "**Truncated**: " in page


def long_pages(folder):
    """What is too long for a comment is cut, whichever command writes it."""
    definition = {"family": "t", "containerDefinitions": [{"name": "c", "image": "a:1", "cpu": 1024, "memory": 64}]}
    scenario = {"cluster": {"containerInstances": [{"instanceType": "c5.large", "count": 3}]}, "taskDefinitions": [definition],
                "services": [{"serviceName": "web", "taskDefinition": "t", "desiredCount": 3}],
                "variants": {f"{i:03}-{'n' * 200}": {"remove": {"c5.large": 2}} for i in range(300)}}
    (folder / "variants.json").write_text(json.dumps(scenario))
    check(comment(folder, "whatif", "variants.json"), "300 variants need no cut")
    deep = folder.joinpath(*("d" * 200 for _ in range(6)))
    deep.mkdir(parents=True)
    names = []
    for i in range(240):
        one = {"family": f"{i}-{'n' * 200}", "containerDefinitions": [{"name": "c" * 200, "image": "a:1", "cpus": 1, "memroy": 5}]}
        names.append(str((deep / f"{i}.json").relative_to(folder)))
        (folder / names[-1]).write_text(json.dumps(one))
    check(comment(folder, "lint", *names[:60]), "60 files need no cut")
    check(comment(folder, "fit", "--no-lint", *names), "240 definitions need no cut")
    comment(folder, "place", "hostile.json", "--no-lint")
    comment(folder, "why", "t0", "hostile.json", "--no-lint")


for scenario in sorted((project / "examples").glob("*/scenario.yaml")):
    command = shlex.split((scenario.parent / "command").read_text(), comments=True)
    if command[0] == "place":
        place(scenario.parent, *command[1:])
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for instances in (0, 1, len(HOSTILE)):
        hostile(folder, instances)
    (folder / "t.json").write_text(json.dumps({"family": "t", "containerDefinitions": [{"name": "c", "image": "a:1", "cpu": 2048, "memory": 64}]}))
    place(folder, "--instances", "c5.large=501@us-east-1a,us-east-1b", "--task", "t.json=1200")
    place(folder, "--instances", "c5.large=500", "--task", "t.json=20")
    long_pages(folder)
tables()
