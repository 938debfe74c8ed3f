"""Compares small fleets with mixed-integer solvers: mip_solver.py BAYPLAN INSTANCES

Each file in the folder INSTANCES is a workload with a few instance types, which `bayplan fleet` reads as a scenario.
glpsol and cbc solve the model of fleet_model.py as a file in LP format, and their optimum must equal the one that bayplan
proves. Exit code 77: skipped without a solver.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import time

from fleet_model import Problem, fleet_command, linear_program, solvers

SECONDS = 240


def fleet(problem, file):
    """The cost of the cheapest fleet in micro-USD, and what its report lacks of a proof."""
    done = subprocess.run(fleet_command(problem, file), capture_output=True, text=True)
    if done.returncode:
        return 0, f"exit {done.returncode}: {done.stdout[:2000]}{done.stderr}"
    report = json.loads(done.stdout)
    cost, bound = (round(amount * 1_000_000) for amount in (report["ideal"]["hourlyCost"], report["lowerBound"]))
    proven = report["optimal"] and report["stoppedBy"] == "proof" and report["certificate"]["verified"] and cost == bound
    return cost, None if proven else f"not proven: bound {bound}, {report['boundMethod']}"


def main():
    bayplan, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    if not solvers():
        print("skipped: neither glpsol nor cbc is installed")
        return 77
    failures = []
    files = sorted(folder.glob("*.json"))
    assert len(files) >= 10, f"only {len(files)} instances in {folder}"
    with tempfile.TemporaryDirectory() as name:
        for file in files:
            problem = Problem.read(bayplan, file)
            cost, fault = fleet(problem, pathlib.Path(name) / f"{file.stem}.json")
            words = f"{file.stem}: {problem.total} tasks, {cost / 1e6:.4f} USD an hour"
            if fault:
                failures.append(f"{words}: {fault}")
            program, answer = pathlib.Path(name) / f"{file.stem}.lp", pathlib.Path(name) / "answer"
            program.write_text(linear_program(problem))
            for solver, (command, read) in solvers().items():
                answer.unlink(missing_ok=True)
                began = time.monotonic()
                done = subprocess.run(command(program, answer, SECONDS), check=True, capture_output=True, text=True)
                proven, least, _ = read(done.stdout, answer)
                told = "nothing" if least is None else f"{least / 1e6:.6f}"
                print(f"{words}; {solver} {told} in {time.monotonic() - began:.1f} s", flush=True)
                if not proven or round(least) != cost:
                    failures.append(f"{words}: {solver} says {told}, {'optimal' if proven else 'not finished'}")
    for failure in failures:
        print("FAILED", failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
