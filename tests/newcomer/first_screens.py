"""Counts the lines of answers: at most 24 for every planning command of the README, at most 40 for every one of the tour, golden case and example
of a planning command, unless it asks for more (-v, a wide view, a comparison, another format) or reports errors only.

usage: first_screens.py BAYPLAN PROJECT
"""
import pathlib
import re
import sys

from shell import folder_with, typed

PROGRAM, PROJECT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
TERMINAL, SCREEN = 24, 40
FEWEST_COMMANDS, FEWEST_CASES = 12, 120
PLANNING = ("fit", "place", "why", "whatif", "repack", "replay", "diff", "sweep", "fleet", "dry-run", "catalog")
NEEDS_AWS = ("ecs-prod", "collect.sh")
ASKS_FOR_MORE = re.compile(r"(^|\s)(-v|--verbose|--wide|--sort|--where|--output|--format|--start-task|--compare)\b")


def pasted(page):
    """Commands of blocks and tables; those whose output goes to a file or a pipe have no screen."""
    text = (PROJECT / page).read_text(encoding="utf-8")
    lines = re.findall(r"^(?:\$ )?(bayplan [^`\n]*)$|`(bayplan [^`\n]*)` \|$", text, re.M)
    for line in (block or cell for block, cell in lines):
        line = line.partition("  #")[0].strip()
        if not any(part in line for part in NEEDS_AWS) and not re.search(r"[>|\\]|--help", line):
            yield line


def main():
    mistakes, commands, cases = [], 0, 0
    with folder_with(PROGRAM, PROJECT / "examples", "examples") as folder:
        for page, most in (("README.md", TERMINAL), ("docs/tour.md", SCREEN)):
            for command in pasted(page):
                if command.split()[1] not in PLANNING:  # findings, a rule with its examples and scripts are as long as they are
                    continue
                commands += 1
                answer = typed(command, folder)
                lines = len((answer.stdout + answer.stderr).splitlines())
                if lines > most:
                    mistakes.append(f"{page}: {lines} lines: {command}")
    for root in ("tests/golden", "examples"):
        for file in sorted((PROJECT / root).rglob("command")):
            command = " ".join(line for line in file.read_text(encoding="utf-8").split("\n") if not line.startswith("#"))
            expected = (file.parent / "expected").read_text(encoding="utf-8", errors="replace")
            answer, _, code = expected.rpartition("--- exit ")
            if not command.split() or command.split()[0] not in PLANNING or ASKS_FOR_MORE.search(command) or code.strip() not in ("0", "1"):
                continue
            cases += 1
            lines = len(answer.partition("--- stderr\n")[0].splitlines())
            if lines > SCREEN:
                mistakes.append(f"{file.parent.relative_to(PROJECT)}: {lines} lines: {command}")
    if commands < FEWEST_COMMANDS or cases < FEWEST_CASES:
        mistakes.append(f"too little was counted: {commands} commands, {cases} cases")
    if not mistakes:
        print(f"{commands} commands and {cases} cases were counted")
    sys.exit("\n".join(mistakes) or 0)


main()
