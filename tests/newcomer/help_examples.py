"""Runs every example of every --help in a shell in a copy of examples/; each must be valid and read valid inputs.

usage: help_examples.py BAYPLAN PROJECT
"""
import pathlib
import re
import sys

from shell import folder_with, typed

PROGRAM, PROJECT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
FEWEST = 2
COLUMNS = 80
EDITORS = ("nvim ", "emacs ", "code ", "claude ")  # what they start is tested elsewhere (tests/clients)


def examples(text):
    """Commands below "Examples:"; one may go on in the next line."""
    found = []
    for line in text.partition("\nExamples:\n")[2].splitlines():
        if found and found[-1].endswith(("\\", "|", "&&")):
            found[-1] += "\n" + line
        elif line.strip() and not line.strip().startswith("#"):
            found.append(line.strip())
    return found


def main():
    mistakes = []
    with folder_with(PROGRAM, PROJECT / "examples", "examples") as folder:
        alone = typed("bayplan", folder)
        if alone.returncode != 2 or alone.stdout or "bayplan lint" not in alone.stderr:
            mistakes.append(f"bayplan alone: exit {alone.returncode}, prints {alone.stdout!r} and {alone.stderr!r}")
        mistakes += [f"bayplan alone: {len(line)} columns: {line}" for line in alone.stderr.splitlines() if len(line) > COLUMNS]
        overview = typed("bayplan --help", folder).stdout
        mistakes += [f"bayplan --help: {len(line)} columns: {line}" for line in overview.splitlines() if len(line) > COLUMNS]
        commands = re.findall(r"^  ([a-z-]+) ", overview.partition("\nSubcommands:\n")[2].partition("\n\n")[0], re.M)
        if len(commands) < 10:
            mistakes.append(f"bayplan --help names only {commands}")
        for command in re.findall(r"bayplan ([a-z][a-z-]+)", alone.stderr):
            if command not in [*commands, "help"]:
                mistakes.append(f"bayplan alone tells of {command!r}, which is no command")

        for command in commands:
            text = typed(f"bayplan {command} --help", folder).stdout
            for line in text.splitlines():
                if len(line) > COLUMNS and " " in line[30:]:
                    mistakes.append(f"bayplan {command} --help: {len(line)} columns: {line}")
            pasted = examples(text)
            if len(pasted) < FEWEST:
                mistakes.append(f"bayplan {command} --help has {len(pasted)} examples")
            for line in pasted:
                if line.startswith(EDITORS):
                    continue
                done = typed(line, folder)
                if done.returncode not in (0, 1):
                    mistakes.append(f"exit {done.returncode}: {line}\n{done.stderr}")
    sys.exit("\n".join(mistakes) or 0)


main()
