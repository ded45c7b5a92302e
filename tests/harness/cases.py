"""Test cases in Python: every function test_* of a file, with one service for all of them.

    from cases import main

    def test_what_must_not_happen(svc):
        assert svc.run("true").returncode == 0

    if __name__ == "__main__":
        main(globals())
"""

import argparse
import http.client
import json
import os
import socket
import subprocess
import sys
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import service  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path, timeout=60):
        super().__init__("localhost", timeout=timeout)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def request(svc, user, method, body, headers=None, raw=None):
    """(status, decoded answer) of one call of the API, made by a process of that user."""
    call = {"socket": svc.socket, "method": method, "headers": headers or {},
            "body": raw if raw is not None else json.dumps(body)}
    done = subprocess.run(["/usr/bin/python3", os.path.join(HERE, "cases.py"), "--request"],
                          input=json.dumps(call), capture_output=True, text=True, timeout=120,
                          **svc.as_user(user))
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    try:
        return answer["status"], json.loads(answer["body"])
    except ValueError:
        return answer["status"], answer["body"]


def make_request():
    call = json.load(sys.stdin)
    connection = UnixConnection(call["socket"])
    headers = {"Content-Type": "application/json"}
    headers.update(call["headers"])
    connection.request("POST", "/grappe.v1." + call["method"], call["body"], headers)
    answer = connection.getresponse()
    json.dump({"status": answer.status, "body": answer.read().decode(errors="replace")}, sys.stdout)


def submit(svc, script, user="alice", options=""):
    """The number of a batch job with this script."""
    done = svc.run("sbatch --parsable %s <<'EOF'\n#!/bin/bash\n%s\nEOF" % (options, script), user=user)
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


def state(svc, job):
    text = svc.run("scontrol show job %d | grep -o 'JobState=[A-Z_]*'" % job, user="root").stdout
    return text.strip().replace("JobState=", "")


def wait_for(condition, what, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "never: " + what
        time.sleep(0.05)


def wait_running(svc, job):
    wait_for(lambda: state(svc, job) == "RUNNING", "job %d runs" % job)


def run_job(svc, script, user="alice", options="", output="out"):
    """Runs a batch job to its end; what it wrote."""
    path = "%s/home-%s/%s" % (svc.dir, user, output)
    job = submit(svc, script, user, "-o %s %s" % (path, options))
    wait_for(lambda: state(svc, job) not in ("PENDING", "RUNNING", "COMPLETING"),
             "job %d ends" % job)
    if not os.path.exists(path):
        return ""
    with open(path, errors="replace") as file:
        return file.read()


def require_root():
    if not service.is_root():
        print("skipped: needs root")
        sys.exit(77)


def main(names, conf=service.CONF, **options):
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    arguments = parser.parse_args()
    require_root()
    service.ensure_users()
    failures = 0
    with service.Service(arguments.bin, conf, **options) as svc:
        for name, case in list(names.items()):
            if not name.startswith("test_"):
                continue
            try:
                case(svc)
                print("ok      " + name)
            except Exception:  # a case that fails must not hide the next one
                failures += 1
                print("FAILED  %s\n%s" % (name, traceback.format_exc()))
        if failures:
            print("--- log of the service\n" + svc.read_log()[-3000:])
    sys.exit(1 if failures else 0)


if __name__ == "__main__" and sys.argv[1:] == ["--request"]:
    make_request()
