#!/usr/bin/python3
"""Kills the service's processes under load and counts what that has cost.

    crash_test.py --bin build/bin --kills 200

Jobs are submitted, cancelled and finish all the time while grapped, the launcher, or both are
killed with SIGKILL at random moments. At the end every job that sbatch acknowledged must have a
known end, every job that was not cancelled must have run exactly once, and nothing may be left:
no process, no cgroup, no mount, no folder. Prints the figures; any that is not 0 is a failure.
"""

import argparse
import glob
import os
import random
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import service  # noqa: E402

CONF = service.CONF + "MinJobAge=86400\n"


def children(pid):
    try:
        with open("/proc/%d/task/%d/children" % (pid, pid)) as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def name_of(pid):
    try:
        with open("/proc/%d/comm" % pid) as file:
            return file.read().strip()
    except OSError:
        return ""


def find_processes(keeper):
    """(launcher, grapped) below the keeper, or 0 where there is none at this moment."""
    for launcher in children(keeper):
        for child in children(launcher):
            if name_of(child) == "grapped":
                return launcher, child
        return launcher, 0
    return 0, 0


class Load(threading.Thread):
    """Submits and cancels until told to stop; remembers what was acknowledged."""

    def __init__(self, svc, seed):
        super().__init__()
        self.svc = svc
        self.random = random.Random(seed)
        self.acknowledged, self.cancelled = [], set()
        self.done = threading.Event()

    def run(self):
        ran = self.svc.dir + "/home-alice/ran"
        script = "echo $SLURM_JOB_ID >>%s; sleep 0.%d" % (ran, self.random.randrange(10))
        while not self.done.is_set():
            answer = self.svc.run("sbatch --parsable --mem=10 -o /dev/null --wrap '%s'" % script)
            word = answer.stdout.strip()
            if answer.returncode == 0 and word.isdigit():
                self.acknowledged.append(int(word))
            if self.acknowledged and self.random.random() < 0.1:
                victim = self.random.choice(self.acknowledged[-20:])
                # Whether or not the answer arrives, this job may have been cancelled.
                self.cancelled.add(victim)
                self.svc.run("scancel %d" % victim)


def job_states(svc):
    """{job id: state} of all that the service knows."""
    deadline = time.time() + 60
    while time.time() < deadline:
        answer = svc.run("squeue -h -t all -o '%A %T'", user="root")
        if answer.returncode == 0:
            return {int(line.split()[0]): line.split()[1] for line in answer.stdout.splitlines()}
        time.sleep(0.2)  # it is being started again
    raise RuntimeError("the service did not come back:\n" + svc.read_log()[-3000:])


def leftovers(svc):
    """Processes of the test's users, cgroups and mounts that belong to this service."""
    cgroups = [p for p in glob.glob("/sys/fs/cgroup/**/" + svc.cgroup, recursive=True)]
    jobs = [p for root in cgroups for p in glob.glob(root + "/job_*")]
    with open("/proc/mounts") as file:
        mounts = [line for line in file if svc.dir in line]
    steps = os.listdir(svc.dir + "/steps") if os.path.isdir(svc.dir + "/steps") else []
    tmps = os.listdir(svc.dir + "/tmp")
    processes = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        if name_of(int(pid)).startswith("grappe-shepher"):
            try:
                with open("/proc/%s/cmdline" % pid) as file:
                    if svc.dir in file.read():
                        processes.append(pid)
            except OSError:
                pass
    return {"orphan processes": len(processes), "leaked cgroups": len(jobs),
            "leaked mounts": len(mounts), "leaked folders": len(steps) + len(tmps)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    arguments = parser.parse_args()
    if not service.is_root():
        print("skipped: needs root")
        return 77
    service.ensure_users()
    rng = random.Random(arguments.seed)
    with service.Service(arguments.bin, CONF, "crash") as svc:
        load = Load(svc, arguments.seed)
        load.start()
        kills = {"grapped": 0, "launcher": 0, "both": 0}
        try:
            while sum(kills.values()) < arguments.kills:
                time.sleep(rng.uniform(0.05, 0.8))
                launcher, grapped = find_processes(svc.process.pid)
                target = rng.choice(list(kills))
                pids = {"grapped": [grapped], "launcher": [launcher],
                        "both": [launcher, grapped]}[target]
                if 0 in pids:
                    continue
                for pid in pids:
                    os.kill(pid, signal.SIGKILL)
                kills[target] += 1
                svc.wait_until_up()
        finally:
            load.done.set()
            load.join()
        deadline = time.time() + 120
        states = {}
        while time.time() < deadline:
            states = job_states(svc)
            if not any(s in ("PENDING", "RUNNING", "COMPLETING") for s in states.values()):
                break
            time.sleep(0.5)
        time.sleep(1)
        with open(svc.dir + "/home-alice/ran") as file:
            ran = [int(line) for line in file if line.strip()]
        report(svc, load, kills, states, ran, arguments.seed)
        figures = judge(svc, load, states, ran)
        if any(figures.values()):
            print(svc.read_log()[-4000:])
            return 1
    return 0


def judge(svc, load, states, ran):
    lost = [j for j in load.acknowledged if j not in states]
    twice = {j for j in ran if ran.count(j) > 1}
    not_run = [j for j in load.acknowledged
               if j not in load.cancelled and (states.get(j) != "COMPLETED" or j not in ran)]
    figures = {"acknowledged jobs lost": len(lost), "jobs run twice": len(twice),
               "jobs that did not complete": len(not_run)}
    figures.update(leftovers(svc))
    for name, count in figures.items():
        print("%-28s %d" % (name, count))
    if not_run:
        print("not completed: " + ", ".join("%d %s" % (j, states.get(j)) for j in not_run[:20]))
    return figures


def report(svc, load, kills, states, ran, seed):
    print("kills: %d (grapped %d, launcher %d, both %d), seed %d" % (
        sum(kills.values()), kills["grapped"], kills["launcher"], kills["both"], seed))
    print("jobs acknowledged: %d, cancelled: %d, run: %d, known: %d" % (
        len(load.acknowledged), len(load.cancelled), len(ran), len(states)))


if __name__ == "__main__":
    sys.exit(main())
