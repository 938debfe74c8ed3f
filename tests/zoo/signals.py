"""Ctrl-C and SIGTERM in every phase of a long run: it ends immediately or cleanly, and a report is complete or missing.

Each part yields (tried, findings, most CPU, most memory, exit codes).
"""
import json
import os
import shutil
import signal

from extremes import Tally
from runner import strict_json

#: Seconds after which the signal comes: while the program starts, reads, works, and writes.
MOMENTS = [0.0003, 0.001, 0.003, 0.006, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0]
OLD = b"the report of yesterday\n"


def definition(name, cpu=128, memory=256):
    return {"family": name, "containerDefinitions": [{"name": "c", "image": "nginx:1", "cpu": cpu, "memory": memory, "privileged": 5}]}


def sound(name, cpu=128, memory=256):
    one = definition(name, cpu, memory)
    del one["containerDefinitions"][0]["privileged"]
    return one


def long_runs(folder):
    """Commands that take about a second or more, by what they write."""
    (folder / "many").mkdir()
    for i in range(1500):
        (folder / "many" / f"{i}.json").write_text(json.dumps(definition(f"task-{i}")))
    (folder / "web.json").write_text(json.dumps(sound("web")))
    (folder / "api.json").write_text(json.dumps(sound("api", 300, 900)))
    scenario = {"cluster": {"containerInstances": [{"instanceType": "m5.4xlarge", "count": 2000, "availabilityZones": ["us-east-1a", "us-east-1b"]}]},
                "taskDefinitions": ["web.json", "api.json"], "services": [{"serviceName": "web", "taskDefinition": "web", "desiredCount": 60000}],
                "tasks": [{"taskDefinition": "api", "count": 9000}]}
    (folder / "large.json").write_text(json.dumps(scenario))
    small = dict(scenario, cluster={"containerInstances": [{"instanceType": "m5.4xlarge", "count": 40, "availabilityZones": ["us-east-1a", "us-east-1b"]}]},
                 services=[{"serviceName": "web", "taskDefinition": "web", "desiredCount": 900}], tasks=[{"taskDefinition": "api", "count": 300}])
    (folder / "small.json").write_text(json.dumps(small))
    (folder / "grid.yaml").write_text("scenario: small.json\naxes: {seed: {vary: seed, from: 1, to: 4000}}\n")
    return {"lint": (["lint", "many"], "json"), "lint as a page": (["lint", "many"], "html"), "fit": (["fit", "--no-lint", *[f"many/{i}.json" for i in range(200)]], "json"),
            "place": (["place", "large.json"], "json"), "place as a page": (["place", "large.json"], "html"), "whatif": (["whatif", "small.json", "--each-instance", "--runs", "50"], "json"),
            "repack": (["repack", "large.json"], "json"), "fleet": (["fleet", "small.json"], "json"), "why": (["why", "web.json", "large.json", "--count", "50000"], "json"),
            "diff": (["diff", "many", "many"], "json"), "catalog": (["catalog", "--wide"], "json"), "explain": (["explain", "--all"], "json")}


def is_whole(content, form):
    if form in ("html", "svg"):
        return content.rstrip().endswith(f"</{form}>".encode())
    try:
        strict_json(content)
        return True
    except ValueError:
        return False


def interrupted(sandbox, project, quick):
    tally = Tally()
    folder = sandbox.root / "long"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    runs = long_runs(folder)
    before = set(os.listdir(folder))
    count = 0
    for name, (arguments, form) in runs.items():
        for moment in MOMENTS:
            for number in (signal.SIGINT, signal.SIGTERM):
                for twice in (False, True):
                    count += 1
                    if quick and count % 61:
                        continue
                    report = folder / "report"
                    is_old = count % 2 == 0
                    if is_old:
                        report.write_bytes(OLD)
                    sent = [(moment, number)] + [(moment + 0.02, number)] * twice
                    outcome = sandbox.run(folder, [*arguments, "--output", f"{form}=report"], signals=sent)
                    complaints = [] if outcome.code in (0, 1, 128 + number) else [f"exit {outcome.code}: {outcome.stderr[:200]!r}"]
                    if outcome.wall > moment + 5 and outcome.code == 128 + number:
                        complaints.append(f"went on for {outcome.wall - moment:.1f} s")
                    if report.exists():
                        content = report.read_bytes()
                        if not (is_old and content == OLD) and not is_whole(content, form):
                            complaints.append(f"a report of {len(content)} bytes that is not whole")
                        report.unlink()
                    elif is_old or outcome.code in (0, 1):
                        complaints.append("the report is gone")
                    left = set(os.listdir(folder)) - before
                    if left:
                        complaints.append(f"left {sorted(left)}")
                        for entry in left:
                            (folder / entry).unlink()
                    outcome.rss = 0  # large on purpose
                    outcome.cpu = 0.0
                    tally.take(outcome, f"{signal.Signals(number).name} after {moment} s{', twice' if twice else ''}: {name}", complaints)
    yield from [tally.result(), fixing(sandbox, quick).result(), sweeping(sandbox, folder, quick).result()]


def fixing(sandbox, quick):
    """`lint --fix` that is stopped leaves every file as it was or as it is to be."""
    tally = Tally()
    folder = sandbox.root / "fixing"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    old = b'{"family": "web", "containerDefinitions": [{"name": "c", "image": "nginx:1", "memory": "64", "cpu": "128"}]}\n' + b" " * 5000
    for i in range(300):
        (folder / f"{i}.json").write_bytes(old)
    sandbox.run(folder, ["lint", "--fix", "0.json"])
    new = (folder / "0.json").read_bytes()
    if new == old:
        tally.findings.append("lint --fix changed nothing, so that nothing is tried")
    for moment in MOMENTS[2:4] if quick else MOMENTS:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            for i in range(300):
                (folder / f"{i}.json").write_bytes(old)
            outcome = sandbox.run(folder, ["lint", "--fix", "."], signals=[(moment, number)])
            names = sorted(os.listdir(folder))
            torn = [name for name in names if (folder / name).read_bytes() not in (old, new)]
            complaints = [] if outcome.code in (0, 1, 128 + number) else [f"exit {outcome.code}"]
            complaints += [f"torn: {torn[:5]}"] if torn else []
            left = [name for name in names if not name.endswith(".json")]
            # Between its name and its place a file may be caught by SIGKILL alone.
            complaints += [f"left {left}"] if left and number != signal.SIGKILL else []
            for name in left:
                (folder / name).unlink()
            tally.take(outcome, f"{signal.Signals(number).name} after {moment} s: lint --fix", complaints)
    return tally


def sweeping(sandbox, folder, quick):
    """A sweep that is stopped goes on when it is started again, and ends with the bytes of one that was not."""
    tally = Tally()
    line = ["sweep", "-q", "grid.yaml", "--output", "jsonl=sweep.jsonl"]
    patience = 600  # long on purpose, and the machine may be shared
    sandbox.run(folder, line, kill_after=patience)
    whole = (folder / "sweep.jsonl").read_bytes()
    for moment in MOMENTS[5:6] if quick else MOMENTS:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            (folder / "sweep.jsonl").unlink()
            outcome = sandbox.run(folder, line, signals=[(moment, number)], kill_after=patience)
            complaints = [] if outcome.code in (0, 1, 128 + number) else [f"exit {outcome.code}"]
            if (folder / "sweep.jsonl").exists() and (folder / "sweep.jsonl").read_bytes() != whole:
                complaints.append("a file that is not whole has the name of one that is")
            sandbox.run(folder, line, kill_after=patience)
            if (folder / "sweep.jsonl").read_bytes() != whole:
                complaints.append("gone on with, it differs")
            left = sorted(name for name in os.listdir(folder) if name.startswith("sweep.jsonl."))
            complaints += [f"left {left}"] if left else []
            outcome.rss, outcome.cpu = 0, 0.0
            tally.take(outcome, f"{signal.Signals(number).name} after {moment} s: sweep", complaints)
    (folder / "sweep.jsonl").unlink()
    return tally


PARTS = {"signals": interrupted}
