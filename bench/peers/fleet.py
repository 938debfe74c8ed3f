"""Compares the cheapest fleet, and vector bin packing, with glpsol and cbc: cost, proven bound, processor time."""
import json
import pathlib
import random
import re
import statistics
import sys
import time

from figures import amount, table, times, within

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "clients"))
from fleet_model import Problem, fleet_command, glpsol_command, linear_program, solvers  # noqa: E402

TYPES = ["m5.large", "c5.2xlarge", "r5.xlarge", "m5.4xlarge", "g4dn.xlarge", "g4dn.12xlarge"]
DRAWN = (10, 20, 40, 80, 160, 320)  # tasks, of ten kinds
CLASSES = ("ct01_n050_s0", "ct02_n100_s0", "ct03_n100_s0", "ct06_n050_s0", "ct06_n100_s0", "ct07_n050_s0", "ct08_n100_s0", "ct10_n048_s0",
           "ct10_n099_s0", "pan3d_n100_s0", "openb_whole_gpu_g2_n100", "openb_whole_gpu_g2_n500")
SLACK = 1 + 1e-6  # of a solver's tolerance


def drawn(tasks, seed=1):
    """A workload of ten kinds over six types, a fifth of the kinds with GPUs; the same for the same seed."""
    rng = random.Random(f"{tasks} {seed}")
    kinds = [{"count": tasks // 10, "cpu": rng.choice([256, 512, 1024, 1536, 2048, 3072]), "memory": rng.randrange(700, 9000)} for _ in range(10)]
    for kind in kinds[:2]:
        kind["gpu"] = rng.choice([1, 1, 2])
    return {"types": TYPES, "tasks": kinds}


class Packing:
    """A .vbp file as a problem with a single type of bin, which costs a million."""

    def __init__(self, file):
        lines = [[int(number) for number in line.split()] for line in file.read_text().splitlines() if line.strip()]
        self.dimensions = lines[0][0]
        self.size, self.price, self.quotas = [lines[1]], [1_000_000], []
        self.tasks = [{"needs": tuple(line[:-1]), "count": line[-1]} for line in lines[3:3 + lines[2][0]]]
        self.total = sum(task["count"] for task in self.tasks)
        self.types = ["bin"]

    def needs(self, task):
        return task["needs"]

    def may_stand(self, task, _):
        return all(n <= s for n, s in zip(task["needs"], self.size[0]))

    def most(self, _):
        """As many as first fit decreasing takes: the fewer numbered bins, the smaller the peers' model."""
        capacity = self.size[0]
        order = sorted((task["needs"] for task in self.tasks for _ in range(task["count"])),
                       key=lambda needs: -sum(n / c for n, c in zip(needs, capacity) if c))
        bins = []
        for needs in order:
            place = next((left for left in bins if all(n <= one for n, one in zip(needs, left))), None)
            if place is None:
                place = list(capacity)
                bins.append(place)
            for d, n in enumerate(needs):
                place[d] -= n
        return len(bins)


class Answer:
    """Cost and bound in dollars or bins, None where there is none; `seconds` of each run."""

    def __init__(self):
        self.cost, self.bound, self.proven, self.runs, self.told = None, None, False, [], ""

    @property
    def seconds(self):
        return statistics.median(self.runs)


def seconds_a_second():
    """Of the clock, for one of the processor, at this moment."""
    began, used = time.perf_counter(), time.process_time()
    while time.process_time() - used < 0.5:
        pass
    return min(10, (time.perf_counter() - began) / (time.process_time() - used))


def by_fleet(problem, folder, limit):
    command = [*fleet_command(problem, folder / "scenario.json"), "--time-limit", str(limit)]

    def run(answer):
        done = within(command, 30 * limit)
        report = json.loads(done.output)
        answer.cost, answer.bound, answer.proven = report["ideal"]["hourlyCost"], report["lowerBound"], report["optimal"]
        return done.seconds
    return run


def by_packing_bench(program, file):
    def run(answer):
        done = within([program, file])
        found = re.search(r"bound +([\d.]+) cost +([\d.]+) .* (optimal|open)", done.output)
        answer.bound, answer.cost, answer.proven = float(found[1]), float(found[2]), found[3] == "optimal"
        return done.seconds
    return run


def by_solver(command, read, problem, folder, limit):
    program, solution = folder / "model.lp", folder / "answer"

    def run(answer):
        program.write_text(linear_program(problem))
        solution.unlink(missing_ok=True)
        # glpsol counts the clock: on a busy machine it gets more of it.
        seconds = round(limit * seconds_a_second()) if command is glpsol_command else limit
        done = within(command(program, solution, seconds), 30 * limit)
        answer.proven, cost, bound = read(done.output, solution)
        answer.cost, answer.bound = cost and cost / 1e6, bound and bound / 1e6
        if done.code != 0:
            answer.told = "gave up"
        return done.seconds
    return run


def answers(problem, ours, folder, limit, rounds):
    works = {"bayplan": ours, **{name: by_solver(command, read, problem, folder, limit) for name, (command, read) in solvers().items()}}
    found = {name: Answer() for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            if not found[name].runs or found[name].seconds < limit / 3:  # what takes the time that there is needs no second run
                found[name].runs.append(work(found[name]))
    return found


def cell(answer, ours, unit):
    digits = 0 if unit == "bins" else 4
    sign = "" if unit == "bins" else "$"
    cost = answer.told or "no result" if answer.cost is None else f"{sign}{answer.cost:,.{digits}f}"
    if answer.proven:
        proof = "proven"
    else:
        proof = "no bound" if not answer.bound or answer.bound <= 0 else f"≥ {sign}{answer.bound:,.{2 if unit == 'bins' else 4}f}"
    more = "" if answer is ours else f", {times(answer.seconds, ours.seconds)} times"
    return f"{cost} {proof}, {amount(answer.seconds)}{more}"


def contradictions(name, found):
    """A proven bound over what another one found: one of them is wrong."""
    for one, low in found.items():
        for other, high in found.items():
            if low.bound and high.cost and low.bound > high.cost * SLACK:
                yield f"{name}: {one} proves {low.bound}, {other} found {high.cost}"


def section(program, packing_bench, folder, vbp, limit, quick):
    rounds = 1 if quick else 3
    rows, wrong, proven = [], [], {}

    def add(name, tasks, found, unit):
        rows.append([name, f"{tasks:,}", *(cell(one, found["bayplan"], unit) for one in found.values())])
        wrong.extend(contradictions(name, found))
        for solver, one in found.items():
            proven[solver] = proven.get(solver, 0) + one.proven
        print("  ", " | ".join(rows[-1]), file=sys.stderr, flush=True)

    files = sorted((ROOT / "tests" / "instances").glob("*.json"))
    for file in files[:4] if quick else files:
        problem = Problem.read(program, file)
        add(f"`{file.stem}`", problem.total, answers(problem, by_fleet(problem, folder, limit), folder, limit, rounds), "usd")
    for tasks in DRAWN[:1] if quick else DRAWN:
        problem = Problem(program, drawn(tasks))
        add("random", problem.total, answers(problem, by_fleet(problem, folder, limit), folder, limit, rounds), "usd")
    left = ""
    if quick or vbp is None or not packing_bench.exists():
        left = "Omitted: the vector bin packing instances are not available.\n\n" if vbp is None else ""
    else:
        for name in CLASSES:
            problem = Packing(vbp / f"{name}.vbp")
            add(name, problem.total, answers(problem, by_packing_bench(packing_bench, vbp / f"{name}.vbp"), folder, limit, rounds), "bins")
    names = ["bayplan", *solvers()]
    missing = [name for name in ("glpsol", "cbc") if name not in names]
    text = f"""## Cheapest fleet

All tools solve the same problem, with about {limit} s each at most (glpsol counts wall-clock time, cbc and bayplan processor time). The cells show the result; *proven* if it is optimal, else the proven
bound; and the processor time, with its ratio to that of bayplan (a lower bound if the time ran out). glpsol and cbc solve the straightforward model: integer
numbers of each kind of task on numbered instances, ordered so that equal fleets are counted once, and for bins at most as many of them
as first fit decreasing uses. For fleets, the time of bayplan is that of its whole process, which also simulates ECS placement in 20 launch orders
and verifies its proof; for bins, that of its solver only. *random*: ten kinds of tasks with {len(TYPES)} types.
{"Not installed: " + ", ".join(missing) + "." if missing else ""}
{table(["what", "tasks", *names], rows)}

{left}Proven: {", ".join(f"{name} {count} of {len(rows)}" for name, count in proven.items())}. {"NO BOUND MAY BE ABOVE A COST: " + "; ".join(wrong) if wrong else "No bound is above a result of another tool."}
"""
    return text, wrong
