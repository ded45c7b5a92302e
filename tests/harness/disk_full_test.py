#!/usr/bin/python3
"""The disk of the database fills up while jobs are submitted, run and end, and a report is summed up.

    disk_full_test.py --bin build/bin

What was acknowledged is there afterwards, once; what was not is refused with a sentence; when there
is room again the service goes on by itself, and reports agree with the jobs to the second.
"""

import argparse
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import service  # noqa: E402

DISK = "size=4m,mode=700"


def free_bytes(folder):
    state = os.statvfs(folder)
    return state.f_bavail * state.f_frsize


def fill(folder, left):
    """A file that leaves so many bytes."""
    with open(folder + "/filler", "wb") as file:
        file.write(b"\0" * max(free_bytes(folder) - left, 0))


def submit_until_refused(svc):
    """The ids that were acknowledged, and the words of the refusal."""
    ids = []
    for _ in range(400):
        done = svc.run("sbatch --parsable -t 5 -o /dev/null --wrap 'sleep 1' --comment=%s" % ("x" * 1000))
        if done.returncode:
            return ids, done.stderr
        ids.append(done.stdout.strip())
    raise SystemExit("the disk never filled up")


def wait_for(what, seconds=60):
    deadline = time.monotonic() + seconds
    while not what():
        if time.monotonic() > deadline:
            raise SystemExit("waited in vain")
        time.sleep(0.3)


def ended(svc):
    return not svc.run("squeue -h", user="root").stdout


def check_sums(svc):
    used = svc.run("sacct -a -n -X -P -S now-1hour -o cputimeraw", user="root").stdout.split()
    told = svc.run("sreport -nP -t sec cluster utilization start=now-2hours end=now+1hour format=alloc",
                   user="root").stdout.strip()
    if sum(map(int, used)) != int(told or 0):
        raise SystemExit("sreport: %s s, the jobs: %d s" % (told, sum(map(int, used))))


def check_jobs(svc, acknowledged):
    listed = svc.run("sacct -a -n -X -P -S now-1hour -o jobid,state", user="root").stdout.split()
    states = dict(line.split("|") for line in listed)
    lost = [job for job in acknowledged if states.get(job) != "COMPLETED"]
    if lost or len(listed) != len(set(listed)):
        raise SystemExit("acknowledged but not there and completed: %s of %s" % (lost, states))
    return len(states) - len(acknowledged)


def check_backup(svc, folder):
    """A copy that does not fit is refused, and nothing of it stays."""
    target = folder + "/copy.db"
    done = svc.run("grappe backup " + target, user="root")
    if done.returncode == 0 or not done.stderr:
        raise SystemExit("a backup to a full disk: %s" % (done,))
    if os.path.exists(target):
        raise SystemExit("part of a backup was left behind")


def run(svc, folder):
    for _ in range(3):
        svc.run("sbatch -t 5 -o /dev/null --wrap true")
    wait_for(lambda: ended(svc))
    before = svc.run("sacct -n -X -P -o jobid").stdout.split()
    fill(folder, 300_000)
    acknowledged, words = submit_until_refused(svc)
    print("%d jobs acknowledged, then: %s" % (len(acknowledged), words.strip()))
    if "disk" not in words and "space" not in words and "full" not in words:
        raise SystemExit("the refusal does not say why: " + words)
    time.sleep(3)  # jobs end that can't be written down
    if not svc.run("squeue -h -o %i", user="root").stdout and not ended(svc):
        raise SystemExit("no answers while the disk is full")
    check_backup(svc, folder)
    os.remove(folder + "/filler")
    wait_for(lambda: ended(svc), 120)
    more = svc.run("sbatch --parsable -t 5 -o /dev/null --wrap true")
    if more.returncode:
        raise SystemExit("there is room again, but: " + more.stderr)
    wait_for(lambda: ended(svc))
    unknown = check_jobs(svc, before + acknowledged + [more.stdout.strip()])
    check_sums(svc)
    print("0 of %d lost, %d that nobody was told of" % (len(acknowledged), unknown))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    arguments = parser.parse_args()
    if not service.is_root():
        print("skipped: needs root")
        return 77
    service.ensure_users()
    svc = service.Service(arguments.bin, name="full")
    folder = svc.dir + "/db"
    subprocess.run(["mount", "-t", "tmpfs", "-o", DISK, "grappe-full", folder], check=True)
    try:
        subprocess.run(["chown", "grappe", folder], check=True)
        svc.start()
        run(svc, folder)
    finally:
        svc.stop()
        subprocess.run(["umount", folder], check=False)
        svc.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
