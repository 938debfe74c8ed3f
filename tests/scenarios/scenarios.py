#!/usr/bin/env python3
"""Random command lines on random scenarios: what no input may do, does none (docs/trust.md).

scenarios.py BAYPLAN --seeds 0:300           the cases of these seeds
scenarios.py BAYPLAN --minutes 30            as many seeds as the time allows, from --from on
scenarios.py BAYPLAN --replay FILE...        cases that were found once, or that `bayplan ... --anonymize FILE` has written
scenarios.py BAYPLAN --coverage 4000         whether these seeds draw each key, event, option and format
scenarios.py BAYPLAN --show 17               the case of one seed, and what the program says to it

A bad case is made small and written to --out as a file that --replay takes; move it to tests/scenarios/found to keep it. Exit code 1:
a bad case, or a key that no seed draws. Exit code 77: skipped without python3-jsonschema.
"""
import argparse
import collections
import itertools
import json
import multiprocessing
import os
import pathlib
import re
import sys
import time

try:
    import jsonschema  # noqa: F401
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

import inputs
import option_table
import schema_values
from commands import Case, items, make_case
from judge import judge, outputs, run, split_rest
from shrink import shrink

program = table = out = None
shrink_seconds = 120


def try_seed(seed):
    """What one seed gives: the command, whether its files are legal, the exit code, and the bad case, small."""
    case = make_case(table, seed, only)
    bad, outcome = judge(program, table, case)
    return seed, case.command, case.legal, outcome.code, outcome.cpu, bad, case


only = None


def kept_small(seed, case, bad):
    """The file of the bad case, made small."""
    small = shrink(case, lambda one: (found := judge(program, table, one)[0]) is not None and found.kind == bad.kind, shrink_seconds)
    found = judge(program, table, small)[0] or bad
    out.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^a-z0-9]+", "-", f"{bad.kind} {case.command}".lower()).strip("-")[:70]
    path = out / f"{name}-{seed}.json"
    path.write_text(json.dumps(small.record(schema="bayplan/case/1", found=f"{bad.kind}, seed {seed}"), indent=1) + "\n")
    return path, found


def try_seeds(seeds, jobs, minutes):
    """The cases of the seeds, as far as the time goes."""
    end = time.monotonic() + 60 * minutes if minutes else None
    counts, codes, legal, kinds, cpu = collections.Counter(), collections.Counter(), collections.Counter(), {}, 0.0
    begin = time.monotonic()
    with multiprocessing.Pool(jobs) as pool:
        for seed, command, is_legal, code, seconds, bad, case in pool.imap_unordered(try_seed, seeds, chunksize=1):
            counts[command] += 1
            codes[code] += 1
            legal[(is_legal, code == 2)] += 1
            cpu += seconds
            if bad and bad.kind in kinds:
                kinds[bad.kind] += 1
                print(f"seed {seed}: {bad.kind} again", flush=True)
            elif bad:
                kinds[bad.kind] = 1
                print(f"seed {seed}: {bad}", flush=True)
                if shrink_seconds:
                    path, found = kept_small(seed, case, bad)
                    print(f"  small: {path}: bayplan {' '.join(found.line)}", flush=True)
            if end and time.monotonic() > end:
                pool.terminate()
                break
    runs, bad_runs = sum(counts.values()), sum(kinds.values())
    print(f"{runs} cases in {time.monotonic() - begin:.0f} s ({', '.join(f'{name} {number}' for name, number in counts.most_common())})")
    answered, refused = legal[True, False], legal[True, True]
    print(f"exit codes: {', '.join(f'{code}: {number}' for code, number in sorted(codes.items()))}; of {answered + refused} legal cases {answered} have an answer")
    for kind, number in sorted(kinds.items()):
        print(f"  {number} x {kind}")
    print(f"{bad_runs} bad")
    return bad_runs == 0


def replay(files):
    """Cases that were bad once are good. A folder stands for the cases in it."""
    good = True
    paths = [path for file in map(pathlib.Path, files) for path in (sorted(file.glob("*.json")) if file.is_dir() else [file])]
    for file in paths:
        record = json.loads(pathlib.Path(file).read_text())
        case = Case(record["command"], record["files"])
        bad, _ = judge(program, table, case)
        if bad:
            good = False
            print(f"{file}: {bad}")
    print(f"{len(paths)} cases replayed")
    return good


def coverage(count):
    """Every key of the scenario and grid schemas, every word of their enumerations, every event, and every option and format of the table."""
    wanted = {str(item) for item in items(table)} | {"a snapshot with tasks", "a snapshot without tasks", "a load", "a spoiled file"}
    seen, spoiled = set(), 0
    for seed in range(count):
        case = make_case(table, seed)
        spoiled += not case.legal
        seen |= drawn_by(case)
    missing = sorted(wanted - seen)
    print(f"{len(wanted)} keys, words, options and formats; {count} seeds draw {len(wanted) - len(missing)}; {100 * spoiled // count} % have a mistake")
    for one in missing:
        print(f"  never drawn: {one}")
    return not missing


def drawn_by(case):
    seen = set()
    for name, content in case.files.items():
        if name in ("s.json", "s.yaml", "grid.json") and isinstance(content, dict):
            kind = "grid" if name == "grid.json" else "scenario"
            seen |= {f"{kind}: {place}" for place in schema_values.used(inputs.schema(kind), content)}
            if "load" in content:
                seen.add("a load")
        if name == "live/tasks.json" and isinstance(content, dict):
            seen.add("a snapshot with tasks" if content.get("tasks") else "a snapshot without tasks")
    if not case.legal:
        seen.add("a spoiled file")
    command = table[case.command]
    own, _ = split_rest(case.line)
    for word in own[1:]:
        option = command.option(word.split("=", 1)[0])
        if option:
            seen.add(f"bayplan {case.command} {option.name}")
    asked = outputs(case.line, command.formats) or [command.formats[0]]
    seen |= {f"bayplan {case.command} --output {one.partition('=')[0]}" for one in asked}
    return seen


def show(seed):
    case = make_case(table, seed, only)
    print(case)
    for name, text in case.texts().items():
        print(f"--- {name}\n{text}")
    outcome = run(program, case)
    print(f"--- exit {outcome.code}\n{outcome.err.decode('utf-8', 'replace')}{outcome.out.decode('utf-8', 'replace')}")
    print(f"--- {judge(program, table, case)[0] or 'nothing bad'}")
    return True


def main():
    global program, table, out, only, shrink_seconds
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--seeds", metavar="A:B")
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--from", type=int, default=1_000_000, dest="first", help="first seed of --minutes")
    parser.add_argument("--replay", nargs="+")
    parser.add_argument("--coverage", type=int, metavar="N")
    parser.add_argument("--show", type=int, metavar="SEED")
    parser.add_argument("--command", action="append", help="only this command; repeat for several")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("found"))
    parser.add_argument("--shrink", type=int, default=120, metavar="SECONDS", help="for each kind of fault; 0: not at all")
    asked = parser.parse_args()
    program, out, only, shrink_seconds = str(asked.program.resolve()), asked.out, asked.command, asked.shrink
    table = option_table.load(program)
    if asked.replay:
        return replay(asked.replay)
    if asked.coverage:
        return coverage(asked.coverage)
    if asked.show is not None:
        return show(asked.show)
    if asked.minutes:
        return try_seeds(itertools.count(asked.first), asked.jobs, asked.minutes)
    first, _, last = (asked.seeds or "0:300").partition(":")
    return try_seeds(range(int(first), int(last)), asked.jobs, None)


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
