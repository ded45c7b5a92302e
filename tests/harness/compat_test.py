#!/usr/bin/python3
"""Runs the same commands on a real Slurm and on Grappe, and compares what they print.

    compat_test.py --bin build/bin tests/compat/*.t

A case holds commands only: the real Slurm says what is right.

    # why this case is here
    $ sbatch --parsable --wrap='exit 3'        as alice
    root$ scontrol update nodename=node2 state=drain reason=x
    $ cat >job.sh <<'X'                        lines with > continue the command
    > #!/bin/bash
    > X

Lines before the first command may say `conf: KEY=value`, added to slurm.conf; files that say the
same are run on the same pair of clusters. Commands of one user in one file share a shell, so variables stay; `wait_for CONDITION`, `wait_run ID`
and `wait_end ID` wait; `signal_when SIGNAL CONDITION COMMAND...` runs a command and signals it once.
Each file starts with an empty queue and empty home folders. Times, process ids and paths are
brought to one form; job ids are numbered in the order in which a file shows them. What differs for
a reason is listed in tests/compat/exceptions: a line `FILE: COMMAND # why`.
"""

import argparse
import concurrent.futures
import difflib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import golden_test  # noqa: E402
import service  # noqa: E402
import text_test  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
PEER = os.path.join(HERE, "..", "peer", "slurm")
CONF = service.CONF + """\
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
FirstJobId=71001
AccountingStorageTRES=gres/gpu
"""
JOB_ID = re.compile(r"(?<![\d.])7[1-9]\d{3}(?!\d)")
PLACES = re.compile(r"^(\w+=\$\()?(srun|salloc|sbatch)\b")
MOST_LINES = 60  # shown of one difference
MOST_SECONDS = 1080  # of the whole: whoever waits for it waits longer, so that it can clean up itself
HELPERS = r"""
wait_run() { for j in "$@"; do wait_for "scontrol show job $j | grep -qE 'JobState=(RUNNING|COMPL|FAIL|TIME|CANC)'"; done; }
signal_when() {
  local signal=$1 condition=$2
  shift 2
  (wait_for "$condition"; sleep 0.3; kill -$signal $(cat .pid)) &
  sh -c 'echo $$ >.pid; exec "$@"' sh "$@"
}
"""
NORMAL = [
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d"), "<TIME>"),
    # A real Slurm makes a job wait for the next pass where the previous one still ends.
    (re.compile(r"^srun: job \d+ (queued and waiting for|has been allocated) resources\n", re.M), ""),
    # Of accounts and QoS Grappe knows nothing yet.
    (re.compile(r'"qos": ".*"'), '"qos": "<Q>"'),
    # Grappe says a line more.
    (re.compile(r"^did you mean .*\?\n", re.M), ""),
    # Set by chance, when slurmctld happens to look at the jobs.
    (re.compile(r"AccrueTime=\S+"), "AccrueTime=<T>"),
    (re.compile(r'"accrue_time": .*'), '"accrue_time": <T>'),
    (re.compile(r'\s*"JOB_WAS_RUNNING",?'), ""),
    (re.compile(r"SrunHost:Pid=\S+:[1-9]\d*"), "SrunHost:Pid=<X>"),
    (re.compile(r"(?<!\d)(1:00:00|59:[45]\d)(:batch|;)"), r"1:00:00\2"),
    (re.compile(r"(?<!\d)(10:00|9:5\d);"), r"10:00;"),
    (re.compile(r"/tmp/compat-[^/]*/(slurm|grapp)/home-(\w+)"), r"<HOME-\2>"),
    (re.compile(r"/tmp/compat-[^/ ]*/[^ \n]*/etc/slurm.conf"), "<CONF>"),
    (re.compile(r"StartTime=\S+ EndTime=\S+"), "StartTime=<T> EndTime=<T>"),
    (re.compile(r"LastSchedEval=\S+ Scheduler=\w+"), "LastSchedEval=<T> Scheduler=<S>"),
    (re.compile(r"SLURM_(SRUN_COMM_PORT|STEPMGR|STEP_LAUNCHER_PORT|LAUNCH_NODE_IPADDR|SRUN_COMM_HOST"
                r"|TOPOLOGY_ADDR|TOPOLOGY_ADDR_PATTERN)=.*"), r"SLURM_\1=<X>"),
    (re.compile(r"(?<![\d:-])0:[0-2]\d(?![\d:])"), "0:NN"),
    (re.compile(r"(?<![\d-])(\d+:)?(\d?[49]):[45]\d(?![\d:])"), r"\1\2:NN"),
]
# Of JSON answers: what changes from run to run.
VOLATILE = re.compile(r".*time|.*_date|last_.*|boot_time|free_memory|cpu_load|pid|port|.*_eval"
                      r"|temporary_disk|.*priority|operating_system|slurmd_version|owner"
                      r"|alloc_node|allocating_node|id|tres_weighted|address|hostname|micro|release")


class Slurm:
    """The real one, with the same face as service.Service."""

    def __init__(self, folder, conf):
        self.dir = os.path.join(folder, "slurm")
        self.peer = os.path.join(folder, "peer")
        os.mkdir(self.dir)
        service.make_homes(self.dir)
        self.conf = os.path.join(folder, "slurm.conf")
        with open(self.conf, "w") as file:
            file.write(conf)

    def start(self):
        done = subprocess.run([PEER, "start", self.peer, "--conf", self.conf, "--accounting"],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr)

    def environment(self, user):
        home = os.path.join(self.dir, "home-" + user) if user in service.USERS else self.dir
        return {"PATH": self.peer + "/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
                "HOME": home, "LANG": "C.UTF-8", "USER": user, "SHELL": "/bin/bash",
                "SLURM_CONF": self.peer + "/etc/slurm.conf"}

    def as_user(self, user):
        env = self.environment(user)
        return service.identity(user, env, env["HOME"])

    def close(self):
        subprocess.run([PEER, "stop", self.peer], check=False)


def as_json(text):
    if not text.startswith("{"):
        return text
    try:
        return json.dumps(still(json.loads(text)), indent=1)
    except ValueError:
        return text


def still(value, key=""):
    """The value without what changes from run to run; whether it is 0, null or set stays."""
    if isinstance(value, dict):
        return {name: still(one, name) for name, one in value.items()}
    if isinstance(value, list):
        return [still(one, key) for one in value]
    if VOLATILE.fullmatch(key) and value:
        return "<%s>" % type(value).__name__
    return value


def parse(path):
    """[(user, command)]"""
    steps = []
    with open(path) as file:
        for line in file.read().split("\n"):
            match = text_test.PROMPT.match(line)
            if match:
                steps.append([match.group(1) or "alice", match.group(2)])
            elif line.startswith("> ") or line == ">":
                steps[-1][1] += "\n" + line[2:]
    return steps


def conf_of(path):
    """What the file adds to slurm.conf."""
    with open(path) as file:
        return "".join(line[len("conf: "):] for line in file if line.startswith("conf: "))


class Side:
    """One of the two: its shells, and what is done before each file."""

    def __init__(self, svc):
        self.svc, self.shells, self.ids = svc, {}, {}

    def run(self, user, command):
        if user not in self.shells:
            self.shells[user] = text_test.Shell(self.svc, user)
            self.shells[user].run(HELPERS)
        try:
            return self.shells[user].run(command, timeout=60)
        except (TimeoutError, RuntimeError) as problem:
            os.killpg(self.shells.pop(user).process.pid, signal.SIGKILL)
            return "", str(problem), -1

    def clean(self):
        self.run("root", "for j in $(squeue -h -a -r -o %A | sort -u); do scancel $j; done;"
                         "wait_for '[ -z \"$(squeue -h -a)\" ]';"
                         # a node that was resumed is not used before it has answered
                         "wait_for '! sinfo -h -N -o %t | grep -q \"[*]\"'")
        for shell in self.shells.values():
            shell.close()
        self.shells, self.ids = {}, {}
        for user in service.USERS:
            shutil.rmtree(os.path.join(self.svc.dir, "home-" + user))
        service.make_homes(self.svc.dir)

    def form(self, text):
        """The lines of an answer in the form in which both sides' are compared."""
        text = JOB_ID.sub(self.renumber, as_json(text))
        for pattern, form in NORMAL:
            text = pattern.sub(form, text)
        return golden_test.normal(text)

    def renumber(self, match):
        """J1, J2 ... in the order in which this side has shown the jobs."""
        return self.ids.setdefault(match.group(), "<J%d>" % (len(self.ids) + 1))


class Comparison:
    def __init__(self, slurm, grappe, times):
        self.times = times
        self.sides = (Side(slurm), Side(grappe))
        self.pool = concurrent.futures.ThreadPoolExecutor(2)

    def both(self, call):
        return list(self.pool.map(call, self.sides))

    def run_file(self, path, skip):
        """The commands that are answered differently. What a real Slurm says may hang on a moment
        (did the step end before the signal came?), so a difference counts when it comes every time."""
        different = self.differences(path, skip)
        for _ in range(2):
            if different:
                print("%s: once more" % os.path.basename(path))
                different &= self.differences(path, skip)
        return different

    def differences(self, path, skip):
        name = os.path.basename(path)
        different = set()
        self.both(Side.clean)
        for user, command in parse(path):
            before = time.monotonic()
            want, have = self.both(lambda side: self.answer(side, user, command))
            if self.times and time.monotonic() - before > 1:
                print("%5.1f s %s" % (time.monotonic() - before, command))
            known = skip.get((name, command.split("\n")[0]))
            if want == have:
                if known:
                    print("no exception needed any more: %s: %s" % (name, command))
                continue
            if known:
                continue
            different.add((user, command))
            print("%s: %s$ %s" % (name, user, command))
            for label, w, h in zip(("stdout", "stderr", "exit"), want, have):
                lines = list(difflib.unified_diff(w, h, "slurm " + label, "grappe " + label,
                                                  lineterm="", n=0))
                print("".join("    %s\n" % line for line in lines[:MOST_LINES]), end="")
            sys.stdout.flush()
        return different

    @staticmethod
    def answer(side, user, command):
        # A node is chosen alike only where the jobs before have left theirs.
        if PLACES.search(command) and "--test-only" not in command:
            side.run(user, "wait_for '[ -z \"$(squeue -h -a -t CG)\" ]'")
        out, err, code = side.run(user, command)
        return side.form(out), side.form(err), [str(code)]


def exceptions(path):
    found = {}
    with open(path) as file:
        for line in file:
            match = re.match(r"(\S+\.t): (.*) # (.*)", line)
            if match:
                found[match.group(1), match.group(2)] = match.group(3)
    return found


def give_up(number, _):
    sys.exit("given up: %s" % signal.Signals(number).name)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--times", action="store_true", help="say what took how long")
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    if not service.is_root():
        print("skipped: these tests run jobs as several users and need root")
        return 77
    signal.signal(signal.SIGTERM, give_up)
    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(MOST_SECONDS)
    service.ensure_users()
    failures = 0
    for conf in dict.fromkeys(map(conf_of, arguments.files)):
        try:
            different = run_files([f for f in arguments.files if conf_of(f) == conf], conf, arguments)
            if different:
                # A node that did not answer for a while keeps traces of it in a real Slurm.
                print("on new clusters:")
                again = run_files(list(different), conf, arguments)
                failures += sum(len(different[path] & again[path]) for path in again)
        except RuntimeError as problem:
            if "not installed" in str(problem):
                print("skipped: a real Slurm is needed to compare with: " + str(problem).strip())
                return 77
            raise
    print("%d differences" % failures)
    return 1 if failures else 0


def run_files(files, conf, arguments):
    """{file: the commands that are answered differently}, on new clusters with that conf."""
    folder = tempfile.mkdtemp(prefix="compat-%d-" % os.getpid(), dir="/tmp")
    os.chmod(folder, 0o755)
    slurm = Slurm(folder, CONF + conf)
    different = {}
    try:
        slurm.start()
        # A requeued job waits as long as Slurm's, so that there is time to look at it.
        grappe = service.Service(arguments.bin, CONF + conf + "AuthInfo=cred_expire=120\n",
                                 name="compat", folder=os.path.join(folder, "grapp"))
        with grappe:
            comparison = Comparison(slurm, grappe, arguments.times)
            skip = exceptions(os.path.join(HERE, "..", "compat", "exceptions"))
            for path in files:
                before = time.monotonic()
                found = comparison.run_file(path, skip)
                if found:
                    different[path] = found
                if arguments.times:
                    print("%5.1f s %s" % (time.monotonic() - before, os.path.basename(path)))
        return different
    finally:
        slurm.close()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
