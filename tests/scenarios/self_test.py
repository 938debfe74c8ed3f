"""The judge sees what it is there for: self_test.py BAYPLAN. Programs that do one thing wrong stand in for bayplan."""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

try:
    import jsonschema  # noqa: F401
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

import commands
import inputs
import judge
import option_table
from shrink import shrink

ROOT = pathlib.Path(__file__).resolve().parents[2]
bayplan = str(pathlib.Path(sys.argv[1]).resolve())
table = option_table.load(bayplan)
SCENARIO = {"cluster": {"containerInstances": [{"instanceType": "m5.large", "count": 2}, {"instanceType": "g4dn.xlarge"}]},
            "taskDefinitions": [{"family": "web", "containerDefinitions": [{"name": "c", "image": "i:1", "cpu": 10, "memory": 64}]}], "tasks": [{"taskDefinition": "web", "count": 3}]}
CASE = commands.Case(["place", "s.json", "--verbose", "--seed", "3"], {"s.json": SCENARIO, "other.json": {}})
#: Name -> what stands in for bayplan, and the beginning of what is to be said about it.
FAULTS = {
    "crash": ("kill -SEGV $$", "signal 11"),
    "internal": ("echo 'bayplan: internal error: the result failed its own verification' >&2; echo '  the plan of web#3 is wrong' >&2; exit 3", "exit 3: the plan of is wrong"),
    "sanitizer": ("echo 'src/a/b.cpp:3:5: runtime error: signed integer overflow: 5' >&2; exit 99", "sanitizer: signed integer overflow"),
    "loop": ("while :; do :; done", "time"),
    "chance": ("date +%N", "other bytes"),
    "format": ('case "$*" in *json*json*) exit 1;; esac; echo hello', "another exit code in another format"),
    "json": ('case "$*" in *json*json*) echo "{,}";; *) echo hello;; esac', "JSON that cannot be read"),
    "schema": ("""case "$*" in *json*json*) echo '{"schema": "bayplan/place-report/1", "version": 3}';; *) echo hello;; esac""", "schema: place-report/1"),
    "silent": ("exit 2", "exit 2 without a word"),
    "odd": ("echo hm >&2; exit 7", "exit 7"),
}


def check(condition, message):
    if not condition:
        raise SystemExit(f"self_test: {message}")


def program(folder, name, text):
    path = pathlib.Path(folder) / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def faults_are_seen(folder):
    judge.CPU_SECONDS = 1
    for name, (text, expected) in FAULTS.items():
        bad, _ = judge.judge(program(folder, name, text), table, CASE)
        check(bad is not None, f"{name}: nothing is said")
        check(bad.kind.startswith(expected), f"{name}: {bad.kind}, not {expected}")
    judge.CPU_SECONDS = 20
    bad, outcome = judge.judge(bayplan, table, CASE)
    check(bad is None and outcome.code == 0, f"a good run is bad: {bad}, exit {outcome.code}")


def cases_become_small(folder):
    """Only the option and the member that the fault needs are left."""
    wrong = program(folder, "picky", f"""grep -q g4dn s.json 2>/dev/null && case "$*" in *--verbose*) kill -SEGV $$;; esac; exec {bayplan} "$@" """)
    bad, _ = judge.judge(wrong, table, CASE)
    small = shrink(CASE, lambda one: (found := judge.judge(wrong, table, one)[0]) is not None and found.kind == bad.kind, 900)
    check(small.line == ["place", "--verbose"] and list(small.files) == ["s.json"], f"{small}: {list(small.files)}")
    check(len(json.dumps(small.files["s.json"])) < 90 and "g4dn" in json.dumps(small.files), f"{small.files}")


def new_options_are_drawn(folder):
    """A manual with one more option is enough."""
    text = option_table.manual(bayplan, "place").replace(".SH EXIT STATUS", ".TP\n\\fB\\-\\-brand\\-new\\fR \\fITHING\\fR\nDoes a new thing.\n.SH EXIT STATUS")
    newer = {**table, "place": option_table.parse("place", text)}
    check(newer["place"].option("--brand-new").value == "THING", "the manual is not understood")
    lines = [commands.make_case(newer, seed).line for seed in range(4000)]
    check(any("--brand-new" in word for line in lines for word in line), "a new option is not drawn")
    check(all(commands.make_case(table, seed).record() == commands.make_case(table, seed).record() for seed in range(40)), "a seed gives two cases")


def cases_stand_alone(folder):
    """A case is the same whatever cases were made before, and can be written: a mistake changes neither its own values nor those of others."""
    document, odd = {"a": [{"b": 1}, {"c": [2]}]}, json.dumps(inputs.ODD)
    for seed in range(3000):
        json.dumps(inputs.spoiled(random.Random(seed), document))
    check(json.dumps(inputs.ODD) == odd, "a mistake changes the values that the next one takes")


def events_say_what_happens(folder):
    """Each has one key besides those of its time, and some come back."""
    cases = [case for seed in range(3000) if (case := commands.make_case(table, seed, ["place"])).legal]
    scenarios = [content for case in cases for name, content in case.files.items() if name in ("s.json", "s.yaml")]
    events = [event for scenario in scenarios for event in scenario.get("events", [])]
    check(events and all(len(event.keys() - set(inputs.WHEN)) == 1 for event in events), "an event says nothing, or two things")
    check(any("every" in event for event in events), "no event comes back")


def differences_are_seen(folder):
    """scripts/same-answers tells one changed word, and nothing of two equal binaries."""
    other = program(folder, "other", f"""case "$1" in man) exec {bayplan} "$@";; esac; {bayplan} "$@" >out.txt; code=$?; sed s/CPU/cpu/ out.txt; rm -f out.txt; exit $code""")
    command = [sys.executable, "-W", "ignore", ROOT / "scripts" / "same-answers", bayplan]
    tail = ["--count", "30", "--only", "random", "--command", "place", "--jobs", "2"]
    same = subprocess.run([*command, bayplan, *tail], capture_output=True, text=True)
    check(same.returncode == 0 and "30 random commands: 0 with" in same.stdout, same.stdout + same.stderr)
    changed = subprocess.run([*command, other, *tail], capture_output=True, text=True)
    check(changed.returncode == 1 and "bayplan place" in changed.stdout and "\n  + " in changed.stdout, changed.stdout + changed.stderr)


with tempfile.TemporaryDirectory() as name:
    for one in (faults_are_seen, cases_become_small, new_options_are_drawn, cases_stand_alone, events_say_what_happens, differences_are_seen):
        one(name)
        print(one.__name__.replace("_", " "), flush=True)
