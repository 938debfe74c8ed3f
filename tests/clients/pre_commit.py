"""Tests the hooks with the real pre-commit, without a network.

usage: pre_commit.py PROJECT            the hooks of .pre-commit-hooks.yaml that build or find the native program
       pre_commit.py PROJECT PACKAGES   the hooks that need no compiler, with the packages that scripts/packages wrote into PACKAGES
Both print how long pre-commit takes to install each hook, without downloads. Exit code 77: skipped without pre-commit, git or the packages.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time

PROJECT = pathlib.Path(sys.argv[1]).resolve()
PACKAGES = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
GOOD = {"family": "web", "requiresCompatibilities": ["FARGATE"], "networkMode": "awsvpc", "cpu": "256", "memory": "512",
        "executionRoleArn": "arn:aws:iam::123456789012:role/ecsTaskExecutionRole",
        "containerDefinitions": [{"name": "web", "image": "public.ecr.aws/nginx/nginx:1.27", "essential": True}]}
BAD = {**GOOD, "memory": "768"}


def check(condition, message, done=None):
    if not condition:
        detail = (done.stdout + done.stderr).decode(errors="replace")[-3000:] if done else ""
        raise SystemExit(f"pre-commit: {message}\n{detail}")


class Machine:
    """A separate home and cache of pre-commit, without access to package indexes."""

    def __init__(self, top):
        self.top = top
        top.mkdir(exist_ok=True)
        self.cache = top / "cache"
        self.environment = {
            **os.environ, "HOME": str(top), "PRE_COMMIT_HOME": str(self.cache), "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b.c",
            "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b.c", "GIT_CONFIG_NOSYSTEM": "1", "PIP_NO_INDEX": "1", "npm_config_offline": "true",
            "npm_config_cache": str(top / "npm"), "CCACHE_DIR": os.environ.get("CCACHE_DIR", str(pathlib.Path.home() / ".cache" / "ccache"))}

    def run(self, *command, cwd):
        return subprocess.run(command, cwd=cwd, env=self.environment, capture_output=True)

    def git(self, *arguments, cwd):
        done = self.run("git", *arguments, cwd=cwd)
        check(done.returncode == 0, f"git {arguments[0]} failed", done)
        return done.stdout.decode().strip()

    def repository(self, folder):
        """Makes a repository of the folder; its only revision."""
        self.git("init", "-q", cwd=folder)
        self.git("add", "-A", cwd=folder)
        self.git("commit", "-q", "-m", "the hooks", cwd=folder)
        return self.git("rev-parse", "HEAD", cwd=folder)


class Work:
    """The repository of somebody who uses the hooks."""

    def __init__(self, machine):
        self.machine, self.folder = machine, machine.top / "work"
        self.folder.mkdir()
        machine.git("init", "-q", cwd=self.folder)

    def use(self, hook, repository="local", revision=None):
        """`hook`: the members of the hook, as .pre-commit-config.yaml has them."""
        source = {"repo": str(repository), "hooks": [hook], **({"rev": revision} if revision else {})}
        (self.folder / ".pre-commit-config.yaml").write_text(json.dumps({"repos": [source]}))

    def install(self, what):
        start, before = time.monotonic(), os.times()
        installed = self.machine.run("pre-commit", "install", "--install-hooks", cwd=self.folder)
        check(installed.returncode == 0, f"installing {what} failed", installed)
        after = os.times()
        processor = after.children_user + after.children_system - before.children_user - before.children_system
        print(f"{what}: installed in {time.monotonic() - start:.1f} s, {processor:.1f} s of processor time", flush=True)

    def commit(self, message, files, is_accepted):
        for path, content in files.items():
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / path).write_text(content if isinstance(content, str) else json.dumps(content, indent=2))
        self.machine.git("add", "-A", cwd=self.folder)
        done = self.machine.run("git", "commit", "-m", message, cwd=self.folder)
        check((done.returncode == 0) == is_accepted, f"{message}: exit {done.returncode}", done)
        return (done.stdout + done.stderr).decode()

    def try_it(self):
        """A good file is committed, a bad one is not."""
        self.commit("clean", {"ecs/web.json": GOOD}, True)
        refused = self.commit("failing", {"ecs/web.json": BAD}, False)
        check("ecs/web.json:" in refused and "BAY113" in refused, f"the refusal does not name file and rule: {refused}")
        self.commit("fixed", {"ecs/web.json": {**GOOD, "memory": "1024"}}, True)

    def reset(self):
        self.machine.git("checkout", "-q", "-f", "HEAD", cwd=self.folder)
        self.machine.git("reset", "-q", "--hard", cwd=self.folder)


def clone_of_sources(machine):
    """(folder, revision): the working tree as a repository."""
    hooks = machine.top / "bayplan"
    shutil.copytree(PROJECT, hooks, ignore=lambda folder, names: [n for n in names if n in (".git", "build", "dist", "out", "__pycache__")])
    return hooks, machine.repository(hooks)


def try_many_files(work):
    work.commit("unrelated", {"package.json": {"name": "x", "version": "1.0.0"}, "tsconfig.json": "{\n  // comment\n  \"a\": 1,\n}\n",
                              "chart/templates/a.yaml": "{{- if .Values.x }}\na: [\n{{- end }}\n", "empty.json": "",
                              "list.json": "[1, 2]", "docker-compose.yml": "services:\n  web:\n    image: x\n"}, True)
    work.commit("500 files", {f"many/{i}/task.json": {**GOOD, "family": f"web-{i}"} for i in range(500)}, True)
    everything = work.machine.run("pre-commit", "run", "--all-files", cwd=work.folder)
    check(everything.returncode == 0, "run --all-files", everything)
    for i in (3, 255, 499):
        (work.folder / f"many/{i}/task.json").write_text(json.dumps(BAD))
    work.machine.git("add", "-A", cwd=work.folder)
    broken = work.machine.run("pre-commit", "run", "--all-files", cwd=work.folder)
    text = broken.stdout.decode()
    check(broken.returncode == 1 and all(f"many/{i}/task.json:" in text for i in (3, 255, 499)), "three of 500 are broken", broken)
    check(text.count(" BAY113 ") == 3, "each broken file is reported once", broken)
    check("no task definition found" not in text, "files without a definition have a message next to findings", broken)
    work.reset()


def try_fixing(work):
    """A hook that fixes stops the commit once, with the file fixed."""
    broken = json.dumps({**GOOD, "family": "mended"}, indent=2).replace('"essential": true', '"essential": "true"')
    refused = work.commit("mended by the hook", {"ecs/mended.json": broken}, False)
    check("files were modified by this hook" in refused and "1 fixed, none left" in refused, f"nothing was mended: {refused}")
    check((work.folder / "ecs/mended.json").read_text() == broken.replace('"true"', "true"), "another byte changed")
    work.commit("mended", {}, True)


def try_wheel(machine):
    """A wheel made once installs where there is no compiler."""
    source = next(machine.cache.glob("repo*/pyproject.toml")).parent
    made = machine.run(sys.executable, "-c", "import sys; sys.path.insert(0, 'packaging'); import wheel_backend as w; print(w.build_wheel(sys.argv[1]))",
                       str(machine.top), cwd=source)
    check(made.returncode == 0, "building the wheel", made)
    wheel = machine.top / made.stdout.decode().split()[-1]
    bare = machine.top / "bare"
    python = next(machine.cache.glob("repo*/py_env-*/bin/python"))
    made = machine.run(str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(bare), str(wheel), cwd=machine.top)
    check(made.returncode == 0, "installing the wheel", made)
    machine.environment["PATH"] = "/nowhere"
    done = machine.run(str(bare / "bin" / "bayplan"), "--version", cwd=machine.top)
    check(done.returncode == 0 and done.stdout.startswith(b"bayplan "), "the installed wheel does not run", done)
    print(f"wheel of {wheel.stat().st_size >> 10} KiB")


def native_hooks(top):
    machine = Machine(top)
    hooks, revision = clone_of_sources(machine)
    work = Work(machine)
    work.use({"id": "bayplan-source"}, hooks, revision)
    work.install("bayplan-source")
    work.try_it()
    try_many_files(work)

    binary = next(machine.cache.glob("repo*/py_env-*/bin/bayplan"))
    machine.environment["PATH"] = f"{binary.parent}:{machine.environment['PATH']}"
    work.use({"id": "bayplan-system"}, hooks, revision)
    work.commit("system hook", {"ecs/api.json": {**GOOD, "family": "api"}}, True)
    refused = work.commit("system hook failing", {"ecs/api.json": BAD}, False)
    check("BAY113" in refused, "bayplan-system finds nothing")
    work.reset()
    work.use({"id": "bayplan-system", "args": ["--fix"]}, hooks, revision)
    try_fixing(work)
    try_wheel(machine)


def only(pattern):
    found = sorted(PACKAGES.glob(pattern))
    check(len(found) <= 1, f"several packages match {pattern}")
    return found[0] if found else None


def local_hook(language, package):
    """What docs/hooks.md has for a repository `local`."""
    return {"id": "bayplan", "name": "bayplan", "entry": "bayplan lint --skip-unrecognized", "language": language, "require_serial": True,
            "additional_dependencies": [str(package)], "files": r"\.(json|yaml|yml)$"}


def prebuilt_hooks(top):
    processor = os.uname().machine
    wheel, package, bundle = only(f"bayplan-*_{processor}.whl"), only("bayplan-*.tgz"), only("bayplan-*-bundle.tar.gz")
    tried = []

    def fresh(what):
        tried.append(what)
        return Work(Machine(top / str(len(tried))))

    if wheel:
        work = fresh("wheel as additional dependency")
        work.use(local_hook("python", wheel))
        work.install(tried[-1])
        work.try_it()
    if package and shutil.which("npm"):
        work = fresh("npm package as additional dependency")
        work.use(local_hook("node", package))
        work.install(tried[-1])
        work.try_it()
        work = fresh("hook of the sources with the npm package")
        hooks, revision = clone_of_sources(work.machine)
        work.use({"id": "bayplan", "additional_dependencies": [str(package)]}, hooks, revision)
        work.install(tried[-1])
        work.try_it()
    if bundle and shutil.which("npm"):
        work = fresh("bundle")
        with tarfile.open(bundle) as archive:
            archive.extractall(work.machine.top)
        folder = work.machine.top / bundle.name.removesuffix(".tar.gz")
        work.use({"id": "bayplan"}, folder, work.machine.repository(folder))
        work.install(tried[-1])
        work.try_it()
        try_many_files(work)
    if not tried:
        print(f"skipped: {PACKAGES} has no packages")
        sys.exit(77)


def main():
    if shutil.which("pre-commit") is None or shutil.which("git") is None:
        print("skipped: pre-commit or git is not installed")
        sys.exit(77)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:  # git may still pack a clone in the background
        (prebuilt_hooks if PACKAGES else native_hooks)(pathlib.Path(name))
    print("all commits as expected")


main()
