"""Runs the text reports of the golden cases and the examples in terminals of 60, 80 and 120 columns, and fails for lines that do not fit.

May be longer: a line that is pasted or read by a program (commands, findings with their source), a word that cannot be broken, the
table of a command that asks for every column, and the answer under --quiet, which is one line for scripts.
usage: widths.py BAYPLAN PROJECT
"""
import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys
import unicodedata

PROGRAM, PROJECT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
WIDTHS, FEWEST_CASES, FEWEST_LINES = (60, 80, 120), 150, 2_000
REPORTS = ("fit", "place", "why", "whatif", "repack", "replay", "diff", "sweep", "fleet", "dry-run", "catalog")
# Searches for half a minute; others have the same report.
SLOW = ("tests/golden/fleet/gap",)
OTHER_FORMAT = re.compile(r"^(--output=|--format=)?(json|jsonl|csv|markdown|svg|html|sarif|aws)(=.*)?$")
PASTED = re.compile(r"\S+:\d+:\d+:? |\s+(\d+ )?\||\s+= |\s+(aws|bayplan) |An error occurred|\{")
COLORS = re.compile(r"\x1b\[[0-9;]*m")


def columns(text):
    return sum(0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def cases():
    for root in ("tests/golden", "examples"):
        for file in sorted((PROJECT / root).rglob("command")):
            words = shlex.split(" ".join(line for line in file.read_text(encoding="utf-8").split("\n") if not line.startswith("#")))
            is_slow = file.parent.relative_to(PROJECT).as_posix() in SLOW
            if words and words[0] in REPORTS and not is_slow and not any(OTHER_FORMAT.match(word) for word in words):
                yield file.parent, words


def fits(line, width):
    return columns(line) <= width or PASTED.match(line) or columns(max(line.split(), key=columns)) > width - 16


def too_long(case):
    folder, words, width = case
    is_quiet = {"-q", "--quiet"} & set(words)
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "COLUMNS": str(width)}
    given = folder / "stdin"
    with open(given if given.exists() else os.devnull, "rb") as stdin:
        answer = subprocess.run([PROGRAM, *words], cwd=folder, env=environment, stdin=stdin, capture_output=True, timeout=120)
    lines = COLORS.sub("", answer.stdout.decode("utf-8", "replace")).split("\n")
    return len(lines), [f"{folder.relative_to(PROJECT)} at {width} columns: {columns(line)}: {line}" for line in lines if not is_quiet and not fits(line, width)]


def main():
    asked = [(folder, words, width) for folder, words in cases() for width in WIDTHS]
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        answers = list(pool.map(too_long, asked))
    mistakes = [mistake for _, found in answers for mistake in found]
    lines = sum(count for count, _ in answers)
    if len(asked) < FEWEST_CASES * len(WIDTHS) or lines < FEWEST_LINES * len(WIDTHS):
        mistakes.append(f"too little was compared: {len(asked)} reports, {lines} lines")
    if not mistakes:
        print(f"{len(asked)} reports with {lines} lines were compared")
    sys.exit("\n".join(mistakes) or 0)


main()
