#!/usr/bin/env python3
"""Counts how many messages `bayplan explain` answers the same way when they are quoted, escaped, wrapped or prefixed otherwise.
usage: explain_mutations.py BAYPLAN MESSAGES.csv...   (messages in the first column, or in one named text)"""
import concurrent.futures
import csv
import html
import json
import subprocess
import sys
import textwrap

WIDTH = 70
MUTATIONS = {
    "double quotes": lambda text: text.replace("'", '"'),
    "single quotes": lambda text: text.replace('"', "'"),
    "HTML entities": html.escape,
    "JSON escapes": lambda text: json.dumps(text)[1:-1],
    "upper case": str.upper,
    "time before": lambda text: "2026-11-01T10:00:00Z " + text,
    "Terraform's box": lambda text: "│ Error: x\n│ \n│ " + text,
    "wrapped at words": lambda text: "\n".join(textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)),
    "wrapped inside words": lambda text: "\n".join(text[i : i + WIDTH] for i in range(0, len(text), WIDTH)),
}


def messages(file):
    with open(file, encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            yield row.get("text") or next(iter(row.values()))


def answers(text):
    """Ids of the answers."""
    done = subprocess.run([sys.argv[1], "explain", "-", "--format", "json"], input=text, capture_output=True, text=True)
    return {one["id"] for one in json.loads(done.stdout)["answers"]}


def main():
    texts = [text for file in sys.argv[2:] for text in messages(file)]
    if not texts:
        sys.exit(__doc__)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        known = list(pool.map(answers, texts))
        print(f"{sum(map(bool, known))} of {len(texts)} messages are answered")
        for name, mutate in MUTATIONS.items():
            same = sum(bool(one & other) for one, other in zip(known, pool.map(answers, map(mutate, texts))))
            print(f"{name:22} {same:4} of {len(texts)}")


main()
