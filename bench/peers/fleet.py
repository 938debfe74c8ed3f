"""Compares the cheapest fleet, and vector bin packing, with glpsol, cbc and HiGHS: cost, proven bound, processor time."""
import json
import pathlib
import random
import re
import shutil
import statistics
import sys
import time

from figures import MEMORY, amount, best_first, table, times, within
from peers import HERE, why_failed

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "clients"))
from fleet_model import Problem, fleet_command, linear_program, solvers, sum_of  # noqa: E402

TYPES = ["m5.large", "c5.2xlarge", "r5.xlarge", "m5.4xlarge", "g4dn.xlarge", "g4dn.12xlarge"]
DRAWN = (10, 20, 40, 80, 160, 320)  # tasks, of ten kinds
CLASSES = ("ct01_n050_s0", "ct02_n100_s0", "ct03_n100_s0", "ct06_n050_s0", "ct06_n100_s0", "ct07_n050_s0", "ct08_n100_s0", "ct10_n048_s0",
           "ct10_n099_s0", "pan3d_n100_s0", "openb_whole_gpu_g2_n100", "openb_whole_gpu_g2_n500")
MOST_PATTERNS = 50_000
BINS = 1
MICRO = 1_000_000  # the models of fleets count micro-USD
SLACK = 1 + 1e-6  # of a solver's tolerance


def drawn(tasks, seed=1):
    """A workload of ten kinds over six types, a fifth of the kinds with GPUs; the same for the same seed."""
    rng = random.Random(f"{tasks} {seed}")
    kinds = [{"count": tasks // 10, "cpu": rng.choice([256, 512, 1024, 1536, 2048, 3072]), "memory": rng.randrange(700, 9000)} for _ in range(10)]
    for kind in kinds[:2]:
        kind["gpu"] = rng.choice([1, 1, 2])
    return {"types": TYPES, "tasks": kinds}


class Packing:
    """A .vbp file as a problem with a single type of bin, which costs one: solvers notice that such a cost is integral."""

    def __init__(self, file):
        lines = [[int(number) for number in line.split()] for line in file.read_text().splitlines() if line.strip()]
        self.dimensions = lines[0][0]
        self.size, self.price, self.quotas = [lines[1]], [1], []
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


class TooMany(Exception):
    """Patterns for a model."""


def patterns(packing):
    """Every way to fill a bin to which no further task fits: the number of tasks of each kind."""
    capacity, found = packing.size[0], []
    tasks = sorted(packing.tasks, key=lambda task: -max(n / c for n, c in zip(task["needs"], capacity) if c))

    def fits(needs, left):
        return all(n <= l for n, l in zip(needs, left))

    def fill(kind, left, chosen):
        if len(found) > MOST_PATTERNS:
            raise TooMany
        if kind == len(tasks):
            if not any(number < task["count"] and fits(task["needs"], left) for task, number in zip(tasks, chosen)):
                found.append(chosen)
            return
        needs = tasks[kind]["needs"]
        most = min([tasks[kind]["count"], *(l // n for n, l in zip(needs, left) if n)])
        for number in range(most, -1, -1):
            fill(kind + 1, [l - number * n for n, l in zip(needs, left)], [*chosen, number])

    fill(0, capacity, [])
    return tasks, found


def pattern_program(packing, tasks, found):
    """z_PATTERN bins are filled so, and every task has a place. In LP format."""
    bins = [f"z_{index}" for index in range(len(found))]
    rows = [f" r{kind}: {sum_of((chosen[kind], name) for chosen, name in zip(found, bins) if chosen[kind])} >= {task['count']}"
            for kind, task in enumerate(tasks)]
    cost = sum_of((packing.price[0], name) for name in bins)
    bounds = [f" 0 <= {name} <= {packing.total}" for name in bins]
    return "\n".join(["Minimize", f" cost: {cost}", "Subject To", *rows, "Bounds", *bounds, "Generals", f" {' '.join(bins)}", "End", ""])


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


class Solver:
    """A peer by its line of command and the reader of what it gives. One in WebAssembly reserves more memory than it uses."""

    def __init__(self, name, command, read, memory=MEMORY, counts_clock=False):
        self.name, self.command, self.read, self.memory, self.counts_clock = name, command, read, memory, counts_clock


def known_solvers(packages):
    installed = solvers()
    missing = (None, None)
    return [Solver("glpsol", *installed.get("glpsol", missing), counts_clock=True), Solver("cbc", *installed.get("cbc", missing)),
            Solver("HiGHS", highs_command(packages) if shutil.which("node") else None, highs_answer, memory=None, counts_clock=True)]


def highs_command(packages):
    return lambda program, answer, seconds: ["node", HERE / "highs.cjs", packages, program, answer, seconds]


def highs_answer(output, answer):
    """As those of fleet_model."""
    bound = re.search(r"^ *Dual bound +(-?[\d.e+]+)", output, re.M)
    bound = float(bound[1]) if bound else None
    told = json.loads(answer.read_text())
    if told["status"] == "Optimal":
        return True, told["cost"], told["cost"]
    is_found = re.search(r"^ *Solution status +feasible", output, re.M)
    return False, told["cost"] if is_found else None, bound


def by_solver(solver, model, unit, folder, limit):
    """`model`: the program in LP format; `unit`: of its costs, in those of the answer."""
    program, solution = folder / "model.lp", folder / "answer"

    def run(answer):
        if solver.command is None:
            answer.told = "not installed"
            return 0
        program.write_text(model())
        solution.unlink(missing_ok=True)
        # On a busy machine one that counts the clock gets more of it.
        seconds = round(limit * seconds_a_second()) if solver.counts_clock else limit
        done = within(solver.command(program, solution, seconds), 30 * limit, solver.memory)
        if done.code != 0:
            answer.told = why_failed(done.code, done.errors)
            return done.seconds
        answer.proven, cost, bound = solver.read(done.output, solution)
        answer.cost, answer.bound = cost and cost / unit, bound and bound / unit
        return done.seconds
    return run


def answers(works, limit, rounds):
    """Of each: what it does, in turn."""
    found = {name: Answer() for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            if not found[name].runs or found[name].seconds < limit / 3:  # what takes the time that there is needs no second run
                found[name].runs.append(work(found[name]))
    return found


def rank(answer):
    """The least cost first, then what is proven, then what was fast; None: no result."""
    return None if answer.cost is None else (round(answer.cost, 6), not answer.proven, answer.seconds)


def shown(name, answer, ours, unit):
    if answer.told:
        return f"{name}: {answer.told}"
    digits = 0 if unit == "bins" else 4
    sign = "" if unit == "bins" else "$"
    cost = "no result" if answer.cost is None else f"{sign}{answer.cost:,.{digits}f}"
    if answer.proven:
        proof = "proven"
    else:
        proof = "no bound" if not answer.bound or answer.bound <= 0 else f"≥ {sign}{answer.bound:,.{2 if unit == 'bins' else 4}f}"
    more = "" if answer is ours else f", {times(answer.seconds, ours.seconds)} times"
    return f"{name} {cost} {proof}, {amount(answer.seconds)}{more}"


def contradictions(name, found):
    """A proven bound over what another one found: one of them is wrong."""
    for one, low in found.items():
        for other, high in found.items():
            if low.bound and high.cost and low.bound > high.cost * SLACK:
                yield f"{name}: {one} proves {low.bound}, {other} found {high.cost}"


class Rows:
    """Of a table, with what the answers of all rows show together."""

    def __init__(self):
        self.rows, self.wrong, self.proven = [], [], {}

    def add(self, name, size, found, unit):
        ours = found["bayplan"]
        text = best_first([(rank(answer), shown(tool, answer, ours, unit)) for tool, answer in found.items()])
        self.rows.append([name, size, text])
        self.wrong.extend(contradictions(name, found))
        for tool, answer in found.items():
            self.proven[tool] = self.proven.get(tool, 0) + answer.proven
        print("  ", " | ".join(self.rows[-1]), file=sys.stderr, flush=True)

    def summary(self):
        count = ", ".join(f"{tool} {number} of {len(self.rows)}" for tool, number in self.proven.items())
        return f"Proven: {count}. " + ("NO BOUND MAY BE ABOVE A COST: " + "; ".join(self.wrong) if self.wrong
                                       else "No bound is above a result of another tool.")


class Comparison:
    """Problems put before bayplan and the solvers, in a folder for their files."""

    def __init__(self, program, packing_bench, solvers_known, folder, limit, rounds):
        self.program, self.packing_bench, self.solvers = program, packing_bench, solvers_known
        self.folder, self.limit, self.rounds = folder, limit, rounds

    def of_fleet(self, problem):
        return self.answers(by_fleet(problem, self.folder, self.limit), lambda: linear_program(problem), MICRO)

    def of_packing(self, file, model):
        return self.answers(by_packing_bench(self.packing_bench, file), model, BINS)

    def answers(self, ours, model, unit):
        return answers({"bayplan": ours, **{solver.name: by_solver(solver, model, unit, self.folder, self.limit) for solver in self.solvers}},
                       self.limit, self.rounds)


def straightforward(compare, vbp, quick):
    """Rows of fleets, drawn ones and bins, with tasks on numbered instances."""
    rows = Rows()
    files = sorted((ROOT / "tests" / "instances").glob("*.json"))
    for file in files[:4] if quick else files:
        problem = Problem.read(compare.program, file)
        rows.add(f"`{file.stem}`", f"{problem.total:,}", compare.of_fleet(problem), "usd")
    for tasks in DRAWN[:1] if quick else DRAWN:
        problem = Problem(compare.program, drawn(tasks))
        rows.add("random", f"{problem.total:,}", compare.of_fleet(problem), "usd")
    for file in vbp:
        packing = Packing(file)
        rows.add(file.stem, f"{packing.total:,}", compare.of_packing(file, lambda: linear_program(packing)), "bins")
    return rows


def of_all_patterns(compare, vbp):
    """Rows of bins, with a variable for each way to fill one; and the classes that have too many."""
    rows, left = Rows(), []
    for file in vbp:
        packing = Packing(file)
        try:
            tasks, found = patterns(packing)
        except TooMany:
            left.append(file.stem)
            continue
        model = pattern_program(packing, tasks, found)
        rows.add(file.stem, f"{len(found):,}", compare.of_packing(file, lambda: model), "bins")
    return rows, left


def section(program, packing_bench, packages, folder, vbp, limit, quick):
    bins = [vbp / f"{name}.vbp" for name in CLASSES] if vbp is not None and packing_bench.exists() and not quick else []
    compare = Comparison(program, packing_bench, known_solvers(packages), folder, limit, 1 if quick else 3)
    rows = straightforward(compare, bins, quick)
    with_patterns, left = of_all_patterns(compare, bins)
    head = ["what", "tasks", "the best tool first"]
    second = f"""{table(["what", "patterns", "the best tool first"], with_patterns.rows)}

More than {MOST_PATTERNS:,} patterns, not tried: {", ".join(left) or "none"}. {with_patterns.summary()}
""" if bins else "Omitted: the vector bin packing instances or the program packing_bench are not here.\n"
    text = f"""## Cheapest fleet

All tools solve the same problem, with about {limit} s each at most (glpsol and HiGHS count wall-clock time, cbc and bayplan processor time). A row has the result of
each tool, the cheapest one first, and of equal ones the proven and faster one: the cost or the number of bins; *proven* if it is optimal, else the proven
bound; and the processor time, with its ratio to that of bayplan (a lower bound if the time ran out). glpsol, cbc and HiGHS solve the straightforward model: integer
numbers of each kind of task on numbered instances, ordered so that equal fleets are counted once, and for bins at most as many of them
as first fit decreasing uses. For fleets, the time of bayplan is that of its whole process, which also simulates ECS placement in hundreds of
launch orders, compares strategies and launch types, and verifies its proof; for bins, that of its solver only. That of HiGHS contains the start of Node.js, which compiles its WebAssembly.
*random*: ten kinds of tasks with {len(TYPES)} types.

{table(head, rows.rows)}

{rows.summary()}

### Model of all patterns

The same bins, with a better model for the solvers: a variable for each way to fill a bin to which nothing more fits. Their times are without the
enumeration of these patterns, by a script.

{second}"""
    return text, rows.wrong + with_patterns.wrong
