"""Runs every command of README.md and docs/tour.md in a shell in a copy of examples/, from top to bottom.

The text below a `$ bayplan ...` line must be its output; other commands must be valid and read valid inputs.
usage: readme_pasted.py BAYPLAN PROJECT
"""
import pathlib
import re
import sys

from shell import folder_with, typed

PROGRAM, PROJECT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
NEEDS_AWS = ("bash collect.sh", "--cluster ecs-prod ")  # an account, or what `bayplan collect` fetched from it
FEWEST = 20
MOST_OUTPUT_LINES, MOST_PAGE_LINES = 15, 125  # of README.md, which a newcomer reads in a minute


def commands(page):
    """(command, output or None) of blocks and of tables, in their order."""
    for block, cell in re.findall(r"^```\n(.*?)^```|^\|[^\n]*\| `(bayplan [^`\n]*)` \|$", page, re.M | re.S):
        if cell:
            yield cell, None
        elif block.startswith("$ bayplan "):
            line, _, output = block[2:].partition("\n")
            yield line, output
        else:
            for line in block.splitlines():
                if line.startswith("bayplan ") and not any(part in line + " " for part in NEEDS_AWS):
                    yield line, None


def main():
    mistakes, pasted = [], 0
    with folder_with(PROGRAM, PROJECT / "examples", "examples") as folder:
        for page in ("README.md", "docs/tour.md"):
            text = (PROJECT / page).read_text(encoding="utf-8")
            if page == "README.md" and text.count("\n") > MOST_PAGE_LINES:
                mistakes.append(f"{page} has {text.count(chr(10))} lines, at most {MOST_PAGE_LINES} are allowed")
            for line, output in commands(text):
                pasted += 1
                if page == "README.md" and (output or "").count("\n") > MOST_OUTPUT_LINES:
                    mistakes.append(f"{page}: more than {MOST_OUTPUT_LINES} lines of output: {line}")
                done = typed(line, folder)
                if done.returncode not in (0, 1):
                    mistakes.append(f"{page}: exit {done.returncode}: {line}\n{done.stderr}")
                elif output is not None and done.stdout + done.stderr != output:
                    mistakes.append(f"{page}: has different output: {line} (scripts/readme BAYPLAN updates it)")
    if pasted < FEWEST:
        mistakes.append(f"only {pasted} commands found")
    sys.exit("\n".join(mistakes) or 0)


main()
