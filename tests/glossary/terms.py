"""Reads the terms that docs/glossary.md replaces, and fails if a text of reports, an expected output or a document contains one.

Texts are the string literals of every layer; they must also avoid the terms of "Plain words in documents", "Messages" and "Rules". Outputs are those of the golden cases and examples of
commands that plan. Keys of JSON are not words. Documents are the Markdown pages, without code, link targets and tables that a
script generates; they must also avoid the terms of "Plain words in documents". The texts of rules and their outputs must avoid all of
these and the terms of "Rules".
usage: terms.py PROJECT
"""
import json
import pathlib
import re
import sys

PROJECT = pathlib.Path(sys.argv[1])
LAYERS = ("report", "study", "replay", "placement", "fleet", "capacity")
COMMANDS = ("place", "fleet", "why", "whatif", "repack", "fit", "sweep", "replay")
DOCUMENTS = ("*.md", "docs/*.md", "bench/*.md", "bench/peers/*.md", "examples/*/README.md")
RULE_LAYERS, RULE_COMMANDS, RULES_SECTION = ("rules", "lint", "shape", "query", "importers"), ("lint", "explain"), "\n## Rules\n"
MESSAGES_SECTION = "\n## Messages\n"
GLOSSARY, UNCHECKED = "docs/glossary.md", ("docs/checks.md",)
FEWEST_TERMS, FEWEST_TEXTS, FEWEST_OUTPUTS = 25, 2_000, 100
FEWEST_MESSAGE_TERMS, FEWEST_MESSAGES = 20, 2_500
FEWEST_RULE_TERMS, FEWEST_RULE_TEXTS, FEWEST_RULE_OUTPUTS = 40, 2_500, 300
FEWEST_PLAIN_WORDS, FEWEST_DOCUMENTS, FEWEST_LETTERS = 40, 35, 150_000
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
SCRIPT_LITERAL = re.compile(r"'((?:[^'\\\n]|\\.)*)'|`([^`]*)`")
CODE = "\0"  # is no space, so that words on both sides of code do not become a term


def rows(page, columns):
    """The terms in the last column of tables with this number of columns."""
    cells = r"^\| " + r"[^|\n]+ \| " * (columns - 1) + r"([^|\n]+) \|$"
    return [term.lower() for row in re.findall(cells, page, re.M) for term in re.findall(r'"([^"]+)"', row)]


def texts_of(source):
    """The text of each literal; adjacent literals are one text."""
    text = "\n".join("" if line.lstrip().startswith("//") else line
                     for line in source.read_text(encoding="utf-8").split("\n"))
    joined = re.sub(r'"[ \t]*\n[ \t]*"', "", text)
    for literal in LITERAL.finditer(joined):
        yield literal[1]


def page_texts(script):
    """The text of each literal of a page's script."""
    text = "\n".join(line.split("// ")[0] for line in script.read_text(encoding="utf-8").split("\n"))
    for literal in SCRIPT_LITERAL.finditer(text):
        yield literal[1] or literal[2] or ""


def is_sentence(text):
    """Not a single word, and no pattern that finds words of others."""
    return " " in text and not text.startswith("(?i)")


def message_texts():
    """Place and text of each literal of the program that can be a sentence, without the names of classes in pages."""
    for source in sorted((PROJECT / "src").rglob("*.cpp")):
        yield from ((source, re.sub(r'class=\\"[^"]*\\"', "", text)) for text in texts_of(source) if is_sentence(text))


def rule_texts():
    """Place and text of literals of the layers of rules, and of the texts in the data of rules and of sentences."""
    for layer in RULE_LAYERS:
        for source in sorted((PROJECT / "src" / layer).rglob("*.cpp")):
            yield from ((source, text) for text in texts_of(source) if is_sentence(text))
    for rule in json.loads((PROJECT / "data" / "rules.json").read_text(encoding="utf-8"))["rules"]:
        yield from ((f"{rule['code']} {key}", rule[key]) for key in ("summary", "why", "fix", "scope"))
        yield from ((f"{rule['code']} when", case["when"]) for case in rule.get("severityWhen", []))
    for sentence in json.loads((PROJECT / "data" / "sentences.json").read_text(encoding="utf-8"))["sentences"]:
        for key in ("cause", "fix"):
            yield f"sentence {sentence['id']}", re.sub(r"\{\w+", "{", sentence.get(key, ""))  # names of slots are no words


def rule_lines():
    """Place and text of each finding in the outputs of rules, without names that quote the file; of golden cases its first line."""
    cases = sorted((PROJECT / "tests" / "rules").rglob("*.out"))
    for output in [*outputs(RULE_COMMANDS), *cases]:
        for number, line in enumerate(output.read_text(encoding="utf-8", errors="replace").split("\n"), 1):
            if output in cases or re.search(r"\b(error|warning|info|style) BAY\d+ ", line):
                yield f"{output}:{number}", re.sub(r'^\S+:\d+:\d+ |"[^"]*"', "", line)


def mistakes_of_rules(texts, terms, plain):
    for place, text in texts:
        lower = text.lower()
        yield from (f"{place}: {term!r} in {text!r}" for term in terms if term in lower)
        yield from (f"{place}: {term!r} in {text!r}" for term in plain if term in lower and re.search(rf"(?<!\w){re.escape(term)}(?!\w)", lower))


def outputs(commands):
    for root in ("tests/golden", "examples"):
        for command in sorted((PROJECT / root).rglob("command")):
            words = [line for line in command.read_text(encoding="utf-8").split("\n") if line and not line.startswith("#")]
            expected = command.parent / "expected"
            if words and words[0].split()[0] in commands and expected.exists():
                yield expected


def prose_of(path):
    """The page with everything that is not prose blanked out, line by line, so that positions stay the same."""
    def blank(match):
        return re.sub(r"[^\n]", CODE, match[0])
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"^[ \t]*(`{3,}|~{3,}).*?^[ \t]*\1`*[ \t]*$", blank, text, flags=re.M | re.S)
    text = re.sub(r"^<!-- (\S+).*?^<!-- (?:/\1|end) -->$", blank, text, flags=re.M | re.S)
    text = re.sub(r"(?<=\n\n)(?: {4,}.*\n)+", blank, text)
    text = re.sub(r"(`+)[^`].*?\1", blank, text, flags=re.S)
    text = re.sub(r"\]\([^)]*\)|<https?:[^>]*>", blank, text)
    if path == PROJECT / GLOSSARY:
        text = re.sub(r"\| [^|\n]+ \|$", blank, text, flags=re.M)
    return text


def mistakes_of(path, terms):
    text = prose_of(path)
    for term in terms:
        for found in re.finditer(r"(?<!\w)" + r"\s+".join(map(re.escape, term.split())) + r"(?!\w)", text, re.I):
            yield f"{path}:{text.count(chr(10), 0, found.start()) + 1}: {term!r}"


def main():
    page = (PROJECT / GLOSSARY).read_text(encoding="utf-8")
    general, _, of_rules = page.partition(RULES_SECTION)
    general, _, of_messages = general.partition(MESSAGES_SECTION)
    terms, plain, message_terms, rule_terms = rows(general, 3), rows(general, 2), rows(of_messages, 3), rows(of_rules, 3)
    mistakes, texts, compared, documents, letters = [], 0, 0, 0, 0
    for layer in LAYERS:
        for source in sorted((PROJECT / "src" / layer).rglob("*.cpp")):
            for text in texts_of(source):
                texts += 1
                mistakes += [f"{source}: {term!r} in {text!r}" for term in terms if term in text.lower()]
    for script in sorted((PROJECT / "data" / "page").glob("*.js")):
        for text in page_texts(script):
            texts += 1
            mistakes += [f"{script}: {term!r} in {text!r}" for term in terms if term in text.lower()]
    for output in outputs(COMMANDS):
        compared += 1
        for number, line in enumerate(output.read_text(encoding="utf-8", errors="replace").split("\n"), 1):
            mistakes += [f"{output}:{number}: {term!r}" for term in terms if term in line.lower()]
    for document in sorted(path for pattern in DOCUMENTS for path in PROJECT.glob(pattern)):
        if document not in [PROJECT / name for name in UNCHECKED]:
            documents += 1
            letters += sum(map(str.isalpha, prose_of(document)))
            mistakes += mistakes_of(document, terms + plain)
    messages = list(message_texts())
    mistakes += mistakes_of_rules(messages, terms + message_terms + rule_terms, plain)
    if len(message_terms) < FEWEST_MESSAGE_TERMS or len(messages) < FEWEST_MESSAGES:
        mistakes.append(f"too little was compared: {len(message_terms)} terms of messages, {len(messages)} messages")
    of_texts, of_lines = list(rule_texts()), list(rule_lines())
    mistakes += mistakes_of_rules(of_texts + of_lines, terms + rule_terms, plain)
    outputs_of_rules = len({place.rpartition(":")[0] for place, _ in of_lines})
    if len(rule_terms) < FEWEST_RULE_TERMS or len(of_texts) < FEWEST_RULE_TEXTS or outputs_of_rules < FEWEST_RULE_OUTPUTS:
        mistakes.append(f"too little was compared: {len(rule_terms)} terms of rules, {len(of_texts)} texts, {outputs_of_rules} outputs")
    if len(terms) < FEWEST_TERMS or texts < FEWEST_TEXTS or compared < FEWEST_OUTPUTS:
        mistakes.append(f"too little was compared: {len(terms)} terms, {texts} texts, {compared} outputs")
    if len(plain) < FEWEST_PLAIN_WORDS or documents < FEWEST_DOCUMENTS or letters < FEWEST_LETTERS:
        mistakes.append(f"too little was compared: {len(plain)} plain words, {documents} documents with {letters} letters")
    if mistakes:
        sys.exit("\n".join(mistakes) + "\ndocs/glossary.md has the words to use")
    print(f"{len(messages)} messages use none of {len(terms) + len(message_terms) + len(rule_terms)} terms; {texts} texts and {compared} outputs use none of {len(terms)} replaced terms; "
          f"{len(of_texts)} texts and {outputs_of_rules} outputs of rules none of {len(terms) + len(rule_terms)}; "
          f"{documents} documents use none of them and of {len(plain)} others")


if __name__ == "__main__":
    main()
