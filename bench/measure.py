#!/usr/bin/env python3
"""Runs a command several times and prints wall, processor time and peak memory: minimum, median, maximum.

usage: measure.py [-n RUNS] -- COMMAND...

The figures come from the operating system (wait4), after one run that is not counted. Peak memory comes from
/usr/bin/time (Debian: time): a process started by Python inherits Python's peak.
"""
import argparse
import os
import pathlib
import platform
import re
import statistics
import subprocess
import tempfile
import time


def machine(preset="release"):
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    compiler = subprocess.run(["g++", "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    return f"{model.group(1) if model else platform.machine()}, {os.cpu_count()} cores, {compiler}, {preset} preset"


def run(command):
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - began
    return wall * 1e3, (usage.ru_utime + usage.ru_stime) * 1e3, process.returncode


def peak_mib(command):
    with tempfile.NamedTemporaryFile("r") as note:
        subprocess.run(["/usr/bin/time", "-f", "%M", "-o", note.name, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return int(note.read().split()[-1]) / 1024


def measure(command, runs):
    run(command)
    rows = [run(command) for _ in range(runs)]
    peaks = [peak_mib(command) for _ in range(3)]
    columns = {"wall ms": [r[0] for r in rows], "cpu ms": [r[1] for r in rows], "peak MiB": peaks}
    return {name: (min(v), statistics.median(v), max(v)) for name, v in columns.items()}, sorted({r[2] for r in rows})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=15)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    figures, codes = measure(options.command, options.n)
    for name, (low, middle, high) in figures.items():
        print(f"{name:>9}  min {low:9.2f}  median {middle:9.2f}  max {high:9.2f}")
    print(f"exit codes {codes}")


if __name__ == "__main__":
    main()
