#!/usr/bin/env python3
"""A contributor's first hour: every script answers --help, the documents name only scripts and presets that exist, and CONTRIBUTING.md names
every preset. With --configure, each preset that this machine has the compiler for is configured, in a folder of its own.

usage: scripts.py SOURCE_DIR [--configure]
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1]).resolve()
# What is sourced, or data.
NOT_RUN = {"common.sh"}
faults = []


def check(condition, text):
    if not condition:
        faults.append(text)


def documents():
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "bench").glob("*.md"), *(ROOT / "bench").glob("*/*.md")]:
        yield path.relative_to(ROOT), path.read_text(encoding="utf-8")


def check_scripts():
    scripts = {path.name for path in (ROOT / "scripts").iterdir() if path.is_file()} - NOT_RUN
    for name in sorted(scripts):
        done = subprocess.run([str(ROOT / "scripts" / name), "--help"], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
        check(done.returncode == 0, f"scripts/{name} --help ends with {done.returncode}: {done.stderr[:200]}")
        check("usage:" in done.stdout.lower(), f"scripts/{name} --help prints no usage: {done.stdout[:200]!r}")
        check(not done.stderr, f"scripts/{name} --help prints to standard error: {done.stderr[:200]!r}")
    for page, text in documents():
        for name in set(re.findall(r"\bscripts/([\w.-]+[\w-])", text)):
            check(name in scripts, f"{page} names scripts/{name}, which does not exist")
    return len(scripts)


def check_presets():
    listed = json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))["configurePresets"]
    presets = {preset["name"]: preset for preset in listed if not preset.get("hidden")}
    building = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    described = set(re.findall(r"^\| `([\w-]+)`[^|]*\|", building.partition("\n## Building\n")[2], flags=re.M))
    check(described == set(presets), f"CONTRIBUTING.md describes the presets {sorted(described)}, CMakePresets.json has {sorted(presets)}")
    for page, text in documents():
        for name in set(re.findall(r"scripts/build ([a-z][\w-]*)|--preset[ =]([a-z][\w-]*)", text)):
            name = name[0] or name[1]
            check(name in presets, f"{page} builds the preset {name}, which does not exist")
    return presets


def missing_tool(preset):
    """What the preset needs and this machine lacks; None if it can be configured."""
    if preset.get("toolchainFile") and not (ROOT / "build" / "sysroot").exists():
        return "build/sysroot"
    program = "aarch64-linux-gnu-g++" if preset.get("toolchainFile") else preset["cacheVariables"].get("CMAKE_CXX_COMPILER", "g++")
    return None if shutil.which(program) else program


def configure(presets):
    done = []
    for name, preset in sorted(presets.items()):
        if missing := missing_tool(preset):
            print(f"not configured: {name}, because {missing} is missing")
            continue
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run(["cmake", "--preset", name, "-B", folder], cwd=ROOT, capture_output=True, text=True)
        check(run.returncode == 0, f"cmake --preset {name} fails:\n{run.stderr[-1000:]}")
        done.append(name)
    return done


scripts = check_scripts()
presets = check_presets()
configured = configure(presets) if "--configure" in sys.argv else []
for fault in faults:
    print(fault)
print(f"{scripts} scripts, {len(presets)} presets ({len(configured)} configured), {len(faults)} faults")
sys.exit(1 if faults else 0)
