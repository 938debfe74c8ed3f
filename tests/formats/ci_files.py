"""The files for continuous integration behave as docs/ci.md describes: ci_files.py BAYPLAN PROJECT

Tests the problem matcher with real lines, and the GitLab job in a shell; tests/packages/action.py tests action.yml. Exit code 77:
skipped without python3-yaml.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    print("skipped: no python3-yaml")
    sys.exit(77)

binary, project = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
packaging = project / "packaging"
BAD = """{"family": "a b", "requiresCompatibilities": ["FARGATE"], "networkMode": "awsvpc", "cpu": "256", "memory": "768",
 "containerDefinitions": [{"name": "web", "image": "nginx:latest", "memroy": 1, "environment": [
  {"name": "x:1:2 error BAY113 y", "value": 5}, {"name": "EMPTY", "value": ""}]}]}
"""


def check(condition, message):
    if not condition:
        raise SystemExit(f"ci files: {message}")


def lint(*arguments, cwd):
    return subprocess.run([binary, "lint", *arguments], cwd=cwd, capture_output=True, text=True)


def matched(matchers, line):
    """What GitHub takes from a line: fields of the first pattern that fits, and by which owner."""
    found = []
    for matcher in matchers:
        pattern, = matcher["pattern"]
        hit = re.search(pattern["regexp"], line)
        if hit:
            fields = {name: hit[group] for name, group in pattern.items() if name != "regexp"}
            found.append({"severity": matcher.get("severity"), **fields})
    check(len(found) == 1, f"{len(found)} matchers take the line: {line}")
    return found[0]


def problem_matcher(folder):
    matchers = json.loads((packaging / "github-problem-matcher.json").read_text())["problemMatcher"]
    (folder / ".bayplan.yaml").write_text("rules: [{id: team/ecr-only, path: 'containerDefinitions[*].image', require: {matches: ecr}}]\n")
    arguments = ["--select", "ALL", "--severity", "BAY204=style"]
    lines = lint("--output", "oneline", *arguments, cwd=folder).stdout.splitlines()
    findings = json.loads(lint("--output", "json", *arguments, cwd=folder).stdout)["findings"]
    check(len(lines) == len(findings) > 3, f"{len(lines)} lines, {len(findings)} findings")
    for line, finding in zip(lines, findings):
        taken = matched(matchers, line)
        severity = finding["severity"] if finding["severity"] in ("error", "warning") else "notice"
        wanted = {"file": finding["file"], "line": str(finding["line"]), "column": str(finding["column"]), "severity": severity,
                  "code": finding["code"],
                  "message": finding["message"] if "/" in finding["code"] else f"{finding['rule']}: {finding['message']}"}
        check(taken == wanted, f"{line}\n taken as {taken}\n wanted {wanted}")
    check("team/ecr-only" in {finding["code"] for finding in findings}, "no house rule was tried")
    seen = {finding["severity"] for finding in findings}
    check({"error", "warning", "info", "style"} <= seen, f"only {seen} were tried")


def gitlab(folder):
    job = yaml.safe_load((packaging / "gitlab-ci.yml").read_text())["bayplan"]
    line, = job["script"]
    bin_folder = folder / "bin"
    bin_folder.mkdir()
    (bin_folder / "bayplan").symlink_to(binary)
    environment = {"PATH": f"{bin_folder}:{os.environ['PATH']}", **job["variables"]}
    done = subprocess.run(["bash", "-c", line], cwd=folder, env=environment, capture_output=True, text=True)
    report = json.loads((folder / job["artifacts"]["reports"]["codequality"]).read_text())
    check(done.returncode == 1 and {"BAY113"} <= {issue["check_name"] for issue in report}, f"the job finds nothing: {done.stderr}")
    check("BAY113" in done.stdout, "the log of the job shows nothing")


def main():
    for trial in (problem_matcher, gitlab):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "task def.json").write_text(BAD)
            trial(folder)
    print("problem matcher and GitLab job do what they say")


main()
