#!/usr/bin/env python3
"""Writes realistic task definitions for measuring, the same for the same seed.

usage: definitions.py FOLDER COUNT [--bytes N] [--seed S] [--yaml]
"""
import argparse
import json
import pathlib
import random

WORDS = "orders billing search catalog session report worker gateway image video mail audit stock price route".split()


def container(rng, name, gpu):
    result = {
        "name": name,
        "image": f"123456789012.dkr.ecr.us-east-1.amazonaws.com/{name}:{rng.randrange(1, 400)}",
        "cpu": rng.choice([256, 512, 1024]),
        "memory": rng.choice([1024, 2048, 4096]),
        "essential": True,
        "portMappings": [{"containerPort": rng.randrange(3000, 9000), "protocol": "tcp"}],
        "environment": [
            {"name": f"{rng.choice(WORDS).upper()}_{i}", "value": f"https://{rng.choice(WORDS)}.internal/{i}?größe=\"{i}\""}
            for i in range(rng.randrange(4, 12))
        ],
        "logConfiguration": {
            "logDriver": "awslogs",
            "options": {"awslogs-group": f"/ecs/{name}", "awslogs-region": "us-east-1", "awslogs-stream-prefix": "ecs"},
        },
    }
    if gpu:
        result["cpu"] = 4096
        result["memory"] = 16384
        result["image"] = f"nvcr.io/nvidia/pytorch:24.{rng.randrange(1, 12):02}-py3"
        result["resourceRequirements"] = [{"type": "GPU", "value": str(rng.choice([1, 2, 4]))}]
    return result


def definition(rng, number, size):
    family = f"{rng.choice(WORDS)}-{number}"
    task = {
        "family": family,
        "requiresCompatibilities": ["EC2"],
        "networkMode": "awsvpc",
        "executionRoleArn": "arn:aws:iam::123456789012:role/ecsTaskExecutionRole",
        "containerDefinitions": [],
        "volumes": [],
    }
    while len(task["containerDefinitions"]) < 10 and len(json.dumps(task, indent=2)) < size:
        name = f"{rng.choice(WORDS)}-{len(task['containerDefinitions'])}"
        task["containerDefinitions"].append(container(rng, name, rng.random() < 0.2))
    return task


def yaml_lines(value, indent):
    """Block style; strings in double quotes, which JSON and YAML write alike."""
    items = value.items() if isinstance(value, dict) else ((None, item) for item in value)
    for key, item in items:
        lead = "  " * indent + ("- " if key is None else f"{key}:")
        if isinstance(item, (dict, list)) and item:
            inner = list(yaml_lines(item, indent + 1))
            yield from [lead + inner[0].lstrip(), *inner[1:]] if key is None else [lead, *inner]
        else:
            yield lead + ("" if key is None else " ") + json.dumps(item, ensure_ascii=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("count", type=int)
    parser.add_argument("--bytes", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--yaml", action="store_true", help="write YAML in place of JSON")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    options.folder.mkdir(parents=True, exist_ok=True)
    for number in range(options.count):
        task = definition(rng, number, options.bytes)
        text = "\n".join(yaml_lines(task, 0)) if options.yaml else json.dumps(task, indent=2, ensure_ascii=False)
        name = f"task-definition-{number:05}.{'yaml' if options.yaml else 'json'}"
        (options.folder / name).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
