"""Four shards of a grid, run by GNU parallel and concatenated, equal the single run byte for byte; so do shards that
were killed and run again. usage: parallel.py BAYPLAN PROJECT"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SHARDS = 4


def run(command, folder, **options):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, **options)


def sweep_by_parallel(parallel, program, grid, folder):
    """Each shard with one thread; the lines of all shards."""
    command = [parallel, "--will-cite", "--halt", "now,fail=1", program, "sweep", grid, "-j1", "-q", "--shard", "{}/" + str(SHARDS),
               "--output", "jsonl=results-{}.jsonl", ":::", *map(str, range(1, SHARDS + 1))]
    ran = run(command, folder)
    if ran.returncode != 0:
        sys.exit(f"parallel ended with {ran.returncode}: {ran.stderr}")
    return [(folder / f"results-{number}.jsonl").read_bytes() for number in range(1, SHARDS + 1)]


def kill_amid(program, grid, folder):
    """A shard that is stopped as soon as it has lines; where it had got to."""
    partial = folder / "results-2.jsonl.partial"
    process = subprocess.Popen([program, "sweep", grid, "-j1", "-q", "--shard", f"2/{SHARDS}", "--output", "jsonl=results-2.jsonl"],
                               cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and not (partial.exists() and partial.stat().st_size):
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.wait()
    return partial.stat().st_size if partial.exists() else None


def main():
    program, project = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    parallel = shutil.which("parallel")
    if parallel is None or "GNU" not in run([parallel, "--version"], ".").stdout:
        print("skipped: there is no GNU parallel (apt-get install parallel)")
        return 77
    grid = str(project / "examples" / "night-fleet" / "grid.yaml")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        single = run([program, "sweep", grid, "--output", "jsonl=single.jsonl"], folder)
        whole = (folder / "single.jsonl").read_bytes()
        shards = sweep_by_parallel(parallel, program, grid, folder)
        assert b"".join(shards) == whole, "the shards behind each other differ from the single run"
        assert all(shards) and len(whole.splitlines()) == 2100

        (folder / "all.jsonl").write_bytes(b"".join(reversed(shards)))
        merged = run([program, "sweep", grid, "--output", "jsonl=all.jsonl"], folder)
        assert merged.stdout == single.stdout, "the summary of the shards differs from that of the single run"
        assert (folder / "all.jsonl").read_bytes() == whole, "the shards were not put in order"

        (folder / "results-2.jsonl").unlink()
        killed = kill_amid(program, grid, folder)
        again = sweep_by_parallel(parallel, program, grid, folder)
        assert again == shards, "a shard that was killed and run again differs"
    print(f"{SHARDS} shards by {parallel} equal the single run; one was killed at {killed} bytes of {len(shards[1])} and went on")
    return 0


if __name__ == "__main__":
    sys.exit(main())
