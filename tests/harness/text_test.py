#!/usr/bin/python3
"""Runs text tests of the commands: a script and the output that it must give.

    text_test.py --bin build/bin tests/text/array.t

A test is a file that a user could have typed:

    # what it shows
    $ sbatch --parsable --wrap='exit 3'        as alice
    1
    root$ scontrol update nodename=node2 state=drain reason=x
    $ scancel 999999
    ? 0                                        the exit code, when it is not 0
    ! scancel: error: ...                      a line on standard error
    ~ job [0-9]+ .*                            a regular expression instead of the line
    $ false
    ? 1

Commands of one user share one shell, so variables stay. `$ wait_for CONDITION` repeats the
condition (a shell command) for up to a minute; `$ tab LINE` lists what the tabulator key would
offer. Lines before the first command may say `conf: KEY=value` (added to slurm.conf),
`machine: real` (not four pretended nodes) and `needs: PROGRAM...` (skipped where one is missing).
"""

import argparse
import difflib
import os
import re
import selectors
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import service  # noqa: E402

PROMPT = re.compile(r"^(?:(\w+))?\$ (.*)$")
HELPERS = r"""
wait_for() { for _ in $(seq 600); do eval "$1" >/dev/null 2>&1 && return 0; sleep 0.1; done; echo "never: $1"; return 1; }
ended() { local s; s=$(scontrol show job "$1" 2>/dev/null | grep -o 'JobState=[A-Z_]*'); case $s in *PENDING|*RUNNING|*COMPLETING|"") return 1;; esac; }
wait_end() { for j in "$@"; do wait_for "ended $j"; done; }
tab() {
  local line=${1//=/ = } COMP_WORDS COMP_CWORD COMPREPLY=()
  . "$(dirname "$(command -v grappe)")/../completion.bash"
  read -ra COMP_WORDS <<<"$line"
  case $line in *' ') COMP_WORDS+=("") ;; esac
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  "_grappe_${COMP_WORDS[0]}"
  printf '%s\n' "${COMPREPLY[@]}"
}
"""


class Shell:
    """A bash that keeps its variables between commands."""

    MARK = "\x01done"

    def __init__(self, svc, user):
        self.process = subprocess.Popen(["bash", "--norc", "--noprofile"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        start_new_session=True, **svc.as_user(user))
        self.run(HELPERS)

    def run(self, command, timeout=180):
        script = "{ %s\n} </dev/null; printf '\\n%s%%d\\n' $?; printf '\\n%s\\n' >&2\n" % (
            command, self.MARK, self.MARK)
        self.process.stdin.write(script.encode())
        self.process.stdin.flush()
        buffers = {self.process.stdout: b"", self.process.stderr: b""}
        selector = selectors.DefaultSelector()
        for stream in buffers:
            os.set_blocking(stream.fileno(), False)
            selector.register(stream, selectors.EVENT_READ)
        mark = ("\n" + self.MARK).encode()
        waiting = set(buffers)
        while waiting:
            ready = selector.select(timeout)
            if not ready:
                raise TimeoutError("no end of: " + command)
            for key, _ in ready:
                data = key.fileobj.read()
                if data == b"":
                    raise RuntimeError("the shell ended in: " + command)
                buffers[key.fileobj] += data or b""
                if mark in buffers[key.fileobj] and buffers[key.fileobj].endswith(b"\n"):
                    waiting.discard(key.fileobj)
                    selector.unregister(key.fileobj)
        out, code = buffers[self.process.stdout].rsplit(mark, 1)
        err = buffers[self.process.stderr].rsplit(mark, 1)[0]
        return out.decode(errors="replace"), err.decode(errors="replace"), int(code)

    def close(self):
        self.process.stdin.close()
        self.process.wait(10)


class Skipped(Exception):
    """The machine lacks what the test needs."""


def is_head(steps):
    """No command yet."""
    return not steps or steps[-1][0] in ("conf", "machine")


def parse(path):
    """[(user, command, expected lines)]"""
    steps = []
    with open(path) as file:
        for line in file.read().split("\n"):
            match = PROMPT.match(line)
            if match:
                steps.append((match.group(1) or "alice", match.group(2), []))
            elif not is_head(steps):
                if not line.startswith("#"):
                    steps[-1][2].append(line)
            elif is_head(steps) and line.startswith("conf:"):
                steps.append(("conf", line[5:].strip(), []))
            elif is_head(steps) and line == "machine: real":
                steps.append(("machine", "", []))
            elif is_head(steps) and line.startswith("needs:"):
                missing = [name for name in line[6:].split() if not shutil.which(name)]
                if missing:
                    raise Skipped("%s is not installed" % ", ".join(missing))
    for step in steps:
        while step[2] and step[2][-1] == "":
            step[2].pop()
    return steps


def actual_lines(out, err, code):
    lines = out.split("\n") if out else []
    while lines and lines[-1] == "":
        lines.pop()
    lines += ["! " + line for line in err.rstrip("\n").split("\n") if err.strip()]
    if code:
        lines.append("? %d" % code)
    return lines


def same(expected, actual):
    if len(expected) != len(actual):
        return False
    for want, have in zip(expected, actual):
        if want.startswith("~ "):
            if not re.fullmatch(want[2:], have):
                return False
        elif want.rstrip() != have.rstrip():
            return False
    return True


def run_file(path, bin_dir):
    steps = parse(path)
    conf = service.CONF
    while steps and steps[0][0] in ("conf", "machine"):
        kind, text, _ = steps.pop(0)
        conf = service.REAL_CONF if kind == "machine" else conf + text + "\n"
    failures = 0
    with service.Service(bin_dir, conf) as svc:
        shells = {}
        try:
            for user, command, expected in steps:
                if user not in shells:
                    shells[user] = Shell(svc, user)
                actual = actual_lines(*shells[user].run(command))
                if same(expected, actual):
                    continue
                failures += 1
                print("%s: %s$ %s" % (path, user, command))
                for line in difflib.unified_diff(expected, actual, "expected", "actual",
                                                 lineterm=""):
                    print("    " + line)
            if failures:
                print("--- log of the service\n" + svc.read_log()[-3000:])
        finally:
            for shell in shells.values():
                shell.close()
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    if not service.is_root():
        print("skipped: these tests run jobs as several users and need root")
        return 77
    service.ensure_users()
    try:
        failures = sum(run_file(path, arguments.bin) for path in arguments.files)
    except Skipped as reason:
        print("skipped: %s" % reason)
        return 77
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
