"""Compares lint with other validators: the mistakes that they find, and the definitions that they reject by mistake."""
import json
import re
import subprocess
import sys

from corpus import without
from figures import best_first, table
from peers import Failure, validators
from templates import Templates, parsed

GROUPS = ("shape", "correctness", "placement", "gpu", "security", "practice")
PLACEHOLDER = re.compile(rb"\$\{|\{\{|<%|\$\(|@@|\bRef\b|#\{|\(\([^()\n]+\)\)|\[(?!FARGATE|ALL)[A-Z_]{2,}\]|[^$#{]\{[A-Za-z_][\w.-]*\}")
ENGINE, RULES = "the one in aws-cdk-lib", "cdk-preflight"  # what an application of CDK can have together


class Lint:
    """bayplan and its peers, each with the files in the form that it reads."""

    def __init__(self, root, program, folder, packages):
        self.root, self.program, self.folder = root, program, folder
        self.schema = root / "schemas" / "task-definition.schema.json"
        self.templates = Templates(self.schema)
        self.peers = validators(self.schema, packages)
        self.made = {}

    def rejected(self, files):
        """By name of a peer: (the files it rejects, those over which it crashed), or the Failure."""
        found = {}
        for peer in self.peers:
            print("  ", peer.name, len(files), file=sys.stderr, flush=True)
            form = {str(self.as_read(file, peer.reads)): str(file) for file in files}
            try:
                refused, crashed = peer.verdict(list(form))
                found[peer.name] = {form[file] for file in refused}, {form[file] for file in crashed}
            except Failure as failure:
                found[peer.name] = failure
        return found

    def as_read(self, file, reads):
        """The file itself, or what was made of it for a peer that reads something else; a text that does not parse stays as it is."""
        if reads == "file" or (reads == "json" and file.suffix not in (".yaml", ".yml")):
            return file
        if (file, reads) not in self.made:
            self.made[file, reads] = self.converted(file, reads)
        return self.made[file, reads]

    def converted(self, file, reads):
        try:
            value = parsed(file)
            text = json.dumps(self.templates.template(value) if reads == "template" else value, indent=2)
        except Exception:  # whatever the parsers raise
            return file
        made = self.folder / "converted" / reads / f"{len(self.made)}.json"
        made.parent.mkdir(parents=True, exist_ok=True)
        made.write_text(text, encoding="utf-8")
        return made

    def findings(self, files):
        """bayplan's, by file; by its default settings."""
        found = {str(file): [] for file in files}
        names = list(found)
        for begin in range(0, len(names), 500):
            done = subprocess.run([self.program, "lint", "--format", "json", *names[begin:begin + 500]], capture_output=True, text=True)
            if done.returncode not in (0, 1):
                sys.exit(f"bayplan lint ended with {done.returncode}: {done.stderr}")
            for finding in json.loads(done.stdout)["findings"]:
                found[finding["file"]].append(finding)
        return found

    def with_errors(self, files):
        return {file for file, findings in self.findings(files).items() if any(one["severity"] == "error" for one in findings)}


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


class Standing:
    """A row's text: every tool with its number of files, the best first. bayplan precedes a tool that is only as good."""

    def __init__(self, most_is_best):
        self.sign, self.cells = -1 if most_is_best else 1, []

    def add(self, name, count, of, crashed=0):
        self.cells.append((self.sign * count, f"{name} {share(count, of)}" + (f" and {crashed} crashes" if crashed else "")))

    def add_peers(self, rejected, files):
        """Of each peer, how many of the files it rejects."""
        for name, told in rejected.items():
            if isinstance(told, Failure):
                self.cells.append((None, f"{name}: {told}"))
            else:
                refused, crashed = told
                self.add(name, sum(str(file) in refused for file in files), len(files), sum(str(file) in crashed for file in files))

    def text(self):
        return best_first(self.cells)


def with_both(rejected):
    """With a further entry: the engine of CDK and the rules of cdk-preflight in one application."""
    engine, rules = rejected[ENGINE], rejected[RULES]
    if isinstance(engine, Failure) or isinstance(rules, Failure):
        return rejected
    return {**rejected, f"{ENGINE} and {RULES} together": (engine[0] | rules[0], engine[1] | rules[1])}


def caught(lint, bad):
    """Rows of what each says to files that break a rule, and those of them that bayplan misses."""
    files = [file for file, *_ in bad]
    rejected = with_both(lint.rejected(files))
    told = lint.findings(files)
    rows, missed = [], []

    def row(name, chosen):
        hit = [case for case in chosen if any(one["code"] == case[1] for one in told[str(case[0])])]
        missed.extend(case for case in chosen if case not in hit and case[3] == "error")
        standing = Standing(most_is_best=True)
        standing.add("bayplan", len(hit), len(chosen))
        standing.add_peers(rejected, [case[0] for case in chosen])
        rows.append([name, str(len(chosen)), standing.text()])

    for group in GROUPS:
        chosen = [case for case in bad if case[2] == group and case[3] == "error"]
        if chosen:
            row(f"error, {group}", chosen)
    row("**all errors**", [case for case in bad if case[3] == "error"])
    row("warnings and advice", [case for case in bad if case[3] != "error"])
    return rows, {str(case[0]) for case in missed}


def rejections(lint, name, files, most_is_best=False):
    """A row, and the files with an error of bayplan."""
    ours = lint.with_errors(files)
    standing = Standing(most_is_best)
    standing.add("bayplan", len(ours), len(files))
    standing.add_peers(with_both(lint.rejected(files)), files)
    return [name, str(len(files)), standing.text()], ours


def false_alarms(lint, good):
    rows, wrong = [], set()
    for name, wants_placeholder in (("good examples of the rules", False), ("good examples with placeholders", True)):
        row, ours = rejections(lint, name, [file for file, has_placeholder in good if has_placeholder == wants_placeholder])
        rows.append(row)
        wrong |= ours
    return rows, wrong


def corpus_rows(lint, corpus):
    sets = (("definitions that ECS accepted, as input", corpus.accepted(lint.folder / "accepted"), False),
            ("the same without the empty lists of the answer", corpus.accepted(lint.folder / "tidy", lambda one: without([], one)), False),
            ("input files of ordinary projects", corpus.files(kind="register-input", parses="yes", origin="project"), False),
            ("input files that do not parse", corpus.files(kind="register-input", parses="no", format="json"), True))
    return [rejections(lint, name, files, broken)[0] for name, files, broken in sets]


def section(lint, corpus, every=1):
    """The text of the section, and what is wrong with bayplan itself. `every`: the test files are all, or one in this number of them."""
    bad, good, left = cases(lint.root)
    bad, good = bad[::every], good[::every]
    rows, missed = caught(lint, bad)
    alarms, wrong = false_alarms(lint, good)
    head = ["files", "count", "rejected, the best tool first"]
    real = "Omitted: no corpus next to the project.\n" if corpus is None else table(head, corpus_rows(lint, corpus))
    text = f"""## Lint

The table counts rejected files among those that break one rule each (`tests/rules/*/bad*`). These are the rules of bayplan, so its figure only shows
that they work; the question is how many of these mistakes the other tools miss. Warnings of bayplan count as detected, except those of rules
that are off by default; of the other tools only errors count. {left} files that are input of other operations, or complete stacks, are excluded.
*cloudformation-validate*, its copy *in aws-cdk-lib* and *cdk-preflight* read templates only: each definition is put before them as the only resource
of one, in the spelling of CloudFormation. Of cdk-preflight only the rules for ECS run, as `customRules` of the engine in aws-cdk-lib, whose own rules are off.

{table(head, rows)}

False positives: rejected files without a mistake.

{table(head, alarms)}

Real files, not written by the bayplan authors. The first two rows also count false positives, because ECS accepted these files. The first contains the empty
lists that `describe-task-definition` adds. For the third row, the number of wrong files is unknown, so its order says nothing.

{real}
"""
    return text, [f"lint does not report the rule of {file}" for file in sorted(missed)] + \
        [f"lint reports an error in {file}" for file in sorted(wrong)]
