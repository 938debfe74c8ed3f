"""Runs commands where terminals, pipes and threads are not what they usually are: a narrow terminal for progress, pipes that another program
has set to O_NONBLOCK, and a limit on processes that permits no thread.

usage: streams.py BAYPLAN PROJECT
"""
import fcntl
import json
import os
import pathlib
import pty
import re
import resource
import struct
import subprocess
import sys
import tempfile
import termios
import time

PROGRAM, PROJECT = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
TRAIN = str(PROJECT / "examples/two-p3-16xlarge/defs/train-4-gpu.json")
BUSY = ["place", "--instances", "p3.16xlarge=400@us-east-2a,us-east-2b", "--task", f"{TRAIN}=700", "--strategy", "random", "--runs", "20"]
NARROW, NOBODY = 20, 65534
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm"}


def with_progress(words, **options):
    """The exit code, and what was written to a narrow terminal in place of standard error."""
    terminal, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 30, NARROW, 0, 0))
    run = subprocess.Popen([PROGRAM, *words], stdout=subprocess.DEVNULL, stderr=slave, env=ENVIRONMENT, **options)
    os.close(slave)
    text = b""
    while True:
        try:
            text += os.read(terminal, 65536)
        except OSError:
            break
    os.close(terminal)
    return run.wait(), text.decode("utf-8", "replace")


def check_narrow():
    code, text = with_progress([*BUSY[:-1], "5000"])
    shown = [piece for piece in re.split(r"\r\x1b\[K", text) if piece]
    if code not in (0, 1) or not shown or any(len(piece) >= NARROW for piece in shown):
        return f"progress in {NARROW} columns: {code} {shown[:5]}"
    return None


def no_threads():
    if os.getuid() == 0:
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))


def check_no_threads():
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        program = pathlib.Path(name) / "bayplan"  # the build folder may be closed to others
        program.write_bytes(pathlib.Path(PROGRAM).read_bytes())
        program.chmod(0o755)
        task = pathlib.Path(name) / "train.json"
        task.write_bytes(pathlib.Path(TRAIN).read_bytes())
        words = [word.replace(TRAIN, str(task)) for word in BUSY]
        for command in (words, ["lint", "--jobs", "4", str(task)], ["fleet", "--task", f"{task}=3", "--types", "p3.*", "--jobs", "4"]):
            terminal, slave = pty.openpty()
            run = subprocess.run([str(program), *command], stdout=subprocess.PIPE, stderr=slave, cwd="/", env=ENVIRONMENT, preexec_fn=no_threads,
                                 check=False)
            os.close(slave)
            os.set_blocking(terminal, False)
            try:
                told = os.read(terminal, 65536).decode("utf-8", "replace")
            except BlockingIOError:
                told = ""
            os.close(terminal)
            if run.returncode not in (0, 1) or not run.stdout or "internal error" in told:
                return f"{command[0]} without threads: {run.returncode} {told!r}"
    return None


def check_waiting():
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    run = subprocess.Popen([PROGRAM, "explain", "--all", "--format", "json"], stdout=writing, env=ENVIRONMENT)
    os.close(writing)
    time.sleep(0.5)  # the pipe is full
    with os.fdopen(reading, "rb") as pipe:
        text = pipe.read()
    if run.wait() != 0 or len(json.loads(text or b"{}").get("rules", [])) < 100:
        return f"standard output that does not block: {run.returncode}, {len(text)} bytes"

    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    run = subprocess.Popen([PROGRAM, "fit", "-"], stdin=reading, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=ENVIRONMENT)
    os.close(reading)
    text = pathlib.Path(TRAIN).read_bytes()
    with os.fdopen(writing, "wb") as pipe:
        time.sleep(0.3)  # the program asks before there is anything to read
        pipe.write(text[:50])
        pipe.flush()
        time.sleep(0.3)
        pipe.write(text[50:])
    told = run.stdout.read().decode("utf-8", "replace")
    return None if run.wait() == 0 else f"standard input that does not block: {run.returncode} {told!r}"


sys.exit("\n".join(filter(None, [check_narrow(), check_no_threads(), check_waiting()])) or 0)
