"""What the parts of bench/peers/run share: processor time of a process, medians, tables."""
import os
import resource
import statistics
import subprocess
import tempfile

MEMORY = 6 << 30  # bytes of address space that a peer gets, so that a large model ends as a row and not the machine


class Finished:
    def __init__(self, seconds, code, output):
        self.seconds, self.code, self.output = seconds, code, output


def within(command, wall_seconds=None):
    """Runs it. `seconds`: processor time of it and of what it started, user and system. A `code` of None: out of time."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen([str(part) for part in command], stdout=output, stderr=subprocess.DEVNULL,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)))
        try:
            code = wait(process, wall_seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            code = wait(process, None)
            code = (code[0], None)
        output.seek(0)
        return Finished(code[0], code[1], output.read().decode(errors="replace"))


def wait(process, wall_seconds):
    if wall_seconds is not None:
        with_deadline(process, wall_seconds)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, process.returncode


def with_deadline(process, wall_seconds):
    """Waits without reaping, so that wait4 can still tell what was used."""
    import select
    descriptor = os.pidfd_open(process.pid)
    try:
        if not select.select([descriptor], [], [], wall_seconds)[0]:
            raise subprocess.TimeoutExpired(process.args, wall_seconds)
    finally:
        os.close(descriptor)


def in_turn(rounds, works):
    """Does each of the named works once a round; the results by name, in the order of the rounds."""
    results = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            results[name].append(work())
    return results


def medians(results):
    return {name: statistics.median(one.seconds for one in found) for name, found in results.items()}


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def amount(seconds):
    """Three digits, in the unit that reads best."""
    if seconds >= 100:
        return f"{seconds:,.0f} s"
    if seconds >= 1:
        return f"{seconds:.3g} s"
    return f"{seconds * 1e3:.3g} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.3g} µs"


def times(of, to):
    """How many times as long."""
    ratio = of / to
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.2g}"
