#!/usr/bin/python3
"""Refuses an #include that the table of folders forbids: data flows one way."""

import os
import re
import sys

# What each folder of src/ may include of ours, beside itself and the generated schema.
MAY_INCLUDE = {
    "base": set(),
    "model": {"base"},
    "sched": {"base", "model"},
    "sim": {"base", "model", "sched"},
    "engine": {"base", "model"},
    "store": {"base", "model"},
    "exec": {"base"},
    "books": {"base", "model"},
    "embedded": {"base", "model", "books", "engine", "sched", "store", "exec"},
    "http": {"base"},
    "service": {"base", "model", "engine"},
    "api": {"base", "model", "service", "engine"},
    "client": {"base", "model", "http"},
    "cli": {"base", "model", "client", "sim"},
    "daemon": {"base", "model", "engine", "sched", "store", "exec", "embedded", "http", "service",
               "api"},
}
# Single headers that others may use: the protocol between srun and the shepherd.
SHARED = {"exec/step_io.h"}
# Libraries that only one folder may see.
ONLY = {"boost/": "http", "soci/": "store", "sodium": "store", "hwloc": "daemon",
        "toml++": "daemon", "zlib": "sim"}
# What the scheduler, a pure function, must not know.
IMPURE = ("<thread>", "<fstream>", "<chrono>", "<random>", "<mutex>", "<iostream>", "<ctime>")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"][^>"]+[>"])')


def problems(root):
    for folder, _, files in sorted(os.walk(root)):
        for name in sorted(files):
            if not name.endswith((".h", ".cpp")):
                continue
            path = os.path.join(folder, name)
            top = os.path.relpath(path, root).split(os.sep)[0]
            test = name.endswith(("_test.cpp", "_fuzz.cpp"))
            with open(path) as file:
                for number, line in enumerate(file, 1):
                    match = INCLUDE.match(line)
                    if match:
                        for problem in check(top, match.group(1), test):
                            yield "%s:%d: %s" % (path, number, problem)


def check(top, include, test):
    target = include[1:-1]
    first = target.split("/")[0]
    if include[0] == '"' and first in MAY_INCLUDE and target not in SHARED:
        if first != top and first not in MAY_INCLUDE[top]:
            yield "%s may not include %s" % (top, target)
    for library, owner in ONLY.items():
        if target.startswith(library) and top != owner:
            yield "only %s may include %s" % (owner, target)
    if top == "sched" and not test and include in IMPURE:
        yield "the scheduler is a pure function: %s" % include


if __name__ == "__main__":
    found = list(problems(sys.argv[1]))
    print("\n".join(found) or "every include follows the table")
    sys.exit(1 if found else 0)
