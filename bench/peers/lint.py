"""Compares lint with botocore's parameter validator and python3-jsonschema: detected mistakes and processor time."""
import csv
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

from figures import amount, in_turn, medians, table, times, within

HERE = pathlib.Path(__file__).resolve().parent
PEERS = ("botocore", "jsonschema", "parser")
NAMES = {"bayplan": "bayplan", "botocore": "botocore", "jsonschema": "jsonschema, our schema", "parser": "a parser only"}
GROUPS = ("shape", "correctness", "placement", "gpu", "security", "practice")
PLACEHOLDER = re.compile(rb"\$\{|\{\{|<%|\$\(|@@|\bRef\b")


class Lint:
    def __init__(self, root, program, folder):
        self.root, self.program, self.folder = root, program, folder
        self.schema = root / "schemas" / "task-definition.schema.json"

    def peer(self, name, files, runs=1):
        """Its message for each file that it rejected, and the JSON of each run."""
        told = []
        for _ in range(runs):
            done = subprocess.run([sys.executable, str(HERE / "validators.py"), name, str(self.schema), "-"],
                                  input="\n".join(map(str, files)), capture_output=True, text=True, check=True)
            told.append(json.loads(done.stdout))
        return told[0]["refused"], told

    def findings(self, files):
        """bayplan's, by file; by its default settings."""
        found = {str(file): [] for file in files}
        listed = list(found)
        for begin in range(0, len(listed), 500):
            done = subprocess.run([self.program, "lint", "--format", "json", *listed[begin:begin + 500]], capture_output=True, text=True)
            if done.returncode not in (0, 1):
                sys.exit(f"bayplan lint ended with {done.returncode}: {done.stderr}")
            for finding in json.loads(done.stdout)["findings"]:
                found[finding["file"]].append(finding)
        return found


def is_task_definition(file):
    """Or meant as one: what is input of another operation, or a template of a whole stack, no peer was made for."""
    try:
        value = json.loads(file.read_bytes()) if file.suffix != ".yaml" else None
    except ValueError:
        return True
    if value is None:
        return b"ontainerDefinitions" in file.read_bytes()
    if not isinstance(value, dict) or "containerDefinitions" in value:
        return True
    other = {"serviceName", "services", "service", "cluster", "Resources", "desiredCount"}
    return not other & value.keys() and not isinstance(value.get("taskDefinition"), str)


def severity_of(file, code):
    """As the test of the rule has it: of the line with its code in FILE.out."""
    written = file.with_suffix(".out").read_text(encoding="utf-8")
    found = re.search(rf" (error|warning|info|style) {code} ", written)
    return found[1] if found else None


def cases(root):
    """(file, code, group, severity) of the bad files, and (file, has a placeholder) of the good ones."""
    rows = {row["code"]: row for row in json.loads((root / "data" / "rules.json").read_text(encoding="utf-8"))["rules"]}
    bad, good, left = [], [], 0
    for folder in sorted((root / "tests" / "rules").glob("BAY*")):
        row = rows[folder.name]
        for file in sorted(folder.iterdir()):
            if not file.is_file() or file.suffix == ".out":
                continue
            if row["group"] == "service" or not is_task_definition(file):
                left += 1
            elif file.name.startswith("bad"):
                bad.append((file, folder.name, row["group"], severity_of(file, folder.name)))
            else:
                good.append((file, PLACEHOLDER.search(file.read_bytes()) is not None))
    return bad, good, left


def share(count, of):
    return f"{count} ({100 * count / of:.0f} %)" if of else "-"


def caught(lint, bad):
    """Rows of what each says to files that break a rule, and those of them that bayplan misses."""
    files = [file for file, *_ in bad]
    refused = {name: lint.peer(name, files)[0] for name in PEERS}
    told = lint.findings(files)
    rows, missed = [], []

    def row(name, chosen):
        hit = [case for case in chosen if any(one["code"] == case[1] for one in told[str(case[0])])]
        missed.extend(case for case in chosen if case not in hit and case[3] == "error")
        rows.append([name, str(len(chosen)), share(len(hit), len(chosen)),
                     *(share(sum(str(case[0]) in refused[peer] for case in chosen), len(chosen)) for peer in PEERS)])

    for group in GROUPS:
        chosen = [case for case in bad if case[2] == group and case[3] == "error"]
        if chosen:
            row(f"error, {group}", chosen)
    row("**all errors**", [case for case in bad if case[3] == "error"])
    row("warnings and advice", [case for case in bad if case[3] != "error"])
    return rows, {str(case[0]) for case in missed}


def false_alarms(lint, good):
    rows, wrong = [], set()
    for name, wants_placeholder in (("good examples of the rules", False), ("good examples with placeholders", True)):
        files = [file for file, has_placeholder in good if has_placeholder == wants_placeholder]
        told = lint.findings(files)
        ours = {file for file, findings in told.items() if any(one["severity"] == "error" for one in findings)}
        wrong |= ours
        rows.append([name, str(len(files)), share(len(ours), len(files)),
                     *(share(len(lint.peer(peer, files)[0]), len(files)) for peer in PEERS)])
    return rows, wrong


ONLY_TOLD = ("taskDefinitionArn", "revision", "status", "requiresAttributes", "compatibilities", "registeredAt", "registeredBy",
             "deregisteredAt", "deleteRequestedAt")


def without_nulls(value):
    if isinstance(value, dict):
        return {key: without_nulls(member) for key, member in value.items() if member is not None}
    return [without_nulls(member) for member in value] if isinstance(value, list) else value


def as_input(value):
    """An answer of describe-task-definition without what RegisterTaskDefinition does not take: its own members, the nulls of
    some SDKs, and an empty list of tags."""
    answer = dict(value.get("taskDefinition", value))
    answer["tags"] = value.get("tags", answer.get("tags"))
    return without_nulls({key: member for key, member in answer.items() if key not in ONLY_TOLD and (key != "tags" or member)})


def corpus_rows(lint, corpus):
    with (corpus / "manifest.csv").open(encoding="utf-8") as text:
        manifest = list(csv.DictReader(text))
    accepted = lint.folder / "accepted"
    accepted.mkdir()
    for row in manifest:
        if row["pristine_describe"] == "yes" and row["parses"] == "yes" and row["format"] == "json":
            value = json.loads((corpus / "files" / row["file"]).read_bytes())
            (accepted / row["file"]).write_text(json.dumps(as_input(value), indent=2), encoding="utf-8")
    inputs = [corpus / "files" / row["file"] for row in manifest
              if row["kind"] == "register-input" and row["parses"] == "yes" and row["origin"] == "project"]
    broken = [corpus / "files" / row["file"] for row in manifest
              if row["kind"] == "register-input" and row["parses"] == "no" and row["format"] == "json"]
    rows = []
    for name, files in (("definitions that ECS accepted, as input", sorted(accepted.iterdir())),
                        ("input files of ordinary projects", inputs), ("input files that do not parse", broken)):
        told = lint.findings(files)
        ours = sum(any(one["severity"] == "error" for one in findings) for findings in told.values())
        rows.append([name, str(len(files)), share(ours, len(files)),
                     *(share(len(lint.peer(peer, files)[0]), len(files)) for peer in PEERS)])
    return rows


def costs(lint, quick):
    """Rows of processor time: a process for a file, and a file where one process takes them all."""
    definitions, count, rounds = lint.folder / "definitions", 100 if quick else 1000, 3 if quick else 15
    subprocess.run([sys.executable, str(lint.root / "bench" / "definitions.py"), str(definitions), str(count)], check=True)
    files = sorted(definitions.iterdir())
    validator = [sys.executable, HERE / "validators.py"]
    alone = {"bayplan": lambda: within([lint.program, "lint", files[0]]),
             **{name: lambda name=name: within([*validator, name, lint.schema, files[0]]) for name in PEERS}}
    if not quick and shutil.which("aws"):
        line = ["aws", "ecs", "register-task-definition", "--cli-input-json", f"file://{files[0]}", "--generate-cli-skeleton", "output"]
        alone["aws-cli"] = lambda: within(line)
    process = medians(in_turn(rounds, alone))
    rounds = 1 if quick else 5
    many = in_turn(rounds, {"bayplan": lambda: within([lint.program, "lint", "-q", definitions]),
                            **{name: lambda name=name: lint.peer(name, files)[1][0] for name in PEERS}})
    a_file = {"bayplan": (statistics.median(one.seconds for one in many["bayplan"]) - process["bayplan"]) / (count - 1)}
    for name in PEERS:
        a_file[name] = statistics.median(one["seconds"] for one in many[name]) / count
    names = {**NAMES, "aws-cli": "`aws ecs register-task-definition --generate-cli-skeleton output`"}
    size = statistics.mean(file.stat().st_size for file in files) / 1000
    head = ["", f"one process for one file of {files[0].stat().st_size / 1000:.1f} KB", "relative to bayplan",
            f"each of {count:,} files of {size:.1f} KB in one process", "relative to bayplan"]
    return table(head, [[names[name], amount(process[name]), times(process[name], process["bayplan"]),
                         *((amount(a_file[name]), times(a_file[name], a_file["bayplan"])) if name in a_file else ("", ""))]
                        for name in alone])


def section(root, program, folder, corpus, quick):
    """The text of the section, and what is wrong with bayplan itself."""
    lint = Lint(root, program, folder)
    bad, good, left = cases(root)
    rows, missed = caught(lint, bad)
    alarms, wrong = false_alarms(lint, good)
    head = ["files", "count", *(NAMES[name] for name in ("bayplan", *PEERS))]
    real = "Omitted: no corpus next to the project.\n" if corpus is None else table(head, corpus_rows(lint, corpus))
    text = f"""## Lint

The table counts rejected files among those that break one rule each (`tests/rules/*/bad*`). These are the rules of bayplan, so its column only shows
that they work; the question is how many of these mistakes the other tools miss. Warnings of bayplan count as detected, except those of rules
that are off by default. {left} files that are input of other operations, or complete stacks, are excluded.

{table(head, rows)}

False positives: rejected files without a mistake.

{table(head, alarms)}

Real files, not written by the bayplan authors. The first row also counts false positives, because ECS accepted these files; for the second row, the number of
wrong files is unknown.

{real}

{costs(lint, quick)}
"""
    return text, [f"lint does not report the rule of {file}" for file in sorted(missed)] + \
        [f"lint reports an error in {file}" for file in sorted(wrong)]
