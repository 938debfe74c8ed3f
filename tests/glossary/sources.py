"""Reads the spelling of the whole project, and the words of what terms.py does not read, and fails if a word is one that docs/glossary.md
replaces.

Words: comments, docstrings and sentences in strings of the packages, the data, the benchmarks, the scripts, the build and the examples; the
descriptions of the JSON Schemas, which editors and the types of the npm package show; the prose of generated pages.
Spelling: every word of every text file, also in names (colorOf), compared with tests/glossary/spelling.txt. Names of recorded data, of
expected outputs and of inputs of tests are those of others.
usage: sources.py PROJECT
"""
import io
import re
import subprocess
import sys
import tokenize

from terms import CODE, GLOSSARY, MESSAGES_SECTION, PROJECT, RULES_SECTION, prose_of, rows

FOLDERS = ("packaging", "data", "bench", "scripts", "cmake", "schemas", "examples", "include", "docs/site", "docs/checks", ".github", ".ci")
TOP = ("action.yml", ".pre-commit-hooks.yaml", "CMakeLists.txt", "CMakePresets.json", "Dockerfile", "package.json", "pyproject.toml", ".clang-tidy",
       ".bayplan.yaml", "docs/checks.md", "src/CMakeLists.txt", "tests/CMakeLists.txt", "bench/CMakeLists.txt")
NOT_OURS = (".png", ".svg", ".gz", ".tgz", ".ico", ".woff2")
FEWEST_FILES, FEWEST_LETTERS, FEWEST_SPELLED = 700, 350_000, 2_200
SPELLING = "tests/glossary/spelling.txt"
# Sources of tests; their other files are inputs and outputs, or data of others.
TESTS_READ = re.compile(r"^tests/(?!corpus/|zoo/(?!\w+\.py)).*(\.(cpp|hpp|py|mjs|sh|cmake|md)|CMakeLists\.txt)$")
NAMES_OF_OTHERS = {"kRequestCancelled", "RequestCancelled"}  # the Language Server Protocol
METHOD_OF_OTHERS = "notifications/cancelled"  # the Model Context Protocol

C_TOKEN = re.compile(r"""//+[!/<]*(?P<line>[^\n]*)|/\*(?P<block>.*?)\*/|R"\((?P<raw>.*?)\)"|"(?P<double>(?:[^"\\\n]|\\.)*)"|'(?P<single>(?:[^'\\\n]|\\.)*)'"""
                     r"|`(?P<template>(?:[^`\\]|\\.)*)`", re.S)
HASH_TOKEN = re.compile(r"""(?:^|(?<=\s))\#(?!!)(?P<line>[^\n]*)|"(?P<double>(?:[^"\\]|\\.)*)\"""", re.M)
JSON_TEXT = re.compile(r'"(?:description|title|displayName|note)":\s*"(?P<text>(?:[^"\\]|\\.)*)"')
SLOTS = re.compile(r"`[^`\n]*`|\$\{[^{}]*\}|\{[^{}]*\}|%[a-z]|</?[a-z][^>]*>|\\.")  # not words: code, values, tags, escapes


def is_sentence(text):
    return " " in text.strip()


def python_prose(text):
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and is_sentence(token.string)):
            yield token.start[0], token.string


def tokens(pattern, text):
    for token in pattern.finditer(text):
        found = next((part for part in token.groups() if part is not None), "")
        is_comment = token.lastgroup in ("line", "block", "text")
        if is_comment or is_sentence(found):
            yield text.count("\n", 0, token.start()) + 1, found


def is_python(path, text):
    return path.suffix == ".py" or text.startswith("#!") and "python" in text.split("\n", 1)[0]


def prose_in(path, text):
    """(first line, text) of each piece of prose in a file."""
    if is_python(path, text):
        return python_prose(text)
    if path.suffix in (".cpp", ".hpp", ".js", ".mjs", ".cjs", ".ts", ".css"):
        return tokens(C_TOKEN, text)
    if path.suffix == ".md":
        return [(1, prose_of(path))]
    if path.suffix == ".json":
        return tokens(JSON_TEXT, text)
    if path.suffix == ".html":
        return [(1, re.sub(r"<[^>]*>", " ", text))]
    return tokens(HASH_TOKEN, text)


def project_files():
    """The files under version control, or of an archive of the sources."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True)
    if listed.returncode == 0 and listed.stdout:
        names = listed.stdout.decode().split("\0")[:-1]
    else:
        names = [str(path.relative_to(PROJECT)) for path in PROJECT.rglob("*") if "build" not in path.relative_to(PROJECT).parts[:1]]
    paths = [(name, PROJECT / name) for name in sorted(names)]
    return [(name, path) for name, path in paths if path.is_file() and path.suffix not in NOT_OURS]


def replaced_words(forbidden, files):
    """Mistakes, the number of files and of letters."""
    pattern = re.compile(r"(?<!\w)(" + "|".join(r"\s+".join(map(re.escape, term.split())) for term in forbidden) + r")(?!\w)", re.I)
    mistakes, count, letters = [], 0, 0
    for name, path in files:
        if name not in TOP and not name.startswith(tuple(folder + "/" for folder in FOLDERS)):
            continue
        count += 1
        for line, piece in prose_in(path, path.read_text(encoding="utf-8")):
            piece = SLOTS.sub(lambda slot: re.sub(r"[^\n]", CODE, slot[0]), piece)
            letters += sum(map(str.isalpha, piece))
            for found in pattern.finditer(piece):
                around = " ".join(piece[max(0, found.start() - 40):found.end() + 40].replace(CODE, "").split())
                mistakes.append(f"{name}:{line + piece.count(chr(10), 0, found.start())}: {found[1].lower()!r}: {around}")
    return mistakes, count, letters


def misspelled(files):
    """Mistakes and the number of files: British spellings of tests/glossary/spelling.txt, also as parts of names."""
    american = dict(line.split() for line in (PROJECT / SPELLING).read_text(encoding="utf-8").splitlines() if line and not line.startswith("#"))
    part = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")

    def british(text):
        """The British spellings in a text. Words in capitals are states of an API: CANCELLED."""
        words = {word for word in re.findall(r"[A-Za-z]+", text.replace(METHOD_OF_OTHERS, "")) if word not in NAMES_OF_OTHERS and not word.isupper()}
        return sorted({one for word in words for one in part.findall(word) if one.lower() in american})

    mistakes, count = [], 0
    for name, path in files:
        if name in (SPELLING, GLOSSARY) or (name.startswith("tests/") and not TESTS_READ.match(name)):
            continue
        count += 1
        text = path.read_text(encoding="utf-8", errors="replace")
        if british(text):
            mistakes += [f"{name}:{number}: {one!r}: the American spelling is {american[one.lower()]!r}"
                         for number, line in enumerate(text.split("\n"), 1) for one in british(line)]
    return mistakes, count


def main():
    page = (PROJECT / GLOSSARY).read_text(encoding="utf-8")
    general = page.partition(RULES_SECTION)[0].partition(MESSAGES_SECTION)[0]
    forbidden = rows(general, 3) + rows(general, 2)
    files = project_files()
    mistakes, count, letters = replaced_words(forbidden, files)
    wrong, spelled = misspelled(files)
    mistakes += wrong
    if count < FEWEST_FILES or letters < FEWEST_LETTERS or spelled < FEWEST_SPELLED:
        mistakes.append(f"too little was compared: {count} files with {letters} letters; the spelling of {spelled} files")
    if mistakes:
        sys.exit("\n".join(mistakes) + "\ndocs/glossary.md has the words to use")
    print(f"{count} files with {letters} letters use none of {len(forbidden)} replaced terms; {spelled} files use American spelling")


if __name__ == "__main__":
    main()
