#!/usr/bin/env python3
"""Draws pod lists like those of the trace that emphasize one kind of task: more tasks without GPUs (cpu050 ... cpu250), that share GPUs
(gpushare40 ... gpushare100), with several GPUs (multigpu20 ... multigpu50), or that are limited to GPU models (gpuspec10 ... gpuspec33).
The README of the trace says that the authors drew theirs from the default list; the draws are not published. POLICIES.md says which
counts come from their lists, and how the results differ. usage: draw_pod_lists.py DEFAULT.csv GPUSPEC33.csv FOLDER [SEED]"""
import csv
import pathlib
import random
import sys

COLUMNS = ("name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli", "gpu_spec")
# Tasks without GPUs, of 7,064 with GPUs: 5, 10, 20 and 25 % of all.
CPU_TASKS = {"cpu050": 375, "cpu100": 789, "cpu200": 1768, "cpu250": 2356}
# Of the requested GPUs, tasks request this part by shares.
SHARED_PARTS = {"gpushare40": 0.4, "gpushare60": 0.6, "gpushare80": 0.8, "gpushare100": 1.0}
# Tasks with several GPUs, added to the default list: 20, 30, 40 and 50 % of the requested GPUs.
ADDED_TASKS = {"multigpu20": 172, "multigpu30": 356, "multigpu40": 594, "multigpu50": 909}
# Of the tasks with GPUs, this part is limited to GPU models. The models are those of gpuspec33, where they depend on the request: eight GPUs
# exist in two models.
LIMITED_PARTS = {"gpuspec10": 0.1, "gpuspec20": 0.2, "gpuspec25": 0.25}


def read(file):
    with open(file, newline="") as rows:
        return [{column: row.get(column, "") for column in COLUMNS} for row in csv.DictReader(rows)]


def requested_gpus(task):
    return int(task["num_gpu"]) * int(task["gpu_milli"]) / 1000


def is_share(task):
    return int(task["num_gpu"]) == 1 and int(task["gpu_milli"]) < 1000


def draw(generator, tasks, count):
    """Every task as often as all others, as far as count allows; the rest without repetition."""
    whole, rest = divmod(count, len(tasks))
    return tasks * whole + generator.sample(tasks, rest)


def count_shares(shares, others, part):
    """How many of the GPU tasks are shares if they request this part of the GPUs."""
    if part == 1:
        return len(shares) + len(others)
    share = sum(map(requested_gpus, shares)) / len(shares)
    other = sum(map(requested_gpus, others)) / len(others)
    ratio = part / (1 - part) * other / share
    return round((len(shares) + len(others)) * ratio / (1 + ratio))


def draw_lists(tasks, limited, generator):
    cpu = [task for task in tasks if task["num_gpu"] == "0"]
    gpu = [task for task in tasks if task["num_gpu"] != "0"]
    shares = [task for task in gpu if is_share(task)]
    others = [task for task in gpu if not is_share(task)]
    several = [task for task in gpu if int(task["num_gpu"]) > 1]
    models = [i for i, task in enumerate(limited) if task["gpu_spec"]]
    for name, count in CPU_TASKS.items():
        yield name, gpu + draw(generator, cpu, count)
    for name, part in SHARED_PARTS.items():
        count = count_shares(shares, others, part)
        yield name, cpu + draw(generator, shares, count) + draw(generator, others, len(gpu) - count)
    for name, count in ADDED_TASKS.items():
        yield name, tasks + generator.choices(several, k=count)
    for name, part in LIMITED_PARTS.items():
        kept = set(generator.sample(models, round(part * len(gpu))))
        yield name, [task if i in kept else {**task, "gpu_spec": ""} for i, task in enumerate(limited)]


def main():
    default, limited, folder, *seed = sys.argv[1:]
    for name, tasks in draw_lists(read(default), read(limited), random.Random(int(seed[0]) if seed else 1)):
        with open(pathlib.Path(folder) / f"openb_pod_list_{name}.csv", "w", newline="") as out:
            writer = csv.DictWriter(out, COLUMNS)
            writer.writeheader()
            writer.writerows(tasks)


if __name__ == "__main__":
    main()
