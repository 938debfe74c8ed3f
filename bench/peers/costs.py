"""Compares what lint and other validators cost: processor time and peak memory for one file, a hundred, and real templates."""
import shutil
import statistics
import subprocess
import sys
import tempfile

from figures import amount, best_first, in_turn, mebibytes, table, times, within
from peers import PATIENCE, why_failed

ENOUGH = 10  # seconds: what has taken more in all does not run again
TIME = shutil.which("time")  # Debian: time. A process that Python starts inherits Python's peak
AWS = "aws ecs register-task-definition --generate-cli-skeleton output"


class Cost:
    """Of a command that runs several times: processor seconds of each run, peak memory of the first in KiB, or why there are none."""

    def __init__(self, command, ends=(0,)):
        self.command, self.ends, self.runs, self.memory, self.failure = command, ends, [], None, None

    def run(self):
        if self.failure is None and sum(self.runs) < ENOUGH:
            done = self.with_memory() if not self.runs and TIME else self.alone(self.command)
            if done is not None and done.code in self.ends:
                self.runs.append(done.seconds)
            else:
                self.failure = "not installed" if done is None else why_failed(done.code, done.errors)

    def with_memory(self):
        with tempfile.NamedTemporaryFile("r") as note:
            done = self.alone([TIME, "-f", "%M", "-o", note.name, *self.command])
            self.memory = int(note.read().split()[-1]) if done and done.code is not None else None
        return done

    def alone(self, command):
        try:
            return within(command, PATIENCE, memory=None)
        except FileNotFoundError:
            return None

    @property
    def seconds(self):
        return statistics.median(self.runs)


def lint_costs(lint, files):
    """What each tool does with these files in one process, in the form that it reads."""
    return {"bayplan": ours(lint, files),
            **{peer.name: Cost(peer.command(*(lint.as_read(file, peer.reads) for file in files))) for peer in lint.peers}}


def template_costs(lint, files):
    """The same with templates, which only some of the tools read."""
    return {"bayplan": ours(lint, files), **{peer.name: Cost(peer.command(*files)) for peer in lint.peers if peer.reads == "template"}}


def ours(lint, files):
    return Cost([lint.program, "lint", "-q", *files], ends=(0, 1))


def aws_cost(file):
    return Cost([*AWS.split(), "--region", "us-east-1", "--cli-input-json", f"file://{file}"])


def rows(name, costs, rounds):
    """The processor time of each tool, and its peak memory; the runs of the tools alternate."""
    print("  ", name, file=sys.stderr, flush=True)
    in_turn(rounds, {tool: cost.run for tool, cost in costs.items()})
    base = costs["bayplan"].seconds
    seconds, memory = [], []
    for tool, cost in costs.items():
        if cost.failure is not None:
            seconds.append((None, f"{tool}: {cost.failure}"))
        else:
            relative = "" if tool == "bayplan" else f", {times(cost.seconds, base)} times"
            seconds.append((cost.seconds, f"{tool} {amount(cost.seconds)}{relative}"))
            if cost.memory is not None:
                memory.append((cost.memory, f"{tool} {mebibytes(cost.memory)}"))
    return [[name, "processor time", best_first(seconds)], [name, "peak memory", best_first(memory) or "not measured: time is not installed"]]


def section(lint, corpus, quick):
    folder = lint.folder / "definitions"
    subprocess.run([sys.executable, str(lint.root / "bench" / "definitions.py"), str(folder), "100"], check=True)
    files = sorted(folder.iterdir())
    size = sum(file.stat().st_size for file in files) / len(files) / 1000
    rounds = 1 if quick else 5
    found = [*rows(f"one file of {files[0].stat().st_size / 1000:.1f} KB", {**lint_costs(lint, files[:1]), f"`{AWS}`": aws_cost(files[0])}, rounds),
             *rows(f"{len(files)} files of {size:.1f} KB", lint_costs(lint, files), rounds)]
    if corpus is not None:
        templates = corpus.templates()
        found += rows(f"{len(templates)} real templates", template_costs(lint, templates), rounds)
    text = f"""## What lint costs

One process for all files of a row, from its start to its end: the median of up to {rounds} alternating runs, no further one
after {ENOUGH} s in all. The peak memory is that of the first run.{" Omitted: no corpus of real templates next to the project." if corpus is None else ""}

{table(["files", "what", "the best tool first"], found)}
"""
    return text
