#!/usr/bin/env python3
"""usage: table.py BAYPLAN SERVICES -- what services cost on a launch type, to the cent of a month, is what the table says.

The column `hourly` is the arithmetic by hand, with the rates of the source; `monthly` is its result for 730 hours. Both are compared with
each other and with the report of `bayplan fleet`.
"""
import csv
import decimal
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

HOURS = 730
ESTIMATED = "fargate-spot-average"  # nobody read it on any day
CENT = decimal.Decimal("0.01")


def arithmetic(text):
    """Exact value of an expression of numbers, + - * / ( ) and ceil."""
    if not re.fullmatch(r"(?:[0-9.+*/() -]|ceil)+", text):
        raise ValueError(f"not arithmetic: {text}")
    exact = re.sub(r"[0-9.]+", lambda number: f'D("{number[0]}")', text)
    return eval(exact, {"D": decimal.Decimal, "ceil": lambda value: decimal.Decimal(math.ceil(value))})


def definition(row):
    task = {"family": row["service"], "containerDefinitions": [
        {"name": "app", "image": "registry.example.com/app:1", "essential": True, "cpu": int(row["cpu"]), "memory": int(row["memory"])}]}
    if row["instanceType"].startswith("g"):
        task["containerDefinitions"][0]["resourceRequirements"] = [{"type": "GPU", "value": "1"}]
    if row["architecture"]:
        task["runtimePlatform"] = {"cpuArchitecture": row["architecture"]}
    if row["system"] == "windows":
        task["runtimePlatform"] = {"operatingSystemFamily": "WINDOWS_SERVER_2022_CORE"}
    if row["storage"]:
        task |= {"requiresCompatibilities": ["FARGATE"], "networkMode": "awsvpc", "cpu": row["cpu"], "memory": row["memory"],
                 "ephemeralStorage": {"sizeInGiB": int(row["storage"])}}
    return task


def main():
    bayplan, table = sys.argv[1:]
    rows = list(csv.DictReader(open(table, encoding="utf-8")))
    faults = []
    if len(rows) < 50:
        faults.append(f"only {len(rows)} services")
    with tempfile.TemporaryDirectory() as folder:
        for row in rows:
            by_hand = (arithmetic(row["hourly"]) * HOURS).quantize(CENT)
            if by_hand != decimal.Decimal(row["monthly"]):
                faults.append(f"{row['service']}: {row['hourly']} is {by_hand} a month, the table says {row['monthly']}")
            file = pathlib.Path(folder) / f"{row['service']}.json"
            file.write_text(json.dumps(definition(row)), encoding="utf-8")
            ran = subprocess.run([bayplan, "fleet", "--task", f"{file}={row['tasks']}", "--types", row["instanceType"], "--region",
                                  row["region"], "--output", "json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                                 encoding="utf-8")
            if ran.returncode not in (0, 1):
                faults.append(f"{row['service']}: exit {ran.returncode}\n{ran.stderr}")
                continue
            costs = {cost["launchType"]: cost for cost in json.loads(ran.stdout)["launchTypes"]}
            cost = costs[row["launchType"]]
            if cost["monthlyCost"] is None:
                faults.append(f"{row['service']}: no cost on {row['launchType']}: {cost['notPossible']}, {cost['missingPrices']}")
            elif decimal.Decimal(repr(cost["monthlyCost"])).quantize(CENT) != by_hand:
                faults.append(f"{row['service']}: {cost['monthlyCost']} a month on {row['launchType']}, by hand {by_hand}")
            elif any(rate["source"] is None or (rate["date"] is None) != (rate["source"] == ESTIMATED) for rate in cost["prices"]["rates"]):
                faults.append(f"{row['service']}: a rate without source or date: {cost['prices']['rates']}")
    if faults:
        sys.exit("\n".join(faults))
    print(f"{len(rows)} services")


if __name__ == "__main__":
    main()
