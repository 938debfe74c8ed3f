"""Mutant schemata for C++ as formatted by clang-format: one instrumented copy of a file contains all of its mutants, and
a number chosen at run time activates one of them.

Only boolean expressions are changed, so that the code compiles for all types: conditions of if, while, for and ?:, operands
of && and ||, comparisons, boolean results, and whole void functions. Line numbers stay the same, so that a place that does
not compile can be found and skipped.
"""
import bisect
import re
import zlib
from dataclasses import dataclass

TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)
      |(?P<string>(?:u8|u|U|L)?R"(?P<delimiter>[^()\\\s]*)\(.*?\)(?P=delimiter)"|(?:u8|u|U|L)?"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+')
      |(?P<number>\.?\d(?:'?[\w.]|[eEpP][+-])*)
      |(?P<word>[A-Za-z_]\w*)
      |(?P<sign><=>|->\*|\.\.\.|<<=|>>=|::|->|\+\+|--|&&|\|\||<=|>=|==|!=|[-+*/%&|^]=|<<|>>|.)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE)
OPENERS = {"(": ")", "[": "]", "{": "}"}
ASSIGNS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
RELATIONS = {"<": "less", "<=": "at_most", ">": "more", ">=": "at_least"}
OTHER_BOUND = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
EQUALITIES = {"==", "!="}
AWAKE = {"true": 1, "false": 2, "inverted": 3}


@dataclass(frozen=True)
class Mutant:
    number: int
    line: int
    function: str
    text: str  # what stands there
    change: str  # what stands there when the mutant is awake

    @property
    def key(self):
        return f"{self.function}: {self.text} -> {self.change}"


@dataclass(frozen=True)
class Token:
    text: str
    begin: int
    end: int
    is_word: bool


@dataclass(frozen=True)
class Function:
    name: str
    result: str
    begin: int
    end: int


class Instrumented:
    """One file: `text` is the instrumented copy, `mutants` what it holds."""

    def __init__(self, name, source, refused_lines=()):
        self.source = source
        self.refused = refused_lines
        self.base = (zlib.crc32(name.encode()) & 0xFFFFF) << 16
        self.sites = 0
        self.mutants = []
        self.wraps = []  # (begin, end, before, after)
        self.replaced = []  # (begin, end, text)
        self.line_starts = [0] + [at.end() for at in re.finditer("\n", source)]
        self.tokens = [Token(m.group(), m.start(), m.end(), m.lastgroup == "word") for m in TOKEN.finditer(source)
                       if m.lastgroup != "skip"]
        self.match = self.matching()
        self.functions, self.lambdas = self.bodies()
        self.walk(0, len(self.tokens))
        for function in self.functions:
            if function.result == "void":
                self.remove_body(function)
        self.text = self.written()

    # --- reading -----------------------------------------------------------------------------------------------

    def t(self, index):
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def line(self, index):
        return bisect.bisect_right(self.line_starts, self.tokens[index].begin)

    def matching(self):
        match, open_ones = {}, []
        for index, token in enumerate(self.tokens):
            if token.text in OPENERS:
                open_ones.append(index)
            elif token.text in OPENERS.values() and open_ones:
                match[open_ones[-1]] = index
                match[index] = open_ones.pop()
        return match

    def is_operator(self, index):
        """Not a bracket of a template and not a reference: clang-format sets blanks around operators alone."""
        token = self.tokens[index]
        if self.t(index + 1) in ("{", ";", "const"):  # `take() && {`
            return False
        return self.source[token.begin - 1].isspace() and self.source[token.end:token.end + 1].isspace()

    def parameters_before(self, brace):
        """The index of the `(` that opens the parameters of the body at `brace`, or None."""
        at = brace - 1
        while self.t(at) in ("const", "noexcept", "override", "final", "mutable") or (
                self.tokens[at].is_word and self.t(at - 1) in ("->", "::")) or self.t(at) in ("->", "::"):
            at -= 1
        return self.match.get(at) if self.t(at) == ")" else None

    def bodies(self):
        functions, lambdas = [], []
        for index, token in enumerate(self.tokens):
            if token.text != "{" or index not in self.match:
                continue
            opening = self.parameters_before(index)
            if self.t(index - 1) == "]" or (opening and self.t(opening - 1) == "]"):
                lambdas.append((index, self.match[index]))
                continue
            if not opening or not self.tokens[opening - 1].is_word or self.t(opening - 1) in ("if", "for", "while",
                                                                                               "switch", "catch"):
                continue
            if functions and functions[-1].end > index:
                continue
            name = opening - 1
            while self.t(name - 1) == "::":
                name -= 2
            functions.append(Function(self.t(opening - 1), self.t(name - 1), index, self.match[index]))
        return functions, lambdas

    def function_at(self, index):
        for function in self.functions:
            if function.begin <= index <= function.end:
                return function
        return None

    def in_lambda(self, index):
        return any(begin < index < end for begin, end in self.lambdas)

    # --- walking: splits at what ends an expression, and looks at each piece ---------------------------------------

    def walk(self, begin, end):
        start, at, returns, boolean = begin, begin, False, False
        while at < end:
            text = self.t(at)
            if text in ("if", "while", "for", "switch", "assert", "static_assert"):
                opening = at + 1
                if self.t(opening) == "constexpr":
                    opening += 1
                if self.t(opening) == "(":
                    closing = self.match[opening]
                    if self.t(opening - 1) != "constexpr":
                        self.head(text, opening + 1, closing)
                    at = start = closing + 1
                    returns = boolean = False
                    continue
            if text in ("else", "do", "try"):
                at = start = at + 1
                continue
            if text == "case":
                while self.t(at) != ":":
                    at += 1
                at = start = at + 1
                continue
            if text == "return":
                at = start = at + 1
                returns = True
                continue
            if text in OPENERS and at in self.match:
                closing = self.match[at]
                self.walk(at + 1, closing)
                is_block = text == "{" and self.ends_statement(start, at)
                at = closing + 1
                if is_block:
                    start, returns, boolean = at, False, False
                continue
            if text in (";", ",", "?", ":") or text in ASSIGNS:
                self.piece(start, at, text, returns, boolean)
                boolean = text in ASSIGNS and self.t(at - 2) == "bool"
                returns = returns and text != ";"
                if text == "?":
                    returns = boolean = False
                at = start = at + 1
                continue
            at += 1
        self.piece(start, end, "", returns, boolean)

    def ends_statement(self, start, brace):
        """A block of statements or of declarations, not a lambda and not an initializer."""
        if any(begin == brace for begin, _ in self.lambdas):
            return False
        if self.t(brace - 1) in (")", "else", "do", "try", "const", "noexcept", "override", "{", "}", ";", ":"):
            return True
        return self.t(start) in ("namespace", "struct", "class", "enum", "union", "extern") or start == brace

    def head(self, keyword, begin, end):
        if keyword in ("assert", "static_assert"):
            return
        parts, start = [], begin
        for at in self.top_level(begin, end):
            if self.t(at) == ";":
                parts.append((start, at))
                start = at + 1
        parts.append((start, end))
        if keyword == "switch" or (keyword == "for" and len(parts) == 1):
            return self.walk(begin, end)
        for index, (part_begin, part_end) in enumerate(parts):
            is_condition = index == (1 if keyword == "for" else len(parts) - 1)
            if not is_condition:
                self.walk(part_begin, part_end)
            else:
                self.condition(part_begin, part_end, "loop" if keyword in ("for", "while") else "condition")

    def condition(self, begin, end, context):
        assigns = [at for at in self.top_level(begin, end) if self.t(at) == "="]
        if assigns:
            self.nothing(assigns[0] + 1, end)
            self.walk(assigns[0] + 1, end)
        elif any(self.t(at) == "?" for at in self.top_level(begin, end)):
            self.walk(begin, end)
        else:
            self.expression(begin, end, context)
            self.nested(begin, end)

    def top_level(self, begin, end):
        at = begin
        while at < end:
            yield at
            at = self.match[at] + 1 if self.t(at) in OPENERS and at in self.match else at + 1

    def nested(self, begin, end):
        for at in self.top_level(begin, end):
            if self.t(at) in OPENERS and at in self.match:
                self.walk(at + 1, self.match[at])

    # --- mutating ------------------------------------------------------------------------------------------------

    def piece(self, begin, end, ender, returns, boolean):
        if ender == "?":
            context = "condition"
        elif returns and ender in (";", ""):
            function = self.function_at(begin)
            is_bool = function and function.result == "bool" and not self.in_lambda(begin)
            context = "result" if is_bool else "plain"
        else:
            context = "result" if boolean and ender in (";", "") else "plain"
        self.expression(begin, end, context)

    def expression(self, begin, end, context):
        if begin >= end or self.t(begin) in ("using", "template", "operator", "typedef", "delete", "throw"):
            return
        if context == "plain" and not self.is_boolean(begin, end):
            return
        if self.t(begin) in ("true", "false") and end == begin + 1:
            return
        changes = {"condition": ("true", "false", "inverted"), "loop": ("false",)}.get(context, ("true", "false"))
        self.wrap(begin, end, changes)
        self.operands(begin, end)

    def is_boolean(self, begin, end):
        return any(self.is_operator(at) and self.t(at) in ("&&", "||", *RELATIONS, *EQUALITIES)
                   for at in self.top_level(begin, end)) and "operator" not in (self.t(at) for at in range(begin, end))

    def operands(self, begin, end):
        for sign, neutral in (("||", "false"), ("&&", "true")):
            cuts = [at for at in self.top_level(begin, end) if self.t(at) == sign and self.is_operator(at)]
            if not cuts:
                continue
            for first, last in zip([begin] + [at + 1 for at in cuts], cuts + [end]):
                self.wrap(first, last, (neutral,))
                self.operands(first, last)
            return
        self.boundary(begin, end)

    def boundary(self, begin, end):
        signs = [at for at in self.top_level(begin, end) if self.is_operator(at)
                 and (self.t(at) in RELATIONS or self.t(at) in EQUALITIES or self.t(at) in ("&", "|", "^", "<=>"))]
        if len(signs) != 1 or self.t(signs[0]) not in RELATIONS or self.t(begin) == "!":
            return
        at = signs[0]
        if self.is_refused(begin, end):
            return
        site = self.new_site()
        sign = self.t(at)
        self.wraps.append((begin, end, f"bayplan::mutation::{RELATIONS[sign]}({site}, ", ")"))
        self.replaced.append((self.tokens[at].begin, self.tokens[at].end, ","))
        self.add(site, 1, begin, end, f"{OTHER_BOUND[sign]} for {sign}")

    def wrap(self, begin, end, changes):
        if self.is_refused(begin, end):
            return
        site = self.new_site()
        self.wraps.append((begin, end, f"bayplan::mutation::test({site}, ", ")"))
        for change in changes:
            self.add(site, AWAKE[change], begin, end, change)

    def nothing(self, begin, end):
        """if (const auto x = f()): as if f had found nothing."""
        if begin >= end or self.is_refused(begin, end):
            return
        site = self.new_site()
        self.wraps.append((begin, end, f"bayplan::mutation::found({site}, ", ")"))
        self.add(site, 1, begin, end, "nothing")

    def remove_body(self, function):
        if function.begin + 1 == function.end or self.is_refused(function.begin, function.begin + 1):
            return
        site = self.new_site()
        self.wraps.append((function.begin, function.begin + 1, "", f" if (bayplan::mutation::removed({site})) return;"))
        self.mutants.append(Mutant(self.base + site_number(site) * 8 + 1, self.line(function.begin), function.name,
                                   function.name, "removed"))

    def is_refused(self, begin, end):
        return any(line in self.refused for line in range(self.line(begin), self.line(end - 1) + 1))

    def new_site(self):
        self.sites += 1
        return f"{self.base + self.sites * 8}u"

    def add(self, site, awake, begin, end, change):
        function = self.function_at(begin)
        text = " ".join(self.source[self.tokens[begin].begin:self.tokens[end - 1].end].split())
        self.mutants.append(Mutant(self.base + site_number(site) * 8 + awake, self.line(begin),
                                   function.name if function else "", text, change))

    # --- writing -------------------------------------------------------------------------------------------------

    def written(self):
        """Wrappers nest: at one place the wider one opens first and closes last."""
        marks = []
        for order, (begin, end, before, after) in enumerate(self.wraps):
            first, last = self.tokens[begin].begin, self.tokens[end - 1].end
            marks.append((first, 1, -last, order, first, before))
            marks.append((last, 0, -first, -order, last, after))
        for begin, end, text in self.replaced:
            marks.append((begin, 2, 0, 0, end, text))
        marks.sort()
        parts, at = ['#include "mutation.hpp"\n#line 1\n'], 0
        for place, _, _, _, resume, text in marks:
            parts += [self.source[at:place], text]
            at = resume
        return "".join(parts) + self.source[at:]


def site_number(site):
    return (int(site[:-1]) & 0xFFFF) // 8
