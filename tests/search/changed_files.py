"""Compares `bayplan lint --changed` with what was done to real repositories: changed_files.py BAYPLAN

Requires git; exit code 77: skipped without it.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

if shutil.which("git") is None:
    print("skipped: git is not installed")
    sys.exit(77)

bayplan = pathlib.Path(sys.argv[1]).resolve()
DEFINITION = '{"family": "web", "containerDefinitions": [{"name": "a", "image": "a:1", "memory": 128}]}\n'
EDITED = DEFINITION.replace("128", "129")
faults = 0


def git(folder, *words):
    settings = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *settings, *words], cwd=folder, check=True, capture_output=True)


def write(path, text=DEFINITION):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def repository(folder, *names):
    folder.mkdir(parents=True)
    git(folder, "init")
    for name in names:
        write(folder / name)
    git(folder, "add", ".")
    git(folder, "commit", "-m", "first")


def expect(what, folder, wanted, *words, code=0, environment=()):
    global faults
    words = words or ("--changed",)
    ran = subprocess.run([bayplan, "lint", "--show-files", *words], cwd=folder, capture_output=True, text=True,
                         env={**os.environ, **dict(environment)})
    shown = sorted(ran.stdout.split())
    if shown != sorted(wanted) or ran.returncode != code:
        faults += 1
        print(f"{what}: exit code {ran.returncode}, {shown} instead of {sorted(wanted)}\n{ran.stderr}")


with tempfile.TemporaryDirectory() as temporary:
    top = pathlib.Path(temporary).resolve()
    web = top / "web"
    web.mkdir()
    git(web, "init")
    write(web / "a.json")
    expect("before the first commit", web, ["a.json"])
    git(web, "add", ".")
    expect("staged before the first commit", web, ["a.json"])
    write(web / "sub/b.json")
    write(web / "sub/c d.json")
    git(web, "add", ".")
    git(web, "commit", "-m", "first")
    expect("nothing changed", web, [])

    git(web, "mv", "a.json", "moved.json")
    (web / "sub/c d.json").unlink()
    write(web / "sub/b.json", EDITED)
    write(web / "sub/new-ü.json")
    expect("moved, deleted, edited and new", web, ["moved.json", "sub/b.json", "sub/new-ü.json"])
    expect("from a subfolder", web / "sub", ["b.json", "new-ü.json"])
    expect("from a folder without a repository", top, ["web/moved.json", "web/sub/b.json", "web/sub/new-ü.json"], "--changed", "web")
    git(web, "add", ".")
    git(web, "commit", "-m", "second")

    module = top / "module"
    repository(module, "m.json", "other.json")
    git(web, "submodule", "add", "../module", "module")
    expect("a new submodule", web, ["module/m.json", "module/other.json"])
    git(web, "commit", "-m", "module")
    git(web, "branch", "before")
    expect("an unchanged submodule", web, [])
    write(web / "module/m.json", EDITED)
    write(web / "module/new.json")
    expect("an edited submodule", web, ["module/m.json", "module/new.json"])
    git(web / "module", "add", "m.json")
    git(web / "module", "commit", "-m", "second")
    expect("another commit of a submodule", web, ["module/m.json", "module/new.json"])
    hook = {"GIT_DIR": str(web / ".git"), "GIT_INDEX_FILE": ".git/index"}.items()
    expect("in a hook", web, ["module/m.json", "module/new.json"], environment=hook)
    write(web / "sub/b.json")
    expect("a folder in a hook", web, ["sub/b.json"], "--changed", "sub", environment=hook)
    git(web, "checkout", "sub")
    (web / "module/new.json").unlink()
    git(web, "commit", "-a", "-m", "another module")
    expect("a submodule since a branch", web, ["module/m.json"], "--changed-since", "before")
    expect("a submodule since its commit", web, [])

    repository(web / "inner", "i.json", "j.json")
    write(web / "inner/j.json", EDITED)
    expect("a repository inside", web, ["inner/j.json"])
    shutil.rmtree(web / "inner")

    api = top / "api"
    repository(api, "api.json")
    write(api / "api.json", EDITED)
    write(web / "moved.json", EDITED)
    expect("two repositories", top, ["api/api.json", "web/moved.json"], "--changed", "web", "api")
    expect("another repository", web, ["../api/api.json"], "--changed", "../api")
    write(top / "plain/p.json")
    expect("no repository", web, [], "--changed", "../plain", code=2)
    expect("no revision", web, [], "--changed-since", "nothing", code=2)

if faults:
    sys.exit(f"{faults} faults")
