#!/usr/bin/python3
"""Runs the commands of a transcript of the real Slurm on Grappe and compares what they print.

    golden_test.py --bin build/bin tests/golden/09-array.txt

Times, process ids, the names of the host and of its kernel, and the like are brought to one form on
both sides. Job ids must agree: a transcript starts from where its predecessors stopped, so ids are
counted from the first one it shows. Lines at its head tell of a past that it needs:

    # after: 04-sbatch-basic.txt                        the commands of that transcript come first
    # past: user=alice cpus=1 gpus=1 minutes=120 ago=1766  a job as it would have been, so many minutes
                                                        before midnight; without a user: the cluster
    # used: root cs cs/alice 30                         what these had used in billing-seconds
    # conf: KEY=value                                   a line of slurm.conf

What can't agree yet, or differs on purpose, is listed in
tests/golden/exceptions.txt with the reason: a line `FILE: COMMAND # why`.
"""

import argparse
import difflib
import os
import pwd
import re
import sqlite3
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import service  # noqa: E402
from text_test import HELPERS  # noqa: E402

HEAD = re.compile(r"^\[(\w+)\]\$ (.*)$")

NORMAL = [
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d"), "<TIME>"),
    (re.compile(r"\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}( \(\d+\))?"), "<DATE>"),
    (re.compile(r"/(home/alice|tmp/grappe-[^/ ]*/home-alice)"), "<HOME>"),
    (re.compile(r"SLURM_TASK_PID=\d+"), "SLURM_TASK_PID=<PID>"),
    (re.compile(r"SLURM_PRIO_PROCESS=\S+"), "SLURM_PRIO_PROCESS=<N>"),
    (re.compile(r"AllocNode:Sid=\S+"), "AllocNode:Sid=<SID>"),
    (re.compile(r"CPULoad=\S+"), "CPULoad=<N>"),
    (re.compile(r"FreeMem=\S+"), "FreeMem=<N>"),
    (re.compile(r"Port=\d+"), "Port=<N>"),
    (re.compile(r"(RunTime)=\S+"), r"\1=<N>"),
    (re.compile(r"SLURM_(CONF|WORKING_CLUSTER)=.*"), r"SLURM_\1=<X>"),
    (re.compile(r"^(GRAPPE_SOCKET|SLURM_TMPDIR)=.*\n", re.M), ""),
    (re.compile(r" 0:0\d "), " 0:0N "),
    (re.compile(r" 00:00:0\d "), " 00:00:0N "),
    (re.compile(r"\(\d+ secs\)"), "(N secs)"),
    # A part of all the time since 2020, which grows.
    (re.compile(r"\(0\.0\d%\)"), "(0.0N%)"),
    (re.compile(r"Priority=\d+"), "Priority=<N>"),
    (re.compile(r"slurm(-wlm)? 22\.05\.8( \(grappe [^)]*\))?"), "slurm 22.05.8"),
    # Accounts and QoS come with the books.
    (re.compile(r"Account=\S+ QOS=\S+"), "Account=<A> QOS=<Q>"),
    (re.compile(r"^SLURM_JOB_(ACCOUNT|QOS)=.*\n", re.M), ""),
    (re.compile(r"/dev/pts/\d+"), "/dev/pts/<N>"),
    # A Slurm with several slurmd on one host names the node there.
    (re.compile(r"slurmstepd-node\d+:"), "slurmstepd:"),
]


# The books that the transcripts were recorded with.
BOOKS = """
sacctmgr -iQ add qos normal,short,1gpulong,allgpus
sacctmgr -iQ modify qos normal set priority=10 maxtresperuser=gres/gpu=8 maxwall=7-00:00:00
sacctmgr -iQ modify qos short set priority=100 maxwall=04:00:00 maxjobsperuser=8
sacctmgr -iQ modify qos 1gpulong set priority=5 maxtresperuser=gres/gpu=1 maxwall=14-00:00:00
sacctmgr -iQ modify qos allgpus set priority=1 maxwall=1-00:00:00
sacctmgr -iQ add account cs description=cs organization=cs fairshare=50
sacctmgr -iQ add account es description=es organization=es fairshare=50
sacctmgr -iQ add account es.shj description=shj organization=es parent=es fairshare=20
sacctmgr -iQ add user alice account=cs,es.shj defaultaccount=cs fairshare=10
sacctmgr -iQ add user bob account=es.shj fairshare=10
sacctmgr -iQ add user carol account=es fairshare=10
for u in alice bob carol; do
  sacctmgr -iQ modify user where user=$u set qos=normal,short,1gpulong,allgpus defaultqos=normal
done
sacctmgr -iQ modify user where user=bob set qos=normal,short defaultqos=normal
"""


def normal(text):
    for pattern, form in NORMAL:
        text = pattern.sub(form, text)
    machine = os.uname()
    text = re.sub(r"\b%s\b" % re.escape(machine.nodename.split(".")[0]), "vm", text)
    text = text.replace("%s %s" % (machine.release, machine.version), "<KERNEL>")
    lines = [line.rstrip() for line in text.rstrip("\n").split("\n")]
    return in_task_order(lines)


# The numbers of the users whose commands were recorded; another machine gives them others.
RECORDED = {"alice": "1001", "bob": "1002", "carol": "1003"}


def with_recorded_ids(text):
    ids = {str(pwd.getpwnam(name).pw_uid): id for name, id in RECORDED.items()}
    return re.sub(r"((?:%s)\(|SLURM_JOB_[UG]ID=|CANCELLED by )(\d+)\b" % "|".join(RECORDED),
                  lambda found: found[1] + ids.get(found[2], found[2]), text)


def in_task_order(lines):
    """Lines that --label numbered come in any order: neighbours of that kind are sorted."""
    out, run = [], []
    for line in lines + [""]:
        if re.match(r"\d+: ", line):
            run.append(line)
            continue
        out += sorted(run) + [line]
        run = []
    return out[:-1]


def parse(path):
    """[(user, command, stdout, stderr, exit code)], and files that `# name:` comments describe."""
    steps, files, current, part = [], {}, None, None
    with open(path) as file:
        for line in file.read().split("\n"):
            head = HEAD.match(line)
            if head:
                current = {"user": head.group(1), "command": head.group(2), "out": [], "err": [],
                           "exit": 0}
                steps.append(current)
                part = None
            elif line == "--- stdout":
                part = "out"
            elif re.match(r"^--- stderr", line):
                part = "err"
            elif re.match(r"^--- exit (\d+)", line):
                current["exit"] = int(line.split()[2])
                part = None
            elif part:
                current[part].append(line)
            elif line.startswith("# ") and line.endswith(".sh:"):
                script = line[2:-1]
                files[script] = []
            elif line.startswith("#   ") and files:
                files[script].append(line[4:])
    return steps, files


def exceptions(folder, name):
    found = {}
    path = os.path.join(folder, "exceptions.txt")
    if os.path.exists(path):
        with open(path) as file:
            for line in file:
                if line.startswith(name + ": "):
                    command, _, why = line[len(name) + 2:].rstrip("\n").rpartition(" # ")
                    found[command] = why
    return found


def first_id(path, steps):
    with open(path) as file:
        told = re.match(r"# first job id: (\d+)", file.readline())
    if told:
        return int(told.group(1))
    for step in steps:
        for line in step["out"]:
            match = re.match(r"^(?:Submitted batch job )?(\d+)$", line)
            if match:
                return int(match.group(1))
    return 1


def head_lines(path, word):
    """What follows `# word: ` in the comments."""
    with open(path) as file:
        return re.findall(r"^# %s: (.*)$" % word, file.read(), re.M)


def make_past(svc, wishes):
    """Real jobs, then their times moved to before the last midnight."""
    wishes = [dict(pair.split("=") for pair in wish.split()) for wish in wishes]
    jobs = [wish for wish in wishes if "user" in wish]
    for job in jobs:
        job["id"] = svc.run("sbatch --parsable -o /dev/null -n %s --gpus=%s --wrap true" % (
            job["cpus"], job["gpus"]), user=job["user"]).stdout.strip()
    settle_before(svc, "sacct")
    svc.stop()
    midnight = int(time.mktime(time.localtime()[:3] + (0, 0, 0, 0, 0, -1)))
    database = sqlite3.connect(svc.dir + "/db/grappe.db")
    with database:
        for job in jobs:
            start = midnight - 60 * int(job["ago"])
            database.execute(
                "UPDATE job SET submit_time=?1, eligible_time=?1, accrue_time=?1, start_time=?1, end_time=?2"
                " WHERE id=?3", (start, start + 60 * int(job["minutes"]), int(job["id"])))
        ago = [int(wish["ago"]) for wish in wishes if "user" not in wish]
        database.execute("UPDATE event SET start_time=? WHERE node=''", (midnight - 60 * max(ago),))
        database.execute("DELETE FROM meta WHERE key='usage_until'")
    database.close()
    svc.start()


def make_used(svc, wishes):
    """As if jobs of a past that is not shown had been charged to them."""
    rows = svc.run("sacctmgr -nP show assoc format=id,account,user", user="root").stdout.split()
    ids = {("%s/%s" % (account, user)).rstrip("/"): number
           for number, account, user in (row.split("|") for row in rows)}
    svc.stop()
    now = int(time.time())
    database = sqlite3.connect(svc.dir + "/db/grappe.db")
    with database:
        for wish in wishes:
            *names, seconds = wish.split()
            for name in names:
                database.execute("INSERT INTO setting(kind, name, data) VALUES(?, ?, ?)",
                                 ("usage.association", ids[name], "%d %s.5 0" % (now, seconds)))
        database.execute("UPDATE setting SET data=? WHERE kind='usage.clock'", ("%d 0 604800" % now,))
    database.close()
    svc.start()


def prepare(path, svc):
    for earlier in head_lines(path, "after"):
        steps, files = parse(os.path.join(os.path.dirname(path), earlier))
        write_files(svc, files)
        for step in steps:
            settle_before(svc, step["command"])
            svc.run(step["command"], user=step["user"])
            settle_after(svc, step["command"])
    past = head_lines(path, "past")
    if past:
        make_past(svc, past)
    used = head_lines(path, "used")
    if used:
        make_used(svc, used)


def write_files(svc, files):
    for name, lines in files.items():
        with open(svc.dir + "/home-alice/" + name, "w") as file:
            file.write("\n".join(lines) + "\n")


def wait_until_quiet(svc):
    """A second, and longer while the queue still moves: a loaded machine takes its time."""
    time.sleep(0.8)
    before = None
    for _ in range(100):
        now = svc.run("squeue -h -t all -o '%i %T %r'", user="root").stdout
        if now == before and not re.search(r"COMPLETING|PENDING None", now):
            return
        before = now
        time.sleep(0.2)


def settle_after(svc, command):
    """The recorder waited after submissions until the queue had moved; so do we."""
    if re.search(r"\b(sbatch|release)\b", command):
        wait_until_quiet(svc)


def settle_before(svc, command):
    """What a job has written, and how it ended, is asked when it is over."""
    if re.match(r"(cat|sacct)\b", command):
        svc.run(HELPERS + "wait_for '[ -z \"$(squeue -h -t PD,R,CG | grep -v -E \"Held|Never|Partition|Dependency\")\" ]'")


def run_file(path, bin_dir):
    steps, files = parse(path)
    skip = exceptions(os.path.dirname(path), os.path.basename(path))
    conf = service.CONF + ("FirstJobId=%d\nAccountingStorageTRES=gres/gpu\n"
                           "AccountingStorageEnforce=associations,limits,qos,safe\n"
                           % first_id(path, steps))
    conf += "".join(line + "\n" for line in head_lines(path, "conf"))
    failures = 0
    with service.Service(bin_dir, conf) as svc:
        done = svc.run("set -e\n" + BOOKS, user="root")
        if done.returncode:
            print("the books: %s%s" % (done.stdout[-500:], done.stderr))
            return 1
        prepare(path, svc)
        write_files(svc, files)
        for step in steps:
            settle_before(svc, step["command"])
            answer = svc.run(step["command"], user=step["user"] if step["user"] != "nobody" else "carol")
            settle_after(svc, step["command"])
            have = (normal(with_recorded_ids(answer.stdout)), normal(answer.stderr),
                    answer.returncode)
            want = (normal("\n".join(step["out"])), normal("\n".join(step["err"])), step["exit"])
            if have == want or step["command"] in skip:
                if have == want and step["command"] in skip:
                    print("no exception needed any more: %s" % step["command"])
                continue
            failures += 1
            print("%s: [%s]$ %s" % (os.path.basename(path), step["user"], step["command"]))
            for label, w, h in (("stdout", want[0], have[0]), ("stderr", want[1], have[1])):
                for line in difflib.unified_diff(w, h, "slurm " + label, "grappe " + label,
                                                 lineterm="", n=0):
                    print("    " + line)
            if want[2] != have[2]:
                print("    exit: slurm %d, grappe %d" % (want[2], have[2]))
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    if not service.is_root():
        print("skipped: needs root")
        return 77
    service.ensure_users()
    failures = sum(run_file(path, arguments.bin) for path in arguments.files)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
