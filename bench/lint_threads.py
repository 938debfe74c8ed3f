#!/usr/bin/env python3
"""Measures `bayplan lint` of a folder with one thread and with two, in turns, and prints the smallest values and their ratio.

usage: bench/lint_threads.py BAYPLAN [FOLDER] [--runs N]     without FOLDER: 500 folders, each with a definition and its service
"""
import argparse
import json
import os
import pathlib
import random
import tempfile

from definitions import definition
from measure import peak_mib, run


def write_services(folder):
    """A service comes before its definition in byte order, so that every one of them waits for its link."""
    rng = random.Random(1)
    for i in range(500):
        place = pathlib.Path(folder) / f"team-{i}"
        place.mkdir()
        task = definition(rng, i, 5000)
        service = {"serviceName": f"app-{i}", "taskDefinition": task["family"], "desiredCount": 2}
        (place / "service.json").write_text(json.dumps(service, indent=2))
        (place / "task.json").write_text(json.dumps(task, indent=2, ensure_ascii=False))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bayplan")
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--runs", type=int, default=15)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = options.folder or made
        if not options.folder:
            write_services(folder)
        commands = {jobs: [options.bayplan, "lint", "--exit-zero", "--output", "json", "-j", str(jobs), folder] for jobs in (1, 2)}
        rows = {1: [], 2: []}
        for _ in range(options.runs):
            for jobs, command in commands.items():
                rows[jobs].append(run(command))
        walls = {jobs: min(wall for wall, _, _ in found) for jobs, found in rows.items()}
        for jobs, found in rows.items():
            print(f"{jobs} threads: {walls[jobs]:.1f} ms, {min(cpu for _, cpu, _ in found):.1f} ms of processor time, {peak_mib(commands[jobs]):.1f} MiB")
        print(f"ratio: {walls[2] / walls[1]:.2f}; load of the machine: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
