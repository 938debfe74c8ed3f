"""Sends a signal at every system call of every command that writes files, so no moment between two calls is missed.

`strace` lists the calls of a run and injects the signal at the N-th call of a name. Expected: the run ends by the signal or
normally; each output is the complete old or new file; nothing else remains, except what a sweep resumes from.

Each part yields (tried, findings, most CPU, most memory, exit codes).
"""
import dataclasses
import os
import re
import shutil
import signal
import subprocess

from extremes import GRID, Tally, workshop
from runner import ENVIRONMENT
from signals import is_whole

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
CALL = re.compile(r"^(\w+)\(")
#: Calls before or after which there is no program to be told anything.
NOT_OF_THE_PROGRAM = {"execve", "exit_group"}
OLD = b"what was here before\n"
#: A file that `lint --fix` mends.
FAULTY = b'{"family": "web", "containerDefinitions": [{"name": "c", "image": "nginx:1", "memory": "64", "cpu": "128"}]}\n'


@dataclasses.dataclass
class Run:
    """A command line, the files that it writes, and what may stand beside them when it is stopped."""
    arguments: list
    outputs: list
    stdin: bytes = b""
    told: tuple = ()  # beside the outputs: the message says that the same command goes on from there
    catches: bool = False  # ends in good order: with any exit code it has for that,
    answers: bool = False  # and with the best that was found so far
    replaces: bool = True  # whether an output may be there already


def frames(*messages):
    return b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(message), message) for message in messages)


SESSION = frames(b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}', b'{"jsonrpc": "2.0", "method": "initialized", "params": {}}',
                 b'{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {"uri": "untitled:web.json", "languageId": "json", "version": 1, '
                 b'"text": "{\\"family\\": 5, \\"containerDefinitions\\": [{}]}"}}}',
                 b'{"jsonrpc": "2.0", "id": 2, "method": "textDocument/hover", "params": {"textDocument": {"uri": "untitled:web.json"}, "position": {"line": 0, "character": 3}}}',
                 b'{"jsonrpc": "2.0", "id": 3, "method": "shutdown"}', b'{"jsonrpc": "2.0", "method": "exit"}')


def runs():
    def writing(words, *formats, **more):
        return Run([*words, *[word for form in formats for word in ("--output", f"{form}=o.{form}")]], [f"o.{form}" for form in formats], **more)
    web = ["--task", "web.json=3", "--instances", "m5.large=2@us-east-1a"]
    return [
        writing(["lint", "faulty", "web.json"], "json", "sarif", "html"),
        Run(["lint", "--fix", "faulty"], ["faulty/0.json", "faulty/1.json", "faulty/2.json"]),
        Run(["lint", "--diff", "faulty"], []),
        Run(["lint", "--create-baseline", "o.baseline", "faulty"], ["o.baseline"]),
        Run(["lint", "--init", "."], [".bayplan.yaml"], replaces=False),
        writing(["fit", "web.json", "--types", "m5.*"], "json", "csv", "html"),
        writing(["place", "scenario.yaml"], "json", "svg", "html"),
        writing(["why", "web", "scenario.yaml"], "json", "markdown"),
        writing(["whatif", "scenario.yaml", "--each-az"], "json", "html"),
        writing(["repack", "scenario.yaml"], "json"),
        writing(["diff", "web.json", "faulty/0.json"], "json", "markdown"),
        writing(["fleet", "scenario.yaml", "--effort", "1000", "--orders", "2", "--types", "m5.large"], "json", "svg", catches=True, answers=True),
        writing(["sweep", "grid.yaml", "-q", "-j2"], "jsonl", told=("o.jsonl.partial",), catches=True, replaces=False),
        Run(["dry-run", "--output", "json=o.json", "--definition", "web.json", "--instances", "m5.large=2", "--", "aws", "ecs", "run-task", "--task-definition", "web"], ["o.json"]),
        Run(["place", *web, "--output", "csv=o.csv", "--output", "text"], ["o.csv"]),
        writing(["catalog", "m5.*"], "json"),
        writing(["explain", "BAY113"], "markdown"),
        Run(["schema", "cluster"], []),
        Run(["collect", "--cluster", "prod", "--region", "us-east-1"], []),
        Run(["completion", "bash"], []),
        Run(["lsp"], [], stdin=SESSION),
    ]


class Stage:
    """A folder in which a run is started again and again, and what it leaves there."""

    def __init__(self, sandbox, run):
        self.sandbox, self.run = sandbox, run
        self.folder = workshop(sandbox, "phases")
        (self.folder / "faulty").mkdir()
        for i in range(3):
            (self.folder / "faulty" / f"{i}.json").write_bytes(FAULTY)
        (self.folder / "grid.yaml").write_bytes(GRID)
        (sandbox.io / "stdin").write_bytes(run.stdin)
        self.sound = self.content()

    def content(self):
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}

    def prepare(self, is_old):
        """As it was; `is_old`: with outputs of an earlier run, where the run replaces them."""
        for name in set(self.content()) - set(self.sound):
            (self.folder / name).unlink()
        for name, content in self.sound.items():
            if (self.folder / name).read_bytes() != content:
                (self.folder / name).write_bytes(content)
        for name in self.run.outputs if is_old and self.run.replaces else []:
            if name not in self.sound:
                (self.folder / name).write_bytes(OLD)
        self.before = self.content()

    def start(self, *before):
        """Signals count, whoever started this script and told it to ignore them."""
        actions = [(os.POSIX_SPAWN_OPEN, 0, str(self.sandbox.io / "stdin"), os.O_RDONLY, 0)]
        actions += [(os.POSIX_SPAWN_OPEN, fd, str(self.sandbox.io / name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600) for fd, name in ((1, "stdout"), (2, "stderr"))]
        os.chdir(self.folder)
        line = [*before, self.sandbox.program, *self.run.arguments]
        return self.sandbox.finish(lambda: os.posix_spawn(shutil.which(line[0]), line, ENVIRONMENT, file_actions=actions, setsigdef=SIGNALS))

    def calls(self):
        """(name, how many of that name) of each system call of the main thread, in order; and how the run ended."""
        trace = self.sandbox.io / "trace"
        outcome = self.start("strace", "-qq", "-o", str(trace), "-e", "signal=none", "--")
        counts, found = {}, []
        for line in trace.read_text("latin-1").splitlines():
            match = CALL.match(line)
            if match and match[1] not in NOT_OF_THE_PROGRAM:
                counts[match[1]] = counts.get(match[1], 0) + 1
                found.append((match[1], counts[match[1]]))
        return found, outcome


def complaints_of(stage, outcome, number, code, whole):
    """What of a stopped run does not hold. `whole`: the folder after one that was not stopped."""
    run = stage.run
    ended = outcome.code == code or outcome.code == 128 + number or run.catches and outcome.code in (0, 1, 2)
    found = [] if ended and not outcome.hung else [f"exit {outcome.code}: {outcome.stderr[:200]!r}"]
    now = stage.content()
    for name in run.outputs:
        is_answer = run.answers and name in now and is_whole(now[name], name.rpartition(".")[2])
        if now.get(name) not in (stage.before.get(name), whole[name]) and not is_answer:
            found.append(f"{name} is {'neither the old nor the new one' if name in now else 'gone'}")
        elif outcome.code == code and not run.catches and now.get(name) != whole[name]:
            found.append(f"exit {code} without {name}")
    left = set(now) - set(stage.sound) - set(run.outputs) - set(run.told)
    return found + ([f"left {sorted(left)}"] if left else [])


def goes_on(stage, whole):
    """What a stopped sweep left is gone on from: the same command ends with the bytes of one that was not stopped."""
    stage.start()
    now = stage.content()
    return [] if now == whole else [f"gone on with, it differs: {sorted(name for name in whole if now.get(name) != whole[name])}"]


def phases(sandbox, project, quick):
    tally = Tally()
    if shutil.which("strace") is None or subprocess.run(["strace", "-o", "/dev/null", "true"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        print("SKIPPED phases: strace is not here, or may not trace; signals come at moments all the same")
        yield tally.result()
        return
    count = 0
    for run in runs():
        stage = Stage(sandbox, run)
        stage.prepare(False)
        calls, outcome = stage.calls()
        whole, code = stage.content(), outcome.code
        missing = [name for name in run.outputs if name not in whole]
        if code not in (0, 1) or missing:
            tally.findings.append(f"bayplan {' '.join(run.arguments)} is no run to stop: exit {code}, lacks {missing}: {outcome.stderr[:300]!r}")
            continue
        for call, nth in calls:
            for number in SIGNALS:
                count += 1
                if quick and count % 211:
                    continue
                stage.prepare(bool(count % 2))
                outcome = stage.start("strace", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e", "signal=none", "-e", f"inject={call}:signal={number.name}:when={nth}", "--")
                complaints = complaints_of(stage, outcome, number, code, whole)
                complaints += goes_on(stage, whole) if run.told else []
                outcome.cpu = outcome.rss = 0  # those of strace
                tally.take(outcome, f"{number.name} at {call} {nth}: bayplan {' '.join(run.arguments)}", complaints)
    yield tally.result()


PARTS = {"phases": phases}
