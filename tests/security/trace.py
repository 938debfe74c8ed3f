#!/usr/bin/env python3
"""Runs bayplan under strace and reads every system call: bayplan starts no program, opens no socket, inspects no other process,
and writes only the files that the command line names.

usage: trace.py BAYPLAN SOURCE [--all | --coverage]

Without --all: a list of commands that covers every command, every option and every kind of output. With --all: also every golden case
and every example (a few minutes). With --coverage: whether the list covers all; nothing is traced.
"""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77

#: Calls that have no place in bayplan, whatever their arguments.
FORBIDDEN = {
    "a program is started": ["execveat", "fork", "vfork"],
    "a socket": ["socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmsg", "sendmmsg", "recvfrom",
                 "recvmsg", "recvmmsg", "setsockopt", "getsockopt"],
    "another process is looked into or harmed": ["ptrace", "process_vm_readv", "process_vm_writev", "pidfd_open", "pidfd_getfd", "kill",
                                                 "tkill", "pidfd_send_signal"],
    "the system is changed": ["mount", "umount2", "chroot", "pivot_root", "setns", "unshare", "init_module", "finit_module", "bpf",
                              "perf_event_open", "keyctl", "add_key", "setuid", "setgid", "setreuid", "setresuid", "capset", "reboot",
                              "io_uring_setup", "userfaultfd", "sethostname", "settimeofday", "clock_settime", "swapon"],
    "a file is made that no command line asks for": ["mkdir", "mkdirat", "rmdir", "symlink", "symlinkat", "mknod", "mknodat", "chown",
                                                     "fchown", "fchownat", "lchown", "setxattr", "utimensat", "truncate", "memfd_create",
                                                     "link"],
}
REASONS = {call: reason for reason, calls in FORBIDDEN.items() for call in calls}
#: Calls that change files; the paths in their arguments must be among those asked for.
WRITING = {"open", "openat", "openat2", "creat", "rename", "renameat", "renameat2", "unlink", "unlinkat", "linkat", "chmod", "fchmodat"}
WATCHED = sorted(set(REASONS) | WRITING | {"execve", "clone", "clone3"})

CALL = re.compile(r"^(?:\[pid +\d+\] |\d+ +)?(\w+)\((.*)")
PATH = re.compile(r'"((?:[^"\\]|\\.)*)"')
#: Of a program, not of bayplan: where threads and the C library look.
FREE = ("/dev/null", "/dev/tty", "/proc/self/fd/")


def unescaped(text):
    return text.encode("latin-1", "replace").decode("unicode_escape")


def is_for_writing(arguments):
    return re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND|O_TMPFILE", arguments) is not None


def is_asked(path, folder, asked):
    """The file itself, its temporary name, the journal of a sweep, or the folder of a file without a name yet."""
    if path.startswith(FREE):
        return True
    full = os.path.normpath(os.path.join(folder, path))
    return any(re.fullmatch(re.escape(each) + r"(\.partial)?(\.\d+-\d+)?", full) or full == os.path.dirname(each)
               for each in (os.path.normpath(os.path.join(folder, name)) for name in asked))


def judge(trace, folder, asked):
    """What the trace of one run holds that it should not."""
    found = []
    programs = 0
    for line in trace.splitlines():
        match = CALL.match(line)
        if not match or re.search(r"= -1 E(NOSYS|PERM)\b", line) and match.group(1) not in REASONS:
            continue
        call, arguments = match.groups()
        if call == "execve":
            programs += 1
            if programs > 1:
                found.append(f"a program is started: {line[:120]}")
        elif call in ("clone", "clone3"):
            if "CLONE_THREAD" not in arguments:
                found.append(f"a process is started: {line[:120]}")
        elif call in REASONS:
            found.append(f"{REASONS[call]}: {line[:120]}")
        elif call in WRITING and (not call.startswith("open") or is_for_writing(arguments)):
            if call == "linkat":  # the nameless file gets its name
                paths = PATH.findall(arguments)[1:]
            else:
                paths = PATH.findall(arguments)
            found += [f"{path} is written to, and nobody asked: {line[:120]}" for path in map(unescaped, paths)
                      if not is_asked(path, folder, asked)]
    if programs == 0:
        found.append("the trace is empty")
    return found


def traced(words, folder, asked=(), stdin="", environment=None):
    with tempfile.NamedTemporaryFile("r", suffix=".trace") as trace:
        line = ["strace", "-f", "-qq", "-s", "4096", "-o", trace.name, "-e", "trace=" + ",".join("?" + call for call in WATCHED), "--",
                *words]
        done = subprocess.run(line, cwd=folder, input=stdin.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                              timeout=600, env=environment)
        return done, judge(trace.read(), folder, asked)


def check_the_check(folder):
    """A program that does what bayplan must not is found out, each time for its own reason."""
    python = sys.executable
    cases = [
        ("import socket; socket.socket()", "a socket"),
        ("import socket; socket.socketpair()", "a socket"),
        ("import os; os.system('true')", "is started"),
        ("import subprocess; subprocess.run(['true'])", "is started"),
        ("import os; os.execv('/bin/true', ['true'])", "a program is started"),
        ("import os; os.fork()", "is started"),
        ("open('other', 'w')", "nobody asked"),
        ("import os; os.mkdir('folder')", "no command line asks"),
        ("import os; open('asked', 'w'); os.rename('asked', 'elsewhere')", "nobody asked"),
        ("import os; os.kill(os.getpid(), 0)", "another process"),
    ]
    for code, reason in cases:
        found = traced([python, "-S", "-c", code], folder, ["asked", "__pycache__"])[1]
        if not any(reason in each for each in found):
            sys.exit(f"the check does not find {code!r}: {found}")
    fine = traced([python, "-S", "-c", "open('asked', 'w'); import threading; threading.Thread(target=print).start()"], folder, ["asked"])[1]
    if fine:
        sys.exit(f"the check finds something in what is fine: {fine}")
    return len(cases)


DEFINITION = '{"family": "web", "containerDefinitions": [{"name": "web", "image": "nginx:1", "memory": "64"}]}'
#: What lines below name beside the examples.
OWN_FILES = {"own.yaml": "ignore: [BAY113]\n",
             "house.yaml": "rules: [{id: team/tag, path: family, require: {present: true}, message: m, good: [{family: a}], bad: [{containerDefinitions: []}]}]\n",
             "task.yaml": "family: my web\ncontainerDefinitions: [{name: web, image: 'nginx:1', memory: 64}]\n",
             "own.env": "A=b\n", "own.tfvars": "memory = 512\n", "own.csv": "instanceType,hourlyPrice\nm5.large,0.1\n"}
#: Arguments, and the files they ask for. In a copy of the examples.
LINES = [
    ("lint .", []),
    ("lint -j 4 . --select ALL --output text --output json=o.json --output sarif=o.sarif --output html=o.html --output github=o.txt "
     "--output gitlab=o.gl --output junit=o.xml --output markdown=o.md --output csv=o.csv",
     ["o.json", "o.sarif", "o.html", "o.txt", "o.gl", "o.xml", "o.md", "o.csv"]),
    ("lint --fix broken-gpu/train.json", ["broken-gpu/train.json"]),
    ("lint --diff nvidia-smi/defs", []),
    ("lint --create-baseline base.json nvidia-smi/defs", ["base.json"]),
    ("lint --baseline base.json nvidia-smi/defs", []),
    ("lint --init .", [".bayplan.yaml"]),
    ("lint --show-config", []),
    ("lint -", []),
    ("fit gpu-queue/train.json --output text --output json=o.json --output html=o.html --output csv=o.csv",
     ["o.json", "o.html", "o.csv"]),
    ("place gpu-cluster/scenario.yaml --output text --output json=o.json --output svg=o.svg --output html=o.html",
     ["o.json", "o.svg", "o.html"]),
    ("place gpu-queue/scenario.yaml --until 4h --output json=o.json --output csv=o.csv", ["o.json", "o.csv"]),
    *((f"{line} --var gpu_instances=2 --var-file own.tfvars", []) for line in (
        "fit terraform-cluster", "place terraform-cluster", "whatif terraform-cluster --each-az", "fleet terraform-cluster --types g4dn.*",
        "why train terraform-cluster", "repack --cluster terraform-cluster", "diff terraform-cluster/services.tf terraform-cluster/services.tf",
        "explain RESOURCE:GPU --definition terraform-cluster/services.tf#train")),
    ("dry-run --cluster terraform-cluster --definition terraform-cluster/services.tf#train --var gpu_instances=2 --var-file own.tfvars -- "
     "aws ecs run-task --task-definition train", []),
    ("place gpu-cluster/scenario.yaml --runs 20", []),
    ("place --instances g4dn.xlarge=2@us-east-1a --task gpu-queue/train.json=1 --write-scenario new.yaml", ["new.yaml"]),
    ("place gpu-cluster/scenario.yaml --ties first", []),
    ("place gpu-cluster/scenario.yaml --policy fgd --output json=o.json", ["o.json"]),
    ("place --cluster cluster-from-template/cluster-cpu-gpu.yml --region us-east-2 --task cluster-from-template/tensorflow-4-gpu.json=1",
     []),
    ("why infer lose-a-zone/scenario.yaml --anonymize case.json", ["case.json"]),
    ("whatif lose-a-zone/scenario.yaml --each-az --each-instance --output text --output html=o.html", ["o.html"]),
    ("repack give-back/cluster --output text --output json=o.json", ["o.json"]),
    ("replay replay/snapshot replay/events.jsonl replay/trail.json --output json=o.json --output text", ["o.json"]),
    ("replay replay/events.jsonl --definitions lose-a-zone/web.json --strategy binpack:cpu --cluster-name shop --min-agreement 0.1", []),
    ("replay replay/snapshot replay/events.jsonl --anonymize case.jsonl --task 39b2 --to-scenario week.json --fit-assumptions a.json",
     ["case.jsonl", "week.json", "a.json"]),
    ("diff pull-request/train-main.json pull-request/train.json --output markdown=o.md", ["o.md"]),
    ("sweep night-fleet/grid.yaml -j 4 --shard 1/200 --output jsonl=o.jsonl --output text", ["o.jsonl"]),
    ("sweep compare-policies/grid.yaml -j 2 --output jsonl=c.jsonl --output json=o.json --output markdown=o.md", ["c.jsonl", "o.json", "o.md"]),
    ("fleet cheapest-fleet/scenario.yaml --types g4dn.* --effort 2000000 --jobs 2 --output text --output html=o.html", ["o.html"]),
    ("dry-run --instances p3.8xlarge=2@us-east-2a --definition gpu-queue/train.json -- aws ecs run-task --task-definition train --count 2", []),
    ("dry-run -- aws ecs register-task-definition --cli-input-json file://gpu-queue/train.json", []),
    ("collect --cluster prod --region us-east-2", []),
    ("explain RESOURCE:GPU", []),
    ("explain - --definition broken-gpu/train.json", []),
    ("explain --all --output markdown=o.md", ["o.md"]),
    ("rules --group gpu --severity error --default on --output html=o.html", ["o.html"]),
    ("catalog p3.* --output json=o.json", ["o.json"]),
    ("schema --list", []),
    ("lint broken-gpu --select BAY4 --extend-select BAY1 --ignore BAY113 --severity BAY450=info --config own.yaml --no-ignores --fail-on error --launch-type EC2 --types p3.* "
     "--kind task --var A=b --env-file own.env -v --stats --color never --max-input 1000000", []),
    ("lint cluster-from-template/cluster-cpu-gpu.yml --from cloudformation --param A=b --skip-unrecognized --strict --strict-unknown --exit-zero", []),
    ("lint --show-files .", []),
    ("lint terraform --var-file own.tfvars --exit-zero", []),
    ("lint broken-gpu -f json --output-file o2.json", ["o2.json"]),
    ("lint --add-ignores task.yaml", ["task.yaml"]),
    ("lint --test-rules --config house.yaml", []),
    ("lint broken-gpu --statistics --exclude *.yaml", []),
    ("lint broken-gpu --diff --unsafe-fixes", []),
    ("lint --stdin-filename web.yaml - --exit-zero", []),
    ("lint --fix - --exit-zero -q", []),
    ("fit lose-a-zone/web.json --gpu-only --min-local-storage 100GB --region us-west-2 --sort copies --reserved-memory 256 --daemon lose-a-zone/web.json --trunking on --types g4dn.* --no-lint --output markdown=o.md", ["o.md"]),
    ("place --cluster lose-a-zone/live/cluster --allow-partial --task lose-a-zone/web.json=2 --strategy spread:instanceId --placement-constraints type=distinctInstance --seed 3 "
     "--no-lint --no-placements --wide --sort name --where attribute:ecs.availability-zone==us-east-2a --output text --output markdown=o.md", ["o.md"]),
    ("place --instances m5.large=2@us-east-1a --task lose-a-zone/web.json=1 --placement-strategy type=binpack,field=memory --region us-east-1", []),
    ("why lose-a-zone/web.json --instances m5.large=1@us-east-1a --count 9 --strategy random --region us-east-1 --seed 2 --no-lint --output json=o.json --output markdown=o.md",
     ["o.json", "o.md"]),
    ("why --service infer --cluster lose-a-zone/live/cluster --allow-partial --placement-constraints type=distinctInstance --placement-strategy type=random", []),
    ("whatif lose-a-zone/scenario.yaml --lose-az us-east-2a --add g4dn.12xlarge=1@us-east-2b --scale web=20 --no-lint --seed 4 --runs 3 --output csv=o.csv --output markdown=o.md", ["o.csv", "o.md"]),
    ("whatif --cluster replace-p3/cluster.yaml --task replace-p3/tensorflow-4-gpu.json=1 --replace p3.2xlarge=p3.16xlarge --region us-east-2", []),
    ("whatif lose-a-zone/scenario.yaml --remove g4dn.12xlarge=1 --strategy binpack:cpu --placement-constraints type=distinctInstance", []),
    ("whatif lose-a-zone/scenario.yaml --each-az --placement-strategy type=random", []),
    ("whatif --cluster will-it-deploy/live/cluster --allow-partial --deploy api=will-it-deploy/api-v2.json --output json=o.json", ["o.json"]),
    ("whatif --instances m5.large=2@us-east-1a --task lose-a-zone/web.json=1 --drain m5.large#1", []),
    ("whatif --instances m5.large=2@us-east-1a --task lose-a-zone/web.json=1 --terminate m5.large#1", []),
    ("whatif lost-zone/scenario.yaml --set-desired-capacity general=6 --at 3h", []),
    ("repack --cluster give-back/cluster --allow-partial --max-moves 2 --min-saving 1 --min-ratio 0.5 --together 1 --keep-zones --wait-for-tasks --seed 2 --no-lint --output markdown=o.md", ["o.md"]),
    ("diff lose-a-zone/web.json pull-request/train.json --instances m5.large=1@us-east-1a --fail-on error --config own.yaml --output json=o.json --output csv=o.csv", ["o.json", "o.csv"]),
    ("diff lose-a-zone/web.json pull-request/train.json --types p3.* --region us-east-1 --reserved-memory 10 --trunking off", []),
    ("sweep night-fleet/grid.yaml --shard 1/200 --fresh --all --allow-partial --no-lint --output jsonl=o.jsonl", ["o.jsonl"]),
    ("fleet --cluster lose-a-zone/live/cluster --allow-partial --deployable --types g4dn.* --effort 500 --orders 2 --start-task --no-lint --seed 2 --wide --sort name --where attribute:ecs.availability-zone==us-east-2a --zones 3 --limit g4dn.xlarge=99 "
     "--headroom 5% --max-types 2 --discount g4dn.*=0.9 --output csv=o.csv --output markdown=o.md --output svg=o.svg --output json=o.json --output text", ["o.csv", "o.md", "o.svg", "o.json"]),
    ("fleet --task lose-a-zone/web.json=4 --types m5.large,g4dn.xlarge --prices own.csv --effort 500 --gap 1% --orders 1 --time-limit 1 --region us-east-1 --allow-unpriced --zones 2 --survive-zone-loss", []),
    ("fleet --task lose-a-zone/web.json=4 --types t3.* --effort 200 --orders 1 --burst-baseline 30% --trunking compare", []),
    ("fleet lose-a-zone/scenario.yaml --types g4dn.* --effort 200 --orders 1 --owned g4dn.12xlarge=2 --quota g=500 --placement-constraints type=distinctInstance", []),
    ("fleet --instances m5.large=2@us-east-1a --task lose-a-zone/web.json=9 --add-only --types m5.* --effort 200 --orders 1 --compare", []),
    ("fleet day-and-night/scenario.yaml --types c6a.* --effort 200 --load day-and-night/by-the-hour/load.csv --commitment COMPUTE_SP=28% --output html=o.html", ["o.html"]),
    ("fleet --task lose-a-zone/web.json=9 --region us-east-1 --types m5.* --effort 200 --spot 50% --spot-pools 2 --spot-prices own.csv --spot-discount *=0.9 --output json=o.json", ["o.json"]),
    ("diff lose-a-zone/web.json pull-request/train.json --cluster lose-a-zone/live/cluster --allow-partial", []),
    ("repack --instances m5.large=4@us-east-1a --region us-east-1 --placement-constraints type=distinctInstance", []),
    ("dry-run --cluster lose-a-zone/live/cluster --allow-partial --seed 2 --output json=o.json --output aws=o.txt -- aws ecs run-task --cluster prod --task-definition web", ["o.json", "o.txt"]),
    ("collect --cluster prod --region us-east-2 --folder out", []),
    ("catalog --gpu-only --region us-west-2 --min-gpus 2 --min-gpu-memory 14GiB --min-vcpu 4 --min-memory 16GiB --min-local-storage 100GB --arch x86_64 --compute-capability 7.0 --sort price --wide --output csv=o.csv", ["o.csv"]),
    ("lsp --stdio", []),
    ("mcp", []),
    ("--help", []),
    ("--version", []),
]
MANUAL = ["bayplan.1"] + [f"bayplan-{name}.1" for name in ("catalog", "collect", "completion", "diff", "dry-run", "explain", "fit", "fleet", "lint", "lsp", "man", "mcp",
                                                          "place", "repack", "replay", "rules", "schema", "sweep", "whatif", "why")]
#: A command is started only when it is there: branches land at different times.
LATER = {"lsp": ("lsp", []), "completion": ("completion bash", []), "man": ("man --folder .", MANUAL)}


def commands_of(program):
    text = subprocess.run([program, "--help"], stdout=subprocess.PIPE, check=True).stdout.decode()
    return set(re.findall(r"^  ([a-z][a-z-]*)  ", text.split("Subcommands:")[1], re.MULTILINE))


#: Options of no line here: the same reading as another's, or nothing is read.
NOT_TRIED = {("lint", "--changed"), ("lint", "--changed-since"), ("lint", "--watch"),  # try_changed; the loop of lint
             ("whatif", "--variant"), ("place", "--continue-from"), ("whatif", "--param"), ("why", "--param"), ("place", "--param"), ("repack", "--param"), ("diff", "--param"), ("fleet", "--param"), ("dry-run", "--param"), ("explain", "--param"), ("fit", "--param")}
#: What an editor says before it opens a document, and asks of it.
SESSION = [
    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"rootUri": "file://FOLDER", "capabilities": {}}},
    {"jsonrpc": "2.0", "method": "initialized", "params": {}},
    {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {"uri": "file://FOLDER/broken-gpu/train.json", "languageId": "json", "version": 1, "text": "{\"family\": 5}"}}},
    {"jsonrpc": "2.0", "id": 2, "method": "textDocument/hover", "params": {"textDocument": {"uri": "file://FOLDER/broken-gpu/train.json"}, "position": {"line": 0, "character": 3}}},
    {"jsonrpc": "2.0", "id": 3, "method": "textDocument/completion", "params": {"textDocument": {"uri": "file://FOLDER/broken-gpu/train.json"}, "position": {"line": 0, "character": 1}}},
    {"jsonrpc": "2.0", "id": 4, "method": "textDocument/codeAction", "params": {"textDocument": {"uri": "file://FOLDER/broken-gpu/train.json"}, "context": {"diagnostics": []},
                                                                               "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 9}}}},
    {"jsonrpc": "2.0", "method": "textDocument/didSave", "params": {"textDocument": {"uri": "file://FOLDER/broken-gpu/train.json"}}},
    {"jsonrpc": "2.0", "id": 5, "method": "shutdown"},
    {"jsonrpc": "2.0", "method": "exit"},
]


#: What a client asks of the server for agents.
CALLS = [{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}}},
         *({"jsonrpc": "2.0", "id": index, "method": "tools/call", "params": {"name": name, "arguments": arguments}} for index, (name, arguments) in enumerate((
             ("lint", {"files": ["broken-gpu/train.json"]}), ("place", {"scenario": "lose-a-zone/scenario.yaml"}), ("explain", {"messages": ["RESOURCE:GPU"]}),
             ("diff", {"old": "lose-a-zone/web.json", "new": "pull-request/train.json"})), 2))]


def session_in(folder):
    frames = [json.dumps(message).replace("FOLDER", folder) for message in SESSION]
    return "".join(f"Content-Length: {len(frame.encode())}\r\n\r\n{frame}" for frame in frames)


def options_of(program, command):
    """The options that its help lists, each by its names."""
    text = subprocess.run([program, command, "--help"], stdout=subprocess.PIPE, check=True).stdout.decode()
    return [set(names.split(",")) for names in re.findall(r"^  ((?:-\w,)?--[\w-]+(?:,--[\w-]+)*)", text, re.MULTILINE)]


def untried_options(program, lines):
    """Options that no line has. The common ones may be those of any command."""
    given = {}
    for line in lines:
        words = shlex.split(line)
        before = words[:words.index("--")] if "--" in words else words
        given.setdefault(words[0], set()).update(word.split("=")[0] for word in before if word.startswith("-"))
    everywhere = set().union(*given.values())
    common = {"--help", "--color", "--quiet", "--verbose", "--stats", "--output", "--output-file", "--max-input", "--anonymize"}
    for command in sorted(commands_of(program)):
        for names in options_of(program, command):
            if not any((command, name) in NOT_TRIED for name in names) and not names & (everywhere if names & common else given.get(command, set())):
                yield f"bayplan {command}: no line here has {' or '.join(sorted(names))}"


def lines_of(program):
    return LINES + [line for name, line in LATER.items() if name in commands_of(program)]


def untried(program):
    """Commands and options that no line has."""
    lines = [line for line, _ in lines_of(program)]
    faults = [f"bayplan {name}: no line here tries it" for name in sorted(commands_of(program) - {line.split()[0] for line in lines})]
    return faults + list(untried_options(program, lines))


def try_lines(program, source):
    faults = []
    lines = lines_of(program)
    with tempfile.TemporaryDirectory() as parent:
        folder = os.path.join(os.path.realpath(parent), "examples")
        shutil.copytree(os.path.join(source, "examples"), folder)
        os.mkdir(os.path.join(folder, ".git"))  # the examples are one project
        for name, text in OWN_FILES.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        for line, asked in lines:
            stdin = session_in(folder) if line.startswith("lsp") else "".join(json.dumps(call) + "\n" for call in CALLS) if line == "mcp" else DEFINITION if line.startswith("lint -") or " - " in line else "{}"
            done, found = traced([program, *shlex.split(line)], folder, asked, stdin=stdin)
            if done.returncode not in (0, 1):
                found.append(f"exit {done.returncode}: {done.stderr.decode()[:300]}")
            if line.startswith("lsp") and done.stdout.count(b"Content-Length") < 5:
                found.append(f"the editor has no answers: {done.stdout[:300]}")
            if line == "mcp" and done.stdout.count(b'"structuredContent"') < 4:
                found.append(f"the client has no answers: {done.stdout[:300]}")
            faults += [f"bayplan {line}: {each}" for each in found]
            left = set(os.listdir(folder)) - set(os.listdir(os.path.join(source, "examples"))) - {".git", *OWN_FILES}
            strange = left - {name for _, names in lines for name in names}
            faults += [f"bayplan {line}: leaves {name}" for name in strange]
    return len(lines) + 2, faults + untried(program) + try_job_summary(program, source) + try_changed(program)


def try_changed(program):
    """`lint --changed` starts git four times for one repository, and no other program; git starts none but itself."""
    if not shutil.which("git"):
        return []
    with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile("r", suffix=".trace") as trace:
        with open(os.path.join(folder, "web.json"), "w", encoding="utf-8") as file:
            file.write(DEFINITION)
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com"]
        for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "first"]):
            subprocess.run([*git, *words], cwd=folder, check=True)
        with open(os.path.join(folder, "web.json"), "a", encoding="utf-8") as file:
            file.write("\n")
        done = subprocess.run(["strace", "-f", "-qq", "-o", trace.name, "-e", "trace=execve,socket", "--", program, "lint", "--changed"], cwd=folder,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=600)
        lines = trace.read().splitlines()
    started = [PATH.search(line)[1] for line in lines if " execve(" in line and line.endswith("= 0")][1:]
    faults = [] if done.returncode == 1 and b"BAY017" in done.stdout else [f"exit {done.returncode}: {done.stderr.decode()[:300]}"]
    if len(started) != 4 or any(os.path.basename(each) != "git" for each in started) or any(" socket(" in line for line in lines):
        faults.append(f"starts {started}")
    return [f"bayplan lint --changed: {each}" for each in faults]


def try_job_summary(program, source):
    """The page of a job is written to where GITHUB_STEP_SUMMARY names it, by `lint --output github` and nothing else."""
    faults = []
    with tempfile.TemporaryDirectory() as parent:
        folder = os.path.join(os.path.realpath(parent), "examples")
        shutil.copytree(os.path.join(source, "examples"), folder)
        page = os.path.join(parent, "summary.md")
        for words, asked in ((["lint", "broken-gpu", "--output", "github"], [page]), (["lint", "broken-gpu"], []), (["place", "gpu-cluster/scenario.yaml"], [])):
            _, found = traced([program, *words], folder, asked, environment={**os.environ, "GITHUB_STEP_SUMMARY": page})
            faults += [f"bayplan {' '.join(words)}, in a job: {each}" for each in found]
            if asked and not os.path.exists(page):
                faults.append("lint --output github writes no page")
    return faults


def golden_lines(source):
    for top in ("tests/golden", "examples"):
        for folder, _, files in sorted(os.walk(os.path.join(source, top))):
            if "command" not in files:
                continue
            with open(os.path.join(folder, "command"), encoding="utf-8") as file:
                text = "".join(line for line in file if not line.startswith("#"))
            yield folder, shlex.split(text)


def asked_by(words):
    """Files that a command line names for writing."""
    asked = [word.split("=", 1)[1] for word in words if re.match(r"(--output=|--format=)?[a-z]+=", word)]
    for flag, value in zip(words, words[1:]):
        if flag in ("--create-baseline",):
            asked.append(value)
        if flag == "--folder" and words[0] == "man":
            asked.append(f"{value}/bayplan.1")
    return asked


def try_golden(program, source):
    faults, count = [], 0
    with tempfile.TemporaryDirectory() as parent:
        copy = os.path.join(os.path.realpath(parent), "source")
        shutil.copytree(source, copy, ignore=lambda folder, names: {"build", ".git"} & set(names))
        os.mkdir(os.path.join(copy, ".git"))
        for folder, words in golden_lines(copy):
            asked = asked_by(words)
            if "--fix" in words:
                asked += [name for name in words if "." in name]
            stdin = os.path.join(folder, "stdin")
            text = open(stdin, encoding="utf-8", errors="replace").read() if os.path.exists(stdin) else ""
            done, found = traced([program, *words], folder, asked, stdin=text)
            count += 1
            if done.returncode not in (0, 1, 2):
                found.append(f"exit {done.returncode}")
            faults += [f"{os.path.relpath(folder, copy)}: {each}" for each in found]
    return count, faults


def main():
    program, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    if "--coverage" in sys.argv:
        faults = untried(program)
        print(*faults, sep="\n")
        return 1 if faults else 0
    if shutil.which("strace") is None:
        print("strace is not here: apt-get install strace")
        return SKIPPED
    if subprocess.run(["strace", "-o", "/dev/null", "true"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        print("strace may not trace here")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        planted = check_the_check(os.path.realpath(folder))
    count, faults = try_lines(program, source)
    if "--all" in sys.argv:
        golden, more = try_golden(program, source)
        count, faults = count + golden, faults + more
    for fault in faults:
        print(fault)
    print(f"{count} command lines traced, {len(faults)} faults; {planted} planted faults were found")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
