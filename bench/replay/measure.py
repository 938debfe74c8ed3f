#!/usr/bin/env python3
"""Replays the records of known engines and prints the tables of bench/REPLAY.md.

    bench/replay/measure.py build/release/bayplan [FOLDER]
"""
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def run(program, folder, arguments, keep=()):
    subprocess.run([sys.executable, HERE / "generate.py", folder, *arguments], check=True, stdout=subprocess.DEVNULL)
    truth = json.loads((folder / "truth.json").read_text())
    inputs = [str(folder / name) for name in ("snapshot", "events.jsonl", "trail") if (folder / name).exists()]
    output = subprocess.run([program, "replay", *inputs, "--output", "json"], capture_output=True, text=True, check=True).stdout
    return truth, json.loads(output)


def percent(share):
    return "-" if share is None else f"{100 * share:.2f}%"


def row(engine, form, extra, truth, found):
    low, high = found["interval"]
    unused = {one["reason"]: one["count"] for one in found["records"]["unused"]}
    book = found["bookkeeping"]
    return [engine, form, extra, f"{found['judged']:,} of {truth['placements']:,}", percent(truth["agreement"]), percent(found["agreement"]),
            f"[{100 * low:.1f}, {100 * high:.1f}]", percent(found["randomBaseline"]), found["tieRule"] or "random",
            f"{book['equal']:,} of {book['compared']:,}", str(unused.get("duplicate", 0))]


def main():
    program = sys.argv[1]
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp())
    print("| engine | records | delivery | judged | truth | found | 95 % | random | tie rule found | bookkeeping | duplicates |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    degraded = ["--shuffle", "60", "--duplicates", "0.02", "--lost", "0.01"]
    for delivery in ("exact", "degraded"):
        for engine in ("exact", "newest", "noise", "random"):
            for form in ("eventbridge", "cloudtrail", "both"):
                arguments = ["--engine", engine, "--form", form, "--placements", "10000"]
                if form == "cloudtrail":
                    arguments += ["--gap", "30", "--duration", "6000"]
                name = f"{engine}-{form}-{delivery}"
                truth, found = run(program, folder / name, arguments + (degraded if delivery == "degraded" else []))
                print("| " + " | ".join(row(engine, form, delivery, truth, found)) + " |", flush=True)


if __name__ == "__main__":
    main()
