#!/usr/bin/env python3
"""Lints public repositories at known commits and compares errors and warnings with the verdicts in repositories.csv.

usage: tests/corpus/repositories.py BAYPLAN [FOLDER] [--precision]
  FOLDER       where the repositories are, or are fetched into, as OWNER+NAME (default: a temporary folder)
  --precision  print the precision of errors and warnings per round
Each row of repositories.csv is a finding that a person judged: repository, commit, path, code, severity, verdict (true, false or noise) and why.
A row without a path stands for a repository without findings. `round` is 1 for repositories whose findings led to changes, and 2 for those that
were looked at only at the end: their precision is what users can expect. No file of a repository is part of this project.
exit code: 0 the findings are those of the table, 1 they are not, 77 nothing could be fetched
"""
import collections
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

TABLE = pathlib.Path(__file__).resolve().parent / "repositories.csv"


def work_tree(repository, commit, folder):
    """The files of the commit; None if they cannot be had."""
    tree = folder / repository.replace("/", "+")
    if tree.exists():
        return tree
    tree.mkdir(parents=True)
    steps = [["init", "-q"], ["fetch", "-q", "--depth", "1", f"https://github.com/{repository}", commit], ["checkout", "-q", "FETCH_HEAD"]]
    for step in steps:
        if subprocess.run(["git", "-C", str(tree), *step], stderr=subprocess.DEVNULL, timeout=300, check=False).returncode != 0:
            subprocess.run(["rm", "-rf", str(tree)], check=False)
            return None
    return tree


def findings(bayplan, tree):
    report = subprocess.run([bayplan, "lint", "--output", "json", "."], cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    if not report.stdout:
        return collections.Counter()
    return collections.Counter((one["file"], one["code"], one["severity"]) for one in json.loads(report.stdout)["findings"]
                               if one["severity"] in ("error", "warning"))


def precision(rows):
    for number in sorted({row["round"] for row in rows}):
        mine = [row for row in rows if row["round"] == number]
        print(f"round {number}: {len({row['repository'] for row in mine})} repositories")
        for severity in ("error", "warning"):
            verdicts = collections.Counter(row["verdict"] for row in mine if row["severity"] == severity)
            print(f"  {sum(verdicts.values())} {severity}s: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items())))


def main():
    arguments = [one for one in sys.argv[1:] if not one.startswith("-")]
    if not arguments or "--help" in sys.argv:
        sys.exit(__doc__.strip())
    rows = list(csv.DictReader(TABLE.open(encoding="utf-8")))
    if "--precision" in sys.argv:
        precision(rows)
        return
    bayplan = str(pathlib.Path(arguments[0]).resolve())
    folder = pathlib.Path(arguments[1] if len(arguments) > 1 else tempfile.mkdtemp()).resolve()
    expected, commits = collections.defaultdict(collections.Counter), {}
    for row in rows:
        commits[row["repository"]] = row["commit"]
        if row["path"]:
            expected[row["repository"]][(row["path"], row["code"], row["severity"])] += 1
    read, faults = 0, []
    for repository, commit in sorted(commits.items()):
        tree = work_tree(repository, commit, folder)
        if tree is None:
            if read == 0:
                print("SKIPPED: no repository could be fetched, and none is in the folder")
                sys.exit(77)
            continue
        read += 1
        found = findings(bayplan, tree)
        for one, count in (found - expected[repository]).items():
            faults.append(f"{repository}: {count} not judged: {' '.join(one)}")
        for one, count in (expected[repository] - found).items():
            faults.append(f"{repository}: {count} gone: {' '.join(one)}")
    print("\n".join(faults) or f"{read} of {len(commits)} repositories have the findings of the table")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
