"""Which files a folder search finds and skips: searching.py BAYPLAN PROJECT

git itself creates the work trees, with every version of its index. Exit code 77: skipped without git.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

if shutil.which("git") is None:
    print("skipped: git is not installed")
    sys.exit(77)

bayplan = pathlib.Path(sys.argv[1]).resolve()
WEB = '{"family": "web", "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": 64}]}'
GIT = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "GIT_AUTHOR_NAME": "a", "GIT_COMMITTER_NAME": "a",
       "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_EMAIL": "a@example.com"}


def check(condition, message):
    if not condition:
        raise SystemExit(f"searching: {message}")


def git(folder, *arguments):
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, env={**os.environ, **GIT})


def write(folder, name, text=WEB):
    path = pathlib.Path(folder, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def lint(folder, *arguments):
    return subprocess.run([bayplan, "lint", *arguments], cwd=folder, capture_output=True, text=True)


def report(folder, *arguments):
    return json.loads(lint(folder, "--format", "json", *arguments).stdout)


def linted(folder):
    return [file["file"] for file in report(folder)["files"]]


def work_tree(folder, version, format):
    folder.mkdir()
    git(folder, "init", "-q", f"--object-format={format}")
    for name in ("gen/deep/tracked.json", "gen/deep/not.json", "ok/a.json", "ok/b.secret.json", "ok/c.secret.json"):
        write(folder, name)
    write(folder, ".gitignore", "gen/\n*.secret.json\n")
    git(folder, "add", "-f", "gen/deep/tracked.json", "ok/b.secret.json")
    git(folder, "add", ".")
    if version == 3:  # an entry with more flags makes it so
        write(folder, "ok/d.secret.json")
        git(folder, "add", "-f", "-N", "ok/d.secret.json")
    git(folder, "update-index", "--index-version", str(version))
    check((folder / ".git" / "index").read_bytes()[7] == version, f"git wrote no index of version {version}")


with tempfile.TemporaryDirectory() as temporary:
    root = pathlib.Path(temporary)
    tracked = ["gen/deep/tracked.json", "ok/a.json", "ok/b.secret.json"]
    for version in (2, 3, 4):
        for format in ("sha1", "sha256"):
            folder = root / f"{version}-{format}"
            work_tree(folder, version, format)
            expected = tracked + (["ok/d.secret.json"] if version == 3 else [])
            check(linted(folder) == expected, f"{folder.name}: {linted(folder)}")
            check(linted(folder / "gen") == ["deep/not.json", "deep/tracked.json"], f"{folder.name}: gen, as named")
            git(folder, "commit", "-qm", "All")
            git(folder, "worktree", "add", "-q", str(root / f"{folder.name}-tree"))
            check(linted(root / f"{folder.name}-tree") == tracked, f"{folder.name}: another work tree")
            index = folder / ".git" / "index"
            index.write_bytes(index.read_bytes()[:200])
            check(linted(folder) == ["ok/a.json"], f"{folder.name}: a damaged index")

    folder = root / "kinds"
    write(folder, "task.template")
    write(folder, "task.tpl.json")
    write(folder, "task.jsonnet")
    write(folder, "task.txt")
    write(folder, "package.json", '{"name": "x"}')
    write(folder, "compose.yaml", "services:\n  web:\n    image: nginx\n    ports: ['80:80']\n")
    write(folder, "node_modules/x/task.json")
    write(folder, "old/task.json")
    write(folder, ".bayplan.yaml", "exclude: [old/]\n")
    expected = [("compose.yaml", "unrecognized", "Compose file"), ("node_modules/", "tool-folder", "directory of a tool"),
                ("old/task.json", "excluded", "excluded by the config"),
                ("package.json", "unrecognized", "contains no ECS definition")]
    told = report(folder)
    check([tuple(one.values()) for one in told["passedOver"]] == expected, told["passedOver"])
    check([file["file"] for file in told["files"]] == ["task.jsonnet", "task.template", "task.tpl.json"], told["files"])
    check((told["summary"]["lookedAt"], told["summary"]["recognized"], told["summary"]["passedOver"]) == (5, 3, 4),
          told["summary"])
    check(lint(folder).stdout == lint(folder, ".").stdout, "this folder, named or not")
    lines = lint(folder).stdout.splitlines()
    check(lines[-2] == "5 files checked, 3 recognized; skipped: 2 unrecognized, 1 excluded, 1 tool folder "
                       "(-v lists them)", lines)
    verbose = lint(folder, "-v").stdout.splitlines()
    check([line for line in verbose if ": skipped: " in line] ==
          [f"{path}: skipped: {message}" for path, _, message in expected], verbose)
    check("looked at" not in lint(folder, "-q").stdout, "quiet")
    check("looked at" not in lint(folder, "--skip-unrecognized", "package.json", "task.template").stdout, "a hook")

    # The search and the hook take the same names: those of the program's own list, and none of their neighbors.
    project = pathlib.Path(sys.argv[2])
    lists = re.findall(r"k\w*Endings\{(.*?)\};", (project / "src/lint/files/folder_search.cpp").read_text(), re.S)
    endings = set(re.findall(r'"(\.[a-z0-9]+)"', " ".join(lists)))
    hook = re.compile(re.search(r"files: .*?(\\.*)$", (project / ".pre-commit-hooks.yaml").read_text(), re.M)[1])
    page = {".erb", ".ejs", ".mustache", ".hbs", ".html", ".txt", ".sh", ".hcl", ".jsonx", ".conf"}
    names = {"web" + one for one in endings | page}
    names |= {f"web{one}{two}" for one in (".json", ".yaml", ".yml", ".html", ".conf") for two in endings | page}
    check(len(endings) > 10 and ".tftpl" in endings, endings)
    folder = root / "endings"
    for name in names:
        write(folder, name)
    found = set(lint(folder, "--show-files").stdout.split())
    wanted = {name for name in names if hook.search(name)}
    check(found == wanted, f"the search and .pre-commit-hooks.yaml differ in {sorted(found ^ wanted)}")
    check({"web.tftpl", "web.json.erb", "web.yaml.hbs", "web.jsonnet", "web.tf"} <= found, found)
    check(not {"web.erb", "web.html.erb", "web.hcl", "web.sh"} & found, found)

    folder = root / "unread"
    write(folder, "task.jsonnet", "local tag = std.extVar('tag');\n{family: 'web', containerDefinitions: [{image: tag}]}\n")
    write(folder, "task.json5", "{family: 'web', containerDefinitions: [{image: 'nginx'}]}\n")
    write(folder, "task.jsonc", '{"family": "web", /* x */ "containerDefinitions": [{"name": "a", "image": "b:1", "memory": 64,}]}\n')
    kinds = [(file["file"], file["kind"]) for file in report(folder)["files"]]
    check(kinds == [("task.json5", "json5"), ("task.jsonc", "task-definition"), ("task.jsonnet", "jsonnet")], kinds)
    told = report(folder)
    check([one["severity"] for one in told["findings"]] == ["info"] * 4, told["findings"])
    before = (folder / "task.json5").read_text()
    lint(folder, "--fix")
    check((folder / "task.json5").read_text() == before, "JSON5 is never rewritten")

    (root / "empty").mkdir()
    for arguments in ([], ["."], ["--diff"], ["--diff", "."]):
        check(lint(root / "empty", *arguments).returncode == 2, f"nothing to check: {arguments}")
print("searching: what git tracks is found, what is passed over is told")
