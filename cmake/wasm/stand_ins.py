"""Joins the two modules that wasm-split makes of one by nothing but the table of functions. usage: stand_ins.py WHOLE MAIN REST

wasm-split leaves an import in the table for each function that it takes out of the main module, and has the main module export each function
that the other calls: thousands of either, and a host needs microseconds for each of them at every start. Functions of the modules' own take
their place, which cost nothing before they are called: one of the main module has the host load the other, which puts its functions
into the table, and calls what the table has in its place then; one of the other module calls a place of the table.
"""
import pathlib
import sys

TYPE, IMPORT, FUNCTION, TABLE, EXPORT, ELEMENT, CODE = 1, 2, 3, 4, 7, 9, 10  # sections
LOAD = (b"env", b"bayplan_host_load_rest")  # system_calls.js


def number(data, at):
    """The unsigned LEB128 number at `at`, and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def unsigned(value):
    out = bytearray()
    while True:
        value, byte = value >> 7, value & 127
        out.append(byte | (128 if value else 0))
        if not value:
            return bytes(out)


def signed(value):
    """Of a number that is not negative."""
    out = unsigned(value)
    return out if not out[-1] & 64 else out[:-1] + bytes([out[-1] | 128, 0])


def text(data, at):
    size, at = number(data, at)
    return data[at:at + size], at + size


def sections(module):
    at = 8
    while at < len(module):
        kind = module[at]
        size, at = number(module, at + 1)
        yield kind, module[at:at + size]
        at += size


def replaced(module, changed):
    """The module with other contents of some sections."""
    out = module[:8]
    for kind, content in sections(module):
        content = changed.get(kind, content)
        out += bytes([kind]) + unsigned(len(content)) + content
    return out


def parameter_counts(types):
    """By index of the type."""
    count, at = number(types, 0)
    counts = []
    for _ in range(count):
        assert types[at] == 0x60, "a type that is no function"
        parameters, at = number(types, at + 1)
        results, at = number(types, at + parameters)
        at += results
        counts.append(parameters)
    return counts


def limits_end(data, at):
    """Behind the least and, where there is one, the most."""
    flags, at = number(data, at)
    at = number(data, at)[1]
    return number(data, at)[1] if flags & 1 else at


def imports_of(section):
    """(module, name, kind, description, whole) of each."""
    count, at = number(section, 0)
    for _ in range(count):
        begin = at
        module, at = text(section, at)
        name, at = text(section, at)
        kind, described = section[at], at + 1
        # A function has a type, a global its type and whether it changes, a tag an attribute and a type.
        at = {0: lambda: number(section, described)[1], 1: lambda: limits_end(section, described + 1),
              2: lambda: limits_end(section, described), 3: lambda: described + 2, 4: lambda: number(section, described + 1)[1]}[kind]()
        yield module, name, kind, section[described:at], section[begin:at]


def exports_of(section):
    """(name, kind, index, whole) of each."""
    count, at = number(section, 0)
    for _ in range(count):
        begin = at
        name, at = text(section, at)
        kind = section[at]
        index, at = number(section, at + 1)
        yield name, kind, index, section[begin:at]


def vector(items):
    return unsigned(len(items)) + b"".join(items)


def with_items(section, before=(), behind=()):
    count, at = number(section, 0)
    return unsigned(count + len(before) + len(behind)) + b"".join(before) + section[at:] + b"".join(behind)


def through_table(kind, place, parameters, before=b""):
    """A function of a type that calls the one at this place of the table with its own parameters."""
    code = b"\0" + before  # no locals
    code += b"".join(b"\x20" + unsigned(one) for one in range(parameters))  # local.get
    code += b"\x41" + signed(place) + b"\x11" + unsigned(kind) + b"\0\x0b"  # i32.const, call_indirect, end
    return unsigned(len(code)) + code


def with_stand_ins(found, taken, load=None):
    """The sections in which functions replace the imports (type, place) that were the last ones of functions."""
    counts = parameter_counts(found[TYPE])
    before = b"" if load is None else b"\x10" + unsigned(load)  # call
    return {FUNCTION: with_items(found[FUNCTION], [unsigned(kind) for kind, _ in taken]),
            CODE: with_items(found[CODE], [through_table(kind, place, counts[kind], before) for kind, place in taken])}


def without_placeholders(section):
    """The imports that stay, the index of LOAD, and (type, place) of the others."""
    kept, taken, load, functions = [], [], None, 0
    for module, name, kind, description, whole in imports_of(section):
        if module == b"placeholder":
            taken.append((number(description, 0)[0], int(name)))
            continue
        kept.append(whole)
        if kind == 0:
            assert not taken, "an import of a function follows those that are taken out"
            load = functions if (module, name) == LOAD else load
            functions += 1
    assert load is not None and taken, "no import of the function that loads"
    return kept, load, taken


def table_of(section):
    """A table of functions, as large as it is, and its size."""
    size = number(section, 2)[0]
    assert section[:2] == b"\x70\x01" and section[2:] == unsigned(size) * 2, "a table that may grow"
    return size


def main():
    whole, main_path, rest_path = [pathlib.Path(argument) for argument in sys.argv[1:]]
    own = {name for name, _, _, _ in exports_of(dict(sections(whole.read_bytes()))[EXPORT])}
    main_module, rest_module = main_path.read_bytes(), rest_path.read_bytes()
    found, rest = dict(sections(main_module)), dict(sections(rest_module))

    # The functions of the main module that the other calls get places behind those that the table has.
    exports = list(exports_of(found[EXPORT]))
    functions = {name: index for name, kind, index, _ in exports if kind == 0}
    called = [(name, number(description, 0)[0]) for _, name, kind, description, _ in imports_of(rest[IMPORT]) if kind == 0]
    assert found[TABLE][0] == 1, "one table"
    size = table_of(found[TABLE][1:])
    table = b"\x70\x01" + unsigned(size + len(called)) * 2
    places = b"\0\x41" + signed(size) + b"\x0b" + vector([unsigned(functions[name]) for name, _ in called])
    names = {name for name, _ in called}
    kept, load, taken = without_placeholders(found[IMPORT])
    main_path.write_bytes(replaced(main_module, {
        IMPORT: vector(kept), TABLE: b"\1" + table, ELEMENT: with_items(found[ELEMENT], behind=[places]),
        EXPORT: vector([one for name, _, _, one in exports if name in own or name not in names]), **with_stand_ins(found, taken, load)}))

    kept = [one if kind != 1 else one[:-len(description)] + table for _, _, kind, description, one in imports_of(rest[IMPORT]) if kind != 0]
    rest_path.write_bytes(replaced(rest_module, {
        IMPORT: vector(kept), **with_stand_ins(rest, [(kind, size + at) for at, (_, kind) in enumerate(called)])}))


main()
