"""Ways to damage the bytes of a valid file. Each generator yields (label, bytes)."""
import functools
import re

NUMBERS = ["-1", "0", "-0", "0.5", "-0.0", "1e3", "1e999", "-1e999", "1e-999", "2147483648", "9223372036854775807", "9223372036854775808",
           "18446744073709551616", "9" * 400, "0." + "3" * 400, "99999999", "007", "0x10", "NaN", "Infinity", ".inf", "1_000", "+5",
           '"12"', '"9223372036854775808"', "null", "true", "[]", "{}", '""']
STRINGS = ["", " ", "a" * 100_000, "\\u0000", "\\ud800", "\\n", "\\u202e\\u0007", "\U0001f6a2", "..", "../../../../../../etc/passwd", "/", "%s%n",
           "${X}", "{{ x }}", "a b", "*", "[", "=", "::", "-1", "arn:aws:ecs:::", "\\\\", "#", "1e999", "9" * 400]
NUMBER = re.compile(rb"(?<![\w.\"-])-?\d+(?:\.\d+)?(?![\w.\"-])")
STRING = re.compile(rb"\"(?:[^\"\\\n]|\\.)*\"")


def truncations(content):
    for length in range(len(content)):
        yield f"cut at {length}", content[:length]


def flips(content, mask):
    for at in range(len(content)):
        yield f"byte {at} xor {mask:#04x}", content[:at] + bytes([content[at] ^ mask]) + content[at + 1:]


def lines(content):
    """Every line twice, away, exchanged with the next, and with other line ends."""
    parts = content.splitlines(keepends=True)
    for at in range(len(parts)):
        yield f"line {at + 1} twice", b"".join(parts[:at + 1] + parts[at:])
        yield f"line {at + 1} away", b"".join(parts[:at] + parts[at + 1:])
        yield f"line {at + 1} behind the next", b"".join(parts[:at] + parts[at + 1:at + 2] + parts[at:at + 1] + parts[at + 2:])
    yield "twice", content + content
    yield "twice in two lines", content + b"\n" + content
    yield "behind ---", b"---\n" + content
    yield "two documents", content + b"\n---\n" + content


def spread_out(items, most):
    """At most so many of a list, evenly."""
    return items if len(items) <= most else [items[i * len(items) // most] for i in range(most)]


def replaced(content, pattern, values, most, quote=""):
    for match in spread_out(list(pattern.finditer(content)), most):
        for value in values:
            new = quote.encode() + value.encode() + quote.encode()
            yield f"{match.start()}: {value[:24]!r} for {match[0][:24]!r}", content[:match.start()] + new + content[match.end():]


def numbers(content, most=12):
    yield from replaced(content, NUMBER, NUMBERS, most)


def strings(content, most=12):
    yield from replaced(content, STRING, STRINGS, most, '"')
    yield from replaced(content, STRING, ["null", "true", "5", "[]", "{}", "[[]]", '{"a": {}}'], most)


PAIR = re.compile(rb"(\"(?:[^\"\\\n]|\\.)*\"|\b[A-Za-z][\w-]*)([ \t]*:[ \t]*)(\"(?:[^\"\\\n]|\\.)*\"|-?\d+(?:\.\d+)?(?![\w.:-])|(?<=[ \t])[A-Za-z][\w.-]*|true|false)")


def contradicted(value):
    """Another value of the same kind."""
    if value.startswith(b'"'):
        return value[:-1] + b'-other"'
    if value[:1].isalpha():
        return {b"true": b"false", b"false": b"true"}.get(value, value + b"-other")
    return b"%d" % (int(float(value)) + 1)


def objects(content):
    """(begin, end) of every object in braces."""
    opened = []
    for match in re.finditer(rb"\"(?:[^\"\\\n]|\\.)*\"|[{}]", content):
        if match[0] == b"{":
            opened.append(match.start())
        elif match[0] == b"}" and opened:
            yield opened.pop(), match.end()


def doubles(content, most=12):
    """Members twice with another value, and things of one name or ARN that say other things."""
    for match in spread_out(list(PAIR.finditer(content)), most):
        key, colon, value = match.groups()
        line = content[content.rfind(b"\n", 0, match.start()) + 1:match.start()]
        is_line = not line.strip(b" -") and content[match.end():match.end() + 1] in (b"\n", b"\r", b"")
        between = b"\n" + b" " * len(line) if is_line else b", "
        for label, first, second in (("and then another", value, contradicted(value)), ("and another before", contradicted(value), value), ("twice", value, value),
                                     ("and then null", value, b"null"), ("and then a list", value, b"[" + value + b"]")):
            yield f"{match.start()}: {key[:24]!r} {label}", content[:match.start()] + key + colon + first + between + key + colon + second + content[match.end():]
    for begin, end in spread_out(sorted(objects(content)), most):
        before, whole = content[:begin].rstrip()[-1:], content[begin:end]
        if before not in (b"[", b",", b"", b"-", b"}"):
            continue
        line = content[content.rfind(b"\n", 0, begin) + 1:begin]
        between = b", " if before in (b"[", b",") else b"\n" + (line if before == b"-" else b"")
        pairs = list(PAIR.finditer(whole))
        copies = {"twice": whole} | {f"twice, with another {one[1][:24]!r}": whole[:one.start(3)] + contradicted(one[3]) + whole[one.end(3):] for one in spread_out(pairs, 6)}
        for label, copy in copies.items():
            yield f"{begin}: {label}", content[:end] + between + copy + content[end:]


def noise(content):
    """Bytes that no text should hold, in front, amid and behind."""
    middle = len(content) // 2
    for label, stuff in {"NUL": b"\0", "many NUL": b"\0" * 4096, "lone continuation": b"\x80", "overlong": b"\xc0\xaf", "surrogate": b"\xed\xa0\x80",
                         "beyond Unicode": b"\xf5\x80\x80\x80", "cut short": b"\xe2\x82", "0xFF": b"\xff", "BOM": b"\xef\xbb\xbf",
                         "UTF-16 BOM": b"\xff\xfe", "ESC": b"\x1b[31m", "NEL": b"\xc2\x85", "LS": b"\xe2\x80\xa8", "no-break space": b"\xc2\xa0",
                         "RLO": b"\xe2\x80\xae", "DEL": b"\x7f", "VT": b"\x0b", "tab": b"\t", "lone CR": b"\r"}.items():
        yield f"{label} in front", stuff + content
        yield f"{label} amid", content[:middle] + stuff + content[middle:]
        yield f"{label} behind", content + stuff


def encodings(content):
    """The same text in other clothes: what is read, and so the exit code, must be the same."""
    content = content.removeprefix(b"\xef\xbb\xbf")
    text = content.decode("utf-8", "replace")
    if "\ufffd" in text or "\0" in text:
        return  # in other clothes already
    yield "BOM", b"\xef\xbb\xbf" + content
    yield "UTF-16LE with BOM", b"\xff\xfe" + text.encode("utf-16-le")
    yield "UTF-16BE with BOM", b"\xfe\xff" + text.encode("utf-16-be")
    yield "CRLF", content.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    yield "no end of line", content.rstrip(b"\r\n")


def odd_encodings(content):
    """Clothes that need not be known: any answer will do."""
    text = content.decode("utf-8", "replace")
    yield "UTF-16LE", text.encode("utf-16-le")
    yield "UTF-16BE", text.encode("utf-16-be")
    yield "UTF-16 cut in a character", b"\xff\xfe" + text.encode("utf-16-le")[:-1]
    yield "UTF-32LE with BOM", b"\xff\xfe\0\0" + text.encode("utf-32-le")
    yield "UTF-32BE with BOM", b"\0\0\xfe\xff" + text.encode("utf-32-be")
    yield "UTF-32LE", text.encode("utf-32-le")
    yield "UTF-7", text.encode("utf-7")
    yield "EBCDIC", text.encode("cp037", "replace")
    yield "two BOMs", b"\xef\xbb\xbf" * 2 + content
    yield "CR only", content.replace(b"\r\n", b"\n").replace(b"\n", b"\r")
    yield "CR CR LF", content.replace(b"\n", b"\r\r\n")
    yield "gzip", b"\x1f\x8b\x08\0" + content
    yield "zip", b"PK\x03\x04" + content


@functools.cache
def whole():
    """All of them, made once."""
    return list(foreign())


def foreign():
    """Files that have nothing to do with what should be there."""
    deep = 100_000
    yield "nothing", b""
    yield "a space", b" "
    yield "an end of line", b"\n"
    yield "a comment", b"# nothing here\n"
    yield "JSON comment", b"// nothing here\n"
    for scalar in (b"null", b"true", b"5", b"-0", b"1e999", b"9" * 400, b'"text"', b"[]", b"{}", b"[[]]", b"[{}]", b"[null]", b'{"": ""}', b"~", b"!!binary x", b"...",
                   b"---", b"- ", b": ", b"? ", b"&a *a", b"*a", b"%YAML 9.9\n---\n{}", b"<<: *x", b"{<<: 5}", b"@", b"`", b"\t"):
        yield f"only {scalar[:20].decode()}", scalar
    yield "100,000 open brackets", b"[" * deep
    yield "100,000 lists", b"[" * deep + b"]" * deep
    yield "100,000 open objects", b'{"a":' * deep
    yield "100,000 objects", b'{"a":' * deep + b"1" + b"}" * deep
    yield "100,000 objects in lists", b'[{"a":' * (deep // 2) + b"1" + b"}]" * (deep // 2)
    yield "10,000 indented keys", b"".join(b" " * i + b"a:\n" for i in range(3_000))
    yield "100,000 dashes", b"- " * deep + b"x"
    yield "100,000 question marks", b"? " * deep + b"x"
    yield "100,000 anchors", b"".join(b"- &a%d x\n" % i for i in range(deep // 10))
    yield "alias bomb", b"a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + b"".join(
        b"a%d: &a%d [%s]\n" % (i, i, b", ".join([b"*a%d" % (i - 1)] * 9)) for i in range(1, 30))
    yield "alias bomb of merges", b"a0: &a0 {k: v}\n" + b"".join(
        b"a%d: &a%d {<<: [%s], k%d: v}\n" % (i, i, b", ".join([b"*a%d" % (i - 1)] * 9), i) for i in range(1, 30))
    yield "alias of itself", b"a: &a [*a]\nb: &b {b: *b}\n"
    yield "100,000 equal keys", b"{" + b",".join([b'"a":1'] * deep) + b"}"
    yield "100,000 keys", b"{" + b",".join(b'"k%d":1' % i for i in range(deep)) + b"}"
    yield "100,000 faults", b"[" + b"1,," * deep + b"]"
    yield "100,000 open strings", b'"a\n' * deep
    yield "10 MB line", b'{"family": "' + b"a" * 10_000_000 + b'"}'
    yield "10 MB line of YAML", b"family: " + b"a" * 10_000_000
    yield "10 MB of backslashes", b'{"a": "' + b"\\" * 10_000_000 + b'"}'
    yield "10 MB of spaces", b" " * 10_000_000
    yield "10 MB of ends of lines", b"\n" * 10_000_000
    yield "10 MB of NUL", b"\0" * 10_000_000
    yield "a million digits", b'{"cpu": ' + b"9" * 1_000_000 + b"}"
    yield "ELF", b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 64
    yield "random bytes", bytes((i * 7919 + (i >> 3) * 104729) & 255 for i in range(20_000))
