#!/usr/bin/python3
"""What the tests leave behind: processes, cgroups, mounts, folders.

    leftovers.py --record FILE             before the first test: what is there anyway
    leftovers.py --check FILE --bin BIN    after the last one: what has come and stayed is a failure
"""

import argparse
import glob
import json
import os
import re
import sys
import time


def command_lines():
    """{pid: (program, command line, folder)}"""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/cmdline" % pid, "rb") as file:
                text = file.read().replace(b"\0", b" ").decode(errors="replace")
            found[pid] = (os.readlink("/proc/%s/exe" % pid), text, os.readlink("/proc/%s/cwd" % pid))
        except OSError:
            pass  # a thread of the kernel, or it has just ended
    return found


def ours(path):
    """Root's tests make files of other users too; anybody else's are their own."""
    try:
        return os.getuid() in (0, os.lstat(path).st_uid)
    except OSError:
        return False  # it has just gone


def look():
    with open("/proc/mounts") as file:
        mounts = [line.split()[1] for line in file]
    folders = [path for pattern in ("/tmp/grappe-*", "/dev/shm/grappe-*", "/var/lib/grappe-*",
                                    "/dev/shm/vader_segment*", "/tmp/compat-*")
               for path in glob.glob(pattern) if ours(path)]
    return {"processes": list(command_lines()), "folders": folders, "mounts": [m for m in mounts if "grappe" in m],
            "cgroups": glob.glob("/sys/fs/cgroup/grappe-test-*") +
            glob.glob("/sys/fs/cgroup/*/grappe-test-*")}


def of_a_removed_folder(folder):
    """Whether a daemon of a Slurm to compare with has outlived its folder."""
    return folder.startswith("/tmp/compat-") and folder.endswith(" (deleted)")


def left_behind(before, bin_dir):
    """Those of another copy of the tests, which runs at the same time, are in use by somebody."""
    processes = command_lines()
    in_use = " ".join(text for _, text, _ in processes.values())
    now = look()
    left = ["process %s: %s" % (pid, text) for pid, (program, text, folder) in processes.items()
            if pid not in before["processes"] and
            (program.startswith(bin_dir + "/") or of_a_removed_folder(folder))]
    for kind, paths in now.items():
        if kind == "processes":
            continue
        for path in paths:
            if path in before[kind]:
                continue
            name = os.path.basename(path)
            # grappe-test-PID-..., compat-PID-...: daemons of the latter may have outlived it.
            owner = re.match(r"(?:grappe-test|compat)-(\d+)-", name)
            if owner:
                used = os.path.exists("/proc/" + owner.group(1))
            else:
                used = name in in_use
            if used:
                continue
            left.append("%s: %s" % (kind[:-1], path))
    return left


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--record")
    parser.add_argument("--check")
    parser.add_argument("--bin", default="/nonexistent")
    arguments = parser.parse_args()
    if arguments.record:
        with open(arguments.record, "w") as file:
            json.dump(look(), file)
        return 0
    with open(arguments.check) as file:
        before = json.load(file)
    # What was killed a moment ago may still be going.
    for _ in range(50):
        left = left_behind(before, os.path.realpath(arguments.bin))
        if not left:
            return 0
        time.sleep(0.1)
    print("\n".join(left))
    return 1


if __name__ == "__main__":
    sys.exit(main())
