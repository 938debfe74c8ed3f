"""What the parts of bench/peers/run share: processor time of a process, medians, tables."""
import os
import resource
import subprocess
import tempfile

MEMORY = 6 << 30  # bytes of address space that a peer gets, so that a large model ends as a row and not the machine


class Finished:
    """`seconds`: processor time of it and of what it started, user and system. A `code` of None: out of time."""

    def __init__(self, seconds, code, output, errors):
        self.seconds, self.code, self.output, self.errors = seconds, code, output, errors


def within(command, wall_seconds=None, memory=MEMORY):
    """Runs it. Without `memory`: with no limit on its address space, of which WebAssembly reserves more than it uses."""
    def limit():
        if memory is not None:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen([str(part) for part in command], stdout=output, stderr=errors, preexec_fn=limit)
        try:
            seconds, code = wait(process, wall_seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            seconds, code = wait(process, None)[0], None
        return Finished(seconds, code, written_to(output), written_to(errors))


def written_to(file):
    file.seek(0)
    return file.read().decode(errors="replace")


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


def best_first(cells):
    """A row's text of (figure, what is shown): the least figure first, in the given order where two are equal; None: no figure."""
    return "; ".join(shown for _, shown in sorted(cells, key=lambda cell: (cell[0] is None, cell[0] or 0)))


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


def mebibytes(kibibytes):
    return f"{kibibytes / 1024:,.0f} MiB"


def times(of, to):
    """How many times as long."""
    ratio = of / to
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.2g}"
