"""Sessions with `bayplan lsp` over pipes: messages of an editor, in JSON and YAML, valid and invalid, and the answers.
usage: lsp_session.py BAYPLAN"""
import contextlib
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import urllib.parse

LEVELS = {"error": 1, "warning": 2, "info": 3, "style": 4}
EVERYTHING = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {"workspaceEdit": {"documentChanges": True}},
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True, "codeDescriptionSupport": True, "versionSupport": True},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "completion": {"completionItem": {"snippetSupport": True, "documentationFormat": ["markdown"]}},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "source.fixAll"]}}},
    },
}
JSON_TEXT = """{
  "family": "my app \U0001f680",
  "containerDefinitions": [
    {"name": "\U0001f680", "image": "nginx:1.27", "memory": 512, "essential": "true",}
  ]
}
"""
YAML_TEXT = """# \U0001f680
family: my app \U0001f680
containerDefinitions:
  - name: web
    image: nginx:1.27
    memory: "512"
"""


TEMPLATE = """Resources:
  Web:
    Type: AWS::ECS::TaskDefinition
    Properties:
      Family: web
"""
CODE = 'resource "aws_ecs_task_definition" "web" {{\n  family = "web"\n{}\n}}\n'


def units(text, encoding="utf-16"):
    return len(text.encode("utf-8")) if encoding == "utf-8" else len(text.encode("utf-16-le")) // 2


def offset_of(text, position, encoding="utf-16"):
    """Of a position that lies in the text, by a way of its own: an index into `text`."""
    start = 0
    for _ in range(position["line"]):
        start = text.index("\n", start) + 1
    end = start
    while units(text[start:end], encoding) < position["character"]:
        end += 1
    return end


def position_of(text, offset, encoding="utf-16"):
    start = text.rfind("\n", 0, offset) + 1
    return {"line": text.count("\n", 0, offset), "character": units(text[start:offset], encoding)}


class Session:
    """A client that answers nothing, reads whatever comes, and ends the server after ten minutes, if it hangs."""

    def __init__(self, program, folder):
        self.process = subprocess.Popen([program, "lsp"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.alarm = threading.Timer(600, self.process.kill)
        self.alarm.start()
        self.folder = pathlib.Path(folder)
        self.last_id = 0
        self.notices = []
        self.encoding = "utf-16"

    def uri(self, name):
        return "file://" + urllib.parse.quote(str(self.folder / name))

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    @staticmethod
    def framed(message):
        content = message if isinstance(message, bytes) else json.dumps(message).encode()
        return b"Content-Length: %d\r\n\r\n" % len(content) + content

    def read(self):
        length = None
        while True:
            line = self.process.stdout.readline()
            if not line:
                return None
            if line == b"\r\n":
                break
            name, value = line.split(b":")
            assert name == b"Content-Length"
            length = int(value)
        return json.loads(self.process.stdout.read(length).decode("utf-8"))

    def read_until(self, is_wanted):
        while True:
            message = self.read()
            assert message is not None, "the server has gone"
            if is_wanted(message):
                return message
            self.notices.append(message)

    def response(self, wanted):
        return self.read_until(lambda message: "method" not in message and message.get("id") == wanted)

    def request(self, method, params=None):
        self.last_id += 1
        self.write(self.framed({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params or {}}))
        return self.response(self.last_id)

    def result(self, method, params=None):
        response = self.request(method, params)
        assert "error" not in response, response
        return response["result"]

    def notify(self, method, params):
        self.write(self.framed({"jsonrpc": "2.0", "method": method, "params": params}))

    def diagnostics(self, name):
        is_wanted = lambda message: message.get("method") == "textDocument/publishDiagnostics"
        uri = self.uri(name)
        return self.read_until(lambda message: is_wanted(message) and message["params"]["uri"] == uri)["params"]

    def begin(self, capabilities=None):
        answer = self.result("initialize", {"processId": os.getpid(), "rootUri": "file://" + str(self.folder),
                                            "capabilities": EVERYTHING if capabilities is None else capabilities})
        self.encoding = answer["capabilities"]["positionEncoding"]
        self.notify("initialized", {})
        return answer

    def open(self, name, text, version=1):
        language = {"tf": "terraform", "yaml": "yaml", "yml": "yaml"}.get(name.rpartition(".")[2], "json")
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": self.uri(name), "languageId": language, "version": version, "text": text}})
        return self.diagnostics(name)

    def change(self, name, version, *changes):
        self.notify("textDocument/didChange", {"textDocument": {"uri": self.uri(name), "version": version},
                                               "contentChanges": list(changes)})

    def end(self):
        assert self.result("shutdown") is None
        self.notify("exit", {})
        assert self.wait() == 0

    def wait(self):
        code = self.process.wait(timeout=200)
        self.alarm.cancel()
        self.process.stdin.close()
        self.process.stdout.close()
        return code


@contextlib.contextmanager
def talking(program, folder, capabilities=None):
    """A session from `initialize` to `exit`, which must end well."""
    session = Session(program, folder)
    session.begin(capabilities)
    yield session
    session.end()


def told_by_lint(program, folder, name):
    """What `bayplan lint` says of the file on disk, as an editor counts."""
    ran = subprocess.run([program, "lint", "--output", "json", "--", name], cwd=folder, capture_output=True, check=False)
    text = (pathlib.Path(folder) / name).read_text(encoding="utf-8")
    lines = text.split("\n")

    def position(line, column):
        return {"line": line - 1, "character": units(lines[line - 1][:column - 1])}

    told = []
    for one in json.loads(ran.stdout)["findings"]:
        if one["suppressed"]:
            continue
        told.append({
            "code": one["code"], "severity": LEVELS[one["severity"]],
            "range": {"start": position(one["line"], one["column"]), "end": position(one["endLine"], one["endColumn"])},
            "message": one["message"] + ("\nhelp: " + one["help"] if one["help"] else ""),
            "related": [(item["message"], position(item["line"], item["column"])) for item in one["related"]],
        })
    return told


def told_to_editor(params):
    return [{
        "code": one["code"], "severity": one["severity"], "range": one["range"], "message": one["message"],
        "related": [(item["message"], item["location"]["range"]["start"]) for item in one.get("relatedInformation", [])],
    } for one in params["diagnostics"] if "code" in one]


def compare_with_lint(program, session, name, text, params):
    path = session.folder / name
    path.write_text(text, encoding="utf-8")
    expected, seen = told_by_lint(program, session.folder, name), told_to_editor(params)
    assert seen == expected, f"{name}: the editor is told {seen}\nand the terminal {expected}\nof\n{text}"
    return seen


# ---------------------------------------------------------------------------------------------------------------------


def check_begin_and_end(program, folder):
    session = Session(program, folder)
    early = session.request("textDocument/hover")
    assert early["error"]["code"] == -32002, early
    session.notify("textDocument/didOpen", {"too": "early"})
    answer = session.begin()
    assert answer["serverInfo"]["name"] == "bayplan" and answer["capabilities"]["positionEncoding"] == "utf-16"
    assert session.request("initialize")["error"]["code"] == -32600
    assert session.request("no/such")["error"]["code"] == -32601
    session.notify("no/such", {})
    session.notify("$/setTrace", {"value": "off"})
    assert session.result("shutdown") is None
    assert session.request("textDocument/hover")["error"]["code"] == -32600
    session.notify("exit", {})
    assert session.wait() == 0

    session = Session(program, folder)
    session.begin()
    session.notify("exit", {})
    assert session.wait() == 1, "exit without shutdown"

    session = Session(program, folder)
    session.begin()
    session.process.stdin.close()
    assert session.process.wait(timeout=200) == 1, "the end without exit"
    session.alarm.cancel()


def check_diagnostics(program, folder):
    with talking(program, folder) as session:
        for name, text in (("task-definition.json", JSON_TEXT), ("task-definition.yaml", YAML_TEXT)):
            params = session.open(name, text, version=7)
            assert params["version"] == 7
            seen = compare_with_lint(program, session, name, text, params)
            assert "BAY102" in [one["code"] for one in seen], seen
            family = next(one for one in params["diagnostics"] if one["code"] == "BAY102")
            begin, end = (offset_of(text, family["range"][side]) for side in ("start", "end"))
            assert text[begin:end].strip('"') == "my app \U0001f680", text[begin:end]
            assert family["source"] == "bayplan"
            page = family.get("codeDescription", {}).get("href", "https://docs.example.com/BAY102")  # a build without BAYPLAN_RULE_PAGE has none
            assert page.startswith("https://") and family["code"] in page, f"the link of {family['code']} leads to {page}"

        other = session.open("package.json", '{"name": "web", "version": "1.0.0", "scripts": {')
        assert other["diagnostics"] == [], "what is no task definition is left alone"
        session.notify("textDocument/didClose", {"textDocument": {"uri": session.uri("task-definition.json")}})
        assert session.diagnostics("task-definition.json")["diagnostics"] == []


def check_utf8(program, folder):
    session = Session(program, folder)
    answer = session.begin({"general": {"positionEncodings": ["utf-16", "utf-8"]}})
    assert answer["capabilities"]["positionEncoding"] == "utf-8"
    params = session.open("task-definition.json", JSON_TEXT)
    family = next(one for one in params["diagnostics"] if one["code"] == "BAY102")
    assert family["range"] == {"start": {"line": 1, "character": 12}, "end": {"line": 1, "character": 12 + 13}}, family
    assert "codeDescription" not in family and "version" not in params, "the client did not ask for these"
    session.end()


def random_edit(rng, text, encoding):
    begin = rng.randrange(len(text) + 1)
    end = min(len(text), begin + rng.choice([0, 0, 1, 1, 3, 12]))
    new = rng.choice(["", "", "\"", "{", "}", ",", ":", "a", "\n", "  ", "\U0001f680", "é", "\"cpu\": 1,", "memory: 5\n", "#"])
    change = {"range": {"start": position_of(text, begin, encoding), "end": position_of(text, end, encoding)}, "text": new}
    return change, text[:begin] + new + text[end:]


def check_edits(program, folder):
    """Whatever is typed, the server has the text that the editor has: what it finds is what is found in that."""
    for name, text in (("task-definition.json", JSON_TEXT), ("task-definition.yaml", YAML_TEXT)):
        rng = random.Random(11)
        with talking(program, folder) as session:
            session.open(name, text)
            for version in range(2, 42):
                changes = []
                for _ in range(rng.randrange(1, 4)):
                    change, text = random_edit(rng, text, session.encoding)
                    changes.append(change)
                session.change(name, version, *changes)
                params = session.diagnostics(name)
                assert params["version"] == version
                compare_with_lint(program, session, name, text, params)
            session.change(name, 99, {"text": JSON_TEXT})
            compare_with_lint(program, session, name, JSON_TEXT, session.diagnostics(name))


def check_bursts(program, folder):
    """Ten changes that come at once are linted once."""
    with talking(program, folder) as session:
        session.open("task-definition.json", JSON_TEXT)
        burst, text = b"", JSON_TEXT
        for version in range(2, 12):
            change = {"range": {"start": position_of(text, len(text)), "end": position_of(text, len(text))}, "text": " "}
            text += " "
            burst += session.framed({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
                "textDocument": {"uri": session.uri("task-definition.json"), "version": version}, "contentChanges": [change]}})
        session.write(burst)
        versions = [session.diagnostics("task-definition.json")["version"]]
        while versions[-1] != 11:
            versions.append(session.diagnostics("task-definition.json")["version"])
        assert len(versions) < 10, versions


def check_canceling(program, folder):
    with talking(program, folder) as session:
        request = lambda number: session.framed({"jsonrpc": "2.0", "id": number, "method": "no/such", "params": {}})
        cancel = lambda number: session.framed({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": number}})
        session.write(request("a") + request("b") + cancel("b") + cancel("never"))
        assert session.response("a")["error"]["code"] == -32601
        assert session.response("b")["error"]["code"] == -32800
        session.write(request("b"))
        assert session.response("b")["error"]["code"] == -32601, "an old cancellation holds no more"


def check_malformed(program, folder):
    with talking(program, folder) as session:
        for content, code, answered in (
                (b"{", -32700, None), (b"", -32700, None), (b"\xff", -32700, None), (b"[]", -32600, None), (b"3", -32600, None),
                (b'{"id": 5, "method": "x"}', -32600, 5), (b'{"jsonrpc": "2.0", "id": 5}', -32600, 5),
                (b'{"jsonrpc": "2.0", "id": 5, "method": 7}', -32600, 5),
                (b'{"jsonrpc": "2.0", "id": 1.5, "method": "x"}', -32600, None),
                (b'{"jsonrpc": "2.0", "id": 5, "method": "x", "params": 3}', -32600, 5)):
            session.write(session.framed(content))
            response = session.response(answered)
            assert response["error"]["code"] == code, (content, response)
        for header in (b"Content-Type: x\r\n\r\n", b"Content-Length: many\r\n\r\n", b"Content-Length: -1\r\n\r\n", b"hello\r\n\r\n"):
            session.write(header)
            assert session.response(None)["error"]["code"] == -32700, header
        session.write(b"Content-Length: 70000000\r\n\r\n" + b" " * 70000000)
        assert session.response(None)["error"]["code"] == -32600
        half = JSON_TEXT.replace("\U0001f680", "\\ud83d")  # as a JavaScript program writes half of a pair
        params = {"textDocument": {"uri": session.uri("task-definition.json"), "languageId": "json", "version": 1, "text": "TEXT"}}
        message = json.dumps({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": params})
        session.write(session.framed(message.replace('"TEXT"', json.dumps(half).replace("\\\\ud83d", "\\ud83d")).encode()))
        assert "BAY102" in [one["code"] for one in session.diagnostics("task-definition.json")["diagnostics"]]

    session = Session(program, folder)
    session.write(b"X" * 20000)
    assert session.response(None)["error"]["code"] == -32700
    session.process.stdin.close()
    assert session.process.wait(timeout=200) == 1, "a header without an end"
    session.alarm.cancel()


def check_config(program, folder):
    with talking(program, folder) as session:
        codes = lambda params: [one.get("code") for one in params["diagnostics"]]
        assert "BAY102" in codes(session.open("task-definition.json", JSON_TEXT))
        session.open(".bayplan.yaml", "ignore: [BAY102]\n")
        assert "BAY102" not in codes(session.diagnostics("task-definition.json")), "a config that is only open counts"
        session.change(".bayplan.yaml", 2, {"text": "ignore: [BAY102]\nignroe: []\n"})
        wrong = session.diagnostics(".bayplan.yaml")["diagnostics"]
        assert [one["range"]["start"] for one in wrong] == [{"line": 1, "character": 0}] and "ignroe" in wrong[0]["message"], wrong
        assert "BAY102" not in codes(session.diagnostics("task-definition.json")), "the last good one holds while it is typed"
        session.change(".bayplan.yaml", 3, {"text": ""})
        assert session.diagnostics(".bayplan.yaml")["diagnostics"] == []
        assert "BAY102" in codes(session.diagnostics("task-definition.json"))
        session.notify("textDocument/didClose", {"textDocument": {"uri": session.uri(".bayplan.yaml")}})
        (session.folder / ".bayplan.yaml").write_text("exclude: ['*.json']\n")
        session.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": session.uri(".bayplan.yaml"), "type": 1}]})
        while codes(session.diagnostics("task-definition.json")):  # those of the closing may come first
            pass
        (session.folder / ".bayplan.yaml").unlink()


def at_cursor(session, name, text, version=1):
    """Opens a text without its `^` and gives the text and the position of that."""
    offset = text.index("^")
    text = text[:offset] + text[offset + 1:]
    session.open(name, text, version)
    return text, position_of(text, offset, session.encoding)


def completed(session, name, text, label):
    """What the text becomes when the item is taken, and all items by label."""
    text, position = at_cursor(session, name, text)
    place = {"textDocument": {"uri": session.uri(name)}, "position": position}
    items = {item["label"]: item for item in session.result("textDocument/completion", place)["items"]}
    if label is None:
        return None, items
    assert label in items, (name, text, position, sorted(items)[:20])
    edit = items[label]["textEdit"]
    begin, end = (offset_of(text, edit["range"][side], session.encoding) for side in ("start", "end"))
    assert edit["range"]["start"]["line"] == edit["range"]["end"]["line"] == position["line"]
    typed = text[begin:offset_of(text, position, session.encoding)]
    assert items[label]["filterText"].startswith(typed), (typed, items[label])
    seen = text[:begin] + edit["newText"] + text[end:]
    for more in items[label].get("additionalTextEdits", []):
        at = offset_of(text, more["range"]["start"], session.encoding)
        assert more["range"]["start"] == more["range"]["end"] and at < begin, more
        seen = seen[:at] + more["newText"] + seen[at:]
    return seen, items


def check_completion(program, folder):
    with talking(program, folder) as session:
        js, yaml = "task-definition.json", "task-definition.yaml"
        for name, text, label, wanted in (
                (js, '{"family": "\U0001f680", "^"}', "cpu", '{"family": "\U0001f680", "cpu": "$1"}'),
                (js, '{^', "family", '{"family": "$1"'),
                (js, '{"family": "web", ^', "containerDefinitions", '{"family": "web", "containerDefinitions": [$1]'),
                (js, '{"family": "web",\n  "net^\n}', "networkMode", '{"family": "web",\n  "networkMode": "$1"\n}'),
                (js, '{"net^": "host"}', "networkMode", '{"networkMode": "host"}'),
                (js, '{"\U0001f680": 1, "net^"\n "cpu": "1"}', "networkMode", '{"\U0001f680": 1, "networkMode": "$1",\n "cpu": "1"}'),
                (js, '{"family": "\U0001f680" // no comma\n  "net^"\n}', "networkMode",
                 '{"family": "\U0001f680", // no comma\n  "networkMode": "$1"\n}'),
                (js, '{"networkMode": ^}', "awsvpc", '{"networkMode": "awsvpc"}'),
                (js, '{"networkMode": "aw^', "awsvpc", '{"networkMode": "awsvpc"'),
                (js, '{"containerDefinitions": [{"essential": t^}]}', "true", '{"containerDefinitions": [{"essential": true}]}'),
                (js, '{"containerDefinitions": [{"resourceRequirements": [{"type": "GPU", "value": "^"}]}]}', "4",
                 '{"containerDefinitions": [{"resourceRequirements": [{"type": "GPU", "value": "4"}]}]}'),
                (js, '{"placementConstraints": [{"type": "memberOf", "expression": "attribute:ecs.instance-type == g4dn.x^"}]}',
                 "g4dn.xlarge", '{"placementConstraints": [{"type": "memberOf", "expression": "attribute:ecs.instance-type == g4dn.xlarge"}]}'),
                (js, '{"placementConstraints": [{"expression": "attribute:ecs.i^"}]}', "ecs.instance-type",
                 '{"placementConstraints": [{"expression": "attribute:ecs.instance-type"}]}'),
                (yaml, "family: \U0001f680\n^", "cpu", "family: \U0001f680\ncpu: "),
                (yaml, "family: web\ncontainerDefinitions:\n  - name: a\n    ^\n", "image",
                 "family: web\ncontainerDefinitions:\n  - name: a\n    image: \n"),
                (yaml, "containerDefinitions:\n  - ^\n", "portMappings", "containerDefinitions:\n  - portMappings:\n    - $1\n"),
                (yaml, "containerDefinitions:\n  ^\n", "name", "containerDefinitions:\n  - name: \n"),
                (yaml, "networkMode: aw^\n", "awsvpc", "networkMode: awsvpc\n"),
                (yaml, "networkMode:^\n", "awsvpc", "networkMode: awsvpc\n"),
                (yaml, "requiresCompatibilities:\n- FA^\n", "FARGATE", "requiresCompatibilities:\n- FARGATE\n"),
                (yaml, "requiresCompatibilities: [^]\n", "EC2", 'requiresCompatibilities: ["EC2"]\n'),
                ("cluster.json", '{"containerInstances": [{"instanceType": "^"}]}', "g5.48xlarge",
                 '{"containerInstances": [{"instanceType": "g5.48xlarge"}]}'),
                ("scenario.yaml", "cluster:\n  containerInstances:\n  - instanceType: p3.^\n    count: 2\n", "p3.16xlarge",
                 "cluster:\n  containerInstances:\n  - instanceType: p3.16xlarge\n    count: 2\n"),
                (".bayplan.yaml", "launchType: ^\n", "FARGATE", "launchType: FARGATE\n"),
                ("t.yaml", TEMPLATE + "      ^\n", "NetworkMode", TEMPLATE + "      NetworkMode: \n"),
                ("t.yaml", TEMPLATE + "      NetworkMode: aw^\n", "awsvpc", TEMPLATE + "      NetworkMode: awsvpc\n"),
                ("t.yaml", TEMPLATE + "      ContainerDefinitions:\n        - Name: a\n          ^\n", "MemoryReservation",
                 TEMPLATE + "      ContainerDefinitions:\n        - Name: a\n          MemoryReservation: \n"),
                ("t.yaml", TEMPLATE + "      Volumes:\n        - Name: a\n          EFSVolumeConfiguration:\n            ^\n", "FilesystemId",
                 TEMPLATE + "      Volumes:\n        - Name: a\n          EFSVolumeConfiguration:\n            FilesystemId: \n"),
                ("t.yaml", "Resources:\n  Web:\n    Type: ^\n", "AWS::ECS::Service", "Resources:\n  Web:\n    Type: AWS::ECS::Service\n"),
                ("t.json", '{"Resources": {"Web": {"Type": "AWS::ECS::Service", "Properties": {"^"}}}}', "SchedulingStrategy",
                 '{"Resources": {"Web": {"Type": "AWS::ECS::Service", "Properties": {"SchedulingStrategy": "$1"}}}}'),
                ("main.tf", CODE.format("  ^"), "network_mode", CODE.format('  network_mode = "$1"')),
                ("main.tf", CODE.format("  net^"), "network_mode", CODE.format('  network_mode = "$1"')),
                ("main.tf", CODE.format('  network_mode = "aw^"'), "awsvpc", CODE.format('  network_mode = "awsvpc"')),
                ("main.tf", CODE.format('  requires_compatibilities = ["FARGATE", ^]'), "EC2", CODE.format('  requires_compatibilities = ["FARGATE", "EC2"]')),
                ("main.tf", CODE.format("  vol^"), "volume", CODE.format("  volume {{\n  $1\n}}").replace("{{", "{").replace("}}", "}")),
                ("main.tf", CODE.format('  volume {{\n    name = "a"\n    efs_volume_configuration {{\n      ^\n    }}\n  }}').replace("{{", "{").replace("}}", "}"), "root_directory",
                 CODE.format('  volume {{\n    name = "a"\n    efs_volume_configuration {{\n      root_directory = "$1"\n    }}\n  }}').replace("{{", "{").replace("}}", "}")),
                ("main.tf", CODE.format('  container_definitions = jsonencode([{ name = "a", es^ }])'), "essential",
                 CODE.format('  container_definitions = jsonencode([{ name = "a", essential = $1 }])')),
                ("main.tf", CODE.format('  container_definitions = <<EOF\n[{"name": "a", "^"}]\nEOF'), "image",
                 CODE.format('  container_definitions = <<EOF\n[{"name": "a", "image": "$1"}]\nEOF')),
                ("main.tf", 'resource "aws_ecs_service" "web" {\n  deployment_c^\n}\n', "deployment_circuit_breaker",
                 'resource "aws_ecs_service" "web" {\n  deployment_circuit_breaker {\n  $1\n}\n}\n'),
                ("main.tf", 'resource "aws_ecs_service" "web" {\n  network_configuration {\n    ^\n  }\n}\n', "subnets",
                 'resource "aws_ecs_service" "web" {\n  network_configuration {\n    subnets = [$1]\n  }\n}\n')):
            seen, _ = completed(session, name, text, label)
            assert seen == wanted, f"{seen!r}\nand not\n{wanted!r}"
        _, items = completed(session, js, '{"family": "web", "^"}', None)
        assert "family" not in items and "memory" in items and items["memory"]["documentation"].startswith("Memory of the whole task")
        assert items["containerDefinitions"]["sortText"] < items["cpu"]["sortText"], "what is required comes first"
        for name, text in (("package.json", '{"^"}'), (js, '{"family": "w^"}'), (yaml, "# ^"), (js, '{"a": 1} ^'),
                           ("main.tf", 'resource "aws_s3_bucket" "a" {\n  ^\n}\n'), ("main.tf", CODE.format("  # ^")),
                           ("main.tf", CODE.format("  network_mode = var.^")), ("main.tf", 'variable "a" {\n  ^\n}\n'),
                           ("t.yaml", "Resources:\n  Web:\n    Type: AWS::S3::Bucket\n    Properties:\n      ^\n")):
            assert completed(session, name, text, None)[1] == {}, (name, text)

    with talking(program, folder, {}) as session:
        seen, items = completed(session, js, '{"^"}', "volumes")
        assert seen == '{"volumes": }' and items["volumes"]["insertTextFormat"] == 1, "the client knows no snippets"


def check_own_files(program, folder):
    """The form of scenarios, clusters and grids: told where `bayplan place` tells it, and gone when it is mended."""
    with talking(program, folder) as session:
        text = "# \U0001f680\ntaskDefinitions: [\U0001f680.json]\ncluster: {containerInstances: [{instanceType: m5.large, cuont: 2}]}\n"
        told = session.open("day.yaml", text)["diagnostics"]
        assert [one["message"] for one in told] == ["unknown key 'cuont'\nhelp: did you mean 'count'?"], told
        at = offset_of(text, told[0]["range"]["start"], session.encoding)
        assert text[at:].startswith("cuont"), (told, text[at:])
        session.change("day.yaml", 2, {"text": text.replace("cuont", "count")})
        assert session.diagnostics("day.yaml")["diagnostics"] == []


def check_hover(program, folder):
    with talking(program, folder) as session:

        def hover(name, text):
            text, position = at_cursor(session, name, text)
            result = session.result("textDocument/hover", {"textDocument": {"uri": session.uri(name)}, "position": position})
            if result is None:
                return None, None
            begin, end = (offset_of(text, result["range"][side]) for side in ("start", "end"))
            return result["contents"]["value"], text[begin:end]

        for name, text in (("task-definition.json", JSON_TEXT.replace('"my app', '"my ^app')),
                           ("task-definition.yaml", YAML_TEXT.replace(": my app", ": my ^app"))):
            said, about = hover(name, text)
            assert said.startswith("**`BAY102`** ") and "*Why:*" in said and "*Source:* botocore " in said and "*Rule:* docs/checks/BAY102.md" in said, said
            assert about.strip('"') == "my app \U0001f680"
        said, about = hover("task-definition.json", JSON_TEXT.replace('"image"', '"im^age"'))
        assert about == '"image"' and said.startswith("**`image`**\n\nImage reference") and "@sha256" in said, said
        said, about = hover("cluster.yaml", "containerInstances:\n- instanceType: g4dn.x^large\n")
        assert about == "g4dn.xlarge" and "4 vCPUs" in said and "NVIDIA T4" in said and "USD/hour" in said, said
        said, about = hover("task-definition.yaml", "family: web\nnetwork^Mode: awsvpc\n")
        assert "one of bridge, host, awsvpc, none" in said, said
        for name, text, key, member in (
                ("t.yaml", TEMPLATE + "      NetworkMode: awsvpc\n".replace("tworkM", "tw^orkM"), "NetworkMode", "networkMode"),
                ("main.tf", CODE.format('  netw^ork_mode = "awsvpc"'), "network_mode", "networkMode")):
            said, about = hover(name, text)
            assert about == key and said.startswith(f"**`{key}`** (in ECS: {member})") and "one of bridge, host, awsvpc, none" in said, said
        said, about = hover("main.tf", CODE.format('  container_definitions = jsonencode([{ name = "a", essen^tial = true, image = "a:1", memory = 64 }])'))
        assert about == "essential" and said.startswith("**`essential`**\n"), said
        assert hover("package.json", '{"na^me": "x"}') == (None, None)
        error = session.request("textDocument/hover", {"textDocument": {"uri": session.uri("never.json")},
                                                       "position": {"line": 0, "character": 0}})
        assert error["error"]["code"] == -32602
        assert session.request("textDocument/hover", {"position": 3})["error"]["code"] == -32602

    with talking(program, folder, {}) as session:
        text, position = at_cursor(session, "task-definition.json", JSON_TEXT.replace('"my app', '"my ^app'))
        plain = session.result("textDocument/hover", {"textDocument": {"uri": session.uri("task-definition.json")}, "position": position})
        assert plain["contents"]["kind"] == "plaintext" and "**" not in plain["contents"]["value"]


def applied(text, edits, encoding):
    for edit in sorted(edits, key=lambda one: (one["range"]["start"]["line"], one["range"]["start"]["character"]), reverse=True):
        begin, end = (offset_of(text, edit["range"][side], encoding) for side in ("start", "end"))
        text = text[:begin] + edit["newText"] + text[end:]
    return text


def check_actions(program, folder):
    with talking(program, folder) as session:
        for name, text in (("task-definition.json", JSON_TEXT), ("task-definition.yaml", YAML_TEXT)):
            params = session.open(name, text)
            whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
            ask = lambda only=None, span=whole: session.result("textDocument/codeAction", {
                "textDocument": {"uri": session.uri(name)}, "range": span,
                "context": {"diagnostics": [], **({"only": only} if only else {})}})
            edits_of = lambda action: action["edit"]["documentChanges"][0]["edits"]

            fix_all = ask(["source"])
            assert [action["kind"] for action in fix_all] == ["source.fixAll.bayplan"]
            (session.folder / name).write_text(text, encoding="utf-8")
            subprocess.run([program, "lint", "--fix", "-q", name], cwd=session.folder, capture_output=True, check=False)
            fixed = (session.folder / name).read_text(encoding="utf-8")
            assert fixed != text and applied(text, edits_of(fix_all[0]), session.encoding) == fixed, "not what lint --fix writes"

            fixes = [action for action in ask(["quickfix"]) if action.get("isPreferred")]
            assert fixes, "no quick fix"
            for action in fixes:
                code = action["diagnostics"][0]["code"]
                assert action["diagnostics"][0] in params["diagnostics"], "a diagnostic is told as it was published"
                mended = applied(text, edits_of(action), session.encoding)
                before, after = (sum(one["code"] == code for one in said) for said in (
                    params["diagnostics"], told_by_text(program, session.folder, name, mended)))
                assert after < before, (code, mended)
            assert ask(["refactor"]) == []
            family = next(one for one in params["diagnostics"] if one["code"] == "BAY102")
            here = ask(["quickfix"], family["range"])
            assert {action["diagnostics"][0]["code"] for action in here} == ({"BAY102"} if name.endswith("yaml") else set()), here

        ignoring = [action for action in here if "comment" in action["title"]]
        suppressed = applied(YAML_TEXT, edits_of(ignoring[0]), session.encoding)
        assert "# bayplan: ignore=BAY102" in suppressed
        before, after = (told_by_text(program, session.folder, "task-definition.yaml", one) for one in (YAML_TEXT, suppressed))
        assert [one["code"] for one in before if one["code"] != "BAY102"] == [one["code"] for one in after], suppressed

        # What the text asks for is changed only by a fix that somebody picks.
        for name, text, fixed in (
                ("task-definition.json", '{"family": "a", "requiresCompatibilities": ["FARGATE"], "networkMode": "awsvpc", "cpu": "255", "memory": "512", '
                 '"containerDefinitions": [{"name": "a", "image": "nginx:1.27"}]}', '"cpu": "256"'),
                ("t.yaml", TEMPLATE + "      RequiresCompatibilities: [FARGATE]\n      NetworkMode: awsvpc\n      Cpu: '255'\n      Memory: '512'\n"
                 "      ContainerDefinitions: [{Name: a, Image: 'nginx:1.27'}]\n", 'Cpu: "256"')):
            session.open(name, text, 3)
            at = position_of(text, text.index("255"), session.encoding)
            actions = session.result("textDocument/codeAction", {"textDocument": {"uri": session.uri(name)}, "range": {"start": at, "end": at},
                                                                 "context": {"diagnostics": []}})
            sizes = [one for one in actions if one["diagnostics"][0]["code"] == "BAY112" and "comment" not in one["title"]]
            assert len(sizes) == 1 and not sizes[0].get("isPreferred"), actions
            assert fixed in applied(text, edits_of(sizes[0]), session.encoding), sizes


def told_by_text(program, folder, name, text):
    (pathlib.Path(folder) / name).write_text(text, encoding="utf-8")
    return told_by_lint(program, folder, name)


def check_code(program, folder):
    """Terraform code: diagnostics as lint reports them, also of what another open file of the module changes."""
    with talking(program, folder) as session:
        codes = lambda params: [one.get("code") for one in params["diagnostics"]]
        text = CODE.format('  requires_compatibilities = ["FARGATE"]\n  network_mode = "awsvpc"\n  cpu = var.cpu\n  memory = 512\n'
                           '  container_definitions = jsonencode([{ name = "a", image = "nginx:1.27", essential = true }])')
        (session.folder / "variables.tf").write_text('variable "cpu" {\n  default = 256\n}\n', encoding="utf-8")
        assert "BAY112" not in codes(session.open("main.tf", text))
        session.notify("textDocument/didOpen", {"textDocument": {"uri": session.uri("variables.tf"), "languageId": "terraform", "version": 1,
                                                                 "text": 'variable "cpu" {\n  default = 255\n}\n'}})
        assert "BAY112" in codes(session.diagnostics("main.tf")), "what another open file of the module says counts"
        session.notify("textDocument/didOpen", {"textDocument": {"uri": "untitled:Untitled-1", "languageId": "terraform", "version": 1,
                                                                 "text": text.replace("var.cpu", "255")}})
        is_it = lambda message: message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"].startswith("untitled")
        assert "BAY112" in codes(session.read_until(is_it)["params"]), "the language says what an unnamed text is"


def check_pull(program, folder):
    """A client that asks for diagnostics gets them as answers, and is told when others of its files are judged otherwise."""
    pulling = json.loads(json.dumps(EVERYTHING))
    pulling["textDocument"]["diagnostic"] = {"dynamicRegistration": False}
    pulling["workspace"]["diagnostics"] = {"refreshSupport": True}
    with talking(program, folder, pulling) as session:
        pull = lambda name, **more: session.result("textDocument/diagnostic", {"textDocument": {"uri": session.uri(name)}, **more})
        name = "task-definition.json"
        session.notify("textDocument/didOpen", {"textDocument": {"uri": session.uri(name), "languageId": "json", "version": 1, "text": JSON_TEXT}})
        full = pull(name)
        assert full["kind"] == "full" and [one["code"] for one in full["items"]] == [
            one["code"] for one in told_by_text(program, folder, name, JSON_TEXT)], full
        assert pull(name, previousResultId=full["resultId"]) == {"kind": "unchanged", "resultId": full["resultId"]}
        session.change(name, 2, {"text": JSON_TEXT.replace("my app \U0001f680", "my-app")})
        changed = pull(name, previousResultId=full["resultId"])
        assert changed["kind"] == "full" and "BAY102" not in [one["code"] for one in changed["items"]], changed
        assert not session.notices, "nothing is published, and nothing else is judged otherwise"

        session.notify("textDocument/didOpen", {"textDocument": {"uri": session.uri(".bayplan.yaml"), "languageId": "yaml", "version": 1,
                                                                 "text": "ignore: [BAY016]\n"}})
        refresh = session.read_until(lambda message: message.get("method") == "workspace/diagnostic/refresh")
        session.write(session.framed({"jsonrpc": "2.0", "id": refresh["id"], "result": None}))
        assert "BAY016" not in [one["code"] for one in pull(name)["items"]], "the config that is open counts"
        session.change(".bayplan.yaml", 2, {"text": "ignroe: [BAY016]\n"})
        assert "ignroe" in pull(".bayplan.yaml")["items"][0]["message"]

        (session.folder / "closed.json").write_text(JSON_TEXT.replace("my app", "my  app"), encoding="utf-8")
        assert "BAY102" in [one["code"] for one in pull("closed.json")["items"]], "a file of a tab that is not open"
        missing = session.request("textDocument/diagnostic", {"textDocument": {"uri": session.uri("never.json")}})
        assert missing["error"]["code"] == -32602, missing
        assert session.request("textDocument/diagnostic", {})["error"]["code"] == -32602
        assert all(one["method"] != "textDocument/publishDiagnostics" for one in session.notices), session.notices


def check_outline(program, folder):
    outlining = json.loads(json.dumps(EVERYTHING))
    outlining["textDocument"]["documentSymbol"] = {"hierarchicalDocumentSymbolSupport": True}

    def names(symbols):
        return [(one["name"], one.get("detail", ""), names(one["children"])) for one in symbols]

    containers = '[{"name": "web", "image": "nginx:1.27", "memory": 64}, {"name": "log", "image": "fluentd:1.16", "memory": 64}]'
    both = [("web", "nginx:1.27", []), ("log", "fluentd:1.16", [])]
    with talking(program, folder, outlining) as session:
        for name, text, wanted in (
                ("task-definition.json", '{"family": "shop", "containerDefinitions": %s}' % containers, [("shop", "task definition", both)]),
                ("t.yaml", TEMPLATE + "      ContainerDefinitions: " + containers.replace('"name"', "Name").replace('"image"', "Image").replace('"memory"', "Memory") + "\n",
                 [("Web", "task definition", both)]),
                ("main.tf", CODE.format("  container_definitions = jsonencode(" + containers + ")"), [("aws_ecs_task_definition.web", "task definition", both)]),
                ("scenario.yaml", "cluster:\n  containerInstances:\n  - instanceType: m5.large\n    count: 2\ntaskDefinitions: [web.json]\n",
                 [("m5.large", "2", []), ("web.json", "", [])]),
                ("package.json", '{"name": "x"}', [])):
            session.open(name, text)
            symbols = session.result("textDocument/documentSymbol", {"textDocument": {"uri": session.uri(name)}})
            assert names(symbols) == wanted, (name, symbols)
            for one in symbols:
                begin, end = (offset_of(text, one["range"][side]) for side in ("start", "end"))
                assert begin <= offset_of(text, one["selectionRange"]["start"]) <= offset_of(text, one["selectionRange"]["end"]) <= end, one
    with talking(program, folder, {}) as session:
        session.open("task-definition.json", '{"family": "shop", "containerDefinitions": %s}' % containers)
        flat = session.result("textDocument/documentSymbol", {"textDocument": {"uri": session.uri("task-definition.json")}})
        assert [(one["name"], one.get("containerName")) for one in flat] == [("shop", None), ("web", "shop"), ("log", "shop")], flat


def check_explain(program, folder):
    with talking(program, folder) as session:
        explain = lambda text: session.result("workspace/executeCommand", {"command": "bayplan.explain", "arguments": [text]})
        rule = explain("BAY112")
        assert rule["kind"] == "markdown" and rule["value"].startswith("**`BAY112`** fargate-cpu-value (error)") and "*Why:*" in rule["value"], rule
        assert "GPU" in explain("RESOURCE:GPU")["value"]
        assert explain("zyzzyva quux")["value"].strip(), "what is not known is told, too"
        for wrong in ({"command": "bayplan.explain", "arguments": []}, {"command": "bayplan.explain", "arguments": [3]}, {"command": "rm"}, {}):
            assert session.request("workspace/executeCommand", wrong)["error"]["code"] == -32602, wrong


CHECKS = [check_begin_and_end, check_diagnostics, check_utf8, check_edits, check_bursts, check_canceling, check_malformed,
          check_config, check_code, check_pull, check_outline, check_explain, check_completion, check_own_files, check_hover, check_actions]


def main():
    program = os.path.abspath(sys.argv[1])
    for check in CHECKS:
        if len(sys.argv) > 2 and check.__name__ not in sys.argv[2:]:
            continue
        with tempfile.TemporaryDirectory() as name:
            (pathlib.Path(name) / ".git").mkdir()  # no config from above
            check(program, os.path.realpath(name))
    print(f"{len(CHECKS)} checks")
    return 0


if __name__ == "__main__":
    sys.exit(main())
