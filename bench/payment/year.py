#!/usr/bin/env python3
"""usage: year.py FOLDER [SERVICES [HOURS]] -- writes a scenario of services with their own counts in every hour of a year, and commitments.

Each service has a size, a daily and a weekly pattern and separate noise, so that almost no two hours are equal. The same arguments give the same
files: scenario.yaml, load.csv and a task definition for each service.
"""
import json
import math
import pathlib
import random
import sys

SIZES = [(256, 480), (256, 960), (512, 960), (512, 1920), (1024, 1920), (1024, 3840), (2048, 3840), (2048, 7680)]


def main():
    folder = pathlib.Path(sys.argv[1])
    services = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    hours = int(sys.argv[3]) if len(sys.argv) > 3 else 8760
    folder.mkdir(parents=True, exist_ok=True)
    draw = random.Random(8760)
    columns = []
    for i in range(services):
        cpu, memory = draw.choice(SIZES)
        definition = {"family": f"s{i}", "containerDefinitions": [
            {"name": "app", "image": "registry.example.com/app:1", "essential": True, "cpu": cpu, "memory": memory}]}
        (folder / f"s{i}.json").write_text(json.dumps(definition), encoding="utf-8")
        base, swing, peak = draw.randint(1, 4), draw.randint(1, 8), draw.uniform(8, 20)
        counts = []
        for hour in range(hours):
            by_day = (1 + math.cos((hour % 24 - peak) / 24 * 2 * math.pi)) / 2
            by_week = 0.5 if hour // 24 % 7 >= 5 else 1
            counts.append(base + max(0, round(swing * by_day * by_week + draw.gauss(0, 0.5))))
        columns.append(counts)
    with open(folder / "load.csv", "w", encoding="utf-8") as out:
        out.write("hour," + ",".join(f"s{i}" for i in range(services)) + "\n")
        for hour in range(hours):
            out.write(f"{hour}," + ",".join(str(column[hour]) for column in columns) + "\n")
    lines = ["region: us-east-1", "taskDefinitions: ['s*.json']", "services:"]
    lines += [f"  - {{serviceName: s{i}, taskDefinition: s{i}, desiredCount: {max(columns[i])}}}" for i in range(services)]
    lines += ["load: load.csv", "commitments:", "  - {type: COMPUTE_SP, discount: 28%, term: ONE_YEAR}"]
    (folder / "scenario.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
