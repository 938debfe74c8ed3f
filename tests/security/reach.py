#!/usr/bin/env python3
"""Inputs that refer to files outside their project, in every possible way: bayplan must neither read nor report their content.

usage: reach.py BAYPLAN

Each case runs twice: once with the other folder in the same project, where the file must be found, and once outside,
where it must not be found.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

#: In each file of the other folder, and in no input.
SECRET = "a-secret-of-somebody-else"


def definition(family, name):
    return {"family": family, "containerDefinitions": [{"name": name, "image": f"{name}:1", "memory": "64"}]}


def scenario(definitions=("own.json",), cluster=None, task="own"):
    own = {"containerInstances": [{"instanceType": "m5.large", "availabilityZone": "us-east-1a"}]}
    return {"cluster": cluster or own, "taskDefinitions": list(definitions), "tasks": [{"taskDefinition": task}]}


def instance():
    return {"containerInstances": [{
        "containerInstanceArn": f"arn:aws:ecs:us-east-1:111122223333:container-instance/prod/{SECRET}", "status": "ACTIVE", "agentConnected": True,
        "attributes": [{"name": "ecs.instance-type", "value": "m5.large"}, {"name": "ecs.availability-zone", "value": "us-east-1a"}],
        "registeredResources": [{"name": name, "type": "INTEGER", "integerValue": 2048} for name in ("CPU", "MEMORY")],
        "remainingResources": [{"name": name, "type": "INTEGER", "integerValue": 2048} for name in ("CPU", "MEMORY")]}]}


def put(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))


def prepare(parent):
    """project, where inputs lie, and other, where nothing may be read."""
    project, other = parent / "project", parent / "other"
    put(other / "secret.json", definition("theirs", SECRET))
    put(other / "cluster.json", {"clusterName": SECRET, "containerInstances": [{"instanceType": "m5.large", "ec2InstanceId": f"i-{SECRET}"}]})
    put(other / "live" / "instances.json", instance())
    put(other / "scenario.json", scenario((definition("theirs", SECRET),), task="theirs"))
    put(other / "config.yaml", f"select: [{SECRET}]\n")
    put(project / "own.json", definition("own", "own"))
    put(project / "live" / "own.json", json.dumps(instance()).replace(SECRET, "own"))
    (project / "defs").mkdir()
    (project / "defs" / "link.json").symlink_to("../../other/secret.json")
    (project / "live" / "link.json").symlink_to("../../other/live/instances.json")
    (project / "found").mkdir()
    return project, other


def cases(other):
    """(what, files of the project, command line, whether it is refused rather than left out)."""
    absolute = str(other / "secret.json")
    for what, named in {"a definition": "../other/secret.json", "a definition from the root": absolute, "a definition through a link": "defs/link.json",
                        "definitions by a pattern": "../other/secr*.json", "a pattern for folders": "../oth*/secret.json", "a pattern in a folder of links": "defs/*.json",
                        "dots behind a folder": "defs/../../other/secret.json"}.items():
        yield f"a scenario names {what}", {"s.json": scenario((named,), task="theirs")}, ["place", "s.json", "--no-lint"], True
    for command in (["why", "theirs", "s.json", "--no-lint"], ["fleet", "s.json", "--no-lint", "--effort", "100", "--types", "m5.large"], ["whatif", "s.json", "--no-lint", "--each-az"],
                    ["repack", "s.json", "--no-lint"]):
        yield f"{command[0]}: a scenario names a definition", {"s.json": scenario(("../other/secret.json",), task="theirs")}, command, True
    yield "a scenario names a cluster", {"s.json": scenario(cluster="../other/cluster.json")}, ["place", "s.json", "--no-lint"], True
    yield "a scenario names a described cluster", {"s.json": scenario(cluster="../other/live")}, ["place", "s.json", "--no-lint"], True
    yield "a grid names a scenario", {"g.json": {"scenario": "../other/scenario.json", "axes": {"seed": {"vary": "seed", "from": 1, "to": 1}}}}, ["sweep", "-q", "--no-lint", "g.json", "--output", "jsonl"], True
    yield "a config extends one", {"c.yaml": "extends: ../other/config.yaml\n"}, ["lint", "own.json", "--config", "c.yaml"], True
    yield "a config that is found extends one", {".bayplan.yaml": "extends: [../other/config.yaml]\n"}, ["lint", "own.json"], True
    yield "a config names a daemon", {"c.yaml": "cluster: {daemons: [../other/config.yaml]}\n"}, ["lint", "own.json", "--config", "c.yaml"], True
    yield "a config that is found is a link", {".bayplan.yaml": pathlib.Path("../other/config.yaml")}, ["lint", "own.json"], True
    yield "a link in a searched folder", {}, ["lint", "defs"], False
    yield "a folder of links that is searched", {"all": pathlib.Path("../other")}, ["lint", "."], False
    yield "a link in a described cluster", {}, ["place", "--cluster", "live", "--task", "own.json=1", "--no-lint", "-v"], True


def told(program, project, files, line):
    """What a run says and writes; the files are gone afterwards."""
    for name, value in files.items():
        if isinstance(value, pathlib.Path):
            (project / name).symlink_to(value)
        else:
            put(project / name, value)
    done = subprocess.run([program, *line], cwd=project, stdin=subprocess.DEVNULL, capture_output=True, env={"LC_ALL": "C.UTF-8", "PATH": "/nowhere"}, check=False, timeout=60)
    for name in files:
        (project / name).unlink()
    return done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace")


def judge(what, near, far, is_refused):
    """near, far: exit code and text of the run inside of the project, and outside of it."""
    refusals = ("is outside the folder of", "to a file outside its folder", "to a file outside the folder", "leads out of")
    if near == far or any(words in near[1] for words in refusals):
        yield f"{what}: inside of the project it is not read, so that nothing is tried: {near[1][:300]}"
    if SECRET in far[1]:
        yield f"{what}: {far[1][:400]}"
    if is_refused and (far[0] != 2 or not any(words in far[1] for words in refusals)):
        yield f"{what}: exit {far[0]}, and not refused as outside: {far[1][:400]}"


def main():
    program = os.path.abspath(sys.argv[1])
    faults, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        parent = pathlib.Path(os.path.realpath(folder))
        project, other = prepare(parent)
        for what, files, line, is_refused in cases(other):
            (parent / ".git").mkdir()
            near = told(program, project, files, line)
            (parent / ".git").rmdir()
            (project / ".git").mkdir()
            far = told(program, project, files, line)
            shutil.rmtree(project / ".git")
            count += 1
            faults += judge(what, near, far, is_refused)
    for fault in faults:
        print(fault)
    print(f"{count} ways out of a project tried, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
