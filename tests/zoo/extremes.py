"""Files of every kind wherever a file is expected, files beyond the limits, and meaningless command lines.

Each part yields (tried, findings, most CPU, most memory, exit codes).
"""
import collections
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import subprocess

from runner import judge, words_in

#: Every place where a command takes a path; {} is the path.
READERS = [
    ["lint", "{}"], ["lint", "web.json", "--config", "{}"], ["lint", "web.json", "--baseline", "{}"], ["lint", "web.json", "--env-file", "{}"],
    ["lint", "--fix", "{}"], ["lint", "--diff", "{}"], ["lint", "--show-files", "{}"], ["lint", "--from", "cloudformation", "{}"], ["lint", "--from", "terraform", "{}"],
    ["fit", "{}"], ["fit", "web.json", "--daemon", "{}"],
    ["place", "{}"], ["place", "--cluster", "{}", "--task", "web.json=1"], ["place", "--instances", "m5.large=1", "--task", "{}=1"],
    ["place", "scenario.yaml", "--continue-from", "{}"], ["why", "{}", "--instances", "m5.large=1"], ["why", "web", "{}"],
    ["fleet", "--effort", "1000", "{}"], ["fleet", "--effort", "1000", "--task", "web.json=1", "--prices", "{}"], ["repack", "{}"],
    ["whatif", "{}", "--each-az"], ["whatif", "scenario.yaml", "--deploy", "web={}"], ["diff", "{}", "web.json"], ["diff", "web.json", "{}"],
    ["sweep", "{}"], ["dry-run", "--", "aws", "ecs", "register-task-definition", "--cli-input-json", "file://{}"],
    ["dry-run", "--cluster", "{}", "--", "aws", "ecs", "run-task", "--task-definition", "web"],
    ["dry-run", "--definition", "{}", "--instances", "m5.large=1", "--", "aws", "ecs", "run-task", "--task-definition", "web"],
]
WEB = b'{"family": "web", "containerDefinitions": [{"name": "web", "image": "nginx:1", "memory": 64}]}\n'
SCENARIO = b"""cluster: {containerInstances: [{instanceType: m5.large, count: 2, availabilityZones: [us-east-1a, us-east-1b]}]}
taskDefinitions: [web.json]
tasks: [{taskDefinition: web, count: 3}]
"""
GRID = b"scenario: scenario.yaml\naxes: {seed: {vary: seed, from: 1, to: 2}}\n"
REFERENCES = {
    "scenario-cluster.yaml": b"cluster: %s\ntaskDefinitions: [web.json]\ntasks: [{taskDefinition: web, count: 1}]\n",
    "scenario-definition.yaml": b"cluster: {containerInstances: [{instanceType: m5.large}]}\ntaskDefinitions: [%s]\ntasks: [{taskDefinition: web, count: 1}]\n",
    "grid.yaml": b"scenario: %s\naxes: {seed: {vary: seed, from: 1, to: 2}}\n",
    "extending.yaml": b"extends: %s\n",
}
PATH_TAKING = {"scenario-cluster.yaml": ["place", "{}"], "scenario-definition.yaml": ["place", "{}"], "grid.yaml": ["sweep", "{}"],
               "extending.yaml": ["lint", "web.json", "--config", "{}"]}
VALUES = ["", " ", "-1", "0", "1", "1e999", "9223372036854775807", "9223372036854775808", "99999999999", "a", "a" * 100_000, "\udcff\udcfe", "\x1b[31m\n", "[", "*", "=",
          "=1", "a=", "a=b", "a=-1", "a=9223372036854775808", "m5.large=1", "m5.large=99999999999999999999", "m5.large=1@", "@", "::", "type=", "type=memberOf,expression=(",
          "spread:", "json", "json=", "text", "1/0", "0/1", "1/99999999999", "NaN", "100%", "-0", "../..", "/dev/null", "${X}", "BAY", "BAY113", "BAY113=", "\u202e", "a" * 5000 + "=1"]


class Tally:
    def __init__(self):
        self.tried, self.findings, self.cpu, self.rss, self.codes = 0, [], 0.0, 0, collections.Counter()

    def take(self, outcome, label, complaints):
        self.tried += 1
        self.findings += [f"{label}: {one}" for one in complaints]
        self.cpu, self.rss = max(self.cpu, outcome.cpu), max(self.rss, outcome.rss)
        self.codes[outcome.code] += 1

    def result(self):
        return self.tried, self.findings, self.cpu, self.rss, self.codes


def workshop(sandbox, name):
    """A folder of its own with a sound definition and scenario."""
    folder = sandbox.root / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "web.json").write_bytes(WEB)
    (folder / "scenario.yaml").write_bytes(SCENARIO)
    return folder


def odd_files(folder):
    """Paths of every kind below the folder, by what they are."""
    kinds = {"missing": "nowhere.json", "below a file": "web.json/x.json", "folder": "folder", "empty name": "", "NUL device": "/dev/null",
             "endless device": "/dev/zero", "full device": "/dev/full", "kernel's file": "/proc/self/mem", "endless standard input": "/dev/stdin",
             "too long a name": "n" * 300 + ".json", "too long a path": "d/" * 3000 + "x.json", "ESC in its name": "\x1b[31m.json", "no UTF-8": "\udcff\udcfe.json",
             "an option's look": "./--fix", "end of line": "a\nb.json", "itself": "loop.json", "dangling": "dangling.json", "FIFO": "fifo.json", "socket": "socket.json",
             "folder in circles": "circle", "unreadable": "unreadable.json", "unreadable folder": "shut",
             "unreadable folder in a folder": "half"}
    (folder / "folder").mkdir()
    for name in ("\x1b[31m.json", "\udcff\udcfe.json", "--fix", "a\nb.json"):
        (folder / name).write_bytes(WEB)
    (folder / "loop.json").symlink_to("loop.json")
    (folder / "dangling.json").symlink_to("gone.json")
    os.mkfifo(folder / "fifo.json")
    # A socket's path may be 107 bytes long.
    os.chdir(folder)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.json")
    circle = folder / "circle" / "inner"
    circle.mkdir(parents=True)
    (circle / "back").symlink_to("..")
    (folder / "circle" / "web.json").write_bytes(WEB)
    (folder / "unreadable.json").write_bytes(WEB)
    (folder / "unreadable.json").chmod(0)
    for shut in (folder / "shut", folder / "half" / "shut"):
        shut.mkdir(parents=True)
        (shut / "web.json").write_bytes(WEB)
        shut.chmod(0)
    (folder / "half" / "web.json").write_bytes(WEB)
    return kinds


def as_nobody(sandbox, folder, arguments):
    """Root may read everything: the same run as somebody who may not."""
    sandbox.root.parent.chmod(0o711)
    sandbox.root.chmod(0o711)
    with open(sandbox.io / "stdout", "wb") as out, open(sandbox.io / "stderr", "wb") as err:
        def start():
            return subprocess.Popen(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", sandbox.program, *arguments], cwd=folder, stdin=subprocess.DEVNULL,
                                    stdout=out, stderr=err, env={"LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"]})
        return sandbox.finish(start)


def kinds(sandbox, project, quick):
    tally = Tally()
    folder = workshop(sandbox, "kinds")
    odd = odd_files(folder)
    is_root = os.geteuid() == 0
    can_leave_root = shutil.which("setpriv") is not None
    if is_root and not can_leave_root:
        print("SKIPPED unreadable files: root reads everything, and there is no setpriv")
    def is_other(kind):
        return kind.startswith("unreadable") and is_root and can_leave_root and readable_by_others(sandbox.program)
    before = sorted(os.listdir(folder))
    names = {path: [shown(path), shown(os.path.basename(path))] for path in odd.values()}
    for number, reader in enumerate(READERS):
        for order, (kind, path) in enumerate(odd.items()):
            if quick and (number + order) % 9:
                continue
            arguments = [word.replace("{}", path) for word in reader]
            if kind.startswith("unreadable") and is_root and not is_other(kind):
                continue
            if is_other(kind):
                outcome = as_nobody(sandbox, folder, arguments)
            else:
                outcome = sandbox.run(folder, arguments, stdin="/dev/zero" if kind.startswith("endless standard") else os.devnull)
            named = [name for name in names[path] if name] or [""]
            if "--show-files" in reader:
                outcome.stdout = b""  # names as they are, for programs
            tally.take(outcome, f"{kind}: bayplan {' '.join(reader)}", judge(outcome, {}, [*named, "web.json", "scenario.yaml"]))
            if (folder / "web.json").read_bytes() != WEB or sorted(os.listdir(folder)) != before:
                tally.findings.append(f"{kind}: bayplan {' '.join(reader)}: changed the folder")
                (folder / "web.json").write_bytes(WEB)
    for name, text in REFERENCES.items():
        for order, (kind, path) in enumerate(odd.items()):
            if "\n" in path or "\udcff" in path or (quick and order % 5):
                continue
            (folder / name).write_bytes(text % json_string(path))
            arguments = [word.replace("{}", name) for word in PATH_TAKING[name]]
            outcome = as_nobody(sandbox, folder, arguments) if is_other(kind) else sandbox.run(folder, arguments)
            tally.take(outcome, f"{kind} named in {name}", judge(outcome, {}, [name, shown(path)]))
    for order, kind in enumerate(DISCOVERED):
        for name in (".bayplan.yaml", ".gitignore"):
            if not quick or order % 3 == 0:
                tally.take(*discovered(sandbox, kind, name))
    outcome = sandbox.run(folder, ["lint", "."])
    tally.take(outcome, "a folder of all kinds of files: lint .", judge(outcome, {}, ["."]))
    for shut in (folder / "shut", folder / "half" / "shut"):
        shut.chmod(0o700)
    yield tally.result()


#: What may stand where a file is looked for that nobody named, and how it gets there.
DISCOVERED = {"folder": lambda path: path.mkdir(), "FIFO": os.mkfifo, "link to itself": lambda path: path.symlink_to(path.name), "link to nothing": lambda path: path.symlink_to("gone"),
              "link to a folder": lambda path: path.symlink_to("."), "link to an endless device": lambda path: path.symlink_to("/dev/zero"),
              "100 MB": lambda path: (path.touch(), os.truncate(path, 100_000_000)), "unreadable": lambda path: (path.touch(), path.chmod(0))}


def discovered(sandbox, kind, name):
    """A config or .gitignore that is there and cannot be read is told: without it the answer would be another one."""
    folder = workshop(sandbox, "discovered")
    (folder / ".git").mkdir()
    DISCOVERED[kind](folder / name)
    is_root = kind == "unreadable" and os.geteuid() == 0
    if is_root and (shutil.which("setpriv") is None or not readable_by_others(sandbox.program)):
        kind, is_root = "unreadable, tried by root", None
    outcome = as_nobody(sandbox, folder, ["lint", "."]) if is_root else sandbox.run(folder, ["lint", "."])
    complaints = judge(outcome, {}, [name], expected=(2,) if is_root is not None else (0, 1, 2))
    (folder / name).chmod(0o700, follow_symlinks=True) if kind == "unreadable" else None
    return outcome, f"{kind} as {name}: bayplan lint .", complaints


def json_string(path):
    return b'"' + path.encode("utf-8", "surrogateescape").replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\x1b", b"\\u001b") + b'"'


def shown(path):
    return re.sub("[\x00-\x1f\x7f]", "\ufffd", path.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))


def readable_by_others(program):
    """Whether somebody else may run the program: every folder above it lets them through."""
    path = pathlib.Path(program)
    return path.stat().st_mode & 0o005 == 0o005 and all(parent.stat().st_mode & 0o001 for parent in path.parents)


def large(folder):
    """Files of 100 MB, written as holes or by blocks so that they cost little."""
    size = 100_000_000
    makers = {"100 MB of zeros.json": None, "100 MB of spaces.json": b" ", "100 MB of brackets.json": b"[", "100 MB of ones.json": b"1,", "100 MB of lines.yaml": b"- a\n",
              "100 MB string.json": b"a", "100 MB of comments.yaml": b"#\n", "100 MB of definitions.json": WEB}
    for name, unit in makers.items():
        with open(folder / name, "wb") as file:
            if unit is None:
                file.truncate(size)
                continue
            block = unit * (1_000_000 // len(unit))
            if name == "100 MB string.json":
                file.write(b'{"family": "')
            elif name == "100 MB of ones.json":
                file.write(b"[")
            for _ in range(100):
                file.write(block)
    return list(makers)


def big(sandbox, project, quick):
    """Beyond what the other parts allow: docs/zoo.md says how much, and why."""
    tally = Tally()
    folder = workshop(sandbox, "big")
    names = large(folder)
    for number, reader in enumerate(READERS):
        for order, name in enumerate(names):
            if quick and (number + order) % 31:
                continue
            outcome = sandbox.run(folder, [word.replace("{}", name) for word in reader])
            tally.take(outcome, f"{name}: bayplan {' '.join(reader)}", judge(outcome, {}, [name], rss=4 << 30))
    shutil.rmtree(folder)
    yield tally.result()


def options_of(sandbox, command):
    """The options of a command, in their long spelling, and whether they take a value."""
    listed = json.loads(sandbox.run(sandbox.root, ["list-options"]).stdout)
    for option in next(one["options"] for one in listed["commands"] if one["name"] == command):
        yield next((name for name in option["names"] if name.startswith("--")), option["names"][0]), option["kind"] != "flag"


SOUND = {"lint": ["lint", "--select", "ALL", "web.json"], "fit": ["fit", "web.json"], "place": ["place", "scenario.yaml"], "why": ["why", "web", "scenario.yaml"],
         "fleet": ["fleet", "--effort", "1000", "--orders", "2", "scenario.yaml", "--types", "m5.large"], "repack": ["repack", "scenario.yaml"], "whatif": ["whatif", "scenario.yaml", "--each-az"],
         "diff": ["diff", "web.json", "/dev/null"], "sweep": ["sweep", "grid.yaml"], "explain": ["explain", "BAY113"], "rules": ["rules"], "catalog": ["catalog", "m5.large"], "schema": ["schema", "cluster"],
         "collect": ["collect", "--cluster", "prod"], "completion": ["completion", "bash"], "man": ["man", "lint"], "lsp": ["lsp"], "mcp": ["mcp"], "dry-run": ["dry-run", "--instances", "m5.large=1"]}
#: Options that write where the line says, search as long as it says, or run until they are interrupted.
NOT_TRIED = {"--output-file", "--watch", "--create-baseline", "--anonymize", "--init", "--effort", "--runs", "--orders", "--help", ("man", "--folder")}


def command_lines(sandbox, project, quick):
    tally = Tally()
    folder = workshop(sandbox, "words")
    (folder / "grid.yaml").write_bytes(GRID)
    before = {entry: (folder / entry).read_bytes() for entry in os.listdir(folder)}
    count = 0
    for command, words in SOUND.items():
        behind = ["--", "aws", "ecs", "run-task", "--task-definition", "web"] if command == "dry-run" else []
        tries = [[*words, *words[1:]]]
        for option, takes_value in options_of(sandbox, command):
            if option in NOT_TRIED or (command, option) in NOT_TRIED:
                continue
            tries += [[*words, option], [*words, option, option]]
            tries += [[*words, f"{option}={value}"] for value in VALUES]
            tries += [[*words, option, value, option, value] for value in ("1", "a", "m5.large=1")] if takes_value else []
        for arguments in tries:
            count += 1
            if quick and count % 61:
                continue
            outcome = sandbox.run(folder, [*arguments, *behind])
            label = f"bayplan {' '.join(arguments)!r}"[:200]
            # What stands on the command line is its own place.
            tally.take(outcome, label, judge(outcome, {}, words=words_in(arguments)))
            now = {entry: (folder / entry).read_bytes() for entry in os.listdir(folder)}
            if now != before:
                tally.findings.append(f"{label}: changed {sorted(set(now) ^ set(before))}")
                for entry in set(now) - set(before):
                    (folder / entry).unlink()
                for entry, content in before.items():
                    (folder / entry).write_bytes(content)
    yield tally.result()


def little_memory(sandbox, project, quick):
    """With less and less address space: an answer or a message, never a crash."""
    tally = Tally()
    folder = workshop(sandbox, "memory")
    (folder / "big.json").write_bytes(b'{"containerInstances": [' + b",".join([b'{"instanceType": "m5.large", "count": 40}'] * 20_000) + b"]}")
    (folder / "large.yaml").write_bytes(SCENARIO + b"".join(b"# %d\n" % i for i in range(500_000)))
    for arguments in (["lint", "web.json"], ["lint", "-j4", "web.json", "big.json", "scenario.yaml", "large.yaml"], ["place", "--cluster", "big.json", "--task", "web.json=1000"], ["place", "large.yaml"],
                      ["fleet", "--effort", "1000", "scenario.yaml"], ["catalog"], ["explain", "--all"], ["sweep", "-j2", "grid.yaml"]):
        (folder / "grid.yaml").write_bytes(GRID)
        for megabytes in range(8, 260, 80 if quick else 6):
            def limited():
                resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
            with open(sandbox.io / "stdout", "wb") as out, open(sandbox.io / "stderr", "wb") as err:
                def start():
                    return subprocess.Popen([sandbox.program, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err, preexec_fn=limited)
                try:
                    outcome = sandbox.finish(start)
                except (OSError, subprocess.SubprocessError):
                    continue  # not even the program itself could be started
            if outcome.code == 128 + signal.SIGKILL or (outcome.code in (127, 128 + signal.SIGSEGV) and not outcome.stdout):
                if b"error while loading" in outcome.stderr or not outcome.stderr:
                    continue  # killed while it was loaded, before its first line
            tally.take(outcome, f"{megabytes} MiB of address space: bayplan {' '.join(arguments)}", judge(outcome, {}, words=["out of memory for these inputs"]))
    yield tally.result()


PARTS = {"kinds of files": kinds, "sizes": big, "command lines": command_lines, "little memory": little_memory}
