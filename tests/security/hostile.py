#!/usr/bin/env python3
"""Passes inputs with hostile names and texts through every format of every command, and reads the output with third-party
parsers: no report may contain anything that its reader would execute.

usage: hostile.py BAYPLAN [-v]

Hostile are: control characters (C0, DEL, C1: a terminal executes them), bidirectional overrides, workflow commands (`::error::`
at the start of a line, `##[error]` and `##vso[...]` anywhere in one), directional marks, line endings, HTML, XML, Markdown,
spreadsheet formulas.
"""
import contextlib
import csv
import html.parser
import io
import json
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile
import termios
import urllib.parse
import xml.etree.ElementTree

MARK = "pwn"
ATTACKS = [
    f"</script><script>{MARK}()</script><img src=x onerror={MARK}()>",
    f"\"><svg onload={MARK}()>' {MARK}='",
    f"]]><{MARK}/>&{MARK};<!-- --><?{MARK}?>",
    f"\u001b[31m{MARK}\u0007\u009b2J\u0085\u007f\u0000",
    f"\u202e{MARK}\u2066\u2069\u202a",
    f"\u200e{MARK}\u200f\u061c\u2028::error::{MARK}\u2029{MARK}",
    f"x\n::error::{MARK}\r\n##[error]{MARK}\n##vso[task.{MARK}]\n::stop-commands::{MARK}\n%0A::error::{MARK}",
    f"::error::{MARK}",
    f"##[set-env name={MARK}]y",
    f"=cmd|'/c {MARK}'!A0",
    f"| `{MARK}` [x](javascript:{MARK}) ![x](http://{MARK}) @{MARK} #1",
]
#: Fits everywhere: one attack of each kind, one after the other.
ALL = " ".join(ATTACKS)

COLOR = re.compile(r"\x1b\[[0-9;]*m")
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]")
BIDI = re.compile("[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
WORKFLOW = re.compile(r"^\s*::|##[a-z]*\[", re.MULTILINE)
OWN_WORKFLOW = re.compile(r"^::(error|warning|notice) [a-zA-Z]+=")


def fields(attack):
    """A task definition in which everything that can be a text is the attack."""
    container = {
        "name": attack, "image": attack, "cpu": 128, "memory": 256, "essential": True, "command": [attack],
        "environment": [{"name": attack, "value": attack}, {"name": "PASSWORD", "value": attack}],
        "dockerLabels": {attack: attack}, "links": [attack], "hostname": attack, "user": attack,
        "secrets": [{"name": attack, "valueFrom": attack}], "ulimits": [{"name": attack, "softLimit": 2, "hardLimit": 1}],
        "mountPoints": [{"sourceVolume": attack, "containerPath": attack}], "workingDirectory": attack,
        "logConfiguration": {"logDriver": attack, "options": {attack: attack}},
        "resourceRequirements": [{"type": attack, "value": attack}], attack: attack,
        "dependsOn": [{"containerName": attack, "condition": attack}], "portMappings": [{"containerPort": 80, "protocol": attack}],
    }
    return {
        "family": attack, "networkMode": attack, "cpu": attack, "memory": attack, "taskRoleArn": attack,
        "requiresCompatibilities": [attack], "containerDefinitions": [container, {"name": attack, "image": "x"}],
        "volumes": [{"name": attack, attack: 1}], "tags": [{"key": attack, "value": attack}], attack: {attack: attack},
        "placementConstraints": [{"type": "memberOf", "expression": attack}], "runtimePlatform": {"cpuArchitecture": attack},
    }


def placeable(attack, family=None, memory=256):
    """A definition that can be placed whatever its texts are (with --no-lint)."""
    return {"family": family or attack, "containerDefinitions": [
        {"name": attack, "image": attack, "cpu": 128, "memory": memory, "environment": [{"name": attack, "value": attack}]}]}


def scenario(attack):
    return {
        "cluster": {"clusterName": attack, "containerInstances": [
            {"instanceType": "c5.large", "count": 1, "availabilityZone": attack, "attributes": {"stack": attack, "rack": attack},
             "ec2InstanceId": attack, "capacityProviderName": attack, "agentVersion": "1.90.0"},
            {"instanceType": attack, "count": 2, "availabilityZone": "us-east-1a",
             "registeredResources": {"CPU": 2048, "MEMORY": 3800}}]},
        "taskDefinitions": [placeable(attack), placeable(attack, "large", 9_000)],
        "services": [{"serviceName": attack, "taskDefinition": attack, "desiredCount": 3}],
        "tasks": [{"taskDefinition": "large", "count": 2, "group": attack}],
        "variants": {attack: {"drain": attack}, "other": {"terminate": attack}},
    }


def over_time(attack):
    given = scenario(attack)
    given["tasks"] = [{"taskDefinition": "large", "count": 2, "group": attack, "duration": "5m", "startAt": "10s"}]
    given["events"] = [{"at": "1m", "drain": attack}, {"at": "2m", "updateService": {"serviceName": attack, "desiredCount": 1}}]
    del given["variants"]
    return given


class Page(html.parser.HTMLParser):
    """Finds elements and attributes that an attack made."""

    ELEMENTS = {"html", "head", "meta", "title", "style", "body", "main", "header", "footer", "section", "h1", "h2", "h3", "h4", "p",
                "div", "span", "table", "thead", "tbody", "tr", "th", "td", "ul", "ol", "li", "a", "code", "pre", "b", "i", "em",
                "strong", "small", "script", "svg", "g", "rect", "text", "path", "line", "circle", "defs", "pattern", "use", "symbol",
                "button", "input", "label", "select", "option", "details", "summary", "br", "mark", "caption", "col", "colgroup",
                "nav", "article", "aside", "figure", "figcaption", "dl", "dt", "dd", "kbd", "time", "output", "form", "fieldset",
                "legend", "noscript", "wbr", "polyline", "polygon", "tspan", "clippath", "abbr", "sup", "sub", "link", "hr", "bdi",
                "lineargradient", "stop", "ins", "del", "meter"}

    def __init__(self):
        super().__init__()
        self.found = []
        self.scripts = []
        self.inside = None

    def handle_starttag(self, tag, attributes):
        self.inside = tag
        if tag not in self.ELEMENTS:
            self.found.append(f"a foreign element <{tag}>")
        for name, value in attributes:
            if name.startswith("on") or MARK in name:
                self.found.append(f"a foreign attribute {name} of <{tag}>")
            if name in ("href", "src", "action") and re.match(r"\s*(javascript|data|http:)", value or "", re.I):
                self.found.append(f"a link to {value}")

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside == "script":
            self.scripts.append(data)

    def handle_comment(self, data):
        if MARK in data:
            self.found.append("a comment of the attack")


def look_at_page(text):
    page = Page()
    page.feed(text)
    page.close()
    for script in page.scripts:
        if f"<script>{MARK}" in script or f"{MARK}()" in script and "\\u003c" not in script and "<" in script.split(MARK)[0][-12:]:
            page.found.append("a script that the attack closed or opened")
    return page.found


def look_at_xml(text):
    xml.etree.ElementTree.fromstring(text)
    return []


def look_at_svg(text):
    found = []
    for element in xml.etree.ElementTree.fromstring(text).iter():
        name = element.tag.split("}")[-1].lower()
        if name not in Page.ELEMENTS | {"desc", "title", "style", "svg"}:
            found.append(f"a foreign element <{name}>")
        found += [f"a foreign attribute {key}" for key in element.attrib if key.startswith("on") or MARK in key]
    return found


def look_at_json(text):
    json.loads(text)
    return []


def look_at_lines(text):
    for line in text.splitlines():
        json.loads(line)
    return []


def look_at_csv(text):
    rows = list(csv.reader(io.StringIO(text, newline="")))
    found = [f"a row of {len(row)} cells and not {len(rows[0])}" for row in rows if len(row) != len(rows[0])]
    found += [f"a formula {cell[:30]!r}" for row in rows for cell in row
              if cell[:1] in "=@" and cell or re.match(r"[+-](?![0-9.]+(e[+-]?[0-9]+)?$)", cell)]
    return found


def look_at_markdown(text):
    outside = re.sub(r"`[^`\n]*`|^```.*?^```|^~~~.*?^~~~", "", text, flags=re.MULTILINE | re.DOTALL)
    found = []
    for pattern, what in [(r"<(script|svg|img|pwn)", "an element"), (r"(?<!!)\[[^\]\n]*\]\(javascript:", "a link that runs"),
                          (r"!\[[^\]\n]*\]\(http", "a picture from elsewhere"), (r"(?<![\w`&;])@" + MARK, "a mention")]:
        found += [f"{what}: {match.group()!r}" for match in re.finditer(pattern, outside)]
    return found


def look_at_messages(text):
    """Of the servers: what an editor or an agent shows may hold no more than a report of lint."""
    found = []

    def walk(value):
        if isinstance(value, dict):
            for name, member in value.items():
                if name in ("message", "title", "label", "detail", "text") and isinstance(member, str):
                    found.extend(what for what in scan(member.replace("\n", " "), "text") if "workflow" not in what)  # no log
                walk(member)
        elif isinstance(value, list):
            for member in value:
                walk(member)
    framed = re.split(r"Content-Length: \d+\r?\n\r?\n", text)
    for body in framed[1:] or text.split("\n")[:-1]:  # the server for agents writes a message a line
        walk(json.loads(body))
    return found


READERS = {"json": look_at_json, "sarif": look_at_json, "gitlab": look_at_json, "jsonl": look_at_lines, "html": look_at_page,
           "junit": look_at_xml, "svg": look_at_svg, "csv": look_at_csv, "markdown": look_at_markdown, "aws": look_at_json, "messages": look_at_messages}


def scan(text, form, colored=False):
    """What no output may hold, whatever reads it."""
    if form in ("csv", "aws", "messages"):
        text = text.replace("\r\n", "\n")
    if colored:
        text = COLOR.sub("", text)
    found = [f"the control character {match.group()!r}" for match in CONTROL.finditer(text)]
    found += [f"the override {match.group()!r}" for match in BIDI.finditer(text)]
    for match in WORKFLOW.finditer(text) if form != "terminal" else ():  # there nobody obeys them
        begin = text.rfind("\n", 0, match.end() - 2) + 1
        line = text[begin:text.find("\n", match.end())]
        if form == "github" and OWN_WORKFLOW.match(line) and line.count("##[") == 0:
            continue
        found.append(f"a workflow command in {line[:100]!r}")
    return found


class Trial:
    def __init__(self, program, verbose):
        self.program = program
        self.verbose = verbose
        self.runs = 0
        self.faults = []
        self.commands = set()

    def run(self, folder, arguments, formats=("text",), stdin="", colored=False, environment=None):
        """Runs one command once for each of its formats, to standard output."""
        self.commands.add(arguments[0])
        for form in formats:
            line = [*arguments]
            where = line.index("--") if "--" in line else len(line)
            own = [] if form == "messages" else [f"--output={form}"]
            line[where:where] = own + (["--color=always"] if colored else [])
            done = subprocess.run([self.program, *line], cwd=folder, input=stdin.encode("utf-8", "surrogatepass"), timeout=60,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                                  env={"PATH": "/nowhere", "LC_ALL": "C.UTF-8", **(environment or {})})
            self.runs += 1
            self.judge(line, form, done, colored)

    def run_on_terminal(self, folder, arguments):
        """What a person sees who runs it."""
        self.commands.add(arguments[0])
        terminal, end = pty.openpty()
        attributes = termios.tcgetattr(end)
        attributes[1] &= ~termios.OPOST  # ends of lines stay as they were written
        termios.tcsetattr(end, termios.TCSANOW, attributes)
        with subprocess.Popen([self.program, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=end, stderr=subprocess.PIPE,
                              env={"PATH": "/nowhere", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}) as process:
            os.close(end)
            out = b""
            with contextlib.suppress(OSError):  # EIO is the end
                while part := os.read(terminal, 65536):
                    out += part
            os.close(terminal)
            err = process.stderr.read()
        self.runs += 1
        self.judge([*arguments, "(on a terminal)"], "terminal", subprocess.CompletedProcess(arguments, process.returncode, out, err), False)

    def look_at_file(self, path, form, what):
        """A file that a command wrote."""
        with open(path, "rb") as file:
            written = subprocess.CompletedProcess([], 0, file.read(), b"")
        if not written.stdout:
            self.faults.append(f"{what}: {path} is empty")
        self.runs += 1
        self.judge([what], form, written, False)

    def judge(self, line, form, done, colored):
        out, err = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
        found = [("stderr", what) for what in scan(err, "text")] + [("stdout", what) for what in scan(out, form, colored)]
        if done.returncode not in (0, 1, 2):
            found.append(("exit", f"code {done.returncode}: {err[:200]}"))
        if done.returncode != 2 or out:
            try:
                found += [("stdout", what) for what in READERS.get(form, lambda text: [])(out)] if out else []
            except (ValueError, xml.etree.ElementTree.ParseError, csv.Error) as error:
                found.append(("stdout", f"is no {form}: {error}"))
        if self.verbose:
            print(done.returncode, form, [part[:40] for part in line])
            print(out[:2000] + err[:600] if self.verbose > 1 else err[:300])
        for stream, what in found[:6]:
            self.faults.append(f"{' '.join(line)[:160]!r} ({form}, {stream}): {what}")


def put(folder, name, value):
    path = os.path.join(folder.encode(), name.encode("utf-8"))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(value if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False, indent=1).encode())


def file_name(attack):
    return attack.replace("/", "_").replace("\0", "")[:120]


LINT = ("text", "oneline", "json", "sarif", "github", "gitlab", "junit", "markdown", "html", "csv")
CLUSTER = ("text", "json", "markdown", "csv", "html", "svg")


def try_lint(trial, attack, folder):
    put(folder, "bad.json", fields(attack))
    put(folder, f"d/{file_name(attack)}.json", fields(attack))
    put(folder, "raw.json", b'{"family": "\x1b[31m", "containerDefinitions": [{"name": "\xff\xc2\x9b", "image": ' +
        json.dumps(attack, ensure_ascii=False).encode() + b"\n\r::error::" + MARK.encode() + b"\n##[error]x\n")
    put(folder, "bad.yaml", f"# bayplan: ignore={attack}\nfamily: {json.dumps(attack)}\n{json.dumps(attack)}: 1\n? {attack}\n".encode())
    put(folder, "service.json", {"serviceName": attack, "taskDefinition": attack, "desiredCount": 1, attack: attack,
                                 "placementStrategy": [{"type": attack, "field": attack}]})
    put(folder, "template.json", {"Resources": {attack: {"Type": "AWS::ECS::TaskDefinition", "Properties": {
        "Family": {"Ref": attack}, "ContainerDefinitions": [{"Name": attack, "Image": {"Fn::Sub": "${" + attack + "}"}, attack: 1}]}}}})
    put(folder, "holes.json.tpl", ('{"family": "${' + attack.replace("\n", " ").replace('"', "") + '}", "containerDefinitions": '
                                   '[{"name": "a", "image": "{{ x' + MARK + ' }}"}]}').encode())
    names = ["bad.json", f"d/{file_name(attack)}.json", "raw.json", "bad.yaml", "service.json", "template.json", "holes.json.tpl"]
    trial.run(folder, ["lint", "-v", "--select", "ALL", *["./" + name for name in names]], LINT)
    trial.run(folder, ["lint", "-v", *names[:3]], ("text",), colored=True)
    trial.run(folder + "/d", ["lint", f"{file_name(attack)}.json"], ("text", "oneline", "github"))
    trial.run(folder, ["lint", f"{file_name(attack)}-none.json"], LINT)
    trial.run(folder, ["lint", "--stdin-filename", file_name(attack), "-"], ("text", "oneline", "github", "json"), stdin="{")
    try_what_lint_writes(trial, attack, folder, names)
    put(folder, "config.yaml", {"select": [attack], attack: attack, "severity": {attack: "info"}, "types": [attack],
                                "perFileIgnores": [{"files": attack, "rules": [attack], "reason": attack}]})
    trial.run(folder, ["lint", "--config", "config.yaml", "bad.json"])
    put(folder, "good.yaml", {"perFileIgnores": [{"files": "*", "rules": ["ALL"], "reason": attack}], "types": ["c5.*"]})
    trial.run(folder, ["lint", "--config", "good.yaml", "-v", "bad.json"], ("text", "json", "markdown", "sarif"))
    trial.run(folder, ["lint", "--config", "good.yaml", "--show-config"])
    put(folder, "base.json", {"schema": "bayplan/baseline/1", attack: attack})
    trial.run(folder, ["lint", "--baseline", "base.json", "bad.json"])
    put(folder, "vars.env", (attack + "=" + attack + "\nA=" + attack).encode())
    trial.run(folder, ["lint", "--env-file", "vars.env", "holes.json.tpl"])
    trial.run(folder, ["lint", "--var", "A=" + attack.replace("\0", ""), "holes.json.tpl"])


def try_what_lint_writes(trial, attack, folder, names):
    """Fixes as a patch, names of files, and the page of a job."""
    definition = {"family": "a", "containerDefinitions": [{"name": "a", "image": "a:1", "memory": "64", "command": [attack], "environment": [{"name": "B", "value": attack}]}]}
    put(folder, f"fix/{file_name(attack)}.json", definition)
    trial.run(folder, ["lint", "--diff", "fix"])
    trial.run_on_terminal(folder, ["lint", "--diff", "fix"])
    trial.run_on_terminal(folder, ["lint", "--show-files", "."])
    trial.run_on_terminal(folder, ["lint", "-v", *["./" + name for name in names]])
    page = os.path.join(folder, "summary.md")
    trial.run(folder, ["lint", *["./" + name for name in names]], ("github",), environment={"GITHUB_STEP_SUMMARY": page})
    trial.look_at_file(page, "markdown", "the page that GITHUB_STEP_SUMMARY names")


def session(*messages):
    frames = [json.dumps(message, ensure_ascii=False).encode("utf-8", "replace") for message in messages]
    return b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(frame), frame) for frame in frames).decode("utf-8")


def try_editor(trial, attack, folder):
    """Texts and names that an editor has open."""
    put(folder, ".bayplan.yaml", {"types": [attack], attack: attack})
    root = "file://" + os.path.realpath(folder)
    for name, begin in (("open.json", root), (f"{file_name(attack)}.yaml", None)):
        uri = "file://" + urllib.parse.quote(os.path.join(os.path.realpath(folder), name))
        for text in (json.dumps(fields(attack), ensure_ascii=False), attack, json.dumps(placeable("a")) + attack):
            at = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 3}}
            range_of_all = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
            given = session({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"rootUri": begin, "capabilities": {}}},
                            {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {"uri": uri, "languageId": "json", "version": 1, "text": text}}},
                            {"jsonrpc": "2.0", "id": 2, "method": "textDocument/hover", "params": at}, {"jsonrpc": "2.0", "id": 3, "method": "textDocument/completion", "params": at},
                            {"jsonrpc": "2.0", "id": 4, "method": "textDocument/codeAction", "params": {"textDocument": {"uri": uri}, "range": range_of_all, "context": {"diagnostics": []}}},
                            {"jsonrpc": "2.0", "id": 5, "method": attack, "params": {attack: attack}},
                            {"jsonrpc": "2.0", "id": 6, "method": "shutdown"}, {"jsonrpc": "2.0", "method": "exit"})
            trial.run(folder, ["lsp"], ("messages",), stdin=given)
    calls = ({"name": "lint", "arguments": {"text": json.dumps(fields(attack), ensure_ascii=False)}}, {"name": "lint", "arguments": {"files": [attack], attack: attack}},
             {"name": "explain", "arguments": {"messages": [attack]}}, {"name": attack})
    lines = [{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": attack, "capabilities": {}}}, {"jsonrpc": "2.0", "id": 2, "method": attack}]
    lines += [{"jsonrpc": "2.0", "id": index, "method": "tools/call", "params": call} for index, call in enumerate(calls, 3)]
    trial.run(folder, ["mcp"], ("messages",), stdin="".join(json.dumps(line) + "\n" for line in lines))
    os.unlink(os.path.join(folder, ".bayplan.yaml"))


def try_places(trial, attack, folder):
    put(folder, "s.json", scenario(attack))
    put(folder, "t.json", over_time(attack))
    put(folder, "task.json", placeable(attack))
    put(folder, "old.json", placeable("a"))
    put(folder, "grid.json", {"scenario": "plain.json", "axes": {attack: {attack: {"drain": attack}, "none": {}}}})
    plain = scenario(attack)
    del plain["variants"]
    put(folder, "plain.json", plain)
    put(folder, "wrong.json", {"cluster": attack, attack: attack, "taskDefinitions": [attack], "tasks": [{"taskDefinition": attack}]})
    trial.run(folder, ["place", "s.json", "--no-lint", "-v"], CLUSTER)
    trial.run(folder, ["place", "s.json", "--no-lint", "--wide"], ("text",), colored=True)
    trial.run(folder, ["place", "s.json"], ("text", "json"))
    trial.run(folder, ["place", "wrong.json"], ("text", "json"))
    trial.run(folder, ["place", "t.json", "--no-lint", "--until", "20m"], CLUSTER)
    trial.run(folder, ["whatif", "s.json", "--no-lint", "--each-az", "-v"], ("text", "json", "markdown", "csv", "html"))
    trial.run(folder, ["why", "large", "plain.json", "--no-lint", "-v"], ("text", "json", "markdown"))
    trial.run(folder, ["why", "--service", attack.replace("\0", ""), "plain.json", "--no-lint"], ("text", "json", "markdown"))
    trial.run(folder, ["repack", "plain.json", "--no-lint", "-v"], ("text", "json", "markdown"))
    trial.run(folder, ["sweep", "grid.json", "--no-lint", "-j", "1"], ("text", "jsonl"))
    trial.run(folder, ["fleet", "plain.json", "--no-lint", "--effort", "200", "--types", "c5.large,m5.large", "-v", "--start-task"],
              ("text", "json", "markdown", "csv", "html", "svg"))
    trial.run(folder, ["fit", "task.json", "bad.json", "--no-lint", "--types", "c5.*", "-v"], ("text", "json", "markdown", "csv", "html"))
    trial.run(folder, ["fit", "bad.json"], ("text", "json"))
    trial.run(folder, ["diff", "old.json", "task.json", "-v"], ("text", "json", "markdown", "csv"))
    trial.run(folder, ["diff", "task.json", "bad.json"], ("text", "json", "markdown", "csv"))
    trial.run(folder, ["diff", "--cluster", "plain.json", "old.json", "bad.json"])


def try_words(trial, attack, folder):
    word = attack.replace("\0", "")
    put(folder, "in.json", fields(attack))
    put(folder, "prices.csv", ("instanceType,price\n" + attack + ",1\nc5.large," + attack + "\n").encode())
    line = ["aws", "ecs", "register-task-definition", "--cli-input-json", "file://in.json"]
    trial.run(folder, ["dry-run", "--", *line], ("text", "json", "aws"))
    trial.run(folder, ["dry-run", "--", "aws", "ecs", "run-task", "--task-definition", word, "--group", word, "--overrides", word],
              ("text", "json"))
    trial.run(folder, ["dry-run", "--instances", "c5.large=2@us-east-1a", "--definition", "old.json", "--", "aws", "ecs", "run-task",
                       "--task-definition", "a", "--group", word, "--started-by", word], ("text", "json", "aws"))
    trial.run(folder, ["dry-run", "--", word, word])
    trial.run(folder, ["explain", word], ("text", "json", "markdown"))
    trial.run(folder, ["explain", "-"], ("text", "json", "markdown"),
              stdin=f"(service {attack}) was unable to place a task because no container instance met all of its requirements.\n{attack}")
    trial.run(folder, ["catalog", word], ("text", "json", "csv"))
    trial.run(folder, ["rules", word], ("text", "json", "csv", "markdown", "html"))
    trial.run(folder, ["collect", "--cluster", word, "--region", word])
    trial.run(folder, ["schema", word])
    trial.run(folder, ["fleet", "plain.json", "--prices", "prices.csv", "--effort", "10"])
    trial.run(folder, ["place", "--cluster", word, "--task", word, "--strategy", word])
    for flag in ("--instances", "--placement-constraints", "--placement-strategy", "--where", "--sort", "--region", "--until"):
        trial.run(folder, ["place", "plain.json", "--no-lint", flag, word])
    trial.run(folder, [word])
    trial.run(folder, ["lint", word, "--" + word])


REPLAYED = pathlib.Path(__file__).resolve().parents[2] / "examples/replay"


def renamed(value, name):
    """`value` with every text that contains the service or family "web" renamed, keys left alone."""
    if isinstance(value, dict):
        return {key: renamed(member, name) for key, member in value.items()}
    if isinstance(value, list):
        return [renamed(member, name) for member in value]
    return value.replace("web", name) if isinstance(value, str) else value


def try_replay(trial, attack, folder):
    """Records and a snapshot in which a service, its family and what names them are hostile."""
    name = attack.replace("\0", "")
    for path in (REPLAYED / "snapshot").iterdir():
        put(folder, f"snapshot/{path.name}", renamed(json.loads(path.read_text()), name))
    lines = [json.loads(line) for line in (REPLAYED / "events.jsonl").read_text().splitlines() if line.startswith("{") and line.endswith("}")]
    put(folder, "events.jsonl", "\n".join(json.dumps(renamed(line, name), ensure_ascii=False) for line in lines).encode() + b"\n" + attack.encode() + b"\n")
    trial.run(folder, ["replay", "snapshot", "events.jsonl"], ("text", "json", "markdown", "csv", "html"))
    trial.run(folder, ["replay", "-v", "snapshot", "events.jsonl"], ("text",))


#: What no text of an input reaches.
WITHOUT_INPUT = {"completion", "man"}


def commands_of(program):
    text = subprocess.run([program, "--help"], stdout=subprocess.PIPE, check=True).stdout.decode()
    return set(re.findall(r"^  ([a-z][a-z-]*)  ", text.split("Subcommands:")[1], re.MULTILINE))


def check_the_scan():
    """Each fault that is looked for is found in what has it."""
    assert scan("a\x1b[31mb", "text") and not scan("a\x1b[31mb", "text", colored=True) and scan("a\x1b]0;x", "text", colored=True)
    assert scan("a\rb", "csv") and not scan("a\r\n", "csv") and scan("a\u202eb", "text") and scan("\u009b", "json")
    assert scan(" ::error::x", "text") and scan("x ##[error]", "json") and not scan("a::b", "text")
    assert scan("::error::x", "github") and not scan("::error file=a::b", "github") and scan("::error file=a::##[x]", "github")
    assert look_at_page("<p><img src=x onerror=pwn()>") and look_at_page("<pwn>") and not look_at_page("<p>&lt;pwn&gt;")
    assert look_at_csv("a,b\n=1,2\n") and look_at_csv("a\n1,2\n") and not look_at_csv("a,b\n-1.5,'=x\n")
    assert look_at_markdown("<script>") and not look_at_markdown("`<script>`") and look_at_svg("<svg><script onload=''/></svg>")


def main():
    check_the_scan()
    program = os.path.abspath(sys.argv[1])
    trial = Trial(program, sum(argument == "-v" for argument in sys.argv) + 2 * ("-vv" in sys.argv))
    for number, attack in enumerate([*ATTACKS, ALL]):
        with tempfile.TemporaryDirectory() as folder:
            try_lint(trial, attack, folder)
            try_editor(trial, attack, folder)
            try_places(trial, attack, folder)
            try_words(trial, attack, folder)
            try_replay(trial, attack, folder)
    missing = commands_of(program) - trial.commands - WITHOUT_INPUT
    if missing:
        trial.faults.append(f"commands that nothing hostile was given to: {sorted(missing)}")
    for fault in sorted(set(trial.faults)):
        print(fault)
    print(f"{trial.runs} reports of {len(ATTACKS) + 1} hostile inputs, {len(set(trial.faults))} faults")
    return 1 if trial.faults else 0


if __name__ == "__main__":
    sys.exit(main())
