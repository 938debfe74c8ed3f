"""Runs long commands in a terminal: each says how far it is, ends at once at Ctrl-C with what it keeps, and leaves no half-written file.

usage: interrupts.py BAYPLAN PROJECT
"""
import os
import pathlib
import pty
import select
import shutil
import signal
import sys
import tempfile
import time

PROGRAM, PROJECT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
LIMIT = 5  # seconds from Ctrl-C to the end, on a machine that others use; alone it takes a tenth of a second
TRAIN = "examples/two-p3-16xlarge/defs/train-4-gpu.json"
LARGE = ["--instances", "p3.16xlarge=400@us-east-2a,us-east-2b", "--task", f"{TRAIN}=700", "--strategy", "random"]
VAST = ["--instances", "p3.16xlarge=200000@us-east-2a,us-east-2b,us-east-2c",  # each phase takes a second
        "--strategy", "spread:attribute:ecs.availability-zone", "--strategy", "binpack:memory"]
WEEK = """region: us-east-1
cluster:
  containerInstances: [{instanceType: m5.large, count: 600, availabilityZones: [us-east-1a, us-east-1b, us-east-1c]}]
taskDefinitions: [examples/lost-zone/*.json]
services: [{serviceName: web, taskDefinition: web, desiredCount: 900}]
tasks: [{taskDefinition: nightly, count: 600, startAt: 2h, duration: 45m}]
settings: {whenFull: wait}
"""
GRID = "scenario: {}\naxes:\n  seed: {{vary: seed, from: 1, to: 100000}}\n"
CASES = [  # arguments, words of the progress, words of the end, files that may stay
    (["place", *LARGE, "--runs", "100000", "--output", "json=report.json"], "placing in tie orders: ", "interrupted; no file was left incomplete", []),
    (["sweep", "grid.yaml", "--output", "jsonl=lines.jsonl"], "sweep: ", "Kept in lines.jsonl.partial", ["lines.jsonl.partial"]),
    (["place", "--task", f"{TRAIN}=399000", *VAST], "placing tasks", "interrupted; no file was left incomplete", []),
    (["why", TRAIN, "--count", "401000", *VAST], "explaining the result", "interrupted; no file was left incomplete", []),
    (["whatif", "week.yaml", "--each-instance", "--at", "1h"], "simulating ", "interrupted; no file was left incomplete", []),
]


def in_terminal(arguments, progress, folder):
    """What is printed, the exit status as os.wait tells it, and the seconds from Ctrl-C to the end. Ctrl-C follows the first progress, of
    which the control characters may come alone."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell that runs the tests in the background ignores it
        os.execve(PROGRAM, ["bayplan", *arguments], {"LC_ALL": "C.UTF-8", "TERM": "xterm"})
    text, began, pressed = b"", time.monotonic(), None
    while time.monotonic() - began < 100:
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                text += os.read(terminal, 65536)
            except OSError:
                break
        if pressed is None and b"\x1b[K" in text and progress.encode() in text:
            os.write(terminal, b"\x03")
            pressed = time.monotonic()
    ended = time.monotonic()
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return text.decode("utf-8", "replace"), status, ended - pressed if pressed else None


def main():
    mistakes = []
    for arguments, progress, end, files in CASES:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            shutil.copytree(PROJECT / "examples", folder / "examples")
            (folder / "grid.yaml").write_text(GRID.format("examples/night-fleet/night.yaml"), encoding="utf-8")
            (folder / "week.yaml").write_text(WEEK, encoding="utf-8")
            text, status, seconds = in_terminal(arguments, progress, folder)
            left = sorted(path.name for path in folder.iterdir() if path.name not in ("examples", "grid.yaml", "week.yaml"))
        told = f"{arguments[0]}: status {status}, {seconds} s, left {left}, printed {text[-400:]!r}"
        if progress not in text or end not in text or left != files or status != -2 or seconds is None or seconds > LIMIT:
            mistakes.append(told)
    sys.exit("\n".join(mistakes) or 0)


main()
