#!/usr/bin/env python3
"""Writes a scenario for measuring time, the same for the same seed.

usage: timeline_scenario.py FILE --instances N --tasks M [--load PERCENT] [--when-full wait|fail] [--block N] [--chain CHAIN]
       timeline_scenario.py FILE --week --instances N [--days D]

--load PERCENT  of the instances' memory that the tasks of any moment would fill (default 70)
--block N       tasks of one RunTask call; 1 = every task arrives at a different time (default)
--week          an Auto Scaling group of at most N instances, managed scaling, and a wave of tasks a day that needs all of them

Twenty definitions of one container, a fifth with GPUs, on eight instance types in three zones. Tasks come evenly and last from five
minutes to two hours. In the week: four definitions, tasks of an hour on average.
"""
import argparse
import json
import math
import pathlib
import random

from placement_scenario import CHAINS, TYPES, ZONES

MEMORY = {"m5.2xlarge": 31_000, "m5.4xlarge": 62_500, "c5.4xlarge": 31_000, "r5.2xlarge": 63_000, "g4dn.12xlarge": 187_000,
          "p3.8xlarge": 241_000, "p3.16xlarge": 487_000, "g5.48xlarge": 755_000}
DEFINITIONS = 20
HOUR = 3600


def definition(number, cpu, memory, gpus=0):
    container = {"name": "c", "image": "example/app:1", "cpu": cpu, "memory": memory}
    if gpus:
        container["resourceRequirements"] = [{"type": "GPU", "value": str(gpus)}]
    return {"family": f"f{number}", "containerDefinitions": [container]}


def arrivals(options):
    rng = random.Random(options.seed)
    kinds = [(name, zone) for name in TYPES for zone in ZONES]
    instances = [{"instanceType": name, "count": options.instances // len(kinds) + (i < options.instances % len(kinds)),
                  "availabilityZone": zone} for i, (name, zone) in enumerate(kinds)]
    instances = [entry for entry in instances if entry["count"]]
    room = sum(entry["count"] * MEMORY[entry["instanceType"]] for entry in instances)
    definitions = [definition(i, 1024, rng.choice([8_000, 16_000, 24_000, 32_000]), 1 if i % 5 == 0 else 0)
                   for i in range(DEFINITIONS)]
    memory = sum(task["containerDefinitions"][0]["memory"] for task in definitions) / DEFINITIONS
    mean = (300 + 2 * HOUR) / 2
    horizon = options.tasks * memory * mean / (room * options.load / 100)
    tasks = []
    for _ in range(options.tasks // options.block):
        tasks.append({"taskDefinition": f"f{rng.randrange(DEFINITIONS)}", "count": options.block,
                      "startAt": f"{int(rng.uniform(0, horizon))}s", "duration": f"{rng.randrange(300, 2 * HOUR)}s",
                      "placementStrategy": CHAINS[options.chain]})
    return {"region": "us-east-1", "cluster": {"clusterName": "bench", "containerInstances": instances},
            "taskDefinitions": definitions, "tasks": tasks, "settings": {"seed": options.seed, "whenFull": options.when_full}}


def week(options):
    """Tasks of a quarter of an instance each; at the height of a day they need all instances, at night a tenth."""
    rng = random.Random(options.seed)
    definitions = [definition(i, 2048, 7_000 - 500 * i) for i in range(4)]
    mean = HOUR
    height = options.instances * 4 / mean  # a second, when all instances are full
    tasks, now, end = [], 0.0, options.days * 24 * HOUR
    while True:
        wave = 0.55 - 0.45 * math.cos(2 * math.pi * now / (24 * HOUR))
        now += rng.expovariate(0.95 * height * wave)
        if now >= end:
            break
        tasks.append({"taskDefinition": f"f{rng.randrange(4)}", "startAt": f"{int(now)}s",
                      "duration": f"{int(rng.uniform(HOUR / 2, 3 * HOUR / 2))}s", "placementStrategy": CHAINS["binpack"],
                      "capacityProviderStrategy": [{"capacityProvider": "p", "weight": 1}]})
    group = {"instanceTypes": ["m5.2xlarge"], "minSize": 0, "maxSize": options.instances, "availabilityZones": ZONES}
    return {"region": "us-east-1", "taskDefinitions": definitions, "tasks": tasks, "settings": {"seed": options.seed},
            "capacityProviders": [{"name": "p", "managedScaling": {"status": "ENABLED"}, "autoScalingGroup": group}]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--instances", type=int, default=1000)
    parser.add_argument("--tasks", type=int, default=10000)
    parser.add_argument("--load", type=int, default=70)
    parser.add_argument("--when-full", choices=["wait", "fail"], default="fail")
    parser.add_argument("--block", type=int, default=1)
    parser.add_argument("--chain", choices=CHAINS, default="binpack")
    parser.add_argument("--week", action="store_true")
    parser.add_argument("--days", type=int, default=7)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    scenario = week(options) if options.week else arrivals(options)
    options.file.write_text(json.dumps(scenario) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
