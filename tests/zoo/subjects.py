"""Which command reads which file: every example and golden case whose output changes if one of its files is emptied."""
import dataclasses
import os
import pathlib
import shlex

#: Formats and colors that a case asks for are left out: each run asks for text and JSON, and a color is a control character.
FORMAT_FLAGS = ("--output", "--format", "--color")
REPORT = {"sweep": "report.jsonl"}


@dataclasses.dataclass(frozen=True)
class Subject:
    """A command line of bayplan, run in `folder` (below the tree of inputs), and the file of it that is to be damaged."""
    folder: str
    arguments: tuple
    file: str  # below the tree
    seconds: float = dataclasses.field(default=0.0, compare=False)  # of the processor, for the sound run

    @property
    def command(self):
        return self.arguments[0]


def report_name(command):
    return REPORT.get(command, "report.json")


def plain_arguments(words):
    """Without formats; searches are kept short, threads are one."""
    kept, skip = [], False
    for word in words:
        if skip or word.startswith(tuple(flag + "=" for flag in FORMAT_FLAGS)):
            skip = False
        elif word in FORMAT_FLAGS and "--" not in kept:
            skip = True
        else:
            kept.append(word)
    if kept[0] == "fleet" and "--effort" not in kept:
        kept[1:1] = ["--effort", "2000", "--orders", "2"]
    if kept[0] == "sweep":
        kept[1:1] = ["-j1", "-q"]
    return tuple(kept)


def with_report(arguments, out):
    """The same command with a report for people and one for programs."""
    if arguments[0] == "sweep":
        return [arguments[0], "--output", f"jsonl={out}/{report_name('sweep')}", *arguments[1:]]
    return [arguments[0], "--output", "text", "--output", f"json={out}/report.json", *arguments[1:]]


def cases(tree):
    """(folder below the tree, arguments) of every case that reads something and writes a report."""
    for path in sorted(tree.rglob("command")):
        words = shlex.split(" ".join(line for line in path.read_text().splitlines() if not line.startswith("#")))
        if len(words) > 1 and words[0] in ("lint", "fit", "place", "why", "fleet", "repack", "whatif", "diff", "sweep", "dry-run", "replay"):
            if "/dev/stdout" not in words and "-" not in words and "--init" not in words and "--show-config" not in words:
                yield str(path.parent.relative_to(tree)), plain_arguments(words)


def candidates(tree, folder, arguments):
    """Files that the command may read: those around it, and around what it names."""
    roots = {tree / folder}
    for word in arguments[1:]:
        for part in (word, word.split("=", 1)[0], word.split("=", 1)[-1], word.removeprefix("file://")):
            path = pathlib.Path(os.path.normpath(tree / folder / part))
            if part not in ("", ".") and path.exists() and tree in path.parents:
                roots.add(path if path.is_dir() else path.parent)
    found = set()
    for root in roots:
        found |= {path for path in root.rglob("*") if path.is_file() and path.name not in ("command", "expected", "README.md", "stdin")}
    return sorted(found)


def find(sandbox, case):
    """The subjects of one case; none where it is refused as it is."""
    folder, arguments = case
    line = with_report(arguments, sandbox.out)
    home = sandbox.tree / folder

    def answer():
        outcome = sandbox.run(home, line)
        return outcome, (outcome.code, outcome.stdout, outcome.stderr, sandbox.reports())
    outcome, sound = answer()
    if outcome.code == 2:
        return []
    found = []
    for path in candidates(sandbox.tree, folder, arguments):
        content = path.read_bytes()
        if not content:
            continue
        path.write_bytes(b"")
        _, changed = answer()
        path.write_bytes(content)
        if changed != sound:
            found.append(Subject(folder, arguments, str(path.relative_to(sandbox.tree)), outcome.cpu))
    return found
