"""Runs the GitHub action as the runner does: action.py FOLDER [BAYPLAN]

FOLDER has action.yml and what it runs: a bundle, or the sources, whose action needs BAYPLAN as its input `binary`. The runner sets
inputs as variables with their defaults, and files for outputs and the summary of the job, and starts node with the entry point.
Exit code 77: skipped without node or python3-yaml.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    yaml = None
NODE = shutil.which("node")
if yaml is None or NODE is None:
    print("skipped: no python3-yaml" if yaml is None else "skipped: no node")
    sys.exit(77)

FOLDER = pathlib.Path(sys.argv[1]).resolve()
BINARY = str(pathlib.Path(sys.argv[2]).resolve()) if len(sys.argv) > 2 else ""
ACTION = yaml.safe_load((FOLDER / "action.yml").read_text())
BAD = """{"family": "a b", "requiresCompatibilities": ["FARGATE"], "networkMode": "awsvpc", "cpu": "256", "memory": "768",
 "containerDefinitions": [{"name": "web", "image": "nginx:latest", "environment": [
  {"name": "EMPTY", "value": ""}, {"name": "EMPTY", "value": "x"}]}]}
"""
GOOD = """{"family": "web", "requiresCompatibilities": ["FARGATE"], "networkMode": "awsvpc", "cpu": "256", "memory": "512",
 "containerDefinitions": [{"name": "web", "image": "public.ecr.aws/nginx/nginx:1.27", "essential": true}]}
"""


def check(condition, message):
    if not condition:
        raise SystemExit(f"action: {message}")


class Job:
    """One step of a job in a folder of its own: what it printed, its outputs and its summary."""

    def __init__(self, folder, **inputs):
        files = {name: folder / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.write_text("")
        given = {name: declared.get("default", "") for name, declared in ACTION["inputs"].items()} | {"binary": BINARY} | inputs
        temporary = folder / "runner temp"
        temporary.mkdir(exist_ok=True)
        environment = {"PATH": os.environ["PATH"], "RUNNER_TEMP": str(temporary), **{name: str(file) for name, file in files.items()},
                       **{f"INPUT_{name.upper()}": value for name, value in given.items()}}
        done = subprocess.run([NODE, str(FOLDER / ACTION["runs"]["main"])], cwd=folder, env=environment, capture_output=True, text=True)
        self.code, self.text, self.errors = done.returncode, done.stdout, done.stderr
        self.outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
        self.summary = files["GITHUB_STEP_SUMMARY"].read_text()


def findings(folder):
    job = Job(folder)
    check(job.code == 1 and "::error file=task def.json,line=" in job.text, f"no annotation: {job.text}{job.errors}")
    check("BAY113" in job.summary, "no job summary")
    check(set(job.outputs) == set(ACTION["outputs"]), f"outputs {job.outputs}")
    summary = json.loads(pathlib.Path(job.outputs["report"]).read_text())["summary"]
    check(summary["error"] > 0 and summary["warning"] > 0, f"the report has {summary}")
    check((job.outputs["errors"], job.outputs["warnings"]) == (str(summary["error"]), str(summary["warning"])), f"outputs {job.outputs}")


def inputs(folder):
    for args in ("--select=BAY113\r\n--output\nsarif=out.sarif\n", "--select BAY113 --output sarif=out.sarif",
                 "  --select 'BAY113'\t--output \"sarif=out.sarif\"  # only this rule"):
        job = Job(folder, paths="task def.json\n\n", args=args)
        codes = {result["ruleId"] for run in json.loads((folder / "out.sarif").read_text())["runs"] for result in run["results"]}
        check(job.code == 1 and codes == {"BAY113"}, f"{args!r}: {codes} {job.errors}")
        (folder / "out.sarif").unlink()
    check(Job(folder, args="--fail-on warning --ignore BAY113").code == 1, "--fail-on warning on one line")
    for args, name in (("--output 'json=a b.json'", "a b.json"), ('--output "json=it\'s.json"', "it's.json"), (r"--output json=a\ c.json", "a c.json"),
                       (r"--output json=back\slash.json", r"back\slash.json"), ("--output json=a#1.json", "a#1.json"), (r'--output "json=q\".json"', 'q".json')):
        job = Job(folder, args=args)
        check(job.code == 1 and (folder / name).exists(), f"{args} does not write {name}: {job.errors}")
    job = Job(folder, args="--select 'BAY113")
    check(job.code == 2 and job.text.startswith("::error::") and "not closed" in job.text, f"an open quote: {job.text}")
    job = Job(folder, args="--exit-zero")
    check(job.code == 0 and job.outputs["errors"] != "0", f"--exit-zero: {job.code} {job.outputs}")
    job = Job(folder, paths="$(touch hacked)", args="; touch hacked")
    check(job.code == 2 and not (folder / "hacked").exists(), "an input was run as a command")
    job = Job(folder, paths="$(touch>hacked)", args="; touch hacked")
    check(job.code == 2 and not (folder / "hacked").exists(), "an input was run as a command")
    check(job.outputs == {}, f"outputs of a run that failed: {job.outputs}")


def clean(folder):
    (folder / "task def.json").write_text(GOOD)
    job = Job(folder)
    check((job.code, job.text) == (0, "bayplan: no findings in 1 file\n"), f"a clean run: {job.code} {job.text}{job.errors}")


def unusable(folder):
    """Every run that ends with exit code 2 has an annotation for each reason, once."""
    good = {"args": "--exit-zero"}
    for given, expected in (({"args": "--fail-on never"}, "--fail-on"), ({"args": "--selct BAY1"}, "unknown option"), ({"args": "--select BAX1"}, "BAX1"),
                            ({"paths": "nowhere.json"}, "No such file"), ({"paths": "other.json"}, "is not a task definition"),
                            ({"paths": "a b"}, "one path per line"), ({"paths": "empty"}, "no task definition found")):
        (folder / "other.json").write_text('{"hello": 1}')
        (folder / "empty").mkdir(exist_ok=True)
        job = Job(folder, **(good | given))
        annotations = [line for line in job.text.splitlines() if line.startswith("::error")]
        check(job.code == 2 and len(annotations) == 1 and expected in annotations[0], f"{given}: {job.code} {job.text}{job.errors}")
    (folder / ".bayplan.yaml").write_text("ignroe: [BAY113]\n")
    job = Job(folder)
    check(job.code == 2 and "::error::.bayplan.yaml:1:1: unknown key 'ignroe'" in job.text, f"a broken config: {job.text}{job.errors}")


def versions(folder):
    version = re.search(r"project\(bayplan VERSION ([0-9.]+)", (pathlib.Path(__file__).parents[2] / "CMakeLists.txt").read_text())[1]
    check(Job(folder, args="--exit-zero", version=version).code == 0, f"version {version} is this one")
    job = Job(folder, version="99.0.0")
    check(job.code == 2 and job.text.startswith("::error::expected bayplan 99.0.0, found bayplan "), f"another version runs: {job.text}")


def missing(folder):
    job = Job(folder, binary=str(folder / "100% none"))
    check(job.code == 2 and job.text.startswith("::error::cannot run ") and "100%25 none" in job.text, f"a binary that is not there: {job.text}")
    if BINARY:  # the sources
        job = Job(folder, binary="")
        check(job.code == 2 and "::error::" in job.text and "bundle-" in job.text, f"no program: {job.text}")


def main():
    check(ACTION["runs"]["using"] == "node24", ACTION["runs"])
    read = set(re.findall(r"\binput\(\"(\w+)\"\)", (FOLDER / ACTION["runs"]["main"]).read_text()))
    check(read == set(ACTION["inputs"]), f"the entry point reads {sorted(read)}, the action has {sorted(ACTION['inputs'])}")
    for trial in (findings, inputs, clean, unusable, versions, missing):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "task def.json").write_text(BAD)
            trial(folder)
    node = subprocess.run([NODE, "--version"], capture_output=True, text=True).stdout.strip()
    print(f"the action does what docs/ci.md says, with {BINARY or 'the npm package'} and node {node}")


main()
