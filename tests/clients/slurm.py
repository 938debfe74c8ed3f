"""The array job of docs/sweep.md, as written there, on a Slurm cluster of two nodes on this machine. A node loses power while it
runs a shard; Slurm requeues the shard on the other node, where it continues from its journal. The lines and the summary of all
shards equal those of a single run byte for byte. usage: slurm.py BAYPLAN PROJECT"""
import contextlib
import ctypes
import os
import pathlib
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

PROGRAMS = {"munged": "munge", "slurmctld": "slurmctld", "slurmd": "slurmd", "sbatch": "slurm-client", "scontrol": "slurm-client",
            "sinfo": "slurm-client"}
NODES = ("node1", "node2")
CPUS = 8     # of a node, more than there are: the job script takes this many
SHARDS = 16  # of the job script
SEEDS = 2000  # the grid has 42 scenarios for each: half a second of work in each of 16 shards
LIMIT = 120  # seconds for each wait
LOST = {"BOOT_FAIL", "CANCELLED", "DEADLINE", "FAILED", "NODE_FAIL", "OUT_OF_MEMORY", "TIMEOUT"}  # a job in such a state never completes
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # linux/prctl.h

# Timeouts of seconds instead of minutes. A requeued job waits for the end of its credential's life (cred_expire), and Slurm accepts
# no shorter one. Only jobs that ask for it are requeued. Nodes have the CPUs of this file, not those of the machine.
CONFIGURATION = """
ClusterName=bayplan
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
MailProg=/bin/true
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
JobRequeue=0
SlurmdTimeout=5
MessageTimeout=3
ReturnToService=1
SlurmdParameters=config_overrides
NodeName=node1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs={cpus}
NodeName=node2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs={cpus}
PartitionName=main Nodes=node1,node2 Default=YES
"""


def find_program(name):
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def set_process_option(option, value):
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def find_descendants(root):
    """The living descendants of a process."""
    children = {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended
            state, parent = stat.read_text().rpartition(")")[2].split()[:2]
            if state != "Z":
                children.setdefault(int(parent), []).append(int(stat.parent.name))
    found = [root]
    for process in found:
        found += children.get(process, [])
    return found[1:]


def signal_descendants(root, number):
    """Repeats until a turn finds no new process: processes that still run may start others."""
    seen = set()
    while new := set(find_descendants(root)) - seen:
        for process in new:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, number)
        seen |= new


class Machine:
    """A process that stands for a machine: what its daemon starts stays below it, whatever its parent, and ends with it.
    A machine ends at the latest when the test does, even if the test is killed."""

    def __init__(self, name, command, environment, folder):
        self.name = name
        self.log = folder / f"{name}.log"
        test = os.getpid()
        self.process = os.fork()
        if self.process == 0:
            try:
                self.live(command, environment, test)
            finally:
                os._exit(1)

    def live(self, command, environment, test):
        os.setsid()
        signal.signal(signal.SIGTERM, lambda *_: self.lose_power())
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        set_process_option(PR_SET_CHILD_SUBREAPER, 1)
        set_process_option(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != test:
            return
        with self.log.open("wb") as log:
            daemon = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        while os.wait()[0] != daemon.pid:
            pass
        self.lose_power()

    def lose_power(self):
        """In the process of the machine. All are stopped before the first one ends, so that none reports the end of another."""
        signal_descendants(os.getpid(), signal.SIGSTOP)
        signal_descendants(os.getpid(), signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while True:
                os.wait()
        os._exit(0)

    def freeze(self):
        signal_descendants(self.process, signal.SIGSTOP)

    def thaw(self):
        signal_descendants(self.process, signal.SIGCONT)

    def kill(self):
        if self.process:
            os.kill(self.process, signal.SIGTERM)
            os.waitpid(self.process, 0)
            self.process = 0

    def has_failed(self):
        """Its daemon ended by itself."""
        if self.process and os.waitpid(self.process, os.WNOHANG) != (0, 0):
            self.process = 0
            return True
        return False


def free_ports(count):
    """All are held until the last one is known, so that they differ."""
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


class Cluster:
    """A controller, two nodes and their munged, with all files in a folder and all ports on loopback."""

    def __init__(self, folder, path):
        self.folder = folder
        self.machines = {}
        configuration = folder / "slurm.conf"
        host, user = socket.gethostname().split(".")[0], pwd.getpwuid(os.getuid()).pw_name
        configuration.write_text(CONFIGURATION.format(folder=folder, ports=free_ports(3), cpus=CPUS, host=host, user=user))
        for name in ("state", *NODES):
            (folder / name).mkdir()
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("SLURM", "SBATCH", "SINFO", "SCONTROL"))}
        self.environment = {**inherited, "SLURM_CONF": str(configuration), "PATH": f"{path}:{inherited['PATH']}", "LC_ALL": "C"}

    def start(self):
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        files = [f"--{what}={self.folder}/munge.{name}" for what, name in
                 (("socket", "socket"), ("key-file", "key"), ("pid-file", "pid"), ("log-file", "messages"), ("seed-file", "seed"))]
        # --force: folders above the socket may belong to others, as /tmp does.
        self.add("munged", "--foreground", "--force", *files)
        self.wait_for("the socket of munged", (self.folder / "munge.socket").exists)
        self.add("slurmctld", "-D")
        for node in NODES:
            self.add("slurmd", "-D", "-N", node, name=node)
        self.wait_for("both nodes to be idle", lambda: self.ask("sinfo", "-h", "-N", "-o", "%N %T").split("\n") ==
                      [f"{node} idle" for node in NODES])

    def add(self, program, *arguments, name=None):
        self.machines[name or program] = Machine(name or program, [find_program(program), *arguments], self.environment, self.folder)

    def ask(self, program, *arguments):
        """What a client of Slurm says; nothing while the controller does not answer."""
        try:
            said = subprocess.run([find_program(program), *arguments], env=self.environment, capture_output=True, text=True, check=False,
                                  timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return ""
        return said.stdout.strip() if said.returncode == 0 else ""

    def jobs(self):
        """Members of all jobs, each task of an array that has begun separately."""
        return [dict(re.findall(r"(\w+)=(\S*)", line)) for line in self.ask("scontrol", "show", "job", "-o").splitlines()]

    def wait_for(self, what, condition):
        """Until the condition returns something true."""
        end = time.monotonic() + LIMIT
        while not (found := condition()):
            failed = [name for name, machine in self.machines.items() if machine.has_failed()]
            assert not failed, f"{', '.join(failed)} ended while the test waited for {what}"
            assert time.monotonic() < end, f"waited {LIMIT} s for {what}"
            time.sleep(0.02)
        return found

    def end(self):
        for machine in reversed(self.machines.values()):
            machine.kill()

    def tell(self):
        """What its daemons said last."""
        for name, machine in self.machines.items():
            if machine.log.exists():
                print(f"--- {name}", *machine.log.read_text(errors="replace").splitlines()[-25:], sep="\n", file=sys.stderr)
        for job in self.jobs():
            print({key: job.get(key) for key in ("JobId", "ArrayTaskId", "JobState", "Reason", "Restarts", "BatchHost")}, file=sys.stderr)


def read_documented_job(project):
    """The job script of docs/sweep.md, and the commands that submit it."""
    section = (project / "docs" / "sweep.md").read_text().split("\n### Slurm\n")[1].split("\n### ")[0]
    script = re.search(r"```bash\n(.*?)```", section, re.DOTALL)[1]
    commands = re.search(r"```console\n(.*?)```", section, re.DOTALL)[1]
    return script, re.sub(r"^\$ ", "", commands, flags=re.MULTILINE)


def write_grid(project, folder):
    """The grid of an example with more seeds, beside its scenario."""
    example = project / "examples" / "night-fleet"
    shutil.copytree(example, folder)
    grid, count = re.subn(r"(vary: seed, from: 1, to:) 50\b", rf"\1 {SEEDS}", (example / "grid.yaml").read_text())
    assert count == 1, "examples/night-fleet/grid.yaml has no axis of 50 seeds"
    (folder / "grid.yaml").write_text(grid)


def submit(cluster, commands, folder):
    """The number of the job of the shards, and of the one that merges them."""
    ran = subprocess.run(["bash", "-euc", commands + 'echo "$job"'], cwd=folder, env=cluster.environment, capture_output=True, text=True,
                         check=False, timeout=LIMIT)
    assert ran.returncode == 0, f"sbatch ended with {ran.returncode}: {ran.stderr}"
    merging, shards = re.fullmatch(r"Submitted batch job (\d+)\n(\d+)\n", ran.stdout).groups()
    return shards, merging


def results_files(folder, number):
    """Where the lines of a shard are once it is complete, and until then."""
    done = folder / f"results-{int(number):03}.jsonl"
    return done, done.with_name(done.name + ".partial")


def count_bytes(folder, number):
    """Bytes of the lines that a shard has written; 0 before the first."""
    for file in reversed(results_files(folder, number)):  # in this order: it may be complete in between
        with contextlib.suppress(FileNotFoundError):
            return file.stat().st_size
    return 0


def kill_amid(cluster, node, shards, folder):
    """Ends a node while a shard that runs on it has written half of its lines. The number of the shard, and its complete lines."""
    machine = cluster.machines[node]
    half = (folder / "single.jsonl").stat().st_size // SHARDS // 2

    def try_to_kill():
        for job in cluster.jobs():
            if job.get("ArrayJobId") != shards or job["JobState"] != "RUNNING" or job.get("BatchHost") != node:
                continue
            number = job["ArrayTaskId"]
            done, partial = results_files(folder, number)
            cluster.wait_for(f"lines of shard {number}", lambda number=number: count_bytes(folder, number) >= half)
            machine.freeze()
            if not done.exists():  # and it never will be
                machine.kill()
                return number, partial.read_bytes()
            machine.thaw()
        return None

    number, lines = cluster.wait_for(f"a shard to kill on {node}", try_to_kill)
    return number, lines[:lines.rfind(b"\n") + 1]


def wait_for_requeue(cluster, shards, number, kept, folder):
    """Until Slurm has run the killed shard again, on the node that is returned. Its lines must never be fewer than before."""
    def find_rerun():
        size = count_bytes(folder, number)
        assert size >= len(kept), f"the requeued shard started over: {size} bytes after {len(kept)}"
        for job in cluster.jobs():
            if job.get("ArrayJobId") == shards and job.get("ArrayTaskId") == number:
                assert job["JobState"] not in LOST, f"shard {number} was not requeued: {job['JobState']}"
                return job["JobState"] == "COMPLETED" and job
        return None

    job = cluster.wait_for(f"shard {number} to be requeued and to complete", find_rerun)
    assert job["Restarts"] == "1", f"shard {number} was restarted {job['Restarts']} times"
    return job["BatchHost"]


def wait_for_merge(cluster, shards, merging):
    def is_merged():
        states = {job["JobId"]: job["JobState"] for job in cluster.jobs() if shards in (job["JobId"], job.get("ArrayJobId")) or
                  job["JobId"] == merging}
        assert not LOST & set(states.values()), f"jobs failed: {states}"
        return states.get(merging) == "COMPLETED"

    cluster.wait_for("the job that merges the shards", is_merged)


def compare(folder, single, merging):
    whole = (folder / "single.jsonl").read_bytes()
    shards = sorted(folder.glob("results-*.jsonl"))
    assert b"".join(file.read_bytes() for file in shards) == whole, "the lines of the shards differ from those of the single run"
    assert (folder / "all.jsonl").read_bytes() == whole, "the merged lines differ from those of the single run"
    assert (folder / f"slurm-{merging}.out").read_bytes() == single, "the summary of the shards differs from that of the single run"
    assert len(shards) == SHARDS, f"the job script has {len(shards)} shards"
    return len(whole.splitlines())


def run_array(cluster, program, project, folder):
    script, commands = read_documented_job(project)
    write_grid(project, folder)
    (folder / "sweep.sbatch").write_text(script)
    single = subprocess.run([program, "sweep", "grid.yaml", "--output", "jsonl=single.jsonl"], cwd=folder, stdout=subprocess.PIPE,
                            check=True, timeout=LIMIT).stdout
    cluster.start()
    shards, merging = submit(cluster, commands, folder)
    number, kept = kill_amid(cluster, NODES[0], shards, folder)
    node = wait_for_requeue(cluster, shards, number, kept, folder)
    wait_for_merge(cluster, shards, merging)
    scenarios = compare(folder, single, merging)
    return (f"{SHARDS} shards of {scenarios} scenarios equal the single run; {NODES[0]} was killed in shard {number} after "
            f"{len(kept.splitlines())} lines, and {node} continued")


def main():
    missing = sorted({package for program, package in PROGRAMS.items() if find_program(program) is None})
    if missing:
        print(f"skipped: Slurm is not installed completely (apt-get install {' '.join(missing)})")
        return 77
    program, project = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))
    # Not in TMPDIR, which may be long: the path of a socket has at most 107 bytes.
    with tempfile.TemporaryDirectory(prefix="bayplan-slurm-", dir="/tmp") as name:
        folder = pathlib.Path(name)
        (folder / "bin").mkdir()
        (folder / "bin" / "bayplan").symlink_to(program)
        cluster = Cluster(folder, folder / "bin")
        try:
            print(run_array(cluster, program, project, folder / "work"))
        except BaseException:
            cluster.tell()
            raise
        finally:
            cluster.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
