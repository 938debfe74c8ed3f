"""Small fleets against mixed-integer solvers: mip_solver.py BAYPLAN INSTANCES

Each file of the folder INSTANCES is a workload over a few instance types, which `bayplan fleet` gets as a scenario.
Sizes and prices are those of `bayplan catalog`. The assignment of each task to a numbered instance goes to glpsol and
cbc as a file in LP format, and their optimum must be the one that bayplan proves. Exit 77 = skipped without a solver.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

bayplan, folder = sys.argv[1], pathlib.Path(sys.argv[2])
RESOURCES = ("cpu", "memory", "gpu")


class Problem:
    """An instance file in numbers: types with sizes and prices, tasks of a kind, quotas of vCPUs."""

    def __init__(self, file):
        self.written = written = json.loads(file.read_text())
        self.types = written["types"]
        self.tasks = written["tasks"]
        self.total = sum(task["count"] for task in self.tasks)
        self.limit, self.size, self.price, self.vcpus = [], [], [], []
        for row in written["types"]:
            self.add_type(row, written.get("limits", {}).get(row), free=False)
        for name, count in written.get("owned", {}).items():
            self.add_type(name, count, free=True)
            self.types = [*self.types, name]
        self.quotas = list(written.get("quotas", {}).items())

    def add_type(self, name, limit, free):
        row = json.loads(subprocess.run([bayplan, "catalog", name, "--format", "json"], check=True, capture_output=True).stdout)["types"][0]
        self.limit.append(limit)
        self.size.append((1024 * row["vcpus"], row["registeredMemory"], row["gpu"]["count"] if row["gpu"] else 0))
        self.price.append(0 if free else round(row["hourlyPrice"] * 1_000_000))
        self.vcpus.append(row["vcpus"])

    def needs(self, task):
        return tuple(task.get(resource, 0) for resource in RESOURCES)

    def may_stand(self, task, index):
        return self.types[index] in task.get("types", self.types) and all(n <= s for n, s in zip(self.needs(task), self.size[index]))

    def weight(self, bucket, index):
        buckets = {"G and VT": "g", "P": "p", "Standard": "acdhimrtz"}
        return self.vcpus[index] if self.types[index][0] in buckets[bucket] else 0


def sum_of(terms):
    return " + ".join(f"{factor} {name}" for factor, name in terms) or "0 y_0_0"


def linear_program(problem):
    """x_TASK_TYPE_NUMBER tasks of a kind on the numbered instance of a type, y_TYPE_NUMBER: it is bought."""
    bins = [(t, j) for t in range(len(problem.types)) for j in range(min(problem.total, problem.limit[t] if problem.limit[t] is not None else problem.total))]
    x = {(s, t, j): f"x_{s}_{t}_{j}" for s, task in enumerate(problem.tasks) for t, j in bins if problem.may_stand(task, t)}
    y = {(t, j): f"y_{t}_{j}" for t, j in bins}
    rows = []
    for s, task in enumerate(problem.tasks):
        rows.append(f"{sum_of((1, name) for key, name in x.items() if key[0] == s)} = {task['count']}")
    for t, j in bins:
        here = [(s, name) for (s, *place), name in x.items() if tuple(place) == (t, j)]
        for d in range(len(RESOURCES)):
            used = [(problem.needs(problem.tasks[s])[d], name) for s, name in here if problem.needs(problem.tasks[s])[d]]
            if used:
                rows.append(f"{sum_of(used)} - {problem.size[t][d]} {y[t, j]} <= 0")
        for port in sorted({port for task in problem.tasks for port in task.get("hostPorts", [])}):
            takers = [(1, name) for s, name in here if port in problem.tasks[s].get("hostPorts", [])]
            if takers:
                rows.append(f"{sum_of(takers)} - 1 {y[t, j]} <= 0")
        rows.extend(f"{name} - 1 {y[t, j]} <= 0" for s, name in here if problem.tasks[s].get("distinct"))
        if (t, j + 1) in y:
            rows.append(f"{y[t, j]} - {y[t, j + 1]} >= 0")
    for bucket, limit in problem.quotas:
        rows.append(f"{sum_of((problem.weight(bucket, t), name) for (t, _), name in y.items())} <= {limit}")
    cost = sum_of((problem.price[t], name) for (t, _), name in y.items())
    numbered = "\n".join(f" r{index}: {row}" for index, row in enumerate(rows))
    bounds = "\n".join(f" 0 <= {name} <= {problem.tasks[s]['count']}" for (s, *_), name in x.items())
    return f"Minimize\n cost: {cost}\nSubject To\n{numbered}\nBounds\n{bounds}\nGenerals\n {' '.join(x.values())}\nBinaries\n {' '.join(y.values())}\nEnd\n"


def definition(name, task):
    container = {"name": "main", "image": "registry.example.com/main:1", "essential": True, "cpu": task["cpu"], "memory": task["memory"]}
    if "gpu" in task:
        container["resourceRequirements"] = [{"type": "GPU", "value": str(task["gpu"])}]
    if "hostPorts" in task:
        container["portMappings"] = [{"containerPort": port, "hostPort": port} for port in task["hostPorts"]]
    return {"family": name, "requiresCompatibilities": ["EC2"], "networkMode": "bridge", "containerDefinitions": [container]}


def constraints(task):
    if task.get("distinct"):
        yield {"type": "distinctInstance"}
    if "types" in task:
        yield {"type": "memberOf", "expression": f"attribute:ecs.instance-type in [{', '.join(task['types'])}]"}


def scenario(problem):
    tasks = [(f"kind-{index}", task) for index, task in enumerate(problem.tasks)]
    return {"taskDefinitions": [definition(name, task) for name, task in tasks],
            "tasks": [{"taskDefinition": name, "count": task["count"], "placementConstraints": list(constraints(task))} for name, task in tasks]}


def fleet(problem, file):
    """The cost of the cheapest fleet in micro-USD, and what its report lacks of a proof."""
    file.write_text(json.dumps(scenario(problem)))
    flags = [part for flag, key in (("--limit", "limits"), ("--owned", "owned"), ("--quota", "quotas"))
             for name, amount in problem.written.get(key, {}).items() for part in (flag, f"{name}={amount}")]
    done = subprocess.run([bayplan, "fleet", str(file), "--types", ",".join(problem.written["types"]), *flags, "--format", "json"],
                          capture_output=True, text=True)
    if done.returncode:
        return 0, f"exit {done.returncode}: {done.stdout[:2000]}{done.stderr}"
    report = json.loads(done.stdout)
    cost, bound = (round(amount * 1_000_000) for amount in (report["ideal"]["hourlyCost"], report["lowerBound"]))
    proven = report["optimal"] and report["stoppedBy"] == "proof" and report["certificate"]["verified"] and cost == bound
    return cost, None if proven else f"not proven: bound {bound}, {report['boundMethod']}"


def glpsol(program, answer):
    subprocess.run(["glpsol", "--lp", str(program), "--cuts", "--tmlim", "240", "-o", str(answer)], check=True, stdout=subprocess.DEVNULL)
    text = answer.read_text()
    return "INTEGER OPTIMAL" in text, float(re.search(r"^Objective: +cost = ([-\d.e+]+)", text, re.M).group(1))


def cbc(program, answer):
    subprocess.run(["cbc", str(program), "sec", "240", "ratio", "0", "allow", "0.1", "solve", "solution", str(answer)], check=True, stdout=subprocess.DEVNULL)
    first = answer.read_text().splitlines()[0]
    return first.startswith("Optimal"), float(first.split()[-1])


solvers = {name: solve for name, solve in (("glpsol", glpsol), ("cbc", cbc)) if shutil.which(name)}
if not solvers:
    print("skipped: neither glpsol nor cbc is installed")
    sys.exit(77)

failures = []
files = sorted(folder.glob("*.json"))
assert len(files) >= 10, f"only {len(files)} instances in {folder}"
with tempfile.TemporaryDirectory() as name:
    for file in files:
        problem = Problem(file)
        cost, fault = fleet(problem, pathlib.Path(name) / f"{file.stem}.json")
        words = f"{file.stem}: {problem.total} tasks, {cost / 1e6:.4f} USD an hour"
        if fault:
            failures.append(f"{words}: {fault}")
        program = pathlib.Path(name) / f"{file.stem}.lp"
        program.write_text(linear_program(problem))
        for solver, solve in solvers.items():
            began = time.monotonic()
            finished, least = solve(program, pathlib.Path(name) / "answer")
            print(f"{words}; {solver} {least / 1e6:.4f} in {time.monotonic() - began:.1f} s", flush=True)
            if not finished or round(least) != cost:
                failures.append(f"{words}: {solver} says {least / 1e6:.6f}, {'optimal' if finished else 'not finished'}")
for failure in failures:
    print("FAILED", failure)
sys.exit(1 if failures else 0)
