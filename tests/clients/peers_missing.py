#!/usr/bin/env python3
"""bench/peers/run where tools are missing or killed: their cells say so, the others have figures, exit code 0.

usage: peers_missing.py BAYPLAN PROJECT
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

KEPT = ("python3", "g++", "sh")


def path_of(folder):
    """What a program finds: no Node.js, no npm, no glpsol, no AWS CLI, and a cbc that does not survive."""
    for name in KEPT:
        (folder / name).symlink_to(shutil.which(name))
    cbc = folder / "cbc"
    cbc.write_text("#!/bin/sh\nkill -9 $$\n")
    cbc.chmod(0o755)
    return str(folder)


def main():
    program, project = (pathlib.Path(name).resolve() for name in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as name:
        done = subprocess.run([sys.executable, project / "bench" / "peers" / "run", "--quick", "--program", program],
                              env={**os.environ, "PATH": path_of(pathlib.Path(name))}, capture_output=True, text=True)
    if done.returncode == 77:
        print(done.stdout)
        return 77
    expected = ["cbc: killed by signal 9", "glpsol: not installed", "HiGHS: not installed", "ajv with our schema: not installed",
                "cloudformation-validate: not installed", "a parser only"]
    absent = [text for text in expected if text not in done.stdout]
    for text in absent:
        print("the page lacks:", text)
    if done.returncode != 0 or absent:
        print(f"exit code {done.returncode}\n{done.stderr}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
