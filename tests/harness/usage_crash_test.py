#!/usr/bin/python3
"""Kills the service again and again while jobs run: what sshare has charged in the end is what sacct
says that they used, to the second. Periods are short, so that most kills come between two of them."""

import argparse
import os
import signal
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import service  # noqa: E402
from crash_test import find_processes  # noqa: E402

CONF = service.CONF + """\
PriorityType=priority/multifactor
PriorityCalcPeriod=00:00:02
PriorityDecayHalfLife=0
PriorityUsageResetPeriod=YEARLY
"""
JOBS = ((1, 3), (4, 7), (2, 1), (8, 9))  # CPUs and seconds


def charged_and_used(svc):
    used = 0
    for row in svc.run("sacct -X -n -P -S now-1hour -o elapsedraw,alloccpus", user="root").stdout.split():
        seconds, cpus = map(int, row.split("|"))
        used += seconds * cpus
    charged = svc.run("sshare -n -P -u alice -A cs -o user,rawusage", user="root").stdout
    return dict(row.split("|") for row in charged.split()), used


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    arguments = parser.parse_args()
    if not service.is_root():
        print("skipped: needs root")
        return 77
    service.ensure_users()
    with service.Service(arguments.bin, CONF, "usage") as svc:
        svc.run("sacctmgr -iQ add account cs; sacctmgr -iQ add user alice account=cs", user="root")
        for cpus, seconds in JOBS:
            svc.run("sbatch -n%d -o /dev/null --wrap 'sleep %d'" % (cpus, seconds))
        for pause in (0.7, 1.9, 1.3, 2.2, 0.4):
            time.sleep(pause)
            _, grapped = find_processes(svc.process.pid)
            if grapped:
                os.kill(grapped, signal.SIGKILL)
            svc.wait_until_up()
        for _ in range(200):
            if not svc.run("squeue -h", user="root").stdout:
                break
            time.sleep(0.2)
        charged, used = charged_and_used(svc)
        print("charged %s, used %d" % (charged, used))
        return 0 if used > 0 and charged == {"": str(used), "alice": str(used)} else 1


if __name__ == "__main__":
    sys.exit(main())
