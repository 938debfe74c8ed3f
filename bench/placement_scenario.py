#!/usr/bin/env python3
"""Writes a scenario for measuring placement, the same for the same seed.

usage: placement_scenario.py FILE --instances N --tasks M [--chain CHAIN] [--block N] [--services N] [--seed S]
       placement_scenario.py FILE --openb FOLDER

--block N      RunTask calls of N tasks each, one definition after another; 1 = every task a call, all shuffled (default 2000)
--services N   N services with an equal share of the tasks, in place of RunTask calls
--openb FOLDER the GPU nodes and the pods of Alibaba's cluster-trace-gpu-v2023 in their order, shared GPUs rounded up to whole ones

Fifty definitions: two with a fixed host port, five with a separate network interface, six with GPUs, four under
distinctInstance, five under memberOf; five can be placed nowhere.
"""
import argparse
import csv
import json
import math
import pathlib
import random

TYPES = ["m5.2xlarge", "m5.4xlarge", "c5.4xlarge", "r5.2xlarge", "g4dn.12xlarge", "p3.8xlarge", "p3.16xlarge", "g5.48xlarge"]
ZONES = ["us-east-1a", "us-east-1b", "us-east-1c"]
DEFINITIONS = 50
CHAINS = {
    "binpack": [{"type": "binpack", "field": "memory"}],
    "spread": [{"type": "spread", "field": "instanceId"}],
    "random": [{"type": "random"}],
    "zone+binpack": [{"type": "spread", "field": "attribute:ecs.availability-zone"}, {"type": "binpack", "field": "cpu"}],
    "zone+instance": [{"type": "spread", "field": "attribute:ecs.availability-zone"}, {"type": "spread", "field": "instanceId"}],
    "instance+binpack": [{"type": "spread", "field": "instanceId"}, {"type": "binpack", "field": "memory"}],
    "default": None,
}


def definition(rng, number):
    container = {
        "name": "c", "image": "example/app:1", "essential": True,
        "cpu": rng.choice([128, 256, 512, 1024, 2048]), "memory": rng.choice([256, 512, 1024, 2048, 4096]),
    }
    task = {"family": f"f{number}", "networkMode": "bridge", "containerDefinitions": [container]}
    if number in (3, 28):
        container["portMappings"] = [{"containerPort": 8000 + number, "hostPort": 8000 + number}]
    if number % 10 == 4:
        task["networkMode"] = "awsvpc"
    if number % 8 == 0 and number < 48:
        container["resourceRequirements"] = [{"type": "GPU", "value": rng.choice("1124")}]
    if number % 10 == 6:
        task["placementConstraints"] = [{"type": "memberOf", "expression": "attribute:ecs.instance-type =~ (m5|c5).*"}]
    return task


def make_unplaceable(definitions):
    """A tenth: more memory, CPU or GPUs than any instance has, a zone and an attribute that none has."""
    definitions[9]["containerDefinitions"][0]["memory"] = 4 << 20
    definitions[19]["containerDefinitions"][0]["cpu"] = 196608
    definitions[29]["containerDefinitions"][0]["resourceRequirements"] = [{"type": "GPU", "value": "16"}]
    for number, expression in ((39, "attribute:ecs.availability-zone == us-east-1f"), (49, "attribute:rack exists")):
        definitions[number]["placementConstraints"] = [{"type": "memberOf", "expression": expression}]


def request(number, chain, count):
    run = {"taskDefinition": f"f{number}", "count": count}
    if chain:
        run["placementStrategy"] = chain
    if number % 12 == 5:
        run["placementConstraints"] = [{"type": "distinctInstance"}]
    return run


def mixed(options):
    rng = random.Random(options.seed)
    kinds = [(name, zone) for name in TYPES for zone in ZONES]
    counts = [options.instances // len(kinds) + (i < options.instances % len(kinds)) for i in range(len(kinds))]
    instances = [{"instanceType": name, "count": count, "availabilityZone": zone}
                 for (name, zone), count in zip(kinds, counts) if count > 0]
    rng.shuffle(instances)
    definitions = [definition(rng, number) for number in range(DEFINITIONS)]
    make_unplaceable(definitions)
    scenario = {"region": "us-east-1", "cluster": {"clusterName": "bench", "containerInstances": instances},
                "taskDefinitions": definitions, "settings": {"seed": options.seed}}
    chain = CHAINS[options.chain]
    if options.services:
        scenario["services"] = []
        for number in range(options.services):
            service = request(number % DEFINITIONS, chain, 0)
            service.pop("count")
            service |= {"serviceName": f"s{number}", "desiredCount": options.tasks // options.services}
            scenario["services"].append(service)
        return scenario
    calls = [number // options.block % DEFINITIONS for number in range(0, options.tasks, options.block)]
    if options.block == 1:
        calls = [number % DEFINITIONS for number in range(options.tasks)]
        rng.shuffle(calls)
    scenario["tasks"] = [request(number, chain, options.block) for number in calls]
    return scenario


def openb(options):
    folder = pathlib.Path(options.openb)
    with open(folder / "openb_node_list_gpu_node.csv", encoding="utf-8") as text:
        nodes = list(csv.DictReader(text))
    with open(folder / "openb_pod_list_default.csv", encoding="utf-8") as text:
        pods = list(csv.DictReader(text))
    instances = [{"instanceType": f"openb.{node['model']}", "registeredResources": {
        "CPU": int(node["cpu_milli"]) * 1024 // 1000, "MEMORY": int(node["memory_mib"]), "GPU": int(node["gpu"])},
        "attributes": [{"name": "gpu-model", "value": node["model"]}]} for node in nodes]
    definitions, shapes, tasks = [], {}, []
    for pod in pods:
        shape = (pod["cpu_milli"], pod["memory_mib"], pod["num_gpu"], pod["gpu_spec"])
        if shape not in shapes:
            shapes[shape] = f"shape{len(shapes)}"
            container = {"name": "c", "image": "example/app:1", "cpu": math.ceil(int(shape[0]) * 1024 / 1000), "memory": int(shape[1])}
            if shape[2] != "0":
                container["resourceRequirements"] = [{"type": "GPU", "value": shape[2]}]
            task = {"family": shapes[shape], "networkMode": "bridge", "containerDefinitions": [container]}
            if shape[3]:
                models = ", ".join(shape[3].split("|"))
                task["placementConstraints"] = [{"type": "memberOf", "expression": f"attribute:gpu-model in [{models}]"}]
            definitions.append(task)
        tasks.append({"taskDefinition": shapes[shape], "placementStrategy": CHAINS["binpack"]})
    return {"cluster": {"clusterName": "openb", "containerInstances": instances}, "taskDefinitions": definitions, "tasks": tasks}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--instances", type=int, default=1000)
    parser.add_argument("--tasks", type=int, default=10000)
    parser.add_argument("--chain", choices=CHAINS, default="binpack")
    parser.add_argument("--block", type=int, default=2000)
    parser.add_argument("--services", type=int, default=0)
    parser.add_argument("--openb")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    scenario = openb(options) if options.openb else mixed(options)
    options.file.write_text(json.dumps(scenario) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
