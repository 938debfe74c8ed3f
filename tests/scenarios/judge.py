"""Runs a case and says what is bad about it.

A run is bad at: a signal, exit code 3, a message of a sanitizer, too much time or memory, other bytes the second time or with another
number of threads, another exit code in another format, JSON that its schema refuses, a printed fix that does not cure.
"""
import contextlib
import dataclasses
import functools
import json
import mmap
import os
import pathlib
import re
import resource
import shlex
import subprocess
import tempfile
import time

import jsonschema

import world
from commands import Case

PROJECT = pathlib.Path(__file__).resolve().parents[2]
#: Processor seconds and resident memory of one run; a sanitizer takes several times as much of both.
CPU_SECONDS, RSS_BYTES = 20, 1 << 30
SANITIZER_FACTOR = 5
#: A shared machine may take ten times as long as an idle one; what has not ended by then hangs.
WALL_FACTOR = 10
ENVIRONMENT = {"LC_ALL": "C.UTF-8", "PATH": os.environ.get("PATH", ""), "HOME": "/nonexistent", "ASAN_OPTIONS": "exitcode=99:detect_leaks=0:allocator_may_return_null=0",
               "UBSAN_OPTIONS": "print_stacktrace=1"}


@dataclasses.dataclass
class Outcome:
    code: int  # as a shell tells it: 128 and more for a signal
    out: bytes
    err: bytes
    written: dict  # files that the run made or changed
    cpu: float
    rss: int
    hung: bool


@dataclasses.dataclass
class Bad:
    """What is bad: `kind` is the same for the same fault, so that shrinking keeps to it."""
    kind: str
    detail: str
    line: list

    def __str__(self):
        return f"{self.kind}: bayplan {shlex.join(self.line)}\n  " + "\n  ".join(self.detail.strip().splitlines()[:12])


@functools.cache
def has_sanitizer(program):
    with open(program, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content.find(b"__asan_") >= 0 or content.find(b"__ubsan_") >= 0


def run(program, case, line=None):
    """One run in a folder of its own, which holds the files of the case and nothing else."""
    with tempfile.TemporaryDirectory(prefix="scenario-") as name:
        folder = pathlib.Path(name)
        (folder / "out").mkdir()
        texts = case.texts()
        for file, text in texts.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
        outcome = run_in(program, folder, case.line if line is None else line)
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                content, at = path.read_bytes(), str(path.relative_to(folder))
                if at not in texts or texts[at].encode("utf-8", "surrogatepass") != content:
                    outcome.written[at] = content
        return outcome


def run_in(program, folder, line, stdin=os.devnull):
    """One run in a folder; which files it writes, the caller finds out."""
    limit = int(CPU_SECONDS * (SANITIZER_FACTOR if has_sanitizer(program) else 1)) + 1
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, open(stdin, "rb") as given:
        child = subprocess.Popen([program, *line], cwd=folder, env=ENVIRONMENT, stdin=given, stdout=out, stderr=err)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            resource.prlimit(child.pid, resource.RLIMIT_CPU, (limit, limit + 2))
        status, usage, hung = wait(child, WALL_FACTOR * limit)
        out.seek(0)
        err.seek(0)
        code = 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        return Outcome(code, out.read(), err.read(), {}, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, hung)


def wait(child, seconds):
    """Status and resources of the child, which is ended after so long."""
    end, pause = time.monotonic() + seconds, 0.001
    while True:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        if pid:
            child.returncode = 0
            return status, usage, False
        if time.monotonic() > end:
            child.kill()
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = 0
            return status, usage, True
        time.sleep(pause)
        pause = min(0.02, pause * 1.5)


def without_numbers(text):
    return re.sub(r"[0-9]+([.,][0-9]+)*", "N", text)


def words_without_names(sentence):
    """The words of a message that the program has put there, so that the same fault has the same words."""
    names = {part for name in (*world.TYPES, *world.OWN_TYPES, *world.FAMILIES, *world.SERVICES, *world.REGIONS) for part in re.findall(r"[a-z]+", name)}
    return [word for word in re.findall(r"[a-z]{2,}", sentence) if word not in names]


def fault_of_run(program, outcome, line):
    """What is bad about one run by itself."""
    factor = SANITIZER_FACTOR if has_sanitizer(program) else 1
    err = outcome.err.decode("utf-8", "replace")
    found = re.search(r"(AddressSanitizer|UndefinedBehaviorSanitizer|LeakSanitizer|ThreadSanitizer): *([\w-]+)|runtime error: (.*)", err)
    if found:
        place = next(iter(re.findall(r"src/([\w/]+\.[ch]pp)", err)), "")
        what = without_numbers(found.group(2) or found.group(3))
        return Bad(f"sanitizer: {what} {place}".strip(), err, line)
    if outcome.hung or outcome.cpu > CPU_SECONDS * factor:
        return Bad("time", f"{outcome.cpu:.1f} s of the processor", line)
    if outcome.code >= 128:
        return Bad(f"signal {outcome.code - 128}", err, line)
    if outcome.code == 3:
        sentence = next((one.strip() for one in err.splitlines()[1:] if one.strip()), err)
        return Bad("exit 3: " + " ".join(words_without_names(sentence)[:6]), err, line)
    if outcome.code not in (0, 1, 2):
        return Bad(f"exit {outcome.code}", err, line)
    if outcome.rss > RSS_BYTES * factor:
        return Bad("memory", f"{outcome.rss >> 20} MiB", line)
    if outcome.code == 2 and not outcome.err:
        return Bad("exit 2 without a word", outcome.out[:500].decode("utf-8", "replace"), line)
    return None


# The line, changed

def split_rest(line):
    at = line.index("--") if "--" in line else len(line)
    return line[:at], line[at:]


def without_option(line, *names):
    """The line without these options, which take a value each."""
    own, rest = split_rest(line)
    kept, skip = [], False
    for word in own:
        if skip:
            skip = False
        elif word in names:
            skip = True
        elif not any(word.startswith(name + "=") for name in names if name.startswith("--")):
            kept.append(word)
    return kept + rest


def values_of(line, *names):
    own, _ = split_rest(line)
    found = []
    for number, word in enumerate(own):
        if word in names and number + 1 < len(own):
            found.append(own[number + 1])
        elif word.startswith(tuple(f"{name}=" for name in names if name.startswith("--"))):
            found.append(word.split("=", 1)[1])
    return found


OUTPUT_OPTIONS = ("-f", "--output", "--format", "--output-file")


def outputs(line, formats):
    """The reports of a line, FORMAT or FORMAT=FILE; the file of --output-file has what would go to standard output, in the format that its name says."""
    found, files = values_of(line, "-f", "--output", "--format"), values_of(line, "--output-file")
    if not files:
        return found
    if any("=" not in one for one in found):
        return [one if "=" in one else f"{one}={files[0]}" for one in found]
    extension = files[0].rpartition(".")[2] if "." in files[0] else ""
    form = {"md": "markdown", "txt": "text"}.get(extension, extension)
    return [*found, f"{form if form in formats else formats[0]}={files[0]}"]


def with_words(line, *words):
    own, rest = split_rest(line)
    return [*own, *words, *rest]


def with_threads(line, count):
    return with_words(without_option(line, "-j", "--jobs"), "-j", str(count))


# What is held against what

@functools.cache
def validator(name):
    return jsonschema.Draft202012Validator(json.loads((PROJECT / "schemas" / f"{name}.schema.json").read_text()))


def strict_json(data):
    def unique(pairs):
        members = dict(pairs)
        if len(members) != len(pairs):
            raise ValueError("a key stands twice")
        return members

    def constant(word):
        raise ValueError(f"{word} is no JSON")
    return json.loads(data.decode("utf-8"), object_pairs_hook=unique, parse_constant=constant)


def fault_of_json(data, line, form):
    """A report in JSON that no strict reader takes, or that its schema refuses."""
    for text in data.splitlines() if form == "jsonl" else [data]:
        try:
            value = strict_json(text)
        except ValueError as problem:
            return Bad("JSON that cannot be read", f"{problem}: {text[:300]!r}", line)
        if isinstance(value, dict) and "$schema" in value and line[0] == "schema":
            jsonschema.Draft202012Validator.check_schema(value)
            continue
        kind, _, name = str(value.get("schema")).partition("/") if isinstance(value, dict) else ("", "", "")
        if kind != "bayplan":
            return Bad("JSON without its schema", repr(text[:300]), line)
        for error in validator(name.split("/")[0]).iter_errors(value):
            at = re.sub(r"\[\d+\]", "[]", error.json_path)
            return Bad(f"schema: {name} {at}", f"{error.json_path}: {error.message[:400]}", line)
    return None


def without_threads(data):
    """Reports name the command that made them, and so the number of threads."""
    return re.sub(rb" (-j|--jobs)[ =]?[0-9]+|, \"-j\", \"[0-9]+\"", b"", data)


def difference(first, second, normal=lambda data: data):
    """Where two outcomes differ; nothing where they are the same bytes."""
    if first.code != second.code:
        return f"exit {first.code}, then {second.code}"
    pairs = [("standard output", normal(first.out), normal(second.out)), ("standard error", normal(first.err), normal(second.err))]
    pairs += [(name, normal(first.written.get(name, b"")), normal(second.written.get(name, b""))) for name in sorted({*first.written, *second.written})]
    for name, one, other in pairs:
        if one != other:
            lines = one.splitlines(), other.splitlines()
            for number in range(max(map(len, lines))):
                pair = [side[number] if number < len(side) else b"(ends)" for side in lines]
                if pair[0] != pair[1]:
                    return f"{name}, line {number + 1}:\n- {pair[0][:300].decode('utf-8', 'replace')}\n+ {pair[1][:300].decode('utf-8', 'replace')}"
            return f"{name}: line ends differ"
    return None


#: Options whose answer may be another each time, as their help says.
NOT_REPRODUCIBLE = ("--time-limit",)
#: Printed on standard error: times.
TIMED = ("--stats",)


def has_option(line, names):
    own, _ = split_rest(line)
    return any(word.split("=")[0] in names for word in own)


def judge(program, table, case):
    """What is bad about the case, or nothing; and the outcome of its first run."""
    command = table.get(case.command)
    first = run(program, case)
    if bad := fault_of_run(program, first, case.line):
        return bad, first
    # Again, with another number of threads where the command has them.
    if not has_option(case.line, NOT_REPRODUCIBLE):
        threads = command and command.option("--jobs")
        line = with_threads(case.line, 3) if threads else case.line
        second = run(program, case, line)
        if bad := fault_of_run(program, second, line):
            return bad, first
        if has_option(case.line, TIMED):
            first.err = second.err = b""
        if text := difference(first, second, without_threads):
            return Bad("other bytes with another -j" if threads else "other bytes the second time", text, line), first
    return fault_in_other_format(program, command, case, first) or fault_of_fixes(program, case, first) or fault_of_anonymized(program, case, first) or fault_of_written_scenario(program, case, first), first


def fault_in_other_format(program, command, case, first):
    """Every JSON of the first run is valid; in another format the exit code is the same."""
    formats = command.formats if command else ("text",)
    asked = outputs(case.line, formats)
    for one in asked:
        form, _, file = one.partition("=")
        data = first.written.get(file, b"") if file else first.out if len(asked) == 1 else b""
        if form in ("json", "jsonl") and data and (bad := fault_of_json(data, case.line, form)):
            return bad
    views = has_option(case.line, ("--wide", "--sort", "--where"))
    no_text = asked and "text" not in [one.partition("=")[0] for one in asked]
    if len(formats) < 2 or has_option(case.line, NOT_REPRODUCIBLE) or (views and no_text):
        return None
    other = "json" if "json" in formats and "json" not in [one.partition("=")[0] for one in asked] else formats[0]
    line = with_words(without_option(case.line, *OUTPUT_OPTIONS), "--output", other, *(["--output", "text=beside.txt"] if views and other != "text" else []))
    second = run(program, case, line)
    if bad := fault_of_run(program, second, line):
        return bad
    # What prints no report at all says so.
    if second.code == 2 and re.search(rb"(?:prints|writes) .*, not a report", second.err):
        return None
    if second.code != first.code:
        return Bad("another exit code in another format", f"exit {first.code}, with --output {other} exit {second.code}\n{first.err.decode('utf-8', 'replace')[:400]}", line)
    if other == "json" and second.out:
        case.report = second.out
        return fault_of_json(second.out, line, other)
    return None


def fault_of_anonymized(program, case, first):
    """The case that --anonymize writes ends as the run did, from files on a disk, and has no name of the run."""
    text = first.written.get("case.json")
    if text is None or case.command == "replay":
        return None
    record = strict_json(text)
    again = run(program, Case(record["command"], record["files"]))
    if again.code != first.code:
        return Bad("a case without names that ends otherwise", f"exit {first.code}, and {again.code} of the case\n{again.err.decode('utf-8', 'replace')[:400]}", case.line)
    # Whole words: "inference" is a word of the API.
    left = [name for name in ("nginx", "infer", "worker", "111122223333") if re.search(rb"(?<![a-z0-9])" + name.encode() + rb"(?![a-z0-9])", text)]
    return Bad("a case with a name", ", ".join(left), case.line) if left else None


#: What a scenario file does not hold: the line that uses it says it again.
KEPT_BESIDE_SCENARIO = ("--param", "--var", "--var-file", "--until", "--runs", "--ties")


def fault_of_written_scenario(program, case, first):
    """The scenario that --write-scenario begins places what its command line placed."""
    if "started.yaml" not in first.written or first.code not in (0, 1):
        return None
    kept = [word for name in KEPT_BESIDE_SCENARIO for value in values_of(case.line, name) for word in (name, value)]
    kept += [word for word in ("--no-lint", "--allow-partial") if has_option(case.line, (word,))]
    same = Case(case.line, {**case.files, "started.yaml": first.written["started.yaml"].decode()})
    line = without_option(case.line, *OUTPUT_OPTIONS, "--write-scenario", "--sort", "--where", "--continue-from")
    before = run(program, case, [word for word in line if word not in ("--wide", "--no-placements")] + ["--output", "json"])
    after = run(program, same, ["place", "started.yaml", *kept, "--output", "json"])
    if before.code != after.code:
        return Bad("a written scenario with another exit code", f"exit {before.code}, of the scenario {after.code}\n{after.err.decode('utf-8', 'replace')[:400]}", case.line)
    one, other = [strict_json(outcome.out).get("placements") for outcome in (before, after)] if before.code in (0, 1) else (None, None)
    return Bad("a written scenario that places other tasks", f"{str(one)[:300]}\n{str(other)[:300]}", case.line) if one != other else None


def fault_of_fixes(program, case, first):
    """A fix that the report prints does what it promises."""
    if case.command == "lint" and has_option(case.line, ("--fix",)):
        return fault_of_lint_fix(program, case, first)
    if case.command in ("whatif", "place") and getattr(case, "report", None):
        return fault_of_remedies(program, case, strict_json(case.report))
    return None


def fault_of_lint_fix(program, case, first):
    """What --fix has changed has nothing left to change."""
    if first.code not in (0, 1) or not first.written:
        return None
    fixed = Case(case.line, {**case.texts(), **{name: data.decode("utf-8", "surrogateescape") for name, data in first.written.items()}})
    again = run(program, fixed)
    changed = [name for name in again.written if name in case.files]
    return Bad("a fix that does not cure: lint --fix changes the file again", ", ".join(changed), case.line) if changed else None


#: Options of a line that a second command keeps, to be about the same cluster and tasks.
KEPT_FLAGS, KEPT_VALUES = ("--no-lint", "--allow-partial"), ("--region", "--seed", "--cluster", "--instances", "--task", "--strategy", "--placement-strategy", "--placement-constraints", "--policy")


def fault_of_remedies(program, case, report):
    """Each remedy of a variant, added to the variant, leaves no more tasks than the scenario itself; each that `place` prints, none."""
    if case.command == "place":
        for remedy in report.get("remedies", [])[:4]:
            if remedy["kind"] != "addInstance" or has_option(case.line, ("--until", "--continue-from", "--runs", "--policy", "--ties")):
                continue
            line = with_words(["whatif", *without_option(case.line[1:], *OUTPUT_OPTIONS, "--sort", "--where", "--ties")], *shlex.split(remedy["flags"]), "--output", "json")
            line = [word for word in line if word not in ("--wide", "--no-placements", "-v", "--verbose", "-q", "--quiet")]
            outcome = run(program, case, line)
            if bad := fault_of_run(program, outcome, line):
                return bad
            if outcome.code in (0, 1) and (left := strict_json(outcome.out)["variants"][0]["summary"]["unplaced"]):
                return Bad("a fix that does not cure", f"{remedy['change']}: {left} tasks are not placed", line)
        return None
    if not isinstance(report.get("variants"), list) or len(report["variants"]) != 1 or has_option(case.line, ("--runs", "--at", "--variant")):
        return None
    variant = report["variants"][0]
    for remedy in variant.get("remedies", [])[:2]:
        if not remedy["change"].startswith("--") or not has_option(case.line, ("--lose-az", "--drain", "--terminate", "--scale")):
            continue
        line = with_words(without_option(case.line, *OUTPUT_OPTIONS), *shlex.split(remedy["change"]), "--output", "json")
        outcome = run(program, case, line)
        if bad := fault_of_run(program, outcome, line):
            return bad
        if outcome.code in (0, 1):
            answer = strict_json(outcome.out)
            left, before = answer["variants"][0]["summary"]["unplaced"], report["baseline"]["summary"]["unplaced"]
            if left > before:
                return Bad("a fix that does not cure", f"{remedy['change']}: {left} tasks are not placed, {before} before the change", line)
    return None


