"""Runs the program once and checks the requirements for every run, whatever the input.

Exit code 0, 1 or 2; a message with a position for 2; the run terminates with at most 300 MB; complete reports, with JSON that a
strict reader accepts; no temporary files.
"""
import contextlib
import dataclasses
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

#: What takes more than this of the processor hangs. It is no measure of speed: a shared machine may take ten times as long as an
#: idle one, and what grows with the square of a file of 100 MB would take days. The table of zoo.py has what each part took.
CPU_SECONDS = 100.0
RSS_BYTES = 300 << 20
#: Nothing may hang: what has not ended after this long is killed, and a finding.
WALL_SECONDS = 200.0
ENVIRONMENT = {"LC_ALL": "C.UTF-8", "PATH": os.environ.get("PATH", ""), "HOME": "/nonexistent"}

CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


@dataclasses.dataclass
class Outcome:
    """How a run ended: `code` as a shell tells it, so 128 and more for a signal."""
    code: int
    stdout: bytes
    stderr: bytes
    cpu: float
    rss: int
    wall: float
    hung: bool = False


def strict_json(data):
    """The value of a JSON text without duplicate keys, NaN, Infinity, or bytes that are no UTF-8; ValueError else."""
    def unique(pairs):
        members = dict(pairs)
        if len(members) != len(pairs):
            raise ValueError(f"duplicate keys among {[name for name, _ in pairs][:20]}")
        return members

    def constant(word):
        raise ValueError(f"{word} is no JSON")
    return json.loads(data.decode("utf-8"), object_pairs_hook=unique, parse_constant=constant)


class Sandbox:
    """A folder to run in: `tree` holds copies of the inputs, `out` is where reports go, `io` holds the streams."""

    def __init__(self, program, inputs, parent):
        self.program = str(program)
        self.root = pathlib.Path(tempfile.mkdtemp(dir=parent))
        self.tree, self.out, self.io = (self.root / name for name in ("tree", "out", "io"))
        for folder in (self.tree, self.out, self.io):
            folder.mkdir()
        for source, name in inputs:
            shutil.copytree(source, self.tree / name)
        self.child = 0
        signal.signal(signal.SIGALRM, self._kill)

    def _kill(self, *_):
        with contextlib.suppress(ProcessLookupError):
            if self.child:
                os.kill(self.child, signal.SIGKILL)

    def run(self, folder, arguments, stdin=os.devnull, stdout=None, kill_after=None, signals=()):
        """Runs the program in `folder`. `stdout`: a path in place of the captured one; `signals`: (seconds, signal) sent
        one after the other, counted from the start."""
        os.chdir(folder)
        paths = [stdin, stdout or str(self.io / "stdout"), str(self.io / "stderr")]
        writing = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        actions = [(os.POSIX_SPAWN_OPEN, 0, paths[0], os.O_RDONLY, 0)]
        actions += [(os.POSIX_SPAWN_OPEN, fd, paths[fd], writing, 0o600) for fd in (1, 2)]
        # Signals count, whoever started this script and told it to ignore them.
        watched = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
        return self.finish(lambda: os.posix_spawn(self.program, [self.program, *arguments], ENVIRONMENT, file_actions=actions, setsigdef=watched),
                           stdout is None, kill_after, signals)

    def finish(self, start, captures=True, kill_after=None, signals=()):
        """Waits for the process that `start` gives, as a number or a Popen."""
        begun = time.monotonic()
        started = start()
        self.child = getattr(started, "pid", started)
        for seconds, number in signals:
            time.sleep(max(0.0, begun + seconds - time.monotonic()))
            os.kill(self.child, number)  # not yet waited for, so the number is still its own
        signal.setitimer(signal.ITIMER_REAL, kill_after or WALL_SECONDS)
        _, status, usage = os.wait4(self.child, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        self.child = 0
        wall = time.monotonic() - begun
        code = os.waitstatus_to_exitcode(status)
        if started is not None and not isinstance(started, int):
            started.returncode = code  # or it would wait for the number, which is another's by now
        return Outcome(code if code >= 0 else 128 - code, (self.io / "stdout").read_bytes() if captures else b"",
                       (self.io / "stderr").read_bytes(), usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10, wall,
                       wall >= (kill_after or WALL_SECONDS))

    def reports(self):
        """What lies in the folder for reports, which is empty afterwards."""
        found = {}
        for entry in sorted(os.listdir(self.out)):
            path = self.out / entry
            found[entry] = path.read_bytes()
            path.unlink()
        return found


class Driver:
    """One command line that runs again and again inside one process (driver.cpp), judged like a run of its own."""

    def __init__(self, sandbox, program, folder, arguments):
        self.start = lambda: subprocess.Popen([program, *arguments], cwd=folder, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.sandbox, self.process = sandbox, self.start()

    def run(self):
        self.sandbox.child = self.process.pid
        signal.setitimer(signal.ITIMER_REAL, WALL_SECONDS)
        try:
            self.process.stdin.write(b"\n")
            self.process.stdin.flush()
            head = self.process.stdout.readline().split()
            sizes = [int(size) for size in head[3:]]
            texts = [self.process.stdout.read(size) for size in sizes]
        except BrokenPipeError:
            head = []
        signal.setitimer(signal.ITIMER_REAL, 0)
        self.sandbox.child = 0
        if head:
            return Outcome(int(head[0]), *texts, int(head[1]) / 1e6, int(head[2]) << 10, 0.0)
        died = self.process.wait()
        words = self.process.stderr.read()
        self.process = self.start()
        return Outcome(128 - died if died < 0 else died, b"", words, 0.0, 0, 0.0, died == -signal.SIGKILL)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


POSITION = re.compile(r"\S.*?:[1-9]\d*:[1-9]\d*(: | error BAY\d+ )")
#: What is said of a file or stream as a whole: no line of it is at fault.
OF_THE_WHOLE = re.compile(r"is (closed|a folder|larger than|not a regular file|a broken link|a file to check|a Terraform plan)|leads out of|is a symbolic link to a file outside|contains no |no file '|the (file|name of a file) is empty|the file has no price|nothing to|holds no |this is no "
                          r"|is a template without|no (change to simulate|task definition|container instance|instance|service|cluster)|clusters are described|not a task definition|would overwrite this input|[Nn]o such (file|device)|Permission denied|File name too long|Not a directory"
                          r"|Input/output error|Bad file descriptor|Is a directory|No space left|File too large|folder not found|another program is writing")
STREAM = re.compile(r"-: |standard (input|output)\b|cannot write the output\b")
#: What the command line says or lacks: an option, an empty word in place of one.
OF_THE_LINE = re.compile(r"(?<![\w-])--?[a-z][a-z-]*|^[A-Z ]+ is empty \(unset variable\?\)")


def names(text, word):
    """Whether a text names a file or a word, as a word of its own; the folder is named by its dot."""
    if word == ".":
        return text.startswith(".: ") or text.endswith(" in '.'")
    return bool(word) and re.search(rf"(?<![\w.-]){re.escape(word)}(?![\w-])", text) is not None


def words_in(arguments):
    """What a message may quote of a command line, as it would show it."""
    shown = [CONTROL.sub("\ufffd", word.encode("utf-8", "surrogateescape").decode("utf-8", "replace")).replace("\n", "\ufffd") for word in arguments]
    return {part for word in shown for part in (word, *re.split("[=,@:]", word), word.partition("=")[2])}


def has_place(line, files=(), words=()):
    """Whether a line of standard error says where: line and column of a text, a file or stream of which no line is at fault,
    or what of the command line is. `files`: those that may be named; `words`: of the command line."""
    rest = line.removeprefix("bayplan: ")
    if POSITION.match(rest):
        return True
    if rest == line:
        return False
    if OF_THE_WHOLE.search(rest) and (STREAM.match(rest) or any(names(rest, name) for name in files)):
        return True
    return OF_THE_LINE.search(rest) is not None or any(f"'{word}'" in rest or names(rest, word) for word in words)


def check_the_judge():
    """What says no place is found out, and what says one is not."""
    assert has_place("bayplan: web.json:1:2: unexpected", ["web.json"]) and has_place("web.json:3:4 error BAY001 json: x") and has_place("bayplan: web.json: is a folder", ["web.json"])
    assert has_place("bayplan: no task definition found in '.'", ["."])
    assert has_place("bayplan: unknown option '--x'") and has_place("bayplan: no task 'web'", words=["web"]) and has_place("bayplan: standard input: nothing to explain")
    assert has_place("bayplan: ../mine.csv: the file has no price in us-east-1", ["mine.csv"]) and not has_place("bayplan: the file has no price in us-east-1", ["mine.csv"])
    assert not has_place("bayplan: web.json: unexpected }", ["web.json"]) and not has_place("bayplan: something is wrong", ["", "."], ["", "x"])
    assert not has_place("web.json is a folder", ["web.json"]) and not has_place("bayplan: old-web.json: is a folder", ["web.json"]) and not has_place("bayplan: is a folder", [""])


def judge(outcome, reports, files=(), wanted=None, expected=(0, 1, 2), rss=RSS_BYTES, words=()):
    """Complaints about a run. `files`, `words`: names of files, and words of the command line, that a message may give as its
    place; `wanted`: report that must be there and whole unless the exit is 2, JSON by its name."""
    complaints = []
    if outcome.hung:
        complaints.append(f"hung for {outcome.wall:.0f} s")
    elif outcome.code not in expected:
        complaints.append(f"exit {outcome.code}")
    if outcome.cpu > CPU_SECONDS:
        complaints.append(f"{outcome.cpu:.2f} s of processor")
    if outcome.rss > rss:
        complaints.append(f"{outcome.rss >> 20} MiB")
    stderr = decoded(outcome.stderr, "standard error", complaints)
    decoded(outcome.stdout, "standard output", complaints)
    if outcome.code == 2 and not any(has_place(line, files, words) for line in stderr.splitlines()):
        complaints.append(f"a message without a place: {stderr[:200]!r}")
    for name, content in reports.items():
        if name != wanted:
            complaints.append(f"left {name} behind")
        elif name.endswith(".json"):
            try:
                strict_json(content)
            except ValueError as problem:
                complaints.append(f"{name} is broken: {problem}")
    if wanted and wanted not in reports and outcome.code in (0, 1):
        complaints.append(f"exit {outcome.code} without {wanted}")
    return complaints


def decoded(data, name, complaints):
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as problem:
        complaints.append(f"{name} is no UTF-8: {problem}")
        return data.decode("utf-8", "replace")
    is_csv = "\r\n" in text and text.count("\r\n") == text.count("\n")  # RFC 4180 ends every record so
    control = CONTROL.search(text.replace("\r\n", "\n") if is_csv else text)
    if control:
        complaints.append(f"{name} holds the control character {control[0]!r}")
    return text
