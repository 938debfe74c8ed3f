"""Runs golden cases on mutants: each case runs the whole program, in which BAYPLAN_MUTANT activates one mutant."""
import os
import resource
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor

LONGEST = 60  # seconds; a mutant may wait for ever
MOST_PROCESSOR = 20  # seconds
MOST_MEMORY = 2 << 30


def set_limits():
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_PROCESSOR, MOST_PROCESSOR))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class GoldenCases:
    def __init__(self, root, program, jobs):
        self.run_cmake = root / "tests/golden/run.cmake"
        self.program = program
        self.jobs = jobs
        self.folders = sorted(command.parent for top in ("tests/golden", "examples")
                              for command in (root / top).rglob("command"))
        passes = self.tried(0, self.folders)
        self.left_out = [folder for folder, passed in zip(self.folders, passes) if not passed]
        self.folders = [folder for folder in self.folders if folder not in self.left_out]

    def notices(self, mutant):
        """The folder of a case that fails while the mutant is awake, or None."""
        for begin in range(0, len(self.folders), self.jobs):
            some = self.folders[begin:begin + self.jobs]
            for folder, passed in zip(some, self.tried(mutant, some)):
                if not passed:
                    self.folders.remove(folder)
                    self.folders.insert(0, folder)  # what noticed one soon notices its neighbor
                    return folder
        return None

    def tried(self, mutant, folders):
        with ThreadPoolExecutor(self.jobs) as pool:
            return list(pool.map(lambda folder: self.passes(mutant, folder), folders))

    def passes(self, mutant, folder):
        command = ["cmake", f"-DPROGRAM={self.program}", f"-DCASE={folder}", "-P", str(self.run_cmake)]
        environment = {**os.environ, "BAYPLAN_MUTANT": str(mutant)}
        case = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, start_new_session=True, preexec_fn=set_limits)
        try:
            return case.wait(LONGEST) == 0
        except subprocess.TimeoutExpired:
            os.killpg(case.pid, signal.SIGKILL)
            case.wait()
            return False
