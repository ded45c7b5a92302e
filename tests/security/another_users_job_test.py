#!/usr/bin/python3
"""Bob at alice's job: he may look at it in the queue, and do nothing to it (CVE-2021-43337,
CVE-2024-48936 and their like)."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../harness"))
from cases import main, request, state, submit, wait_for, wait_running  # noqa: E402

SECRET = "the-secret-of-alice"


def alices_job(svc):
    job = submit(svc, "#%s\nexport TOKEN=%s\ntrap '' USR1\nsrun -n1 sleep 300" % (SECRET, SECRET),
                 options="-o /dev/null")
    wait_running(svc, job)
    wait_for(lambda: "%d.0" % job in svc.run("squeue -s -h -o %i").stdout, "the step runs")
    return job


def test_commands_on_it_are_refused(svc):
    job = alices_job(svc)
    for command in ("scancel %d", "scancel -f %d", "scancel -s USR1 %d", "scancel %d.0",
                    "scancel -b -s USR1 %d", "scontrol update job=%d TimeLimit=1",
                    "scontrol update job=%d Name=mine", "scontrol hold %d", "scontrol release %d",
                    "scontrol requeue %d", "scontrol requeuehold %d", "scontrol suspend %d",
                    "scontrol top %d", "scontrol notify %d hello", "sattach %d.0",
                    "srun --jobid=%d --overlap true", "sbcast -j %d /etc/passwd /tmp/grappe-x"):
        answer = svc.run(command % job, user="bob")
        text = answer.stdout + answer.stderr
        assert answer.returncode != 0, command
        assert SECRET not in text, command
    # As user too, which only an operator may be.
    assert svc.run("scancel -u alice", user="bob").returncode in (0, 1, 210)
    assert state(svc, job) == "RUNNING"
    assert svc.run("squeue -s -h -o %%i -j %d" % job).stdout.strip(), "the step still runs"
    svc.run("scancel %d" % job)


def test_the_api_refuses_what_no_command_sends(svc):
    job = alices_job(svc)
    for method, body in (("Jobs/Complete", {"job_id": job}),
                         ("Jobs/Script", {"job_id": job}),
                         ("Jobs/Cancel", {"job_ids": [str(job)]}),
                         ("Jobs/Cancel", {"filtered": True, "uids": [0, 1, 1001, 1002]}),
                         ("Jobs/Update", {"job_id": str(job), "as_uid": 0, "set": {"name": "x"}}),
                         ("Jobs/Act", {"job_ids": [str(job)], "action": "REQUEUE"}),
                         ("Steps/Update", {"job_id": job, "time_limit": 1}),
                         ("Steps/Create", {"job_id": job, "spec": {"argv": ["true"]}})):
        status, answer = request(svc, "bob", method, body)
        outcomes = answer.get("outcomes", []) if isinstance(answer, dict) else []
        refused = status != 200 or all(one.get("error") for one in outcomes)
        assert refused, "%s: %s %s" % (method, status, answer)
        assert SECRET not in str(answer)
    assert state(svc, job) == "RUNNING"
    svc.run("scancel %d" % job)


def test_script_and_environment_are_not_shown(svc):
    job = alices_job(svc)
    for command in ("scontrol -dd show job %d", "squeue --json -j %d", "scontrol show step %d",
                    "squeue -j %d -O Command,Comment", "scontrol write batch_script %d -"):
        assert SECRET not in svc.run(command % job, user="bob").stdout, command
    # Its files on disk.
    for root, _, files in os.walk(svc.dir):
        for name in files:
            path = os.path.join(root, name)
            answer = svc.run("cat '%s'" % path, user="bob")
            assert SECRET not in answer.stdout, path
    svc.run("scancel %d" % job)


def test_its_step_cannot_be_reached_through_its_socket(svc):
    job = alices_job(svc)
    code = ("import socket,glob\n"
            "found = glob.glob('%s/run/steps/*') or ['%s/run/steps/%d.0.0', '%s/run/steps/%d.batch.0']\n"
            "for path in found:\n"
            "    s = socket.socket(socket.AF_UNIX)\n"
            "    try:\n"
            "        s.connect(path); print('connected', path)\n"
            "    except OSError as error: print(error.errno)\n" % (
                svc.dir, svc.dir, job, svc.dir, job))
    answer = svc.run("python3 -c \"%s\"" % code.replace('"', '\\"'), user="bob")
    assert "connected" not in answer.stdout and "13" in answer.stdout, answer
    svc.run("scancel %d" % job)


def test_operators_alone_change_the_machine(svc):
    for command in ("scontrol update node=node1 state=drain reason=x", "scontrol reconfigure",
                    "scontrol update partition=batch state=down",
                    "scontrol create reservation starttime=now duration=1 users=bob nodes=node1",
                    "scontrol create partition=mine", "scontrol delete partition=batch",
                    "scontrol shutdown", "sdiag -r"):
        assert svc.run(command, user="bob").returncode != 0, command
    assert "drain" not in svc.run("sinfo -h -o %t").stdout


if __name__ == "__main__":
    main(globals())
