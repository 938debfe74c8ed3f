"""Compares the placement engine with the plain one in the tests, by size."""
import pathlib
import re
import statistics
import subprocess
import sys

from figures import amount, in_turn, table, times

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIZES = (10, 30, 100, 300, 1_000, 3_000)
MOST_TASKS = 10_000  # beyond, the plain engine takes minutes; bench/placement goes on to 100,000 instances
CHAINS = (("binpack", "binpack memory"), ("zone+binpack", "spread zone, binpack cpu"), ("random", "random"))


def scenario(folder, instances, tasks, chain):
    file = folder / "scenario.json"
    subprocess.run([sys.executable, str(ROOT / "bench" / "placement_scenario.py"), str(file), "--instances", str(instances),
                    "--tasks", str(tasks), "--chain", chain, "--block", str(max(1, tasks // 50))], check=True)
    return file


def seconds(bench, file, *flags):
    """Processor time of the engine alone: the median of five, small scenarios being over in microseconds."""
    text = subprocess.run([str(bench), str(file), "--runs", "5", *flags], capture_output=True, text=True, check=True).stdout
    return float(re.match(r"([\d.]+) s", text)[1])


def equal(bench, file):
    return " equal" in subprocess.run([str(bench), str(file), "--both"], capture_output=True, text=True).stdout


def section(bench, folder, quick):
    if not bench.exists():
        return "## Placement\n\nOmitted: placement_bench was not built.\n", []
    rows, wrong = [], []
    for size in SIZES[:3] if quick else SIZES:
        tasks = min(10 * size, MOST_TASKS)
        row = [f"{size:,}", f"{tasks:,}"]
        for chain, name in CHAINS:
            file = scenario(folder, size, tasks, chain)
            if not equal(bench, file):
                wrong.append(f"the engines differ on {size} instances, {name}")
            found = in_turn(1 if quick else 3, {"index": lambda: seconds(bench, file), "plain": lambda: seconds(bench, file, "--plain")})
            index, plain = (statistics.median(found[engine]) for engine in ("index", "plain"))
            row.append(f"{amount(plain)} / {amount(index)}, {times(plain, index)} times")
        rows.append(row)
        print("  ", " | ".join(row), file=sys.stderr, flush=True)
    head = ["instances", "tasks", *(f"{name}: plain / index" for _, name in CHAINS)]
    text = f"""## Placement

We know of no other simulator of ECS placement to run here. *plain* is the simple engine in the tests, which examines every instance for every
task; *index* is the engine of the program. The scenarios from `bench/placement_scenario.py` have fifty definitions in fifty calls; the times are those of the
engine only. {"BOTH DIFFER: " + "; ".join(wrong) if wrong else "Both gave the same result, placement by placement and reason by reason."}

{table(head, rows)}
"""
    return text, wrong
