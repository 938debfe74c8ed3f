"""Types 100 wrong commands as a newcomer would, in a copy of inputs/, and compares each answer with wrong_usages.txt.

A case is a line `$ COMMAND`, a line `exit N`, and the answer as it is printed (standard output, then standard error) up to a
blank line. Each answer must fit one screen and say what to do next. BAYPLAN_ACCEPT=1 writes the answers anew: read the difference.
usage: wrong_usages.py BAYPLAN PROJECT
"""
import concurrent.futures
import os
import pathlib
import re
import sys

from shell import folder_with, typed

PROGRAM, PROJECT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
TABLE = PROJECT / "tests" / "newcomer" / "wrong_usages.txt"
FEWEST, COLUMNS, LINES = 100, 80, 16
# What advice is: a command, a word that was meant, what there is to choose from, or a sentence that tells what to do.
COMMAND = re.compile(r"\bbayplan [a-z]|--from \w|--output \w+=|\bterraform show|\baws [a-z]|\bcopilot |\bcurl ")
MEANT = re.compile(r"[Dd]id you mean")
CHOICE = re.compile(r"(Formats of this command|levels are|[Ss]upported (keys|commands)( are|:)|[Ss]trategies are|[Pp]rices are known|[Kk]eys:|[Tt]here is|A grid has|Only aws|Zones are|Instances are|Names are|keys:|For example:)")
IMPERATIVE = re.compile(r"^(?:  (?:  )?|.*[\^~] |.*; |.*: |.*\. |      = )(?:Write|Name|Add|Remove|Use|Quote|Paste|Check|Swap|Fix|Give|State|Close|Indent|Save|Convert|Delete|Raise|Lower|Set|Run|Download|Repeat|Create|Describe|Allow|To pass|Did the command|A count follows|--\w+ \d+)\b", re.I | re.M)


def answer(line, folder):
    """Exit code and what was printed."""
    run = typed(line, folder, "work")
    return run.returncode, (run.stdout + run.stderr).rstrip("\n")


def in_fresh_folder(line):
    with folder_with(PROGRAM, PROJECT / "tests" / "newcomer" / "inputs", "work") as folder:
        (folder / "work" / "empty").mkdir()
        return answer(line, folder)


def faults(line, code, text):
    """What no answer may be, whatever the table says."""
    if code not in (1, 2) and " # fine" not in line:
        yield f"exit {code}"
    if "internal error" in text:
        yield "an internal error"
    if len(text.split("\n")) > LINES:
        yield f"{len(text.splitlines())} lines"
    # The first line says what is wrong; only a suggestion or what is looked at may stand in it.
    advice = "\n".join(text.split("\n")[1:])
    if " # fine" not in line and not (MEANT.search(text) or COMMAND.search(advice) or COMMAND.search(text.partition(": ")[2]) or CHOICE.search(advice) or IMPERATIVE.search(text)):
        yield "nothing says what to do next"
    for row in text.split("\n"):
        if re.match("  [^ ]", row) and len(row) > COLUMNS and not re.search("bayplan |://|: aws |^    ", row):  # advice is wrapped, messages are one line
            yield f"{len(row)} columns: {row}"


def main():
    head, *blocks = re.split(r"^\$ ", TABLE.read_text(encoding="utf-8"), flags=re.M)
    cases = []
    for block in blocks:
        line, _, rest = block.partition("\n")
        told = re.match(r"exit (\d+)\n(.*)", rest, re.S)
        cases.append((line, int(told[1]) if told else None, told[2].rstrip("\n") if told else ""))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        seen = list(pool.map(in_fresh_folder, [line for line, _, _ in cases]))
    mistakes = [f"only {len(cases)} cases"] if len(cases) < FEWEST else []
    for (line, code, text), (own_code, own_text) in zip(cases, seen):
        mistakes += [f"$ {line}\n  {fault}" for fault in faults(line, own_code, own_text)]
        if "BAYPLAN_ACCEPT" not in os.environ and (code, text) != (own_code, own_text):
            mistakes.append(f"$ {line}\nanswers with exit {own_code}\n{own_text}\ninstead of exit {code}\n{text}")
    if "BAYPLAN_ACCEPT" in os.environ:
        TABLE.write_text(head + "\n".join(f"$ {line}\nexit {code}\n{text}\n" for (line, _, _), (code, text) in zip(cases, seen)),
                         encoding="utf-8")
    sys.exit("\n".join(mistakes) or 0)


main()
