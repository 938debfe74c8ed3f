"""Tests the hooks of .pre-commit-hooks.yaml with the real pre-commit: pre_commit.py PROJECT

The working tree becomes a repository, pre-commit installs the hook from it (`pip install`, a build from source without
downloads), and commits to a second repository pass or fail. Exit code 77: skipped without pre-commit.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

project = pathlib.Path(sys.argv[1]).resolve()
if shutil.which("pre-commit") is None or shutil.which("git") is None:
    print("skipped: pre-commit or git is not installed")
    sys.exit(77)

GOOD = {"family": "web", "requiresCompatibilities": ["FARGATE"], "networkMode": "awsvpc", "cpu": "256", "memory": "512",
        "executionRoleArn": "arn:aws:iam::123456789012:role/ecsTaskExecutionRole",
        "containerDefinitions": [{"name": "web", "image": "public.ecr.aws/nginx/nginx:1.27", "essential": True}]}
BAD = {**GOOD, "memory": "768"}


def check(condition, message, done=None):
    if not condition:
        detail = (done.stdout + done.stderr).decode(errors="replace")[-3000:] if done else ""
        raise SystemExit(f"pre-commit: {message}\n{detail}")


with tempfile.TemporaryDirectory() as name:
    top = pathlib.Path(name)
    environment = {**os.environ, "HOME": name, "PRE_COMMIT_HOME": str(top / "cache"), "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b.c",
                   "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b.c", "GIT_CONFIG_NOSYSTEM": "1", "PIP_NO_INDEX": "1",
                   "CCACHE_DIR": os.environ.get("CCACHE_DIR", str(pathlib.Path.home() / ".cache" / "ccache"))}

    def run(*command, cwd):
        return subprocess.run(command, cwd=cwd, env=environment, capture_output=True)

    def git(*arguments, cwd):
        done = run("git", *arguments, cwd=cwd)
        check(done.returncode == 0, f"git {arguments[0]} failed", done)
        return done.stdout.decode().strip()

    hooks = top / "bayplan"
    shutil.copytree(project, hooks, ignore=lambda folder, names: [n for n in names if n in (".git", "build", "out", "__pycache__")])
    git("init", "-q", cwd=hooks)
    git("add", "-A", cwd=hooks)
    git("commit", "-q", "-m", "the hooks", cwd=hooks)
    revision = git("rev-parse", "HEAD", cwd=hooks)

    work = top / "work"
    work.mkdir()
    git("init", "-q", cwd=work)

    def use(hook, arguments="[]"):
        (work / ".pre-commit-config.yaml").write_text(
            f"repos:\n- repo: {hooks}\n  rev: {revision}\n  hooks:\n  - id: {hook}\n    args: {arguments}\n")

    def commit(message, files, expected):
        for path, content in files.items():
            (work / path).parent.mkdir(parents=True, exist_ok=True)
            (work / path).write_text(content if isinstance(content, str) else json.dumps(content, indent=2))
        git("add", "-A", cwd=work)
        done = run("git", "commit", "-m", message, cwd=work)
        check((done.returncode == 0) == expected, f"{message}: exit {done.returncode}", done)
        return (done.stdout + done.stderr).decode()

    use("bayplan")
    start = time.monotonic()
    installed = run("pre-commit", "install", "--install-hooks", cwd=work)
    check(installed.returncode == 0, "install failed", installed)
    print(f"installed from source in {time.monotonic() - start:.0f} s")

    commit("clean", {"ecs/web.json": GOOD}, True)
    refused = commit("failing", {"ecs/web.json": BAD}, False)
    check("ecs/web.json:" in refused and "BAY113" in refused, f"the refusal does not name file and rule: {refused}")
    commit("fixed", {"ecs/web.json": {**GOOD, "memory": "1024"}}, True)
    commit("unrelated", {"package.json": {"name": "x", "version": "1.0.0"}, "tsconfig.json": "{\n  // comment\n  \"a\": 1,\n}\n",
                         "chart/templates/a.yaml": "{{- if .Values.x }}\na: [\n{{- end }}\n", "empty.json": "",
                         "list.json": "[1, 2]", "docker-compose.yml": "services:\n  web:\n    image: x\n"}, True)
    commit("500 files", {f"many/{i}/task.json": {**GOOD, "family": f"web-{i}"} for i in range(500)}, True)
    everything = run("pre-commit", "run", "--all-files", cwd=work)
    check(everything.returncode == 0, "run --all-files", everything)
    for i in (3, 255, 499):
        (work / f"many/{i}/task.json").write_text(json.dumps(BAD))
    git("add", "-A", cwd=work)
    broken = run("pre-commit", "run", "--all-files", cwd=work)
    text = broken.stdout.decode()
    check(broken.returncode == 1 and all(f"many/{i}/task.json:" in text for i in (3, 255, 499)), "three of 500 are broken", broken)
    check(text.count(" BAY113 ") == 3, "each broken file is told once", broken)
    git("checkout", "-q", "-f", "HEAD", cwd=work)
    git("reset", "-q", "--hard", cwd=work)

    binary = next((top / "cache").glob("repo*/py_env-*/bin/bayplan"))
    environment["PATH"] = f"{binary.parent}:{environment['PATH']}"
    use("bayplan-system")
    commit("system hook", {"ecs/api.json": {**GOOD, "family": "api"}}, True)
    refused = commit("system hook failing", {"ecs/api.json": BAD}, False)
    check("BAY113" in refused, "bayplan-system finds nothing")

    git("checkout", "-q", "-f", "HEAD", cwd=work)
    git("reset", "-q", "--hard", cwd=work)

    # A hook that fixes stops the commit once, with the file mended.
    use("bayplan-system", "[--fix]")
    broken = json.dumps({**GOOD, "family": "mended"}, indent=2).replace('"essential": true', '"essential": "true"')
    refused = commit("mended by the hook", {"ecs/mended.json": broken}, False)
    check("files were modified by this hook" in refused and "1 fixed, none left" in refused, f"nothing was mended: {refused}")
    check((work / "ecs/mended.json").read_text() == broken.replace('"true"', "true"), "another byte changed")
    commit("mended", {}, True)

    # A wheel made once installs where there is no compiler.
    source = next((top / "cache").glob("repo*/pyproject.toml")).parent
    made = run(sys.executable, "-c", "import sys; sys.path.insert(0, 'packaging'); import wheel_backend as w; print(w.build_wheel(sys.argv[1]))",
               str(top), cwd=source)
    check(made.returncode == 0, "building the wheel", made)
    wheel = top / made.stdout.decode().split()[-1]
    bare = top / "bare"
    python = next((top / "cache").glob("repo*/py_env-*/bin/python"))
    made = run(str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(bare), str(wheel), cwd=top)
    check(made.returncode == 0, "installing the wheel", made)
    environment["PATH"] = "/nowhere"
    done = run(str(bare / "bin" / "bayplan"), "--version", cwd=top)
    check(done.returncode == 0 and done.stdout.startswith(b"bayplan "), "the installed wheel does not run", done)
    print(f"all commits as expected; wheel of {wheel.stat().st_size >> 10} KiB")
