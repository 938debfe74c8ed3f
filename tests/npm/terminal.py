"""Runs the npm package in a pseudo-terminal, as its users do, and compares it with the native program where there is one: every command,
pipes that pause, much input, Ctrl-C, a closed terminal, closed streams, and a whole session of the language server.

usage: terminal.py BAYPLAN-VERSION.tgz NODE PROJECT [NATIVE]

NODE: a program, or a folder that nodes.py has put a Node.js into. NATIVE: the native program.
"""
import fcntl
import json
import os
import pathlib
import pty
import re
import select
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tarfile
import tempfile
import termios
import threading
import time

SKIPPED = 77
PATIENCE = 120  # seconds, on a machine that others use
LARGE = 5_000_000
GOOD = """{"family": "web", "requiresCompatibilities": ["EC2"], "networkMode": "bridge",
 "containerDefinitions": [{"name": "web", "image": "nginx:1.27.2", "memory": 512, "essential": true}]}
"""
BAD = GOOD.replace('"memory": 512', '"memory": "512"').replace("EC2", "FARGATE")
GRID = "scenario: examples/night-fleet/night.yaml\naxes:\n  seed: {vary: seed, from: 1, to: 100000}\n"
TRAIN = "examples/two-p3-16xlarge/defs/train-4-gpu.json"
ERASE = "\r\x1b[K"
PROGRESS = re.compile(r"\r\x1b\[K([^\r\n\x1b]*)(?=\r\x1b\[K)")  # it ends when it is erased
COMMANDS = [
    ["--version"], ["--help"], [],
    ["lint", "examples/broken-gpu"], ["lint"], ["lint", "good.json"], ["lint", "none.json"], ["lint", "--no-such-flag"],
    ["lint", "bad.json", "--fix", "--diff"], ["lint", "bad.json", "--output", "html=lint.html"],
    ["fit", "good.json", "--types", "m5.*"],
    ["place", "--instances", "g4dn.12xlarge=2", "--task", "examples/hundred-gpu-tasks/infer.json=9"],
    ["why", TRAIN, "--instances", "p3.8xlarge=1", "--count", "2"],
    ["whatif", "--instances", "p3.16xlarge=2", "--task", f"{TRAIN}=3", "--terminate", "*"],
    ["fleet", "--task", "examples/hundred-gpu-tasks/infer.json=10", "--types", "g4dn.*"],
    ["repack", "examples/one-instance-type/scenario.yaml"],
    ["diff", "good.json", "bad.json"],
    ["sweep", "small-grid.yaml"],
    ["dry-run", "--instances", "p3.16xlarge=1", "--", "aws", "ecs", "run-task", "--task-definition", "web"],
    ["explain", "BAY113"], ["catalog", "p3.*"], ["schema"], ["collect", "--cluster", "prod"], ["completion", "bash"], ["man", "lint"],
]


class Terminal:
    """A program with a terminal of its own; `streams`: what it has in place of the terminal, by descriptor, `None` for a closed one."""

    def __init__(self, command, folder, columns=100, streams=None, controls=True):
        self.terminal, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 30, columns, 0, 0))
        self.text = b""
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            if controls:
                fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell that runs the tests in the background ignores it
            for descriptor in (0, 1, 2):
                stream = (streams or {}).get(descriptor, slave)
                if stream is None:
                    os.close(descriptor)
                else:
                    os.dup2(stream, descriptor)
            os.closerange(3, 256)
            os.chdir(folder)
            os.execve(command[0], command, ENVIRONMENT)
        os.close(slave)
        self.began = time.monotonic()

    def read(self, until=None):
        """Reads to the end, or until the text has come; False if it has not."""
        while until is None or until.encode() not in self.text:
            if time.monotonic() - self.began > PATIENCE:
                os.kill(self.pid, signal.SIGKILL)
                raise AssertionError(f"still running after {PATIENCE} s; it printed {self.text[-400:]!r}")
            if not select.select([self.terminal], [], [], 0.05)[0]:
                continue
            try:
                got = os.read(self.terminal, 65536)
            except OSError:
                got = b""
            if not got:
                return False
            self.text += got
        return True

    def press(self, keys):
        os.write(self.terminal, keys)

    def end(self):
        """What was printed, without progress, and the exit code: negative for a signal."""
        self.read()
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self.terminal)
        return PROGRESS.sub("", self.text.decode("utf-8", "replace")).replace(ERASE, "").replace("\r\n", "\n"), code


ENVIRONMENT = {"PATH": os.environ["PATH"], "HOME": tempfile.gettempdir(), "LC_ALL": "C.UTF-8", "TERM": "xterm"}


def in_terminal(command, folder, **options):
    return Terminal(command, folder, **options).end()


def fed(command, folder, pieces, pause=0.0, **options):
    """Like `in_terminal`, but standard input is a pipe that gets the pieces, with a pause between them."""
    reading, writing = os.pipe()
    os.set_inheritable(reading, True)

    def feed():
        with os.fdopen(writing, "wb") as pipe:
            for number, piece in enumerate(pieces):
                time.sleep(pause if number else 0)
                try:
                    pipe.write(piece)
                    pipe.flush()
                except BrokenPipeError:
                    return

    program = Terminal(command, folder, streams={0: reading}, **options)
    os.close(reading)
    feeder = threading.Thread(target=feed)
    feeder.start()
    try:
        return program.end()
    finally:
        feeder.join()


def check_same(seen, expected, what):
    if seen != expected:
        lines = zip((seen[0] + "\n").split("\n"), (expected[0] + "\n").split("\n"))
        first = next((pair for pair in lines if pair[0] != pair[1]), "no line")
        raise AssertionError(f"{what}: exit code {seen[1]} instead of {expected[1]}; first different line: {first}")


def check_plain(text, what):
    """No stack trace of Node.js, and no error of the program's own."""
    for word in ("internal error", "    at ", "node:internal", "Assertion"):
        assert word not in text, f"{what}: {text[-800:]}"


# ---------------------------------------------------------------------------------------------------------------------


def check_commands(npm, native, folder):
    """Each command prints what the native program prints, and ends with its exit code."""
    for words in COMMANDS:
        name = " ".join(["bayplan", *words])
        seen = in_terminal([*npm, *words], folder)
        check_plain(seen[0], name)
        assert seen[1] in (0, 1, 2) and seen[0].strip(), f"{name}: {seen}"
        if native:
            check_same(seen, in_terminal([*native, *words], folder), name)


def check_width(npm, native, folder):
    """Progress fits the terminal of standard error, even if standard output is no terminal."""
    for program in filter(None, (npm, native)):
        with open(os.devnull, "wb") as nothing:
            run = Terminal([*program, "whatif", "--instances", "p3.16xlarge=600", "--task", f"{TRAIN}=1200", "--terminate", "*"], folder,
                           columns=24, streams={1: nothing.fileno()})
            run.read()
        shown = PROGRESS.findall(run.text.decode())
        _, code = run.end()
        assert code in (0, 1) and all(len(piece) < 24 for piece in shown), f"{program[-1]}: {code} {shown}"
        if program is npm:
            assert any(shown), "no progress"


def check_slow_pipes(npm, native, folder):
    del native
    pieces = [BAD[:40].encode(), BAD[40:90].encode(), BAD[90:].encode()]
    whole = in_terminal([*npm, "lint", "--stdin-filename", "bad.json", "bad.json"], folder)
    assert whole[1] == 1, whole
    seen = fed([*npm, "lint", "--stdin-filename", "bad.json", "-"], folder, pieces, pause=0.4)
    assert seen == whole, f"lint of a slow pipe: {seen}\ninstead of {whole}"
    for words in (["fit", "-", "--types", "m5.*"], ["place", "--instances", "m5.large=2", "--task", "-=3"]):
        seen = fed([*npm, *words], folder, [GOOD[:60].encode(), GOOD[60:].encode()], pause=0.4)
        check_plain(seen[0], " ".join(words))
        assert seen[1] == 0, seen


def check_large_input(npm, native, folder):
    """More than a pipe holds, at once, from a file and typed."""
    blanks = "\n".join(" " * 99 for _ in range(LARGE // 100))
    text = BAD.replace('"containerDefinitions"', blanks + '"containerDefinitions"').encode()
    (folder / "large.json").write_bytes(text)
    words = ["lint", "--stdin-filename", "large.json", "--format", "oneline"]
    whole = in_terminal([*npm, *words, "large.json"], folder)
    half, last_line = len(text) // 2, text.count(b"\n", 0, text.index(b"512")) + 1
    assert whole[1] == 1 and f"large.json:{last_line}:" in whole[0] and "unclosed" not in whole[0], whole
    assert fed([*npm, *words, "-"], folder, [text]) == whole, "5 MB through a pipe"
    assert fed([*npm, *words, "-"], folder, [text[:half], text[half:]], pause=0.4) == whole, "5 MB through a pipe that pauses"
    with (folder / "large.json").open("rb") as file:
        assert in_terminal([*npm, *words, "-"], folder, streams={0: file.fileno()}) == whole, "5 MB from a file"
    if native:
        check_same(whole, in_terminal([*native, *words, "large.json"], folder), "lint of 5 MB")


def check_typed_input(npm, native, folder):
    """A file that is typed, or pasted, and ends with Ctrl-D."""
    seen = []
    for program in filter(None, (npm, native)):
        run = Terminal([*program, "lint", "--format", "oneline", "-"], folder)
        time.sleep(0.3)
        for line in BAD.splitlines(keepends=True):
            run.press(line.encode())
            time.sleep(0.2)
        run.press(b"\x04")
        seen.append(run.end())
        assert seen[-1][1] == 1 and "BAY117" in seen[-1][0] and "BAY017" in seen[-1][0], seen
    assert len({code for _, code in seen}) == 1


def check_streams_that_do_not_block(npm, native, folder):
    """Another program may have set a pipe to O_NONBLOCK: all of the output arrives, and all of the input is read."""
    for program in filter(None, (npm, native)):
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        run = subprocess.Popen([*program, "catalog", "--format", "json"], stdout=writing, cwd=folder, env=ENVIRONMENT)
        os.close(writing)
        time.sleep(1)  # the pipe is full
        with os.fdopen(reading, "rb") as pipe:
            text = pipe.read()
        assert run.wait(PATIENCE) == 0 and len(text) > 200_000 and json.loads(text), (program[-1], len(text))

        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        run = subprocess.Popen([*program, "fit", "-", "--types", "m5.*"], stdin=reading, stdout=subprocess.DEVNULL, cwd=folder, env=ENVIRONMENT)
        os.close(reading)
        with os.fdopen(writing, "wb") as pipe:
            time.sleep(1)  # the program asks before there is anything to read
            pipe.write(GOOD.encode())
        assert run.wait(PATIENCE) == 0, program[-1]


def check_interrupts(npm, native, folder):
    """Ctrl-C ends a command with SIGINT, leaves no half-written file, and those that search report what they have."""
    cases = [
        (["place", "--instances", "p3.16xlarge=400@us-east-2a,us-east-2b", "--task", f"{TRAIN}=700", "--strategy", "random", "--runs", "100000",
          "--output", "json=report.json"], "placing",
          "interrupted; no file was left incomplete", []),
        (["sweep", "grid.yaml", "--output", "jsonl=lines.jsonl"], "sweep: ", "Kept in lines.jsonl.partial", ["lines.jsonl.partial"]),
        (["fleet", "examples/cheapest-fleet/scenario.yaml", "--effort", "4000000000", "--orders", "10000"], "\x1b[K", "Interrupted: the best fleet so far", []),
        (["lint", "-"], None, "", []),
    ]
    for words, progress, end, files in cases:
        name = " ".join(words[:2])
        for program in filter(None, (npm, native)):
            before = set(os.listdir(folder))
            run = Terminal([*program, *words], folder)
            if progress is None:
                time.sleep(1)
            else:
                assert run.read(until=progress), f"{name}: no progress"
                time.sleep(1)
            run.press(b"\x03")
            text, code = run.end()
            left = sorted(set(os.listdir(folder)) - before)
            check_plain(text, name)
            assert code == -signal.SIGINT and left == files and end in text, f"{program[-1]} {name}: {code}, left {left}, {text[-400:]!r}"
            for file in left:
                (folder / file).unlink()
    run = Terminal([*npm, "sweep", "grid.yaml"], folder)
    assert run.read(until="sweep: ")
    os.kill(run.pid, signal.SIGTERM)
    text, code = run.end()
    assert code == -signal.SIGTERM and "stopped after" in text, (code, text)


def check_lost_terminals(npm, native, folder):
    """The window is closed: a program that it controls ends by SIGHUP, another one as if the disk were broken."""
    for controls in (True, False):
        codes = {}
        for program in filter(None, (npm, native)):
            errors, sink = os.pipe()
            run = Terminal([*program, "lint", "-", "--stdin-filename", "a.json"], folder, controls=controls, streams={2: sink})
            os.close(sink)
            time.sleep(1)
            os.close(run.terminal)
            codes[program[-1]] = os.waitstatus_to_exitcode(os.waitpid(run.pid, 0)[1])
            with os.fdopen(errors, "rb") as pipe:
                check_plain(pipe.read().decode(), "a terminal that is gone")
        expected = -signal.SIGHUP if controls else 2
        assert set(codes.values()) == {expected}, (controls, codes)


def check_closed_streams(npm, native, folder):
    for closed in (0, 2):
        for words in (["lint", "-"], ["lint", "good.json"], ["lint", "bad.json"], ["lint", "none.json"]):
            if closed == 2 and words[1] == "-":
                continue  # waits for the terminal
            seen = in_terminal([*npm, *words], folder, streams={closed: None})
            check_plain(seen[0], f"descriptor {closed} closed")
            if native:
                check_same(seen, in_terminal([*native, *words], folder, streams={closed: None}), f"{words} with descriptor {closed} closed")
            elif words[1] == "-":
                assert seen[1] == 2 and "standard input is closed" in seen[0], seen
    gone, writing = os.pipe()
    os.close(gone)
    for words in (["lint", "bad.json"], ["catalog", "--format", "json"]):
        seen = in_terminal([*npm, *words], folder, streams={1: writing})
        assert seen == ("", 0), f"a reader that has gone: {seen}"
    with open("/dev/full", "wb") as full:
        seen = in_terminal([*npm, "lint", "bad.json"], folder, streams={1: full.fileno()})
        assert seen[1] == 2 and seen[0] == "bayplan: cannot write the output: No space left on device\n", seen


def check_files(npm, native, folder):
    """Reports appear whole or not at all, with the modes and errors of the native program."""
    place = ["place", "--instances", "m5.large=2", "--task", "good.json=3", "--quiet"]
    (folder / "sealed").mkdir(mode=0o755, exist_ok=True)
    for file in ("new.html", "none/new.html", "good.json/new.html", "sealed", "/dev/null", "new.html"):
        told = {}
        for program in filter(None, (npm, native)):
            text, code = in_terminal([*program, *place, "--output", f"html={file}"], folder)
            path = folder / file
            told[program[-1]] = text, code, oct(path.stat().st_mode) if path.exists() else None
        assert len(set(told.values())) == 1, (file, told)
    assert (folder / "new.html").read_text(encoding="utf-8").rstrip().endswith("</html>")
    assert not [name for name in os.listdir(folder) if name.startswith("new.html.")], os.listdir(folder)
    for program in filter(None, (npm, native)):  # descriptors of the shell
        line = " ".join(shlex.quote(word) for word in [*program, "lint", "bad.json", "--quiet", "--output", "json=/dev/fd/7"])
        text, code = in_terminal(["/bin/sh", "-c", f"{line} 7>seven.json"], folder)
        assert code == 1 and text == "" and json.loads((folder / "seven.json").read_text(encoding="utf-8"))["findings"], (text, code)
        line = line.replace("/dev/fd/7", "/dev/fd/99")
        text, code = in_terminal(["/bin/sh", "-c", line], folder)
        assert code == 2 and "Bad file descriptor" in text, (text, code)


def check_npx(npm, native, folder):
    del native
    npx = shutil.which("npx")
    if npx is None:
        print("not run: npx is not there")
        return
    text, code = in_terminal([npx, "--no-install", "bayplan", "lint", "good.json"], folder)
    check_plain(text, "npx")
    assert code == 0 and "1 file" in text, (text, code)


API = """
import { lint, fit, place, whatif, fleet, explain, run } from "bayplan";
import { findingsIn } from "bayplan/cdk";
const files = { "web.json": process.argv[2], "scenario.yaml": `region: us-east-1
cluster: {containerInstances: [{instanceType: m5.large, count: 2, availabilityZones: [us-east-1a]}]}
taskDefinitions: [web.json]
tasks: [{taskDefinition: web, count: 3}]
` };
console.log([lint(process.argv[2]).summary.error, fit({ files, paths: "web.json" }, { types: "m5.*" }).taskDefinitions.length,
  place({ files }).summary.placed, whatif({ files }, { terminate: "*" }).variants.length > 0, fleet({ files }, { types: "m5.*" }).recommended.hourlyCost > 0,
  explain("BAY113").rules.length, run(["lint", "good.json"], { folder: "." }).exitCode, findingsIn({ Resources: {} }).length].join(" "));
"""


def check_api(npm, native, folder):
    """The API prints nothing on the terminal of its caller."""
    del native
    (folder / "api.mjs").write_text(API, encoding="utf-8")
    text, code = in_terminal([npm[0], "api.mjs", GOOD], folder)
    assert code == 0 and text == "0 1 3 true true 1 0 0\n", (text, code)


def check_language_server(npm, native, folder):
    """The sessions of tests/clients/lsp_session.py, with a terminal for standard error, and messages that arrive in pieces."""
    del native
    program = folder / "bayplan-npm"
    program.write_text(f'#!/bin/sh\nexec "{npm[0]}" "{npm[1]}" "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    checks = ["check_begin_and_end", "check_diagnostics", "check_utf8", "check_bursts", "check_canceling", "check_malformed", "check_config", "check_completion",
              "check_own_files", "check_hover", "check_actions"]
    session = PROJECT / "tests" / "clients" / "lsp_session.py"
    text, code = in_terminal([sys.executable, str(session), str(program), *checks], folder)
    assert code == 0, text

    def message(method, number=None, params=None):
        content = json.dumps({"jsonrpc": "2.0", "method": method, "params": params or {}, **({"id": number} if number else {})}).encode()
        return b"Content-Length: %d\r\n\r\n" % len(content) + content

    everything = message("initialize", 1, {"capabilities": {}}) + message("shutdown", 2) + message("exit")
    pieces = [everything[at:at + 60] for at in range(0, len(everything), 60)]
    text, code = fed([*npm, "lsp"], folder, pieces, pause=0.1)
    assert code == 0 and '"id":2' in text.replace(" ", ""), (text, code)


CHECKS = [check_commands, check_width, check_slow_pipes, check_large_input, check_typed_input, check_streams_that_do_not_block, check_interrupts,
          check_lost_terminals, check_closed_streams, check_files, check_npx, check_api, check_language_server]


def prepare(folder, package, project):
    """A project with the package installed, as `npm install` does it without the network."""
    installed = folder / "node_modules" / "bayplan"
    installed.parent.mkdir()
    with tarfile.open(package) as archive:
        archive.extractall(folder)
    (folder / "package").rename(installed)
    (installed.parent / ".bin").mkdir()
    (installed.parent / ".bin" / "bayplan").symlink_to("../bayplan/bin/bayplan.js")
    (folder / "package.json").write_text('{"name": "user", "version": "1.0.0", "private": true}', encoding="utf-8")
    shutil.copytree(project / "examples", folder / "examples")
    for name, text in {"good.json": GOOD, "bad.json": BAD, "grid.yaml": GRID, "small-grid.yaml": GRID.replace("100000", "3")}.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / ".git").mkdir()  # no config from above
    return installed / "bin" / "bayplan.js"


def main():
    global PROJECT
    package, node, PROJECT = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    native = [str(pathlib.Path(sys.argv[4]).resolve())] if len(sys.argv) > 4 else None
    node = node / "bin" / "node" if node.is_dir() else node
    for needed, maker in ((package, "scripts/npm"), (node, "tests/npm/nodes.py")):
        if not needed.exists():
            print(f"skipped: {needed} is not there; {maker} makes it")
            return SKIPPED
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    print(f"Node.js {version}")
    ENVIRONMENT["PATH"] = f"{node.parent}:{ENVIRONMENT['PATH']}"
    only = os.environ.get("ONLY", "").split()
    failed = 0
    for check in CHECKS:
        if only and check.__name__ not in only:
            continue
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name).resolve()
            program = prepare(folder, package, PROJECT)
            began = time.monotonic()
            try:
                check([str(node), str(program)], native, folder)
            except Exception as error:  # the other checks go on
                failed += 1
                print(f"FAILED: {check.__name__}: {type(error).__name__}: {error}")
            print(f"{check.__name__}: {time.monotonic() - began:.1f} s", flush=True)
    print(f"{len(CHECKS)} checks, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
