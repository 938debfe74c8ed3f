"""Random files for a command: scenarios, snapshots of live clusters, grids, records, prices. Everything follows from a random.Random."""
import copy
import csv
import functools
import io
import json
import pathlib

import world
from schema_values import LEAVE_OUT, SchemaValues

SCHEMAS = pathlib.Path(__file__).resolve().parents[2] / "schemas"


@functools.cache
def schema(name):
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text())


def scenario(w):
    """A legal scenario of the world."""
    whole = schema("scenario")
    values = SchemaValues(whole, w.draw, world.scenario_hints(w), world.scenario_finish(w), world.chance, w.wanted)

    def made(name, place):
        return values.value({"$ref": f"#/$defs/{name}"}, place)

    drawn = {}
    if w.next_type:
        drawn["instanceTypes"] = [made("InstanceType", "InstanceType") for _ in list(w.next_type)]
    cluster = made("Cluster", "Cluster")  # first: events and variants name its instances
    rest = values.value(whole)
    if "cluster" in rest:
        rest["cluster"] = cluster
    if w.region != "us-east-1":
        rest["region"] = w.region
    drawn.update({key: rest[key] for key in ("region", "subnets", "cluster", "taskDefinitions", "tasks") if key in rest})
    if w.providers:
        drawn["capacityProviders"] = [made("CapacityProvider", "CapacityProvider") for _ in list(w.next_provider)]
    if w.services:
        drawn["services"] = [made("Service", "Service") for _ in list(w.next_service)]
    drawn.update({key: value for key, value in rest.items() if key not in drawn})
    if w.has_time:
        groups = [one for one in drawn.get("capacityProviders", []) if "autoScalingGroup" in one]
        drawn["events"] = [event(w, made("Event", "Event"), groups) for _ in range(w.pick(1, 1, 2, 3))]
        drawn["events"] = [one for one in drawn["events"] if one] or [{"at": "5m", "drain": "*"}]
        for key in ("load",):
            drawn.pop(key, None)
    elif w.often(0.5):
        for key in ("spot",):
            drawn.pop(key, None)
    return separate(w, drawn)


#: Keys of an event that say when it happens, not what.
WHEN = ("at", "every")


def event(w, drawn, groups):
    """Exactly one thing: which, every kind of the schema alike. `groups`: providers with an Auto Scaling group."""
    lacking = {"updateService": w.services, "stopServiceDeployment": w.services, "raiseAlarm": w.alarms, "interruptSpotInstances": w.pools, "recommendRebalance": w.pools, "setDesiredCapacity": groups, "updateTaskProtection": w.services}
    names = [name for name in schema("scenario")["$defs"]["Event"]["properties"] if name not in WHEN and lacking.get(name, True)]
    name = next((one for one in names if f"Event.{one}" in w.wanted[2]), None) or w.draw.choice(names)
    if name == "setDesiredCapacity":
        provider = w.draw.choice(groups)
        sizes = provider["autoScalingGroup"]
        least = sizes.get("minSize", 0)
        drawn[name] = {"capacityProvider": provider["name"], "desiredCapacity": w.draw.randint(least, min(sizes["maxSize"], least + 6))}
    elif name not in drawn:
        values = SchemaValues(schema("scenario"), w.draw, world.scenario_hints(w), world.scenario_finish(w), world.chance, w.wanted)
        value = values.value(schema("scenario")["$defs"]["Event"]["properties"][name], f"Event.{name}")
        if value is LEAVE_OUT:
            return None
        drawn[name] = value
    return {key: drawn[key] for key in (*WHEN, name) if key in drawn}


def separate(w, drawn):
    """Drops what refers to what the scenario has not."""
    if not drawn.get("services"):
        drawn.pop("services", None)
        drawn["tasks"] = drawn.get("tasks") or [{"taskDefinition": w.families[0]}]
    # AWS cannot register the same id twice.
    seen = set()
    for one in drawn.get("cluster", {}).get("containerInstances", []):
        if one.get("ec2InstanceId") in seen:
            one.pop("ec2InstanceId", None)
        seen.add(one.get("ec2InstanceId"))
    return drawn


ODD = [None, True, -1, 0, 1e300, 0.5, "", " ", "x" * 300, "-1", "1e9", [], {}, [None], "\u202e", "*", "0s", "999999999h", "us-mars-1a", "m5.nothing", {"a": 1}, 1000000000, 2147483648, "service:", "a:b:c"]


def odd(draw):
    """One of them of its own: a later mistake changes it, which must reach neither this document again nor the next case."""
    return copy.deepcopy(draw.choice(ODD))


def places_of(value, path=()):
    """Every (path) inside a document of dicts and lists."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places_of(inner, (*path, key))


def at(value, path):
    for key in path:
        value = value[key]
    return value


def spoiled(draw, document, aliases=None):
    """The document with one to three mistakes: a key gone, doubled, of another type, of an odd value, unknown, of another name."""
    document = copy.deepcopy(document)
    for _ in range(draw.choice([1, 1, 2, 3])):
        path = draw.choice([one for one in places_of(document) if one] or [()])
        if not path:
            return odd(draw)
        parent, key = at(document, path[:-1]), path[-1]
        kind = draw.choice(["odd", "odd", "gone", "twice", "swap", "unknown", "alias"])
        if kind == "odd":
            parent[key] = odd(draw)
        elif kind == "gone":
            del parent[key]
        elif kind == "twice" and isinstance(parent, list):
            parent.append(copy.deepcopy(parent[key]))
        elif kind == "swap":
            other = draw.choice(list(places_of(document)))
            parent[key] = copy.deepcopy(at(document, other)) if other != path[:len(other)] else None
        elif kind == "unknown" and isinstance(parent, dict):
            parent["unknown"] = 1
        elif kind == "alias" and isinstance(parent, dict) and aliases:
            other = [alias for alias, name in aliases if name == key]
            if other:
                parent[draw.choice(other)] = parent.pop(key)
    return document


@functools.cache
def scenario_aliases():
    whole = schema("scenario")
    tables = [whole.get("x-aliases", {}), *(one.get("x-aliases", {}) for one in whole["$defs"].values())]
    return [pair for table in tables for pair in table.items()]


def grid(w, scenario_name):
    """Scenarios along axes; the product stays small."""
    def text_or_list(value):
        return lambda: w.pick(value(), [value()])

    def pair(name, number):
        return lambda: w.pick(f"{name()}={number()}", {name(): number()})
    names = {"lose-az": lambda: w.draw.choice(w.used_zones or w.zones), "drain": w.instance, "terminate": w.instance, "strategy": w.strategy_text, "placement-strategy": lambda: "type=binpack,field=memory",
             "policy": lambda: w.pick("best-fit", "fgd", "random"), "instances": lambda: f"{w.draw.choice(w.types)}={w.pick(1, 2, 3)}"}
    hints = {f"Point.{name}": (value if name == "policy" else text_or_list(value)) for name, value in names.items()}
    type_name = lambda: w.draw.choice(w.types)  # noqa: E731
    subject = lambda: w.draw.choice(w.replicas() or w.families)  # noqa: E731
    hints.update({"Point.add": pair(type_name, lambda: w.pick(1, 2)), "Point.remove": pair(type_name, lambda: 1), "Point.replace": pair(type_name, lambda: "m5.xlarge"),
                  "Point.scale": pair(subject, lambda: w.pick(0, 1, 4)), "Point.seed": lambda: w.draw.randrange(100), "scenario": lambda: scenario_name,
                  "axes names": lambda: w.draw.sample(["order", "size", "seed"], w.pick(1, 1, 2)), "Axis names": lambda: w.draw.sample(["one", "two", "none"], w.pick(1, 2)),
                  "Values": lambda: axis_values(w, type_name, subject)})
    values = SchemaValues(schema("grid"), w.draw, hints, {"Point": lambda drawn: {name: value for name, value in drawn.items() if name not in ("policy", "placement-strategy") or "strategy" not in drawn}}, lambda *_: 0.15, w.wanted)
    drawn = values.value(schema("grid"))
    drawn["axes"] = {name: axis or {"one": {}} for name, axis in drawn["axes"].items()}
    return drawn


def axis_values(w, type_name, subject):
    """One flag over values."""
    kind = w.pick("seed", "scale", "add", "remove", "replace", "lose-az", "order", "strategy", "instances")
    if kind in ("seed", "scale", "add", "remove", "instances"):
        about = {"seed": "seed", "scale": f"scale {subject()}"}.get(kind, f"{kind} {type_name()}")
        first = w.pick(0, 1) if kind in ("seed", "scale") else 1
        drawn = {"vary": about, "from": first, "to": first + w.pick(0, 1, 3)}
        if w.often(0.3):
            drawn["step"] = w.pick(1, 2)
        return drawn
    values = {"replace": ["m5.xlarge", "c5.xlarge"], "lose-az": w.used_zones or w.zones, "order": ["given", "largestFirst"], "strategy": ["binpack:memory", "random", ["spread:instanceId", "binpack:cpu"]]}[kind]
    return {"vary": f"replace {type_name()}" if kind == "replace" else kind, "values": values + ([[]] if kind == "lose-az" and w.often(0.3) else [])}


def arn(w, kind, name):
    return f"arn:aws:ecs:{w.region}:111122223333:{kind}/{name}"


def hexadecimal(w):
    return f"{w.draw.getrandbits(128):032x}"


#: vCPU units, MiB and GPUs that an instance registers; enough for what the test draws.
SIZES = {"t3.micro": (2048, 914, 0), "t3.small": (2048, 1906, 0), "m5.large": (2048, 7680, 0), "m5.xlarge": (4096, 15600, 0), "c5.large": (2048, 3700, 0), "c5.xlarge": (4096, 7600, 0),
         "c6a.large": (2048, 3700, 0), "c6g.large": (2048, 3700, 0), "r5.large": (2048, 15600, 0), "m5.metal": (98304, 380000, 0), "g4dn.xlarge": (4096, 15600, 1),
         "g4dn.12xlarge": (49152, 190778, 4), "g5.xlarge": (4096, 15600, 1), "p3.2xlarge": (8192, 61000, 1), "p3.16xlarge": (65536, 480000, 8)}


def snapshot(w):
    """The files of a folder as `bayplan collect` fills it: instances, definitions, services, and tasks that run or not."""
    services, providers, with_tasks = w.services, [name for name in w.providers if w.kinds[name] == "group"], w.often(0.85)
    revisions = {family: w.pick(1, 7) for family in w.families}
    definitions = {family: {**world.task_definition(w, family), "taskDefinitionArn": arn(w, "task-definition", f"{family}:{revisions[family]}"), "revision": revisions[family], "status": "ACTIVE"}
                   for family in w.families}
    runs = {name: w.reference() for name in services}
    instances, tasks = [], []
    for _ in range(0 if w.often(0.03) else w.pick(1, 2, 3, 5)):
        instance, own = live_instance(w, definitions, runs, providers, with_tasks)
        instances.append(instance)
        tasks.extend(own)
    described = []
    if with_tasks and w.often(0.2):  # a task of RunTask that waits for an instance
        waiting = definitions[w.reference()]
        tasks.append({"taskArn": arn(w, "task", f"prod/{hexadecimal(w)}"), "taskDefinitionArn": waiting["taskDefinitionArn"], "group": f"family:{waiting['family']}",
                      "lastStatus": w.pick("PROVISIONING", "PENDING"), "desiredStatus": "RUNNING", "launchType": "EC2", "containers": []})
    newer = {}
    for name in services:
        running = sum(1 for one in tasks if one["group"] == f"service:{name}")
        daemon = name in w.daemons
        one = {"serviceName": name, "serviceArn": arn(w, "service", f"prod/{name}"), "clusterArn": arn(w, "cluster", "prod"), "status": "ACTIVE", "launchType": "EC2",
               "desiredCount": max(0, running + w.pick(0, 0, 0, 1, -1, 3)), "runningCount": running, "pendingCount": 0, "schedulingStrategy": "DAEMON" if daemon else "REPLICA",
               "taskDefinition": definitions[runs[name]]["taskDefinitionArn"],
               "deploymentConfiguration": {"minimumHealthyPercent": 0 if daemon else w.pick(0, 50, 100), "maximumPercent": 100 if daemon else w.pick(100, 150, 200)},
               "placementConstraints": [], "placementStrategy": []}
        if not daemon and w.often(0.25):  # a deployment under way: what runs is of the revision before
            old = definitions[runs[name]]
            new = {**old, "revision": old["revision"] + 1, "taskDefinitionArn": arn(w, "task-definition", f"{old['family']}:{old['revision'] + 1}")}
            newer[new["taskDefinitionArn"]] = new
            one["taskDefinition"] = new["taskDefinitionArn"]
            own = [task for task in tasks if task["group"] == f"service:{name}"]
            for task in own[:w.draw.randrange(len(own) + 1)]:
                task["taskDefinitionArn"] = new["taskDefinitionArn"]
        if not daemon and w.often(0.5):
            kind = w.pick("spread", "binpack")
            one["placementStrategy"] = [{"type": kind, "field": w.draw.choice(world.FIELDS[kind])}]
        if w.often(0.2):
            one["placementConstraints"] = [{"type": "memberOf", "expression": w.expression()} if daemon or w.often(0.5) else {"type": "distinctInstance"}]
        described.append(one)
    files = {"container-instances.json": {"containerInstances": instances}, "services.json": {"services": described}, "tasks.json": {"tasks": tasks},
             "task-definitions.jsonl": "\n".join(json.dumps({"taskDefinition": one}) for one in [*definitions.values(), *newer.values()]) + "\n",
             "clusters.json": {"clusters": [{"clusterArn": arn(w, "cluster", "prod"), "clusterName": "prod", "status": "ACTIVE", "capacityProviders": providers}]}}
    if w.subnets:
        files["subnets.json"] = {"Subnets": [{"SubnetId": name, "AvailabilityZone": zone, **({"AvailableIpAddressCount": w.draw.randrange(9)} if w.draw.random() < 0.5 else {})}
                                              for name, zone in w.subnets.items()]}
    if w.often(0.1):
        files.pop(w.draw.choice(sorted(files)))
    if w.often(0.15):
        name = w.draw.choice(sorted(one for one in files if one.endswith(".json")) or ["services.json"])
        if name in files:
            files[name] = spoiled(w.draw, files[name])
    return files


def live_instance(w, definitions, runs, providers, with_tasks):
    """An instance and its tasks; what remains is what they leave, or, rarely, something else."""
    type_name = w.draw.choice([name for name in w.types if name in SIZES] or ["m5.large"])
    cpu, memory, gpus = SIZES[type_name]
    gpu_ids = [f"GPU-{w.draw.getrandbits(24):06x}-{i}" for i in range(gpus)]
    identity = arn(w, "container-instance", f"prod/{hexadecimal(w)}")
    ports = ["22", "2375", "2376", "51678", "51679"]
    left_cpu, left_memory, tasks, free = cpu, memory, [], list(gpu_ids)
    for _ in range(w.pick(0, 1, 2, 4) if with_tasks else 0):
        group = f"service:{w.draw.choice(w.services)}" if w.services and w.often(0.7) else f"family:{w.reference()}"
        family = runs.get(group.removeprefix("service:"), group.removeprefix("family:")) if group.startswith("service:") else group.removeprefix("family:")
        definition = definitions[family]
        task_cpu = int(definition.get("cpu", 0)) or sum(one.get("cpu", 0) for one in definition["containerDefinitions"])
        task_memory = int(definition.get("memory", 0)) or sum(one.get("memoryReservation", one.get("memory", 0)) for one in definition["containerDefinitions"])
        wanted = sum(int(need.get("value", "1")) if need.get("value", "1").isdigit() else gpus for one in definition["containerDefinitions"] for need in one.get("resourceRequirements", []))
        if task_cpu > left_cpu or task_memory > left_memory or wanted > len(free):
            continue
        left_cpu, left_memory = left_cpu - task_cpu, left_memory - task_memory
        given, free = free[:wanted], free[wanted:]
        containers = [{"name": one["name"], "lastStatus": "RUNNING", **({"gpuIds": given} if number == 0 and given else {})} for number, one in enumerate(definition["containerDefinitions"])]
        tasks.append({"taskArn": arn(w, "task", f"prod/{hexadecimal(w)}"), "taskDefinitionArn": definition["taskDefinitionArn"], "containerInstanceArn": identity, "group": group,
                      "lastStatus": w.pick("RUNNING", "RUNNING", "RUNNING", "PENDING", "STOPPED"), "desiredStatus": w.pick("RUNNING", "RUNNING", "RUNNING", "RUNNING", "STOPPED"), "launchType": "EC2", "cpu": str(task_cpu), "memory": str(task_memory),
                      "containers": containers})

    def resources(cpu_left, memory_left, ids):
        return [{"name": "CPU", "type": "INTEGER", "integerValue": cpu_left}, {"name": "MEMORY", "type": "INTEGER", "integerValue": memory_left},
                {"name": "PORTS", "type": "STRINGSET", "stringSetValue": ports}, {"name": "PORTS_UDP", "type": "STRINGSET", "stringSetValue": []},
                *([{"name": "GPU", "type": "STRINGSET", "stringSetValue": ids}] if gpus else [])]
    zone = w.draw.choice(w.zones)
    instance = {"containerInstanceArn": identity, "ec2InstanceId": f"i-{w.draw.getrandbits(32):08x}", "status": w.pick("ACTIVE", "ACTIVE", "ACTIVE", "DRAINING"), "agentConnected": w.often(0.95),
                "versionInfo": {"agentVersion": "1.98.0"}, "registeredResources": resources(cpu, memory, gpu_ids), "remainingResources": resources(left_cpu, left_memory, free),
                "runningTasksCount": len(tasks), "pendingTasksCount": 0,
                "attributes": [{"name": "ecs.instance-type", "value": type_name}, {"name": "ecs.availability-zone", "value": zone}, {"name": "ecs.os-type", "value": "linux"}]}
    if w.often(0.4):
        instance["attributes"].append({"name": "rack", "value": w.draw.choice(world.VALUES)})
    if providers and w.often(0.4):
        instance["capacityProviderName"] = w.draw.choice(providers)
    if w.often(0.1):
        instance["remainingResources"] = resources(w.pick(0, left_cpu // 2), left_memory, free)
    return instance, tasks


def records(w, files):
    """EventBridge events as JSON lines: the tasks of a snapshot start one after another."""
    described = files.get("tasks.json")
    tasks = described.get("tasks") if isinstance(described, dict) else None
    lines = []
    for number, task in enumerate(tasks if isinstance(tasks, list) else []):
        if isinstance(task, dict) and "taskArn" in task:
            time = f"2026-03-01T00:{number % 60:02}:00Z"
            lines.append(json.dumps({"source": "aws.ecs", "detail-type": "ECS Task State Change", "time": time,
                                     "detail": {**task, "clusterArn": arn(w, "cluster", "prod"), "createdAt": time, "updatedAt": time, "version": 1, "lastStatus": "PENDING"}}))
    return "\n".join(lines) + "\n"


def table(rows):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def load_table(w):
    """Task counts by hour, a column for each service or family."""
    names = w.replicas() or w.families
    return table([["hour", *names], *([hour, *(w.pick(0, 1, 2, 5) for _ in names)] for hour in range(w.pick(1, 2, 4, 24)))])


def price_table(w):
    return table([["instanceType", "hourlyPrice", "region"], *([name, w.pick("0.05", "0.1", "1.5", "0"), w.region] for name in w.types)])


def spot_price_table(w):
    """Prices of pools, as `aws ec2 describe-spot-price-history` prints them."""
    return {"SpotPriceHistory": [{"InstanceType": name, "AvailabilityZone": zone, "SpotPrice": w.pick("0.0300", "0.5", "0.01"), "ProductDescription": "Linux/UNIX", "Timestamp": "2026-07-20T00:00:00Z"}
                                 for name in w.types for zone in w.zones]}
