"""Destinations of reports: full disks, closed streams, closed pipes. A report is complete or unchanged.

Each part yields (tried, findings, most CPU, most memory, exit codes).
"""
import os
import pathlib
import resource
import shutil
import subprocess

from extremes import SOUND, Tally, workshop
from runner import ENVIRONMENT, judge

FORMATS = {"lint": ["text", "oneline", "json", "sarif", "github", "gitlab", "junit", "markdown", "csv", "html"], "fit": ["text", "json", "markdown", "csv", "html"],
           "place": ["text", "json", "markdown", "csv", "svg", "html"], "why": ["text", "json", "markdown", "html"], "fleet": ["text", "json", "markdown", "csv", "svg", "html"],
           "repack": ["text", "json", "markdown", "html"], "whatif": ["text", "json", "markdown", "csv", "html"], "diff": ["text", "json", "markdown", "csv", "html"], "sweep": ["jsonl"],
           "explain": ["text", "json", "markdown"], "rules": ["text", "json", "html", "markdown", "csv"], "catalog": ["text", "json", "csv"], "dry-run": ["text", "json", "aws"]}
OLD = b"the report of yesterday\n"


def line(command, *more):
    behind = ["--", "aws", "ecs", "run-task", "--task-definition", "web"] if command == "dry-run" else []
    return [*SOUND[command], *(["--definition", "web.json"] if command == "dry-run" else []), *more, *behind]


def prepared(sandbox, name):
    folder = workshop(sandbox, name)
    (folder / "grid.yaml").write_bytes(b"scenario: scenario.yaml\naxes: {seed: {vary: seed, from: 1, to: 20}}\n")
    return folder


def spawn(sandbox, folder, arguments, limit=None, stdin=subprocess.DEVNULL, closed=(), stdout=None):
    """Starts the program with streams closed, a limit on the size of files, or another standard output."""
    def before():
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        for descriptor in closed:
            os.close(descriptor)
    with open(sandbox.io / "stdout", "wb") as out, open(sandbox.io / "stderr", "wb") as err:
        # The streams of the captor are beyond the limit too: with one, they are pipes to nobody.
        with open(os.devnull, "wb") as nothing:
            streams = (nothing, nothing) if limit is not None else (stdout or out, err)
            return subprocess.Popen([sandbox.program, *arguments], cwd=folder, env=ENVIRONMENT, stdin=stdin, stdout=streams[0], stderr=streams[1],
                                    preexec_fn=before)


def full_places(sandbox, folder):
    """Places to which a report cannot be written whole: (what it is, path, limit of the size of files)."""
    yield "a full device", "/dev/full", None
    yield "a missing folder", "nowhere/report", None
    yield "a folder", ".", None
    yield "a name too long", "n" * 300, None
    yield "below a file", "web.json/report", None
    yield "its own input", "web.json", None
    for limit in (0, 1, 100):
        yield f"files of at most {limit} bytes", "report", limit
        yield f"an old report, and files of at most {limit} bytes", "old", limit


def full(sandbox, project, quick):
    tally = Tally()
    folder = prepared(sandbox, "full")
    inputs = {entry: (folder / entry).read_bytes() for entry in os.listdir(folder)}
    count = 0
    for command, formats in FORMATS.items():
        for form in formats:
            sandbox.run(folder, line(command, "--output", f"{form}=report"))
            size = len((folder / "report").read_bytes())
            (folder / "report").unlink()
            for place, path, limit in full_places(sandbox, folder):
                count += 1
                if quick and count % 13:
                    continue
                if place == "its own input" and command != "lint" or size <= (limit or 0):
                    continue  # what is that short has room
                (folder / "old").write_bytes(OLD)
                arguments = line(command, "--output", f"{form}={path}")
                outcome = sandbox.finish(lambda: spawn(sandbox, folder, arguments, limit))
                label = f"{place}: bayplan {' '.join(arguments)}"
                tally.take(outcome, label, [] if outcome.code == 2 else [f"exit {outcome.code}, not 2"])
                if limit is None:
                    tally.findings += [f"{label}: {one}" for one in judge(outcome, {}, [path, "web.json"])]
                check_folder(tally, label, folder, inputs, {"old": OLD})
    tally = full_disk(sandbox, folder, tally)
    yield tally.result()


def check_folder(tally, label, folder, inputs, more):
    """Nothing but what was there, and that as it was. The lines of a sweep that was cut off may wait under .partial."""
    now = {entry: (folder / entry).read_bytes() for entry in os.listdir(folder) if not entry.endswith(".partial")}
    wanted = {**inputs, **more}
    if now != wanted:
        tally.findings.append(f"{label}: left or changed {[entry for entry in now if now[entry] != wanted.get(entry)]}, lost {sorted(set(wanted) - set(now))}")
    for entry in os.listdir(folder):
        if entry not in wanted:
            (folder / entry).unlink()
    for entry, content in wanted.items():
        (folder / entry).write_bytes(content)


def full_disk(sandbox, folder, tally):
    """A file system of 16 KiB that is full already, where it may be mounted."""
    disk = sandbox.root / "disk"
    disk.mkdir(exist_ok=True)
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "none", disk], capture_output=True).returncode != 0:
        print("SKIPPED a full disk: mounting one is not allowed here; limits and /dev/full stand in for it")
        return tally
    try:
        (disk / "old.json").write_bytes(OLD)
        (disk / "rest").write_bytes(b"x" * 8192)
        for command in FORMATS:
            form = "jsonl" if command == "sweep" else "json"
            for name in ("old.json", "new.json"):
                for path in disk.glob("*.partial"):
                    path.unlink()
                arguments = [*line(command)[:1], "--output", f"{form}={disk}/{name}", *line(command)[1:]]
                (disk / "rest").write_bytes(b"x" * 8192)
                outcome = sandbox.run(folder, arguments)
                label = f"a full disk: bayplan {' '.join(arguments)}"
                kept = {path.name: path.read_bytes() for path in disk.iterdir() if not path.name.endswith(".partial")}
                small = outcome.code in (0, 1)  # the report had room in the last page
                tally.take(outcome, label, judge(outcome, {}, [str(disk)]))
                if not small and kept != {"old.json": OLD, "rest": b"x" * 8192}:
                    tally.findings.append(f"{label}: left {sorted(kept)}")
                (disk / "old.json").write_bytes(OLD)
                (disk / "new.json").unlink(missing_ok=True)
    finally:
        subprocess.run(["umount", disk], check=True)
    return tally


def closed(sandbox, project, quick):
    """Standard streams that are not open: none may end up inside a file, and a report that nobody gets is told."""
    tally = Tally()
    folder = prepared(sandbox, "closed")
    inputs = {entry: (folder / entry).read_bytes() for entry in os.listdir(folder)}
    for command, formats in FORMATS.items():
        # The same line as with closed streams: a page shows the line that made it.
        more = ["--output", f"{formats[-1]}=report"] + (["--output", "text"] if command != "sweep" else [])
        whole = sandbox.run(folder, line(command, *more))
        if not (folder / "report").exists():
            tally.findings.append(f"bayplan {line(command)} writes no {formats[-1]}: {whole.stderr[:300]!r}")
            continue
        wanted = (folder / "report").read_bytes()
        (folder / "report").unlink()
        for streams in ((0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)):
            for form in formats if not quick else formats[:1]:
                if form == "jsonl":
                    continue
                outcome = sandbox.finish(lambda: spawn(sandbox, folder, line(command, "--output", form), closed=streams))
                label = f"closed {streams}: bayplan {' '.join(line(command, '--output', form))}"
                expected = (2,) if 1 in streams else (whole.code,)
                tally.take(outcome, label, judge(outcome, {}, expected=expected) if 2 not in streams else [] if outcome.code in expected else [f"exit {outcome.code}"])
                check_folder(tally, label, folder, inputs, {})
            outcome = sandbox.finish(lambda: spawn(sandbox, folder, line(command, *more), closed=streams))
            label = f"closed {streams}: bayplan {' '.join(line(command, *more))}"
            tally.take(outcome, label, [] if outcome.code in (whole.code, 2) else [f"exit {outcome.code}"])
            check_folder(tally, label, folder, inputs, {"report": wanted} if (folder / "report").exists() else {})
            (folder / "report").unlink(missing_ok=True)
    yield tally.result()


def pipes(sandbox, project, quick):
    """The reader of standard output leaves at once, or after some bytes; one of standard input sends nothing, or half."""
    tally = Tally()
    folder = prepared(sandbox, "pipes")
    for command, formats in FORMATS.items():
        for form in formats if not quick else formats[:2]:
            if form == "jsonl":
                continue
            for wanted in (0, 1, 100):
                arguments = line(command, "--output", form)
                reader, writer = os.pipe()
                if wanted == 0:
                    os.close(reader)

                def start():
                    process = spawn(sandbox, folder, arguments, stdout=writer)
                    os.close(writer)
                    if wanted:
                        os.read(reader, wanted)
                        os.close(reader)
                    return process
                outcome = sandbox.finish(start)
                complaints = judge(outcome, {}, expected=(0, 1))
                tally.take(outcome, f"reader leaves after {wanted} bytes: bayplan {' '.join(arguments)}", complaints)
    for command in (["lint", "-"], ["fit", "-"], ["diff", "-", "web.json"], ["explain", "-"]):
        for label, text in {"nothing": b"", "half": (folder / "web.json").read_bytes()[:40], "NUL": b"\0" * 100}.items():
            reader, writer = os.pipe()
            os.write(writer, text)
            os.close(writer)
            outcome = sandbox.finish(lambda: spawn(sandbox, folder, command, stdin=reader))
            os.close(reader)
            tally.take(outcome, f"{label} on standard input: bayplan {' '.join(command)}", judge(outcome, {}))
        outcome = sandbox.finish(lambda: spawn(sandbox, folder, command, closed=(0,)))
        tally.take(outcome, f"closed standard input: bayplan {' '.join(command)}", judge(outcome, {}))
    yield tally.result()


PARTS = {"full disks": full, "closed streams": closed, "broken pipes": pipes}
