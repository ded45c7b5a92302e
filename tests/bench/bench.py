"""Grappe beside a real Slurm, in one run on this machine: the same pretended hardware, the same
commands, the median of several rounds, and the ratios.

    bench.py BIN_DIR [--rounds 3] [--quick] [--only grappe] [--no-growth]

Slurm runs twice: with its default settings, and tuned for throughput. Between the rounds the
systems take turns, so that a busy moment of the machine does not fall on one of them alone.
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "harness"))
import service  # noqa: E402

CONF = """\
ClusterName=bench
SlurmctldHost=HOST(127.0.0.1)
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=100
MaxJobCount=200000
MaxArraySize=100001
NodeName=node1 NodeHostname=HOST NodeAddr=127.0.0.1 CPUs=64 RealMemory=64000 State=UNKNOWN
PartitionName=batch Nodes=ALL Default=YES DefaultTime=01:00:00 MaxTime=7-00:00:00 State=UP
"""
TUNED = {
    "SchedulerParameters": "defer,sched_min_interval=200000,sched_interval=5,batch_sched_delay=1,"
                           "default_queue_depth=1000,partition_job_depth=1000,max_rpc_cnt=150,"
                           "bf_interval=30,bf_max_job_test=500,bf_max_job_user=100,bf_continue,"
                           "bf_yield_interval=500000",
    "SlurmctldParameters": "enable_rpc_queue",
    "MessageTimeout": "60",
}
JOB = "-Q -o /dev/null --wrap=true"


class System:
    """A scheduler under test: how it is started, and how its commands are run as alice."""

    def run(self, command, user="alice", timeout=1800):
        done = subprocess.run(["bash", "-c", command], stdin=subprocess.DEVNULL, text=True,
                              capture_output=True, timeout=timeout, **self.as_user(user))
        if done.returncode:
            raise RuntimeError("%s: %s\n%s" % (self.name, command, done.stderr[-500:]))
        return done.stdout

    def median_ms(self, command, count, user="alice"):
        """The median wall time of a command, measured without a shell's share in it."""
        return float(self.run("%s/time_command %d %s" % (self.tools, count, command), user))

    def submit(self, count, clients, options):
        """So many sbatch calls, shared by so many shell loops."""
        loop = ("for ((i = 0; i < %d; i++)); do sbatch %s >/dev/null || exit 1; done"
                % (count // clients, options))
        self.run("for c in $(seq %d); do ( %s ) & p+=($!); done; "
                 "for x in ${p[@]}; do wait $x || exit 1; done" % (clients, loop))

    def drain(self, user="alice"):
        pause = 0.01  # what is over soon is not measured by the length of the pause
        while self.run("squeue -h -u %s -t PD,R,CG,CF -o %%i | head -n 1" % user).strip():
            time.sleep(pause)
            pause = min(0.1, 2 * pause)

    def cancel_all(self):
        self.run("scancel -u alice; scancel -u bob", user="root")
        self.drain("alice,bob")

    def rss_mib(self):
        with open("/proc/%d/status" % self.daemon_pid()) as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1)) / 1024


class Slurm(System):
    arguments = []

    def __init__(self, tools, name, options):
        self.tools, self.name, self.options = tools, name, options
        self.peer = os.path.join(HERE, "..", "peer", "slurm")

    def start(self):
        self.parent = tempfile.mkdtemp(prefix="grappe-bench-", dir="/tmp")
        os.chmod(self.parent, 0o755)
        self.dir = self.parent + "/slurm"
        host = os.uname().nodename.split(".")[0]
        with open(self.parent + "/slurm.conf", "w") as file:
            file.write(CONF.replace("HOST", host))
        command = [self.peer, "start", self.dir, "--conf", self.parent + "/slurm.conf"] + self.arguments
        for key, value in self.options.items():
            command += ["--option", "%s=%s" % (key, value)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        text = subprocess.run(["bash", "-c", ". %s/env; env -0" % self.dir], check=True,
                              capture_output=True, text=True).stdout
        self.env = dict(line.split("=", 1) for line in text.split("\0") if "=" in line)

    def as_user(self, user):
        return service.identity(user, dict(self.env, HOME="/tmp", USER=user), "/tmp")

    def daemon_pid(self):
        with open(self.dir + "/run/slurmctld.pid") as file:
            return int(file.read())

    def restart(self):
        pid = self.daemon_pid()
        os.kill(pid, 15)
        while os.path.exists("/proc/%d" % pid):
            time.sleep(0.01)
        begin = time.time()
        subprocess.run(["slurmctld"], check=True, env=self.env)
        return begin

    def stop(self):
        subprocess.run([self.peer, "stop", self.dir], check=True)
        shutil.rmtree(self.parent, ignore_errors=True)


class Grappe(System):
    name = "Grappe"

    def __init__(self, tools):
        self.tools = tools

    def start(self):
        # Where ./run puts sockets, /run, is a tmpfs; here that is not always so.
        run = "/dev/shm/grappe-bench-%d-%d" % (os.getpid(), id(self))
        self.service = service.Service(self.tools, CONF, "bench", run=run).start()

    def as_user(self, user):
        return self.service.as_user(user)

    def daemon_pid(self):
        pattern = "grapped --state " + self.service.dir
        found = subprocess.run(["pgrep", "-o", "-f", "^[^ ]*" + pattern], capture_output=True,
                               text=True).stdout
        return int(found)

    def restart(self):
        self.service.process.terminate()
        self.service.process.wait()
        begin = time.time()
        self.service.launch()
        return begin

    def disk_bytes(self):
        """What the service keeps on disk of its jobs."""
        with os.scandir(self.service.dir + "/db") as files:
            return sum(file.stat().st_blocks * 512 for file in files)

    def stop(self):
        self.service.close()


def measure(system, sizes):
    """One round on a freshly started system: {what: figure}."""
    figures = {}

    def took(name, seconds):
        figures[name] = seconds
        print("  %-14s %-44s %10.3f" % (system.name, name, seconds), file=sys.stderr, flush=True)

    took("srun true, ms", system.median_ms("srun true", sizes["srun"]))
    system.drain()
    begin = time.time()
    system.submit(sizes["jobs"], 4, JOB)
    system.drain()
    took("%d jobs, s" % sizes["jobs"], time.time() - begin)
    begin = time.time()
    system.run("sbatch %s --array=1-%d" % (JOB, sizes["array"]))
    system.drain()
    took("array of %d, s" % sizes["array"], time.time() - begin)
    # From here on nothing starts: the node is taken.
    system.run("sbatch -Q -o /dev/null -t 600 --exclusive --wrap='sleep 36000'", user="bob")
    while not system.run("squeue -h -u bob -t R").strip():
        time.sleep(0.1)
    took("sbatch, ms", system.median_ms("sbatch %s" % JOB, sizes["latency"]))
    system.submit(sizes["pending"] - sizes["latency"], 4, "-t 10 " + JOB)
    time.sleep(2)
    pending = "%d pending: " % sizes["pending"]
    took(pending + "squeue, ms", system.median_ms("squeue", 11))
    took(pending + "daemon memory, MiB", system.rss_mib())
    took(pending + "sbatch, ms", system.median_ms("sbatch -t 10 %s" % JOB, sizes["latency"]))
    begin = system.restart()
    while time.time() < begin + 120:
        try:
            if len(system.run("squeue -h -u alice -t PD -o %i").split()) >= sizes["pending"]:
                break
        except RuntimeError:
            pass
        time.sleep(0.005)
    took(pending + "restart, s", time.time() - begin)
    system.cancel_all()
    return figures


def growth(system, sizes):
    """How Grappe holds up with a very long queue."""
    system.run("sbatch -Q -o /dev/null -t 600 --exclusive --wrap='sleep 36000'", user="bob")
    time.sleep(0.5)
    for _ in range(5):
        system.run("sbatch -t 5 " + JOB, user="bob")
    empty = system.median_ms("sbatch -t 10 " + JOB, sizes["latency"])
    disk = system.disk_bytes()
    system.submit(sizes["long_queue"], 4, "-t 10 " + JOB)
    disk = (system.disk_bytes() - disk) / sizes["long_queue"]
    time.sleep(2)
    full = system.median_ms("sbatch -t 10 " + JOB, sizes["latency"])
    time.sleep(2)
    cycle = re.search(r"Last cycle:\s+(\d+)", system.run("sdiag", user="root"))
    mine = system.median_ms("squeue -u bob", 11, user="bob")
    rows = [
        ("sbatch beside %d pending / empty queue" % sizes["long_queue"], full / empty, 2.0, "x"),
        ("scheduling pass over them", int(cycle.group(1)) / 1000, 100.0, "ms"),
        ("squeue -u me beside them", mine, 20.0, "ms"),
        ("daemon memory", system.rss_mib(), None, "MiB"),
        ("disk of a pending job", disk, 2048.0, "bytes"),
    ]
    begin = time.time()
    system.run("scancel -u alice", user="alice")
    rows.append(("scancel of all of them", time.time() - begin, None, "s"))
    return rows


def bare_loop(tools, sizes, at_once):
    """Jobs a second of a loop that only forks, becomes the user and executes the script."""
    with tempfile.NamedTemporaryFile("w", suffix=".sh", delete=False) as file:
        file.write("#!/bin/sh\n# This script was created by sbatch --wrap.\n\ntrue\n")
    os.chmod(file.name, 0o755)
    rate = subprocess.run([tools + "/bare_loop", "alice", file.name, str(sizes["jobs"]),
                           str(at_once)], check=True, capture_output=True, text=True).stdout
    os.unlink(file.name)
    return float(rate)


# What Grappe means to reach: its figure divided by Slurm's.
WANTED = [(r"jobs, s", 1 / 10), (r"array of", 1 / 10), (r"^sbatch, ms", 1 / 4), (r"^srun", 1 / 4),
          (r"squeue", 1 / 5), (r"memory", 1 / 3), (r"restart", 1 / 4)]


def wanted(name):
    return next((limit for pattern, limit in WANTED if re.search(pattern, name)), None)


def medians(rounds):
    return {name: statistics.median(r[name] for r in rounds) for name in rounds[0]}


def print_ratios(results):
    ours = results["Grappe"]
    peers = [name for name in results if name != "Grappe"]
    print("\n%-34s %10s" % ("", "Grappe") + "".join("%16s %9s" % (p, "ratio") for p in peers)
          + "%10s" % "wanted")
    for name, value in ours.items():
        limit = wanted(name)
        line = "%-34s %10.2f" % (name, value)
        short = False
        for peer in peers:
            ratio = value / results[peer][name]
            short |= limit is not None and ratio > limit
            line += "%16.2f %9.3f" % (results[peer][name], ratio)
        print(line + ("%10.3f" % limit if limit else "%10s" % "") + ("  SHORT" if short else ""))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin_dir")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="a tenth of the sizes, one round")
    parser.add_argument("--only", choices=["grappe"], help="leave Slurm out")
    parser.add_argument("--no-growth", action="store_true", help="leave the very long queue out")
    arguments = parser.parse_args()
    sizes = {"jobs": 1000, "array": 5000, "pending": 10000, "srun": 31, "latency": 31,
             "long_queue": 100000}
    if arguments.quick:
        arguments.rounds = 1
        sizes.update(jobs=200, array=500, pending=1000, long_queue=5000)

    service.ensure_users()
    tools = os.path.abspath(arguments.bin_dir)
    systems = [Grappe(tools)]
    if not arguments.only:
        systems += [Slurm(tools, "Slurm", {}), Slurm(tools, "Slurm, tuned", TUNED)]
    results = {system.name: [] for system in systems}
    bare = []
    for number in range(arguments.rounds):
        print("round %d of %d, load %s" % (number + 1, arguments.rounds, os.getloadavg()),
              file=sys.stderr)
        bare.append((bare_loop(tools, sizes, 1), bare_loop(tools, sizes, os.cpu_count())))
        for system in systems:
            system.start()
            try:
                results[system.name].append(measure(system, sizes))
            finally:
                system.stop()
    results = {name: medians(rounds) for name, rounds in results.items()}
    print_ratios(results)

    array = "array of %d, s" % sizes["array"]
    rate = sizes["array"] / results["Grappe"][array]
    for index, what in enumerate(("one at a time", "one on each core")):
        limit = statistics.median(pair[index] for pair in bare)
        print("%.0f jobs/s, %.0f %% of a bare fork-and-execute loop, %s (%.0f)"
              % (rate, 100 * rate / limit, what, limit))
    if not arguments.no_growth:
        system = systems[0]
        system.start()
        try:
            for name, value, limit, unit in growth(system, sizes):
                print("%-50s %10.2f %s%s" % (
                    name, value, unit, "" if limit is None else
                    " (wanted: at most %g)%s" % (limit, "  SHORT" if value > limit else "")))
        finally:
            system.stop()


if __name__ == "__main__":
    main()
