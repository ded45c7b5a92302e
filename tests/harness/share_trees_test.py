#!/usr/bin/python3
"""Trees of accounts made by chance, with real use, on a real Slurm and on Grappe: sshare and sprio
say the same numbers.

    share_trees_test.py --bin build/bin [--seed N] [--rounds N] [--mode NAME]

For each rule of fair share a pair of clusters of its own. In every round the tree changes: the first
makes it, later ones draw other shares for some of it, add a branch and run more jobs; so each round
is another tree with other use. Use decays too slowly to be seen. Limits
are enforced, since a real Slurm does not charge the end of a job without. Jobs end at a set second after their start, so that both sides charge
the same; where a loaded machine was late, the other side catches up before anything is compared.
"""

import argparse
import concurrent.futures
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compat_test  # noqa: E402
import service  # noqa: E402

MODES = {
    "fair-tree": "",
    "classic": "PriorityFlags=NO_FAIR_TREE\n",
    "dampened": "PriorityFlags=NO_FAIR_TREE\nFairShareDampeningFactor=5\n",
    "depth-oblivious": "PriorityFlags=DEPTH_OBLIVIOUS\n",
}
CONF = compat_test.CONF + """\
AccountingStorageEnforce=associations,limits
PriorityType=priority/multifactor
PriorityParameters=fair_tree=slurm
PriorityCalcPeriod=1
PriorityDecayHalfLife=20000-0
PriorityMaxAge=1000-0
PriorityWeightFairshare=1000003
PriorityWeightAssoc=777
PriorityWeightJobSize=1003
PartitionName=closed Nodes=ALL State=DOWN
"""
SHARES = (0, 1, 1, 1, 2, 3, 7, 10, 30, 100, 1000, 65536, "parent")
# Ends so many seconds after the second in which it has started.
JOB = """\
s=$(squeue -h -j $SLURM_JOB_ID -o %%S); e=$(( $(date -d "$s" +%%s) + %d ))
sleep $(echo "$e.25 - $(date +%%s.%%N)" | bc)"""
LEVELS = 3
STARTING = threading.Lock()
SLOWEST = 200  # seconds until the real Slurm has added up what was used: it does each minute


class Tree:
    """[(name, parent)] of accounts, {(account, user): shares}, as commands of sacctmgr."""

    def __init__(self, chance):
        self.chance, self.accounts, self.leaves, self.made = chance, {}, set(), 0

    def shares(self, of_user=False):
        return self.chance.choice([s for s in SHARES if not of_user or s != 0])

    def grow(self, count):
        for _ in range(count):
            name = "a%d" % self.made
            self.made += 1
            parents = ["root"] + [a for a, depth in self.accounts.items() if depth < LEVELS]
            parent = self.chance.choice(parents)
            self.accounts[name] = self.accounts.get(parent, 0) + 1
            yield "add account %s parent=%s fairshare=%s" % (name, parent, self.shares())
            for user in service.USERS:
                if self.chance.random() < 0.5:
                    self.leaves.add((name, user))
                    yield "add user %s account=%s fairshare=%s" % (user, name, self.shares(True))

    def shuffle(self):
        for name in self.accounts:
            if self.chance.random() < 0.5:
                yield "modify account %s set fairshare=%s" % (name, self.shares())
        for name, user in sorted(self.leaves):
            if self.chance.random() < 0.3:
                yield "modify user %s where account=%s set fairshare=%s" % (user, name,
                                                                           self.shares(True))


class Pair:
    def __init__(self, arguments, mode):
        self.mode, self.seed = mode, arguments.seed
        self.folder = tempfile.mkdtemp(prefix="trees-%d-" % os.getpid(), dir="/tmp")
        os.chmod(self.folder, 0o755)
        conf = CONF + MODES[mode]
        self.slurm = compat_test.Slurm(self.folder, conf)
        self.grappe = service.Service(arguments.bin, conf, name=mode,
                                      folder=os.path.join(self.folder, "grapp"))
        self.sides = (self.slurm, self.grappe)
        self.pool = concurrent.futures.ThreadPoolExecutor(2)

    def __enter__(self):
        try:
            with STARTING:  # or two would choose the same ports
                self.slurm.start()
            self.grappe.start()
        except Exception:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.slurm.close()
        self.grappe.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    @staticmethod
    def say(side, command, user="root"):
        done = subprocess.run(["bash", "-c", command], stdin=subprocess.DEVNULL, text=True,
                              capture_output=True, timeout=120, **side.as_user(user))
        if done.returncode:
            raise RuntimeError("%s: %s%s" % (command, done.stdout, done.stderr))
        return done.stdout

    def both(self, command, user="root"):
        return list(self.pool.map(lambda side: self.say(side, command, user), self.sides))

    def keep_books(self, commands):
        self.both("".join("sacctmgr -iQ %s >/dev/null || [ $? = 1 ]\n" % c for c in commands))

    def charge(self, side, account, user, cpus, seconds):
        self.say(side, "sbatch -Q -A %s -n%d -t 5 -o /dev/null <<'X'\n#!/bin/bash\n%s\nX"
                 % (account, cpus, JOB % seconds), user)

    def used(self, side):
        """{(account, user): CPU-seconds} and the columns of sshare, both of the same moment."""
        text = self.say(side, "sshare -a -l -P")
        rows = [line.split("|") for line in text.split("\n") if line]
        head = rows[0]
        at = [head.index(name) for name in ("Account", "User", "RawUsage")]
        return {(r[at[0]].strip(), r[at[1]]): int(r[at[2]]) for r in rows[1:] if r[at[1]]}, rows

    def settle(self, expected):
        """Waits until both have charged what they should; who is behind runs a little more."""
        deadline = time.monotonic() + SLOWEST * 3
        patience = time.monotonic() + SLOWEST
        while True:
            self.both("for _ in $(seq 300); do [ -z \"$(squeue -h -p batch)\" ] && break; "
                      "sleep 0.2; done")
            seen = [self.used(side)[0] for side in self.sides]
            # What has decayed a little is shown as one less.
            behind = [{k: v - s.get(k, 0) for k, v in expected.items()
                       if s.get(k, 0) not in (v, v - 1)} for s in seen]
            if not behind[0] and not behind[1]:
                return
            if time.monotonic() > deadline:
                raise RuntimeError("%s: not charged as it should be: %s" % (self.mode, behind))
            if time.monotonic() > patience:
                patience = time.monotonic() + SLOWEST
                self.catch_up(expected, seen)
            time.sleep(5)

    def catch_up(self, expected, seen):
        for key in expected:
            most = max(s.get(key, 0) for s in seen)
            expected[key] = max(expected[key], most)
            for side, s in zip(self.sides, seen):
                if s.get(key, 0) < expected[key] - 1:
                    self.charge(side, *key, 1, expected[key] - s.get(key, 0))

    def compare(self):
        """(values compared, differences) of sshare and sprio."""
        # Both have worked out the shares anew once their figures stand still.
        want, have = None, None
        deadline = time.monotonic() + SLOWEST
        while True:
            want = self.tables(self.slurm)
            have = self.tables(self.grappe)
            if want == have or time.monotonic() > deadline:
                break
            time.sleep(6)
        values, differences = 0, []
        for name, w, h in zip(("sshare", "sprio"), want, have):
            if len(w) != len(h):
                differences.append("%s: %d lines, %d here" % (name, len(w), len(h)))
            for wrow, hrow in zip(w, h):
                values += len(wrow)
                if wrow != hrow:
                    differences.append("%s: %s\n%s  %s" % (name, wrow, " " * len(name), hrow))
        return values, differences

    def tables(self, side):
        shares = self.used(side)[1]
        names = {}
        for line in self.say(side, "squeue -h -p closed -o '%i %j'").split("\n"):
            if line:
                number, name = line.split()
                names[number] = name
        priorities = [line.split() for line in self.say(side, "sprio -l").split("\n") if line]
        for row in priorities[1:]:
            row[0] = names.get(row[0], row[0])
        return shares, priorities[:1] + sorted(priorities[1:])

    def run(self, rounds):
        chance = random.Random("%d %s" % (self.seed, self.mode))
        tree, expected, waiting = Tree(chance), {}, set()
        trees = values = 0
        different = []
        for number in range(rounds):
            changes = list(tree.shuffle()) + list(tree.grow(12 if number == 0 else 3))
            self.keep_books(changes)
            for key in sorted(tree.leaves - waiting):
                self.both("sbatch -Q -A %s -J %s.%s -p closed -n%d -t 10 -o /dev/null --wrap=true"
                          % (key[0], *key, 1 + len(waiting) % 8), key[1])
                waiting.add(key)
            for key in chance.sample(sorted(tree.leaves), min(6, len(tree.leaves))):
                cpus, seconds = chance.randint(1, 8), chance.randint(2, 9)
                expected[key] = expected.get(key, 0) + cpus * seconds
                list(self.pool.map(lambda side: self.charge(side, *key, cpus, seconds), self.sides))
            self.settle(expected)
            count, found = self.compare()
            trees, values = trees + 1, values + count
            different += found
            if found:
                print("%s, round %d: %d differences\n  %s"
                      % (self.mode, number, len(found), "\n  ".join(found[:20])), flush=True)
        print("%s: %d trees, up to %d associations, %d values compared, %d lines differ"
              % (self.mode, trees, len(tree.accounts) + len(tree.leaves), values, len(different)),
              flush=True)
        return len(different)


def run_mode(arguments, mode):
    with Pair(arguments, mode) as pair:
        return pair.run(arguments.rounds)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--mode", choices=MODES)
    arguments = parser.parse_args()
    if not service.is_root():
        print("skipped: these tests run jobs as several users and need root")
        return 77
    service.ensure_users()
    modes = [arguments.mode] if arguments.mode else list(MODES)
    try:
        with concurrent.futures.ThreadPoolExecutor(len(modes)) as pool:
            different = sum(pool.map(lambda mode: run_mode(arguments, mode), modes))
    except RuntimeError as problem:
        if "not installed" not in str(problem):
            raise
        print("skipped: a real Slurm is needed to compare with: " + str(problem).strip())
        return 77
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
