"""Lays the container image out as its Dockerfile says and runs it in a root of its own: container.py CONTEXT.tar.gz

No container engine is needed, and none is tried: of the Dockerfile's instructions this reads those that the last stage has, and
fails for others. A root has nothing in it but what the image has, so the program runs without a shell, a library or a file of the
system. Those for arm64 run under qemu, which is a part of that root only here.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

BAD = {"family": "web", "requiresCompatibilities": ["FARGATE"], "networkMode": "awsvpc", "cpu": "256", "memory": "768",
       "containerDefinitions": [{"name": "web", "image": "nginx:1.27.2", "essential": True}]}


def last_stage(text):
    """(base, instructions) of the stage that `docker build` makes without --target."""
    lines = [line.split(maxsplit=1) for line in text.splitlines() if line and not line.startswith("#")]
    start = max(i for i, (word, _) in enumerate(lines) if word == "FROM")
    return lines[start][1], lines[start + 1:]


def lay_out(context, root, architecture):
    """The folder, entry point and working folder of the image for this processor."""
    base, instructions = last_stage((context / "Dockerfile").read_text())
    assert base == "scratch", f"the image is based on {base}"
    entry, folder = None, "/"
    for word, rest in instructions:
        if word == "COPY":
            *sources, target = rest.replace("$TARGETARCH", architecture).split()
            place = root / target.lstrip("/")
            for source in sources:
                into = place / pathlib.Path(source).name if target.endswith("/") else place
                into.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(context / source, into)
        elif word == "WORKDIR":
            folder = rest
            (root / folder.lstrip("/")).mkdir(parents=True)
        elif word == "ENTRYPOINT":
            entry = json.loads(rest)
        else:
            assert (word, rest) == ("ARG", "TARGETARCH"), f"unknown instruction: {word} {rest}"
    return entry, folder


def run(root, command, folder):
    # Only root may change the root: others are made root of a namespace of their own.
    enter = [] if os.geteuid() == 0 else ["unshare", "--map-root-user"]
    inside = "import os, sys; os.chroot(sys.argv[1]); os.chdir(sys.argv[2]); os.execve(sys.argv[3], sys.argv[3:], {})"
    return subprocess.run([*enter, sys.executable, "-c", inside, str(root), folder, *command], capture_output=True, text=True)


def main():
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        with tarfile.open(sys.argv[1]) as archive:
            archive.extractall(top)
        context, = top.iterdir()
        here = subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True).stdout.strip()
        architectures = sorted(path.name for path in context.iterdir() if path.is_dir())
        assert here in architectures, architectures
        for architecture in architectures:
            root = top / f"root-{architecture}"
            root.mkdir()
            entry, folder = lay_out(context, root, architecture)
            (root / folder.lstrip("/") / "web.json").write_text(json.dumps(BAD))
            if architecture != here:
                shutil.copy2(shutil.which("qemu-aarch64-static"), root / "qemu")
                entry = ["/qemu", *entry]
            done = run(root, [*entry, "lint", "."], folder)
            assert done.returncode == 1 and "web.json:1:" in done.stdout and "BAY113" in done.stdout, (architecture, done)
            done = run(root, [*entry, "lint", "--output", "json=report.json", "web.json"], folder)
            report = json.loads((root / folder.lstrip("/") / "report.json").read_text())
            assert report["summary"]["error"] > 0, (architecture, done)
            files = sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file() and path.parent.name != "work")
            print(f"container {architecture}: {', '.join(file for file in files if file != 'qemu')}")


main()
