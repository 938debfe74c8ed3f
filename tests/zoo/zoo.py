"""Damaged, hostile and impossible inputs, each with the requirements for every run.

usage: zoo.py BAYPLAN DRIVER PROJECT [--quick] [--part NAME]... [--jobs N]

Files that are damaged byte by byte are passed to DRIVER, which runs the same commands inside one process; everything else runs
the program itself. Every run must exit with 0, 1 or 2, with a positioned message for 2; terminate with at most 300 MB; write
complete reports; and leave no temporary files. `--quick` runs a sample of each part. Prints a table of the runs and every
finding with its command line; the exit code is 1 if there are findings.
"""
import argparse
import collections
import multiprocessing
import os
import pathlib
import sys
import tempfile
import time
from datetime import date

import damage
import extremes
import outputs
import phases
import runner
import signals
import streams
import subjects
from runner import Driver, Sandbox, judge, words_in

#: Masks of the flipped bits: all of a byte, and the lowest.
MASKS = (0xFF, 0x01)
#: Files of each command whose every byte is flipped, and what they may take: bytes, and seconds of the processor in all.
FLIPPED_FILES = 2
FLIPPED_BYTES = 2048
FLIPPED_SECONDS = 300
#: Inputs that one worker tries before it takes the next.
CHUNK = 400

BYTE_PARTS = {
    "truncations": lambda content: damage.truncations(content),
    "flips": lambda content: (one for mask in MASKS for one in damage.flips(content, mask)),
    "lines": damage.lines,
    "doubles": damage.doubles,
    "numbers": damage.numbers,
    "strings": damage.strings,
    "noise": damage.noise,
    "encodings": damage.encodings,
    "odd encodings": damage.odd_encodings,
    "other files": lambda content: damage.whole(),
}
#: Where --quick tries one of so many.
SAMPLED = {"truncations": 101, "flips": 211, "lines": 31, "doubles": 37, "numbers": 61, "strings": 97, "noise": 17, "encodings": 3, "odd encodings": 5, "other files": 31}

state = None  # of a worker: its sandbox


def begin(program, driver, inputs, parent):
    global state
    state = Sandbox(program, inputs, parent)
    state.driver = driver


def names_of(subject):
    """A message may name the damaged file, or one beside it that refers to it."""
    folder = (state.tree / subject.file).parent
    home = state.tree / subject.folder
    return {entry.name for entry in folder.iterdir()} | {entry.name for entry in home.iterdir()} | {folder.name, "."}


def words_of(subject):
    """Of the command line, what is no file: names of tasks, zones, types."""
    home = state.tree / subject.folder
    return {word for word in words_in(subject.arguments[1:]) if word and not (home / word).exists()}


def try_bytes(driver, subject, label, names, words):
    outcome = driver.run()
    complaints = judge(outcome, state.reports(), names, subjects.report_name(subject.command), words=words)
    told = [f"{label}: {complaint}" for complaint in complaints]
    return told, outcome


def byte_chunk(job):
    """Tries some of the inputs that one part makes of one file."""
    part, subject, first, step, count = job
    path = state.tree / subject.file
    sound = path.read_bytes()
    names, words = names_of(subject), words_of(subject)
    driver = Driver(state, state.driver, state.tree / subject.folder, subjects.with_report(subject.arguments, state.out))
    findings, tried, cpu, rss, codes = [], 0, 0.0, 0, collections.Counter()
    keeps_code = part == "encodings" and path.suffix in (".json", ".yaml", ".yml", ".jsonl")
    keeps_code = keeps_code and "style" not in subject.arguments  # there a byte order mark is a finding
    wanted = driver.run().code if keeps_code else None
    state.reports()
    try:
        for index, (label, content) in enumerate(BYTE_PARTS[part](sound)):
            if index < first or (index - first) % step or tried >= count:
                continue
            path.write_bytes(content)
            told, outcome = try_bytes(driver, subject, label, names, words)
            told += [f"{label}: exit {outcome.code}, not {wanted}"] if wanted not in (None, outcome.code) else []
            findings += [f"{subject.folder}: bayplan {' '.join(subject.arguments)}: {subject.file}: {one}" for one in told]
            tried, cpu, rss = tried + 1, max(cpu, outcome.cpu), max(rss, outcome.rss)
            codes[outcome.code] += 1
    finally:
        path.write_bytes(sound)
        driver.close()
    return part, tried, findings, cpu, rss, codes


def find_subjects(case):
    return subjects.find(state, case)


def distinct(found, tree):
    """One subject for each command and content."""
    kept = {}
    for subject in sorted(found, key=lambda one: (one.folder, one.arguments, one.file)):
        kept.setdefault((subject.command, (tree / subject.file).read_bytes()), subject)
    return list(kept.values())


def evenly(items, most):
    return damage.spread_out(items, most)


def sizes(part, content):
    if part == "truncations":
        return len(content)
    return sum(1 for _ in BYTE_PARTS[part](content))


def step_of(part, subject, total):
    """Examples are cut at every byte, other samples at some hundreds of places."""
    return 1 if part != "truncations" or subject.folder.startswith("examples") else max(1, total // 300)


def flipped(all_subjects, tree):
    """Of each command the largest files that are small enough, of different kinds where it reads several."""
    def size(subject):
        return (tree / subject.file).stat().st_size
    by_command = collections.defaultdict(list)
    for one in sorted(all_subjects, key=size, reverse=True):
        if size(one) <= FLIPPED_BYTES and size(one) * len(MASKS) * one.seconds <= FLIPPED_SECONDS:
            by_command[one.command].append(one)
    chosen = []
    for command in sorted(by_command):
        first_of_kind = {pathlib.PurePath(one.file).suffix: one for one in reversed(by_command[command])}
        ordered = sorted(by_command[command], key=lambda one: first_of_kind[pathlib.PurePath(one.file).suffix] is not one)
        chosen += ordered[:FLIPPED_FILES]
    return chosen


def byte_jobs(part, all_subjects, tree, quick):
    chosen = all_subjects
    if part == "flips":
        chosen = flipped(all_subjects, tree)
    if part == "other files":
        by_command = collections.defaultdict(list)
        for one in all_subjects:
            by_command[one.command, pathlib.PurePath(one.file).suffix].append(one)
        chosen = [one for key in sorted(by_command) for one in evenly(by_command[key], 2)]
    for number, subject in enumerate(chosen):
        content = (tree / subject.file).read_bytes()
        total = sizes(part, content)
        step = SAMPLED[part] if quick else step_of(part, subject, total)
        first = number % step
        for begin_at in range(first, total, CHUNK * step):
            yield part, subject, begin_at, step, CHUNK


def tell(totals, findings, seconds):
    print(f"{'part':<16} {'inputs':>8} {'exit 0':>8} {'exit 1':>8} {'exit 2':>8} {'other':>6} {'findings':>8}  {'most CPU':>8}  {'most memory':>11}")
    for part, (tried, found, cpu, rss, codes) in totals.items():
        other = sum(count for code, count in codes.items() if code not in (0, 1, 2))
        print(f"{part:<16} {tried:>8} {codes[0]:>8} {codes[1]:>8} {codes[2]:>8} {other:>6} {found:>8}  {cpu:>6.2f} s  {rss >> 20:>7} MiB")
    tried = sum(total[0] for total in totals.values())
    print(f"{tried} inputs in {seconds:.0f} s, {len(findings)} findings; {date.today()}")
    for finding in findings[:200]:
        print(f"FINDING {finding}")


def arguments_of(words):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("driver", type=pathlib.Path)
    parser.add_argument("project", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--part", action="append", choices=[*BYTE_PARTS, *extremes.PARTS, *outputs.PARTS, *signals.PARTS, *phases.PARTS, *streams.PARTS])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    return parser.parse_args(words)


def main():
    runner.check_the_judge()
    asked = arguments_of(sys.argv[1:])
    program, project = asked.program.resolve(), asked.project.resolve()
    inputs = [(project / "examples", "examples"), (project / "tests" / "golden", "tests/golden")]
    begun = time.monotonic()
    totals, findings = {}, []

    def count(part, tried, found, cpu, rss, codes):
        before = totals.get(part, (0, 0, 0.0, 0, collections.Counter()))
        totals[part] = (before[0] + tried, before[1] + len(found), max(before[2], cpu), max(before[3], rss), before[4] + codes)
        findings.extend(found)

    wanted = asked.part or [*BYTE_PARTS, *extremes.PARTS, *outputs.PARTS, *signals.PARTS, *phases.PARTS, *streams.PARTS]
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(prefix="zoo-", dir=memory) as parent, \
            multiprocessing.Pool(asked.jobs, begin, (program, asked.driver.resolve(), inputs, parent)) as pool:
        own = Sandbox(program, inputs, parent)
        if any(part in BYTE_PARTS for part in wanted):
            every = list(subjects.cases(own.tree))
            if asked.quick:
                every = evenly(every, 40)
            found = [subject for some in pool.imap_unordered(find_subjects, every) for subject in some if subject.seconds < 0.5]
            chosen = evenly(distinct(found, own.tree), 50 if asked.quick else len(found))
            print(f"{len(every)} commands read {len(chosen)} different files, {sum((own.tree / one.file).stat().st_size for one in chosen)} bytes", flush=True)
            jobs = [job for part in wanted if part in BYTE_PARTS for job in byte_jobs(part, chosen, own.tree, asked.quick)]
            for result in pool.imap_unordered(byte_chunk, jobs):
                count(*result)
        for module in (extremes, outputs, signals, phases, streams):
            for part in wanted:
                if part in module.PARTS:
                    for result in module.PARTS[part](own, project, asked.quick):
                        count(part, *result)
    tell(totals, findings, time.monotonic() - begun)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
