#!/usr/bin/python3
"""Refuses a key of the configuration that is read, kept and then used by nobody: such a key must
say why it has no effect (idle() in src/model/config_keys.cpp and beside it)."""

import glob
import os
import re
import sys

def statement(text, at):
    """The row around a position: from the last line that begins a row to its end."""
    start = text.rfind("\n    ", 0, at)
    while text[start:start + 6].strip() == "" or text[start + 5] == " ":
        start = text.rfind("\n    ", 0, start)
    return text[start:at]


def main(root):
    users = {}
    for path in sorted(glob.glob(root + "/**/*.[ch]*", recursive=True)):
        name = os.path.relpath(path, root)
        if not name.endswith((".cpp", ".h")):
            continue
        if name.startswith(("model/config", "cli/")) or name.endswith("_test.cpp"):
            continue
        if name == "embedded/partitions.cpp":  # to show a key is not to use it
            continue
        with open(path) as file:
            users[name] = file.read()
    everything = "\n".join(users.values())
    bad = []
    for path in sorted(glob.glob(root + "/model/config_*.cpp")):
        with open(path) as file:
            text = file.read()
        for match in re.finditer(r"&\w+::(\w+)>\(\s*\"(\w+)\"", text):
            member, key = match.group(1), match.group(2)
            if "idle(" in statement(text, match.start()):
                continue
            # A member, not a field of a message with the same name.
            if not re.search(r"[.>]%s\b(?!\()" % member, everything):
                bad.append("%s: %s is read into %s, which nothing uses" % (path, key, member))
    print("\n".join(bad) or "every key that is read is used, or says why not")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
