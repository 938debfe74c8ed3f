"""Reads the terms that docs/glossary.md replaces, and fails where a text of reports or an expected output uses one.

Texts are the string literals of the layers that reports come from; outputs are those of the golden cases and examples of
commands that plan. Keys of JSON are no words.
usage: terms.py PROJECT
"""
import pathlib
import re
import sys

PROJECT = pathlib.Path(sys.argv[1])
LAYERS = ("report", "study", "placement", "fleet", "capacity")
COMMANDS = ("place", "fleet", "why", "whatif", "repack", "fit", "sweep")
FEWEST_TERMS, FEWEST_TEXTS, FEWEST_OUTPUTS = 25, 2_000, 100
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


def replaced_terms():
    page = (PROJECT / "docs" / "glossary.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| [^|]+ \| [^|]+ \| ([^|]+) \|$", page, re.M)
    return [term.lower() for row in rows for term in re.findall(r'"([^"]+)"', row)]


def texts_of(source):
    """The text of each literal; adjacent literals are one text."""
    text = "\n".join("" if line.lstrip().startswith("//") else line
                     for line in source.read_text(encoding="utf-8").split("\n"))
    joined = re.sub(r'"[ \t]*\n[ \t]*"', "", text)
    for literal in LITERAL.finditer(joined):
        yield literal[1]


def outputs():
    for root in ("tests/golden", "examples"):
        for command in sorted((PROJECT / root).rglob("command")):
            words = [line for line in command.read_text(encoding="utf-8").split("\n") if line and not line.startswith("#")]
            expected = command.parent / "expected"
            if words and words[0].split()[0] in COMMANDS and expected.exists():
                yield expected


def main():
    terms, mistakes, texts, compared = replaced_terms(), [], 0, 0
    for layer in LAYERS:
        for source in sorted((PROJECT / "src" / layer).rglob("*.cpp")):
            for text in texts_of(source):
                texts += 1
                mistakes += [f"{source}: {term!r} in {text!r}" for term in terms if term in text.lower()]
    for output in outputs():
        compared += 1
        for number, line in enumerate(output.read_text(encoding="utf-8", errors="replace").split("\n"), 1):
            mistakes += [f"{output}:{number}: {term!r}" for term in terms if term in line.lower()]
    if len(terms) < FEWEST_TERMS or texts < FEWEST_TEXTS or compared < FEWEST_OUTPUTS:
        mistakes.append(f"too little was compared: {len(terms)} terms, {texts} texts, {compared} outputs")
    if mistakes:
        sys.exit("\n".join(mistakes) + "\ndocs/glossary.md has the words to use")
    print(f"{texts} texts and {compared} outputs use none of {len(terms)} replaced terms")


if __name__ == "__main__":
    main()
