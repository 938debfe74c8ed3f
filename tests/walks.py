#!/usr/bin/env python3
"""Compares the functions that ARCHITECTURE.md shows with the source: a block of code below `<!-- FILE -->` is a whole function of that
file, or several that follow each other, letter by letter.

usage: walks.py PROJECT
"""
import pathlib
import re
import sys

WALK = re.compile(r"^<!-- (src/\S+) -->\n```cpp\n(.*?)^```$", flags=re.M | re.S)


def faults(project):
    page = (project / "ARCHITECTURE.md").read_text(encoding="utf-8")
    walks = WALK.findall(page)
    if not walks:
        yield "ARCHITECTURE.md: shows no function"
    for path, code in walks:
        source = (project / path).read_text(encoding="utf-8")
        name = code.split("(")[0].split()[-1]
        if "\n" + code not in source or not code.endswith("\n}\n"):
            yield f"ARCHITECTURE.md: {name} differs from {path}; copy the function as it is now"


def main():
    found = list(faults(pathlib.Path(sys.argv[1])))
    for fault in found:
        print(fault)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
