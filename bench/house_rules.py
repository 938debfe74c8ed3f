#!/usr/bin/env python3
"""Compares what house rules cost in `bayplan lint` with what built-in rules cost, in one run: instructions of one thread, counted by Callgrind.

usage: bench/house_rules.py BAYPLAN FOLDER [--config FILE]     FILE: default docs/house-rules.yaml
"""
import argparse
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PARTS = {"all": r"main \[", "reading files": "bayplan::lint::read_file(", "built-in rules": "bayplan::rules::run_rules(",
         "house rules": "bayplan::rules::check_house_rules(", "reading the config": "bayplan::lint::read_config(",
         "finishing findings": "bayplan::lint::finish_findings("}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bayplan")
    parser.add_argument("folder")
    parser.add_argument("--config", default=str(ROOT / "docs" / "house-rules.yaml"))
    options = parser.parse_args()
    with tempfile.NamedTemporaryFile() as profile:
        lint = [options.bayplan, "lint", "--exit-zero", "--output", "json", "-j", "1", "--config", options.config, options.folder]
        subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile.name}", *lint], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=True)
        rows = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=99.9", profile.name], capture_output=True, text=True, check=True).stdout
    counts = {}
    for name, pattern in PARTS.items():
        found = re.search(r"^\s*([\d,]+) .*" + (pattern if name == "all" else re.escape(pattern)), rows, flags=re.M)
        counts[name] = int(found[1].replace(",", "")) if found else 0
        print(f"{name}: {counts[name] / 1e6:.0f} million instructions")
    print(f"house rules / built-in rules: {counts['house rules'] / counts['built-in rules']:.2f}")


if __name__ == "__main__":
    main()
