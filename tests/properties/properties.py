"""Properties that hold for every input: properties.py BAYPLAN PROJECT [--count N] [--property NAME]...

Reports are strict JSON and match their schemas, according to third-party readers; the cost of a fleet is never below its bound; the
order of files and the number of threads change no byte; written files are read back unchanged. `--count` is the number of
random scenarios. Exit code 77: skipped without python3-jsonschema.
"""
import argparse
import functools
import itertools
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

import scenarios

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "zoo"))
import subjects  # noqa: E402
from runner import strict_json  # noqa: E402

program = project = None
ENVIRONMENT = {"LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"]}


def check(condition, message):
    if not condition:
        raise SystemExit(f"properties: {message}")


def run(folder, *arguments, codes=(0, 1)):
    done = subprocess.run([program, *map(str, arguments)], cwd=folder, env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True)
    check(done.returncode in codes, f"bayplan {shlex.join(map(str, arguments))} in {folder}: exit {done.returncode}: {done.stderr.decode()[:500]}")
    return done.stdout


@functools.cache
def validator(name):
    schema = json.loads((project / "schemas" / f"{name}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def report(text, what):
    """The report in a text, read strictly and held against the schema that it names."""
    try:
        value = strict_json(text)
    except ValueError as problem:
        check(False, f"{what}: {problem}")
    kind, name, version = value["schema"].split("/")
    check((kind, version) == ("bayplan", "1"), f"{what}: schema {value['schema']}")
    for error in validator(name).iter_errors(value):
        check(False, f"{what}: {error.json_path}: {error.message[:300]}")
    return name, value


def every_report(folder, count):
    """Every command of every example and golden case, and those that read nothing."""
    tree = folder / "tree"
    for source in ("examples", "tests/golden"):
        shutil.copytree(project / source, tree / source)
    seen = {}
    lines = list(subjects.cases(tree))
    lines += [(".", tuple(words)) for words in (["explain", "--all"], ["explain", "BAY113", "RESOURCE:GPU"], ["explain", "xyzzy"], ["catalog"], ["catalog", "--gpu-only", "--region", "eu-west-1"], ["rules"], ["rules", "gpu"])]
    quick = count <= 10
    for number, (below, arguments) in enumerate(lines):
        if quick and number % 3 and not below.startswith("examples") and below != ".":
            continue
        outs = {"json": folder / "report.json"}
        if arguments[0] == "sweep":
            outs["jsonl"] = folder / "report.jsonl"
        run(tree / below, arguments[0], *(word for form, out in outs.items() for word in ("--output", f"{form}={out}")), *arguments[1:], codes=(0, 1, 2))
        for form, out in outs.items():
            if not out.exists():
                continue  # refused
            for line in out.read_bytes().splitlines() if form == "jsonl" else [out.read_bytes()]:
                name, _ = report(line, f"{below}: bayplan {shlex.join(arguments)}")
                seen[name] = seen.get(name, 0) + 1
            out.unlink()
    written = {path.name.removesuffix(".schema.json") for path in (project / "schemas").glob("*-report.schema.json")}
    missing = written - set(seen)
    check(not missing, f"no report of {sorted(missing)} was tried")
    return f"{sum(seen.values())} reports of {len(seen)} schemas"


def random_scenarios(folder, count):
    """Reports of random scenarios; names come back as they went in; a fleet costs no less than its bound."""
    reports, bounded = 0, 0
    for seed in range(count):
        given = scenarios.scenario(seed)
        path = folder / f"{seed}.json"
        path.write_text(json.dumps(given, ensure_ascii=seed % 2 == 0))
        validator("scenario").validate(given)
        _, placed = report(run(folder, "place", path.name, "--output", "json"), f"seed {seed}: place")
        groups = {one["group"] for one in given["tasks"]} | {f"service:{one['serviceName']}" for one in given["services"]}
        came = {one["group"] for one in placed["placements"] + placed["failures"]}
        check(came <= groups, f"seed {seed}: groups {came - groups}")
        wanted = sum(one["count"] for one in given["tasks"]) + sum(one["desiredCount"] for one in given["services"])
        check(placed["summary"]["placed"] + placed["summary"]["unplaced"] == wanted, f"seed {seed}: {placed['summary']}, {wanted} wanted")
        for words in (["why", given["taskDefinitions"][0]["family"], path.name], ["whatif", path.name, "--each-az"], ["repack", path.name], ["fit", path.name]):
            if words[0] != "fit":
                report(run(folder, *words, "--output", "json", codes=(0, 1, 2)), f"seed {seed}: {words}")
                reports += 1
        fleet = run(folder, "fleet", path.name, "--effort", "20000", "--orders", "3", "--types", "rack-*", "--output", "json", codes=(0, 1, 2))
        name, plan = report(fleet, f"seed {seed}: fleet")
        if name != "error-report":
            bounded += costs_no_less(plan, f"seed {seed}")
        reports += 2
        path.unlink()
    check(bounded > count // 4, f"only {bounded} fleets had a bound")
    return f"{count} scenarios, {reports} reports, {bounded} fleets with a bound"


def costs_no_less(plan, what):
    """No fleet of the report costs less than the bound, and the sums are those of the prices. Whether there was one."""
    bound, ideal, recommended = plan["lowerBound"], plan["ideal"], plan["recommended"]
    for fleet in [one for one in (ideal, recommended, *plan["alternatives"]) if one]:
        cost = sum(one["count"] * one["hourlyPrice"] for one in fleet["fleet"] if not one.get("owned"))
        check(abs(cost - fleet["hourlyCost"]) < 1e-6, f"{what}: a fleet of ${cost} is said to cost ${fleet['hourlyCost']}")
        if bound is not None:
            check(fleet["hourlyCost"] >= bound - 1e-9, f"{what}: ${fleet['hourlyCost']} is less than the bound of ${bound}")
    if ideal and recommended:
        check(recommended["hourlyCost"] >= ideal["hourlyCost"] - 1e-9, f"{what}: the recommended fleet costs less than the ideal one")
    if bound is not None and ideal and plan["optimal"]:
        check(abs(ideal["hourlyCost"] - bound) < 1e-6, f"{what}: optimal, and ${ideal['hourlyCost']} against ${bound}")
    return bound is not None and ideal is not None


def order_of_files(folder, count):
    """Files in another order: the same findings of each, the same cluster and the same placements."""
    files = sorted(path for path in (project / "tests" / "rules").glob("*/bad*") if path.suffix in (".json", ".yaml"))
    draw = random.Random(7)
    tried = 0
    for _ in range(max(3, count // 10)):
        some = [str(path) for path in draw.sample(files, 60)]
        alone = report(run(folder, "lint", *some, "--output", "json"), "lint")[1]
        draw.shuffle(some)
        other = report(run(folder, "lint", *some, "--output", "json"), "lint")[1]
        by_file = [[one for one in answer["findings"]] for answer in (alone, other)]
        for findings in by_file:
            findings.sort(key=lambda one: one["file"])  # stable: within a file the order stays
        check(by_file[0] == by_file[1], "lint: findings depend on the order of the files")
        check(alone["summary"] == other["summary"], "lint: the summary depends on the order of the files")
        tried += 1
    for seed in range(max(5, count // 5)):
        given = scenarios.scenario(seed)
        for number, one in enumerate(given["taskDefinitions"]):
            (folder / f"{number}.json").write_text(json.dumps(one))
        names = [f"{number}.json" for number in range(len(given["taskDefinitions"]))]
        answers = []
        for order in (names, names[::-1], ["*.json"]):
            text = json.dumps({**given, "taskDefinitions": order})
            (folder / "scenario.yaml").write_text(text)
            answers.append(run(folder, "place", "scenario.yaml", "--output", "json"))
        check(answers[0] == answers[1] == answers[2], f"seed {seed}: place depends on the order of the task definitions")
        for name in names:
            (folder / name).unlink()
        tried += 1
    tried += order_of_options(folder)
    live = folder / "cluster"
    source = project / "examples" / "lose-a-zone" / "live" / "cluster"
    shutil.copytree(source, live)
    before = run(folder, "place", "--cluster", "cluster", "--output", "json")
    for name, new in zip(sorted(os.listdir(live)), "zyxwvu"):
        (live / name).rename(live / f"{new}{pathlib.Path(name).suffix}")
    check(before == run(folder, "place", "--cluster", "cluster", "--output", "json"), "place depends on the names of a snapshot's files")
    return f"{tried} orders"


def order_of_options(folder):
    """Options that may be repeated and name different things, in another order."""
    examples = project / "examples"
    texts = examples / "gpu-queue" / "scenario.yaml", examples / "cheapest-fleet" / "scenario.yaml"
    env = {"a.env": "TAG=7\n", "b.env": "NAME=web\n"}
    for name, text in env.items():
        (folder / name).write_text(text)
    (folder / "web.json").write_text('{"family": "${NAME}", "containerDefinitions": [{"name": "web", "image": "nginx:${TAG}", "memory": 64}]}')
    definitions = sorted((examples / "gpu-cluster" / "defs").glob("*.json"))[:2]
    lines = [
        (["lint", "web.json", "--output", "json"], [["--env-file", "a.env"], ["--env-file", "b.env"]]),
        (["lint", "web.json", "--output", "json"], [["--var", "TAG=7"], ["--var", "NAME=web"], ["--env-file", "a.env"]]),
        (["lint", *definitions, "--output", "json"], [["--ignore", "BAY5"], ["--extend-select", "BAY7"], ["--severity", "BAY022=info"]]),
        (["place", texts[0], "--output", "json"], [["--region", "us-east-2"], ["--seed", "4"], ["--no-placements"]]),
        (["fleet", texts[1], "--effort", "2000", "--output", "json"], [["--types", "g4dn.*"], ["--types", "p3.*"]]),
        (["catalog", "--output", "json"], [["p3.2xlarge"], ["g4dn.xlarge"]]),
    ]
    for line, options in lines:
        answers = {run(folder, *line, *itertools.chain(*order), codes=(0, 1)) for order in itertools.permutations(options)}
        check(len(answers) == 1, f"{shlex.join(map(str, line))}: the order of {options} changes the answer")
    fits = [strict_json(run(folder, "fit", *order, "--output", "json", codes=(0, 1))) for order in (definitions, definitions[::-1])]
    by_name = [{json.dumps(one, sort_keys=True) for one in fit["taskDefinitions"]} for fit in fits]
    check(by_name[0] == by_name[1] and len(by_name[0]) == 2, "fit: answers depend on the order of the definitions")
    return len(lines) + 1


def threads(folder, count):
    """Any number of threads gives the same bytes."""
    tried = 0
    forms = ("json", "text", "oneline", "sarif", "github", "gitlab", "junit", "markdown", "csv", "html")
    for form in forms[:2] if count <= 10 else forms:
        texts = {jobs: run(project / "tests" / "rules", "lint", "-j", jobs, "--output", form, ".", codes=(0, 1, 2)) for jobs in (1, 3, 8)}
        check(len(set(texts.values())) == 1, f"lint --output {form} depends on -j")
        tried += len(texts)
    grid = project / "examples" / "night-fleet" / "grid.yaml"
    lines = {jobs: run(folder, "sweep", "-j", jobs, "-q", grid, "--output", "jsonl") for jobs in (1, 2, 5)}
    check(len(set(lines.values())) == 1 and len(lines[1].splitlines()) == 2100, "sweep depends on -j")
    return f"{tried + len(lines)} runs"


def read_again(folder, count):
    """What is written to be read again is read as what it was: configs, baselines, runs, remedies, lines of start-task."""
    rules = project / "tests" / "rules"
    some = [str(path) for path in sorted(rules.glob("BAY1*/bad*.json"))[:80]]
    run(folder, "lint", *some, "--create-baseline", "known.json")
    first = (folder / "known.json").read_bytes()
    validator("baseline").validate(strict_json(first))
    left = report(run(folder, "lint", *some, "--baseline", "known.json", "--output", "json"), "lint --baseline")[1]
    check(left["summary"]["suppressed"] > 50 and not [one for one in left["findings"] if not one["suppressed"]], "a baseline leaves findings over")
    (folder / "known.json").rename(folder / "first.json")
    run(folder, "lint", *some, "--create-baseline", "again.json")
    check(first == (folder / "again.json").read_bytes(), "a baseline of the same files differs")

    shutil.copytree(project / "examples" / "gpu-cluster" / "defs", folder / "defs")
    run(folder, "lint", "--init", "defs")
    config = (folder / ".bayplan.yaml").read_bytes()
    check(b"defs" in run(folder, "lint", "--show-files", "defs"), "the first config hides the files it was made for")
    run(folder, "lint", "defs", "--config", ".bayplan.yaml")
    (folder / ".bayplan.yaml").unlink()
    run(folder, "lint", "--init", "defs")
    check(config == (folder / ".bayplan.yaml").read_bytes(), "--init writes another config of the same files")
    (folder / ".bayplan.yaml").unlink()

    over_time = project / "examples" / "lost-zone" / "scenario.yaml"
    whole = strict_json(run(folder, "place", over_time, "--output", "json"))
    for until in ("10m", "3h", "5h30m"):
        (folder / "run.json").write_bytes(run(folder, "place", over_time, "--until", until, "--output", "json"))
        gone_on = strict_json(run(folder, "place", over_time, "--continue-from", "run.json", "--output", "json"))
        check(gone_on == whole, f"a run that went on from {until} differs from the whole one")

    remedies = 0
    for seed in range(50, 50 + max(10, count // 3)):
        given = scenarios.scenario(seed)
        (folder / "scenario.json").write_text(json.dumps(given))
        name, answer = report(run(folder, "whatif", "scenario.json", "--each-az", "--output", "json", codes=(0, 1, 2)), f"seed {seed}: whatif")
        for variant in answer["variants"] if name != "error-report" else []:
            for remedy in variant["remedies"]:
                if not remedy["change"].startswith("--"):
                    continue
                words = shlex.split(remedy["change"])
                zone = variant["name"].removeprefix("lose-az ")
                tried = strict_json(run(folder, "whatif", "scenario.json", "--lose-az", zone, *words, "--output", "json"))
                left, before = tried["variants"][0]["summary"]["unplaced"], answer["baseline"]["summary"]["unplaced"]
                check(left <= before, f"seed {seed}: without {zone} {remedy['change']} leaves {left} without a place, before it was lost there were {before}")
                remedies += 1
    check(remedies > 0, "no remedy was tried")

    lines = run(project / "examples" / "cheapest-fleet", "fleet", "scenario.yaml", "--types", "g4dn.*", "--effort", "20000", "--start-task").decode()
    lines = [line.strip() for line in lines.splitlines() if line.strip().startswith("aws ecs start-task")]
    check(lines, "--start-task prints no line")
    for line in lines[:3]:
        answer = run(folder, "dry-run", "--instances", "g4dn.12xlarge=1", "--", *shlex.split(line), codes=(0, 1, 2)).decode()
        check("unknown option" not in answer and "expected" not in answer, f"{line}: {answer}")
    return f"3 runs gone on with, {remedies} remedies, {len(lines)} lines of start-task"


PROPERTIES = {"reports": every_report, "random": random_scenarios, "order": order_of_files, "threads": threads, "read-again": read_again}


def main():
    global program, project
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("project", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--property", action="append", choices=PROPERTIES)
    asked = parser.parse_args()
    program, project = asked.program.resolve(), asked.project.resolve()
    for name in asked.property or PROPERTIES:
        with tempfile.TemporaryDirectory() as folder:
            print(f"{name}: {PROPERTIES[name](pathlib.Path(folder), asked.count)}", flush=True)


main()
