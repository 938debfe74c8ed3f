#!/usr/bin/env python3
"""Writes a scenario for measuring what-if, the same for the same seed.

usage: whatif_scenario.py FILE --instances N --tasks M [--services N] [--load PERCENT] [--seed S]

Services of every size under zone and instance spread, binpack, and both, and a tenth of the tasks as RunTask calls; an eighth of the
definitions with GPUs, some with ports, network interfaces and distinctInstance; a daemon; eight instance types in three zones.

--load PERCENT  of the instances' memory that all tasks together take (default 50)
"""
import argparse
import json
import pathlib
import random

from placement_scenario import CHAINS, TYPES, ZONES
from timeline_scenario import MEMORY

ORDERS = ["default", "zone+instance", "binpack", "zone+binpack", "instance+binpack", "spread"]


def definition(rng, number, memory):
    gpu = number % 8 == 3
    container = {"name": "c", "image": "example/app:1", "cpu": rng.choice([128, 256, 512]), "memory": memory}
    task = {"family": f"f{number}", "networkMode": "bridge", "containerDefinitions": [container]}
    if gpu:
        container["resourceRequirements"] = [{"type": "GPU", "value": rng.choice("112")}]
    if number % 10 == 4:
        task["networkMode"] = "awsvpc"
    if number % 20 == 7:
        container["portMappings"] = [{"containerPort": 8000, "hostPort": 8000 + number}]
    return task


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--instances", type=int, default=5000)
    parser.add_argument("--tasks", type=int, default=50000)
    parser.add_argument("--services", type=int, default=60)
    parser.add_argument("--load", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    kinds = [(name, zone) for name in TYPES for zone in ZONES]
    instances = [{"instanceType": name, "count": options.instances // len(kinds) + (i < options.instances % len(kinds)),
                  "availabilityZone": zone} for i, (name, zone) in enumerate(kinds)]
    instances = [entry for entry in instances if entry["count"]]
    room = sum(entry["count"] * MEMORY[entry["instanceType"]] for entry in instances)
    mean = room * options.load / 100 / options.tasks
    shares = [rng.uniform(0.2, 2) for _ in range(options.services)]
    share = 0.9 * options.tasks / sum(shares)
    definitions, services, tasks = [], [], []
    for i in range(options.services):
        definitions.append(definition(rng, i, int(mean * rng.uniform(0.5, 1.5))))
        count = max(1, int(shares[i] * share) // (8 if i % 8 == 3 else 1))
        service = {"serviceName": f"s{i}", "taskDefinition": f"f{i}", "desiredCount": count}
        chain = CHAINS[ORDERS[i % len(ORDERS)]]
        if chain:
            service["placementStrategy"] = chain
        if i % 12 == 5:
            service["placementConstraints"] = [{"type": "distinctInstance"}]
        services.append(service)
    left = options.tasks - sum(service["desiredCount"] for service in services)
    for i in range(10):
        tasks.append({"taskDefinition": f"f{i * options.services // 10}", "count": left // 10, "placementStrategy": CHAINS["binpack"]})
    definitions.append({"family": "agent", "networkMode": "bridge",
                        "containerDefinitions": [{"name": "c", "image": "example/agent:1", "cpu": 64, "memory": 128}]})
    services.append({"serviceName": "agent", "taskDefinition": "agent", "schedulingStrategy": "DAEMON"})
    scenario = {"region": "us-east-1", "cluster": {"clusterName": "bench", "containerInstances": instances},
                "taskDefinitions": definitions, "services": services, "tasks": tasks, "settings": {"seed": options.seed}}
    options.file.write_text(json.dumps(scenario) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
