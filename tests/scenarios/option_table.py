"""The table of options of a binary: what `bayplan man COMMAND` prints is made of it, so a new command or option is drawn by itself."""
import dataclasses
import functools
import re
import subprocess


@dataclasses.dataclass(frozen=True)
class Option:
    names: tuple  # with their dashes
    value: str  # name of the value, "FILE"; "" for a flag
    words: tuple  # the only values, if there is such a list
    help: str

    @property
    def name(self):
        return self.names[-1] if self.names[-1].startswith("--") else self.names[0]


@dataclasses.dataclass(frozen=True)
class Command:
    name: str
    positionals: tuple
    options: tuple
    formats: tuple
    takes_rest: bool

    def option(self, name):
        return next((one for one in self.options if name in one.names), None)


ESCAPES = {"\\-": "-", "\\(aq": "'", "\\(dq": '"', "\\(ga": "`", "\\(ha": "^", "\\(ti": "~", "\\e": "\\", "\\&": "", "\\fB": "", "\\fI": "", "\\fR": ""}


def plain(text):
    return re.sub(r"\\\(..|\\f.|\\.", lambda found: ESCAPES.get(found.group(), found.group()), text)


def entries(page, section):
    """(head, text) of each .TP of a section, roff resolved in the text alone."""
    found = re.search(rf"^\.SH {section}\n(.*?)(?=^\.SH )", page, re.S | re.M)
    for part in found.group(1).split(".TP\n")[1:] if found else []:
        head, _, text = part.partition("\n")
        yield head, plain(text)


def parse(name, page):
    options = []
    for head, text in entries(page, "OPTIONS"):
        names = tuple(plain(one) for one in re.findall(r"\\fB(.*?)\\fR", head))
        value = "".join(plain(one) for one in re.findall(r"\\fI(.*?)\\fR", head))
        if "--help" in names:
            continue
        # A choice is written as its words: on|off.
        words = tuple(value.split("|")) if re.fullmatch(r"[\w-]+(\|[\w-]+)+", value) else ()
        options.append(Option(names, value, words, text.strip()))
    positionals = tuple(plain(head).strip() for head, _ in entries(page, "ARGUMENTS"))
    output = next((one for one in options if "--output" in one.names), None)
    listed = re.search(r"Report format: (.*?); repeat", output.help, re.S) if output else None
    formats = tuple(one.split(" ")[0] for one in listed.group(1).split(", ")) if listed else ("text",)
    return Command(name, positionals, tuple(options), formats, "\\fILINE\\fR" in page.split(".SH OPTIONS")[0])


def manual(program, *words):
    return subprocess.run([program, "man", *words], stdout=subprocess.PIPE, check=True).stdout.decode()


@functools.cache
def load(program):
    """Every command that the manual names, by name. `man` itself is in no list."""
    names = re.search(r"^\.SH COMMANDS\n(.*?)(?=^\.SH )", manual(program), re.S | re.M).group(1)
    listed = [plain(one) for one in re.findall(r"^\.TP\n\\fB(.*?)\\fR", names, re.M)]
    return {name: parse(name, manual(program, name)) for name in listed}
