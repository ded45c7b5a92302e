#!/usr/bin/python3
"""Who somebody is, the kernel says: nothing in a message counts (CVE-2018-10995, CVE-2019-19728,
CVE-2023-49938)."""

import grp
import os
import pwd
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../harness"))
from cases import main, request, run_job  # noqa: E402

SPEC = {"batch": True, "name": "x", "work_dir": "/", "argv": ["x"]}


def test_a_user_cannot_submit_as_another(svc):
    for option in ("--uid=root", "--uid=0", "--uid=bob", "--gid=0", "--gid=root"):
        answer = svc.run("sbatch -o /dev/null %s --wrap true" % option)
        assert answer.returncode != 0, option
    for extra in ({"as_uid": 0}, {"as_uid": pwd.getpwnam("bob").pw_uid}, {"as_gid": 0}):
        status, answer = request(svc, "alice", "Jobs/Submit",
                                 {"spec": dict(SPEC, **extra), "script": "IyEvYmluL3NoCg=="})
        assert status != 200, (extra, answer)


def test_headers_and_fields_that_name_somebody_are_not_believed(svc):
    headers = {"X-Remote-User": "root", "X-Forwarded-User": "root", "X-SLURM-USER-NAME": "root",
               "X-SLURM-USER-TOKEN": "x", "Authorization": "Basic cm9vdDo="}
    status, _ = request(svc, "alice", "Cluster/UpdateNode",
                        {"names": ["node1"], "state": "DRAIN", "reason": "x"}, headers)
    assert status != 200
    status, answer = request(svc, "alice", "Jobs/Submit",
                             {"spec": SPEC, "script": "IyEvYmluL3NoCg=="}, headers)
    assert status == 200, answer
    owner = svc.run("squeue -h -t all -j %d -o %%u" % answer["job_id"]).stdout.strip()
    assert owner == "alice", owner


def test_variables_that_name_somebody_are_not_believed(svc):
    answer = svc.run("USER=root LOGNAME=root SLURM_JOB_UID=0 SUDO_USER=root SLURM_JOB_USER=root "
                     "sbatch --parsable -W -o who --wrap 'id -un'")
    assert answer.returncode == 0
    with open(svc.dir + "/home-alice/who") as file:
        assert file.read() == "alice\n"


def test_a_token_of_another_users_request_is_worth_nothing(svc):
    headers = {"Idempotency-Key": "the-same-token"}
    body = {"spec": SPEC, "script": "IyEvYmluL3NoCg=="}
    jobs = {user: request(svc, user, "Jobs/Submit", body, headers)[1]["job_id"]
            for user in ("alice", "bob")}
    assert jobs["alice"] != jobs["bob"]
    assert request(svc, "alice", "Jobs/Submit", body, headers)[1]["job_id"] == jobs["alice"]


def test_a_task_has_exactly_the_users_ids_and_groups(svc):
    text = run_job(svc, "grep -E '^(Uid|Gid|Groups)' /proc/self/status")
    lines = dict(line.split(":", 1) for line in text.strip().split("\n"))
    alice = pwd.getpwnam("alice")
    assert lines["Uid"].split() == [str(alice.pw_uid)] * 4, lines
    assert lines["Gid"].split() == [str(alice.pw_gid)] * 4, lines
    groups = {str(alice.pw_gid)} | {str(g.gr_gid) for g in grp.getgrall() if "alice" in g.gr_mem}
    assert set(lines["Groups"].split()) == groups, lines


def test_the_launcher_talks_to_nobody_but_grapped(svc):
    """It has no name in the file system or the network; its descriptors are root's."""
    launcher = int(open("/proc/%d/task/%d/children" % (svc.process.pid, svc.process.pid)).read().split()[0])
    for fd in os.listdir("/proc/%d/fd" % launcher):
        link = os.readlink("/proc/%d/fd/%s" % (launcher, fd))
        assert not link.startswith("anon_inode:inotify"), link
    with open("/proc/net/unix") as file:
        names = [line.split()[-1] for line in file if svc.dir in line]
    expected = (svc.socket, svc.socket + ".new")
    assert all(name in expected or "/run/steps/" in name for name in names), names
    answer = svc.run("ls /proc/%d/fd; cat /proc/%d/environ" % (launcher, launcher))
    assert "denied" in answer.stderr and not answer.stdout.strip(), answer


if __name__ == "__main__":
    main(globals())
