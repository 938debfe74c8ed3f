#!/usr/bin/env python3
"""Compares the tables "Every member" of docs/placement.md with the schemas: each member of a task definition, container,
service, RunTask call or capacity provider appears in exactly one row, and no row names an unknown member. The references of a
row must exist, too: the assumption ID in docs/assumptions.md and in the sources, the rule in data/rules.json.

usage: members.py ROOT      ROOT: the source tree
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
WORDS = {"simulated", "rejected", "assumed", "checked", "none"}
CONTAINERS = "containerDefinitions"
# Heading, schema, definition in it (None: the root), members that stand under another heading.
TABLES = [
    ("Task definition", "task-definition", None, lambda path: not path.startswith(CONTAINERS)),
    ("Container definition", "task-definition", CONTAINERS, lambda path: True),
    ("Service", "service", None, lambda path: True),
    ("RunTask", "run-task", None, lambda path: True),
    ("Capacity provider", "scenario", "CapacityProvider", lambda path: True),
]


def members(schema, root, path="", within=()):
    """Every dotted path of properties, through lists and references; a reference inside itself ends there."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return [] if name in within else members(root["$defs"][name], root, path, within + (name,))
    found = []
    for part in [*schema.get("allOf", []), *schema.get("anyOf", []), *schema.get("oneOf", []), schema.get("items")]:
        if isinstance(part, dict):
            found += members(part, root, path, within)
    for key, value in schema.get("properties", {}).items():
        inner = f"{path}.{key}" if path else key
        found += [inner, *members(value, root, inner, within)]
    return list(dict.fromkeys(found))


def members_of(schema_name, definition):
    root = json.loads((ROOT / "schemas" / f"{schema_name}.schema.json").read_text())
    if definition == CONTAINERS:
        prefix = CONTAINERS + "."
        return [path.removeprefix(prefix) for path in members(root, root) if path.startswith(prefix)]
    return members(root["$defs"][definition] if definition else root, root)


def rows_of(page, heading):
    """[members, word, how] of each row of the table below the heading."""
    section = re.search(rf"^### {re.escape(heading)}$(.*?)(?=^##)", page, flags=re.M | re.S)
    if not section:
        return []
    rows = [line for line in section.group(1).splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in line.strip("|").split(" |")] for line in rows]


def faults_of_row(heading, word, how, known_ids, known_rules, sources):
    if word not in WORDS:
        yield f"{heading}: '{word}' is none of {', '.join(sorted(WORDS))}"
    if word == "assumed":
        ids = [name for name in re.findall(r"`([a-z0-9-]+)`", how)]
        if not ids:
            yield f"{heading}: an assumed member names no assumption: {how}"
        for name in ids:
            if name not in known_ids:
                yield f"{heading}: docs/assumptions.md has no {name}"
            if f'"{name}"' not in sources:
                yield f"{heading}: no source assumes {name}"
    if word == "checked":
        codes = re.findall(r"BAY\d+", how)
        if not codes:
            yield f"{heading}: a checked member names no rule: {how}"
        yield from (f"{heading}: there is no rule {code}" for code in codes if code not in known_rules)


def faults_of_table(heading, schema_name, definition, is_here, page, *known):
    wanted = [path for path in members_of(schema_name, definition) if is_here(path)]
    if definition is None and CONTAINERS in wanted:
        wanted.remove(CONTAINERS)
    places = {path: 0 for path in wanted}
    rows = rows_of(page, heading)
    if not rows or not wanted:
        yield f"{heading}: no table, or no members in the schema"
    for names, word, how in rows:
        yield from faults_of_row(heading, word, how, *known)
        for name in re.findall(r"`([^`]+)`", names):
            inside = name.removesuffix("*") if name.endswith(".*") else None
            found = [path for path in wanted if (path.startswith(inside) if inside else path == name)]
            if not found:
                yield f"{heading}: the schema has no {name}"
            for path in found:
                places[path] += 1
    yield from (f"{heading}: {path} stands in {count} rows" for path, count in places.items() if count != 1)


def main():
    page = (ROOT / "docs" / "placement.md").read_text()
    known_ids = set(re.findall(r"^\| `([a-z0-9-]+)` \|", (ROOT / "docs" / "assumptions.md").read_text(), flags=re.M))
    rules = json.loads((ROOT / "data" / "rules.json").read_text())
    known_rules = {rule["code"] for rule in (rules["rules"] if isinstance(rules, dict) else rules) if rule.get("implemented")}
    sources = "".join(path.read_text() for path in sorted((ROOT / "src").rglob("*.?pp")))
    faults = []
    for heading, *table in TABLES:
        faults += faults_of_table(heading, *table, page, known_ids, known_rules, sources)
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


main()
