"""Damaged standard input: texts for the commands that read it, and editor messages.

Each part yields (tried, findings, most CPU, most memory, exit codes).
"""
import json
import re

import damage
from extremes import Tally, workshop
from phases import SESSION, frames
from runner import judge, words_in

TEXT = b'''{"family": "web", "networkMode": "bridge", "requiresCompatibilities": ["EC2"], "cpu": "256", "containerDefinitions": [
  {"name": "web", "image": "nginx:1", "memory": 64, "essential": true, "portMappings": [{"containerPort": 80, "hostPort": 0}],
   "environment": [{"name": "A", "value": "b"}], "logConfiguration": {"logDriver": "awslogs", "options": {"awslogs-group": "g"}}}]}
'''
SENTENCE = b"(service web) was unable to place a task because no container instance met all of its requirements. The closest matching (container-instance 1) has insufficient CPU units available.\n"
#: A child counts what its parent held when it began.
MEMORY = 1 << 30
READERS = {"lint": (["lint", "-"], TEXT), "lint of YAML": (["lint", "--stdin-filename", "web.yaml", "-"], TEXT), "lint --fix": (["lint", "--fix", "-"], TEXT), "fit": (["fit", "-", "--types", "m5.large"], TEXT),
           "diff": (["diff", "-", "web.json"], TEXT), "explain": (["explain", "-"], SENTENCE)}


def damaged(content):
    yield from damage.truncations(content)
    for mask in (0xFF, 0x01):
        yield from damage.flips(content, mask)
    for make in (damage.lines, damage.doubles, damage.numbers, damage.strings, damage.noise, damage.odd_encodings):
        yield from make(content)
    yield from small()


def small():
    """Foreign texts; the large ones are tried as files."""
    return (one for one in damage.whole() if len(one[1]) < 500_000)


def standard_input(sandbox, project, quick):
    tally = Tally()
    folder = workshop(sandbox, "streams")
    given = sandbox.io / "stdin"
    for command, (arguments, text) in READERS.items():
        for count, (label, content) in enumerate(damaged(text)):
            if quick and count % 211:
                continue
            given.write_bytes(content)
            outcome = sandbox.run(folder, arguments, stdin=str(given))
            if "--fix" in arguments:
                outcome.stdout = b""  # the text itself, every other byte as it was
            expected = "web.yaml" if command == "lint of YAML" else "-"
            tally.take(outcome, f"{label}: bayplan {' '.join(arguments)}", judge(outcome, {}, [expected, "web.json"], words=words_in(arguments) - {"-", "web.json", "web.yaml"}, rss=MEMORY))
    yield tally.result()


def well_framed(data):
    """Whether standard output of the language server is whole messages and nothing else."""
    while data:
        head, separator, data = data.partition(b"\r\n\r\n")
        match = re.fullmatch(rb"Content-Length: (\d+)", head)
        if not separator or not match or len(data) < int(match[1]):
            return False
        json.loads(data[:int(match[1])])
        data = data[int(match[1]):]
    return True


def texts_of_editor():
    """Whole sessions with damage in the frames, and sound frames around damaged texts."""
    for mask in (0xFF, 0x01):
        yield from damage.flips(SESSION, mask)
    for make in (damage.truncations, damage.noise, damage.lines, damage.doubles, damage.odd_encodings):
        yield from make(SESSION)
    for label, content in (*damage.strings(TEXT, 6), *damage.noise(TEXT), *damage.doubles(TEXT, 10), *small()):
        opened = {"jsonrpc": "2.0", "method": "textDocument/didOpen",
                  "params": {"textDocument": {"uri": "untitled:web.json", "languageId": "json", "version": 1, "text": content.decode("utf-8", "replace")}}}
        messages = [b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}', json.dumps(opened).encode(),
                    b'{"jsonrpc": "2.0", "id": 2, "method": "textDocument/completion", "params": {"textDocument": {"uri": "untitled:web.json"}, "position": {"line": 1, "character": 30}}}',
                    b'{"jsonrpc": "2.0", "id": 3, "method": "shutdown"}', b'{"jsonrpc": "2.0", "method": "exit"}']
        yield f"a text in the editor: {label}", frames(*messages)


def editors(sandbox, project, quick):
    tally = Tally()
    folder = workshop(sandbox, "editors")
    given = sandbox.io / "stdin"
    for count, (label, content) in enumerate(texts_of_editor()):
        if quick and count % 211:
            continue
        given.write_bytes(content)
        outcome = sandbox.run(folder, ["lsp"], stdin=str(given))
        complaints = [f"exit {outcome.code}: {outcome.stderr[:200]!r}"] if outcome.code not in (0, 1, 2) else []
        if not well_framed(outcome.stdout):
            complaints.append(f"its messages are not whole: {outcome.stdout[-200:]!r}")
        outcome.stdout = b""  # frames end their lines by CR LF
        if outcome.code == 2:
            outcome.code = 1  # what is wrong with a frame stands in no file
            complaints += judge(outcome, {}, rss=MEMORY)
            outcome.code = 2
        else:
            complaints += judge(outcome, {}, rss=MEMORY)
        tally.take(outcome, f"{label}: bayplan lsp", complaints)
    yield tally.result()


PARTS = {"standard input": standard_input, "editors": editors}
