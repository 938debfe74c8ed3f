"""A fleet as a mixed-integer program for glpsol and cbc: the assignment of each task to a numbered instance.

Sizes and prices are those of `bayplan catalog`. The files of tests/instances show the supported keys: types, tasks of a kind,
limits, quotas, owned instances, host ports, tasks that need separate instances.
"""
import json
import pathlib
import re
import shutil
import subprocess

RESOURCES = ("cpu", "memory", "gpu")


class Problem:
    """An instance file in numbers: types with sizes and prices in micro-USD, tasks of a kind, quotas of vCPUs."""

    def __init__(self, bayplan, written):
        self.bayplan = bayplan
        self.written = written
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

    @classmethod
    def read(cls, bayplan, file):
        return cls(bayplan, json.loads(pathlib.Path(file).read_text()))

    def add_type(self, name, limit, free):
        told = subprocess.run([self.bayplan, "catalog", name, "--format", "json"], check=True, capture_output=True).stdout
        row = json.loads(told)["types"][0]
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

    def most(self, index):
        """Of a type no fleet has more instances than this."""
        limit = self.limit[index]
        return self.total if limit is None else min(self.total, limit)


def sum_of(terms):
    return " + ".join(f"{factor} {name}" for factor, name in terms) or "0 y_0_0"


def linear_program(problem):
    """x_TASK_TYPE_NUMBER tasks of a kind on the numbered instance of a type, y_TYPE_NUMBER: it is bought. In LP format."""
    bins = [(t, j) for t in range(len(problem.types)) for j in range(problem.most(t))]
    x = {(s, t, j): f"x_{s}_{t}_{j}" for s, task in enumerate(problem.tasks) for t, j in bins if problem.may_stand(task, t)}
    y = {(t, j): f"y_{t}_{j}" for t, j in bins}
    on_bin = {place: [] for place in bins}
    of_task = {s: [] for s in range(len(problem.tasks))}
    for (s, t, j), name in x.items():
        on_bin[t, j].append((s, name))
        of_task[s].append((1, name))
    rows = [f"{sum_of(of_task[s])} = {task['count']}" for s, task in enumerate(problem.tasks)]
    for t, j in bins:
        here = on_bin[t, j]
        for d, capacity in enumerate(problem.size[t]):
            used = [(problem.needs(problem.tasks[s])[d], name) for s, name in here if problem.needs(problem.tasks[s])[d]]
            if used:
                rows.append(f"{sum_of(used)} - {capacity} {y[t, j]} <= 0")
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


def fleet_command(problem, file):
    """The line of `bayplan fleet` for the scenario, which is written to the file."""
    file.write_text(json.dumps(scenario(problem)))
    flags = [part for flag, key in (("--limit", "limits"), ("--owned", "owned"), ("--quota", "quotas"))
             for name, amount in problem.written.get(key, {}).items() for part in (flag, f"{name}={amount}")]
    # The models of the solvers have no CPU credits.
    return [problem.bayplan, "fleet", str(file), "--burst-baseline", "0%", "--types", ",".join(problem.written["types"]), *flags, "--format", "json"]


def glpsol_command(program, answer, seconds):
    return ["glpsol", "--lp", str(program), "--cuts", "--tmlim", str(seconds), "-o", str(answer)]


def glpsol_answer(output, answer):
    """Whether the optimum is proven, its cost and the bound; None is what was not found."""
    bounds = re.findall(r">=\s+(-?\d[\d.e+-]*)", output)
    bound = float(bounds[-1]) if bounds else None
    text = pathlib.Path(answer).read_text() if pathlib.Path(answer).exists() else ""
    status = re.search(r"^Status: +(.*)", text, re.M)
    cost = re.search(r"^Objective: +cost = ([-\d.e+]+)", text, re.M)
    if status is None or "UNDEFINED" in status[1] or "EMPTY" in status[1]:
        return False, None, bound
    is_proven = status[1].strip() == "INTEGER OPTIMAL"
    return is_proven, float(cost[1]), float(cost[1]) if is_proven else bound


def cbc_command(program, answer, seconds):
    return ["cbc", str(program), "sec", str(seconds), "ratio", "0", "allow", "0.1", "solve", "solution", str(answer)]


def cbc_answer(output, answer):
    """As glpsol_answer."""
    bound = re.search(r"^Lower bound: +([-\d.e+]+)", output, re.M)
    bound = float(bound[1]) if bound else None
    first = pathlib.Path(answer).read_text().splitlines()[0] if pathlib.Path(answer).exists() else ""
    if not first or "no integer solution" in first or "No feasible" in output:
        return False, None, bound
    cost = float(first.split()[-1])
    return first.startswith("Optimal"), cost, cost if first.startswith("Optimal") else bound


def solvers():
    """What is installed, by name: the command, and the reader of what it gives."""
    known = {"glpsol": (glpsol_command, glpsol_answer), "cbc": (cbc_command, cbc_answer)}
    return {name: both for name, both in known.items() if shutil.which(name)}
