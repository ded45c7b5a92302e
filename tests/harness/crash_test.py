#!/usr/bin/python3
"""Kills the service's processes under load and counts what that has cost.

    crash_test.py --bin build/bin --kills 200

Jobs and steps are submitted, cancelled, requeued, suspended and finish all the time while grapped,
the launcher, or both are killed with SIGKILL: half of the kills at random moments, half at points
that lie before and after every commit and every command to the launcher (grapped_crashing stops
there). At the end every job that sbatch acknowledged must have a known end with the exit code of
its script, every run must have happened exactly once, and nothing may be left: no process, no
cgroup, no mount, no folder. Prints the figures; any that is not 0 is a failure.
"""

import argparse
import glob
import os
import random
import signal
import sys
import time
from collections import Counter

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import service  # noqa: E402
from crash_load import BatchLoad, SrunLoad  # noqa: E402

CONF = service.CONF + "MinJobAge=86400\n"
TARGETS = ("grapped", "launcher", "both")
CALLS = ("commit", "start", "signal", "notify", "freeze", "forget", "clean")
POINTS = ["%s.%s" % (call, when) for call in CALLS for when in ("before", "after", "later")]
POINTS.append("event.before")


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
        if name_of(launcher) != "grappe-launcher":
            continue
        for child in children(launcher):
            if name_of(child).startswith("grapped"):
                return launcher, child
        return launcher, 0
    return 0, 0


class Killer:
    def __init__(self, svc, rng):
        self.svc = svc
        self.rng = rng
        self.random_kills, self.point_kills = Counter(), Counter()
        self.points_seen = set()
        # Every combination once before any comes again.
        self.todo = []

    def count(self):
        return sum(self.random_kills.values()) + sum(self.point_kills.values())

    def kill(self, target):
        """True if all that is meant was there to be killed."""
        launcher, grapped = find_processes(self.svc.process.pid)
        pids = {"grapped": [grapped], "launcher": [launcher], "both": [launcher, grapped]}[target]
        if 0 in pids:
            return False
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        return True

    def at_random(self):
        time.sleep(self.rng.uniform(0.02, 0.5))
        target = self.rng.choice(TARGETS)
        if self.kill(target):
            self.random_kills[target] += 1

    def at_a_point(self):
        if not self.todo:
            self.todo = [(point, target) for point in POINTS for target in TARGETS]
            self.rng.shuffle(self.todo)
        point, target = self.todo.pop()
        plan, reached = self.svc.crash_file, self.svc.crash_file + ".reached"
        with open(plan + ".new", "w") as file:
            file.write("%s %s" % (point, "die" if target == "grapped" else "hold"))
        os.rename(plan + ".new", plan)
        deadline = time.monotonic() + 4
        while time.monotonic() < deadline and not os.path.exists(reached):
            time.sleep(0.001)
        if os.path.exists(reached):
            os.unlink(reached)
            self.points_seen.add(point)
            if target == "grapped" or self.kill(target):
                self.point_kills[target] += 1
        elif os.path.exists(plan):
            os.unlink(plan)


def job_ends(svc):
    """{job id: (state, wait status)} of all that the service knows."""
    answer = svc.run("squeue -h -t all -O 'JobID:.12,State:.20,exit_code:.12'", user="root")
    if answer.returncode != 0:
        raise RuntimeError("the service does not answer: " + answer.stderr)
    rows = [line.split() for line in answer.stdout.splitlines()]
    return {int(row[0]): (row[1], row[2]) for row in rows}


def wait_for_ends(svc, seconds=300):
    deadline = time.monotonic() + seconds
    while True:
        ends = job_ends(svc)
        open_ends = [job for job, (state, _) in ends.items()
                     if state in ("PENDING", "RUNNING", "COMPLETING", "SUSPENDED")]
        if not open_ends or time.monotonic() > deadline:
            return ends
        time.sleep(0.5)


def leftovers(svc):
    cgroups = glob.glob("/sys/fs/cgroup/**/" + svc.cgroup, recursive=True)
    with open("/proc/mounts") as file:
        mounts = [line for line in file if svc.dir in line]
    folders = [name for folder in ("steps", "jobs", "run/steps", "tmp")
               for name in os.listdir(os.path.join(svc.dir, folder))]
    return {"orphan processes": svc.processes(),
            "leaked cgroups": [p for root in cgroups for p in glob.glob(root + "/job_*")],
            "leaked mounts": mounts, "leaked folders": folders}


def wait_until_clean(svc, seconds=60):
    """What has ended a moment ago may still be on its way out."""
    deadline = time.monotonic() + seconds
    while any(leftovers(svc).values()) and time.monotonic() < deadline:
        time.sleep(0.2)


def read_runs(path):
    """Counts of (batch or step or failed, job, restart or exit code)."""
    with open(path) as file:
        words = (line.split() for line in file)
        return Counter((kind, int(job), int(number)) for kind, job, number in words)


def judge(svc, batch, srun, ends):
    """{figure: the cases behind it}; all should be empty."""
    runs = read_runs(batch.file)
    plain = [job for job in batch.codes if job not in batch.cancelled | batch.requeued]
    settled = [job for job in batch.codes if job not in batch.cancelled]

    def right(job):
        code = batch.codes[job]
        return ends.get(job) == (("FAILED" if code else "COMPLETED"), str(code << 8))

    figures = {
        "acknowledged jobs lost": [job for job in batch.codes if job not in ends],
        "runs that happened twice": [run for run, times in runs.items()
                                     if times > 1 and run[0] != "failed"],
        "jobs that did not run": [job for job in plain if ("batch", job, 0) not in runs],
        "wrong ends": ["%d: %s, exit code %d" % (job, ends.get(job), batch.codes[job])
                       for job in settled if not right(job)],
        "steps that did not run": [job for job in plain if job in batch.with_step
                                   and ("step", job, 0) not in runs],
        "steps that failed": ["%d: exit code %d, %s" % (job, code, batch.said(job))
                              for kind, job, code in runs if kind == "failed" and job in plain],
        "srun with a wrong end": srun.wrong,
        "commands that failed": batch.errors,
    }
    figures.update(leftovers(svc))
    return figures


def run(svc, arguments):
    rng = random.Random(arguments.seed)
    killer = Killer(svc, rng)
    loads = [BatchLoad(svc, arguments.seed), SrunLoad(svc, arguments.seed + 1)]
    for load in loads:
        load.start()
    try:
        while killer.count() < arguments.kills:
            rng.choice((killer.at_random, killer.at_a_point))()
    finally:
        for load in loads:
            load.done.set()
        for load in loads:
            load.join()
    batch, srun = loads
    ends = wait_for_ends(svc)
    wait_until_clean(svc)
    print("kills: %d (at random: %s; at %d of %d points: %s), seed %d" % (
        killer.count(), dict(killer.random_kills), len(killer.points_seen), len(POINTS),
        dict(killer.point_kills), arguments.seed))
    print("jobs acknowledged: %d (cancelled %d, requeued %d, with a step %d), srun: %d" % (
        len(batch.codes), len(batch.cancelled), len(batch.requeued), len(batch.with_step),
        srun.count))
    figures = judge(svc, batch, srun, ends)
    for name, cases in figures.items():
        print("%-28s %d" % (name, len(cases)))
        for case in cases[:10]:
            print("    %s" % (case,))
    return any(figures.values())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--keep-log", help="write the service's log to this file")
    arguments = parser.parse_args()
    if not service.is_root():
        print("skipped: needs root")
        return 77
    service.ensure_users()
    with service.Service(arguments.bin, CONF, "crash", grapped="grapped_crashing") as svc:
        failed = run(svc, arguments)
        if failed:
            print("--- log of the service\n" + svc.read_log()[-4000:])
        if arguments.keep_log:
            with open(arguments.keep_log, "w") as file:
                file.write(svc.read_log())
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
