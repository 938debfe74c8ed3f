"""The validators that lint is compared with: how each is started, what it reads, and what became of a run that gave no answer."""
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = ("@aws/cloudformation-validate", "aws-cdk-lib", "constructs", "cdk-preflight", "ajv", "ecs-task-definition-validator", "highs")
AT_ONCE = 400  # files in a process: memory that an engine does not release must not end the run
PATIENCE = 900  # seconds of the clock for a process
MISSING = ("No module named", "Cannot find module")


def installed_packages(folder):
    """The newest of npm, in the folder. What cannot be installed is reported in the cells of its tool."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"name": "peers", "private": true}\n', encoding="utf-8")
    try:
        for package in PACKAGES:  # one by one: a package that has vanished takes no other one with it
            subprocess.run(["npm", "install", f"{package}@latest", "--no-audit", "--no-fund", "--ignore-scripts"], cwd=folder, capture_output=True,
                           timeout=300)
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"npm: {error}", file=sys.stderr)
    return folder


def program_version(command):
    """The first words with a number that it prints."""
    try:
        done = subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return "not installed"
    if done.returncode != 0:
        return why_failed(done.returncode, done.stderr)
    return next((line.strip().removeprefix("Version: ") for line in done.stdout.splitlines() if re.search(r"\d\.\d", line)), "unknown")


class Failure(Exception):
    """Why a peer gave no answer, in the words of a cell."""


def why_failed(code, told):
    """Of a process that ended with the code; None: it was ended because its time was up."""
    if code is None:
        return "out of time"
    if any(words in told for words in MISSING):
        return "not installed"
    signal = -code if code < 0 else code - 128 if 128 < code < 192 else 0  # of the process itself, or as a shell and `time` tell it
    return f"killed by signal {signal}" if signal else f"failed with exit code {code}"


class Validator:
    """A peer that says which files it rejects. `reads`: "file", "json" (not YAML) or "template"."""

    def __init__(self, name, reads, start):
        self.name, self.reads, self.start = name, reads, start

    def command(self, *files):
        return [*self.start, *map(str, files)]

    def answer(self, files):
        """Of one process: {"version", "refused", "crashed"}; the last two with a message for each file."""
        try:
            done = subprocess.run(self.command("-"), input="\n".join(map(str, files)), capture_output=True, text=True, timeout=PATIENCE)
        except FileNotFoundError:
            raise Failure("not installed") from None
        except subprocess.TimeoutExpired:
            raise Failure("out of time") from None
        if done.returncode != 0:
            raise Failure(why_failed(done.returncode, done.stderr))
        return json.loads(done.stdout)

    def verdict(self, files):
        """(The files it rejects, those over which it crashed)."""
        refused, crashed = set(), set()
        for begin in range(0, len(files), AT_ONCE):
            told = self.answer(files[begin:begin + AT_ONCE])
            refused |= told["refused"].keys()
            crashed |= told["crashed"].keys()
        return refused, crashed

    def version(self):
        try:
            return self.answer([])["version"]
        except Failure as failure:
            return str(failure)


def validators(schema, packages):
    in_python = [sys.executable, HERE / "validators.py"]
    in_node = ["node", HERE / "validators.cjs"]
    return [
        Validator("botocore", "file", [*in_python, "botocore", schema]),
        Validator("jsonschema with our schema", "file", [*in_python, "jsonschema", schema]),
        Validator("ajv with our schema", "json", [*in_node, "ajv", packages, schema]),
        Validator("ecs-task-definition-validator", "json", [*in_node, "ecs-task-definition-validator", packages, schema]),
        Validator("cloudformation-validate", "template", [*in_node, "cloudformation-validate", packages, schema]),
        Validator("the one in aws-cdk-lib", "template", [*in_node, "cdk", packages, schema]),
        Validator("cdk-preflight", "template", [*in_node, "cdk-preflight", packages, schema]),
        Validator("a parser only", "file", [*in_python, "parser", schema]),
    ]
