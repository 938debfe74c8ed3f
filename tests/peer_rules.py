#!/usr/bin/env python3
"""Compares docs/peer-rules.md with data/rules.json.

Usage: peer_rules.py SOURCE_DIR

Each row names a rule of bayplan with its severity. Where both report the same mistake, the row has the day of an answer of that rule
whose source is the rule of the other collection. No answer with such a source is missing from the page.
"""
import json
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
rules = {rule["code"]: rule for rule in json.loads((root / "data/rules.json").read_text(encoding="utf-8"))["rules"]}
recorded = {(re.search(r"rules/ecs/pf-ecs-([a-z0-9-]+)$", answer["source"])[1], code, answer["date"])
            for code, rule in rules.items() for answer in rule.get("answers", []) if "/rules/ecs/pf-ecs-" in answer["source"]}
rows = re.findall(r"^\| `([a-z0-9-]+)` \| [^|]+ \| ([^|]+) \| ([0-9-]+) \| (.+) \|$", (root / "docs/peer-rules.md").read_text(encoding="utf-8"), flags=re.M)
faults = [] if len({row[0] for row in rows}) == 110 else [f"{len(rows)} rows of different rules, want 110"]
seen = set()
for name, ours, day, right in rows:
    for code, severity in re.findall(r"\[(BAY\d+)\]\(checks/BAY\d+\.md\) (\w+)", ours):
        seen.add((name, code, day))
        if rules[code]["severity"] != severity:
            faults.append(f"{name}: {code} is {rules[code]['severity']}, not {severity}")
        if re.match(r"Both\b(?!; this deployment)", right) and (name, code, day) not in recorded:
            faults.append(f"{name}: {code} has no answer of {day} from this record")
faults += [f"{name}: {code} cites its record of {day}, and the page does not say so" for name, code, day in sorted(recorded - seen)]
print("\n".join(faults) or f"{len(rows)} rows agree with data/rules.json")
sys.exit(bool(faults))
