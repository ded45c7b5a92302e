#!/usr/bin/python3
"""Roles in the books: nobody gives himself or another more than he has (CVE-2025-43904, where a
coordinator could make an administrator, and its like)."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../harness"))
from cases import main, request, state, submit, wait_running  # noqa: E402

ADMINISTRATOR = "ADMIN_ADMINISTRATOR"


def prepare(svc):
    """alice and bob in the account es.shj, carol the coordinator of es; cs is somebody else's."""
    for line in ("add account es", "add account cs", "add account es.shj parent=es", "add user alice,bob account=es.shj",
                 "add user carol account=es", "add coordinator account=es names=carol", "add qos fast"):
        svc.run("sacctmgr -i " + line, user="root")


def user(svc, name):
    _, books = request(svc, "root", "Books/List", {"users": True})
    return next(entry for entry in books["users"] if entry["name"] == name)


def association(svc, account, name=""):
    _, books = request(svc, "root", "Books/List", {"associations": True})
    return next(entry for entry in books["associations"]
                if entry["account"] == account and entry.get("user", "") == name)


def refused(svc, who, op):
    status, answer = request(svc, who, "Books/Change", {"ops": [op]})
    assert status != 200, "%s: %s" % (who, op)
    assert "denied" in str(answer), answer


def test_nobody_makes_himself_an_administrator(svc):
    prepare(svc)
    for who in ("alice", "carol"):
        for name in ("alice", "carol", "bob"):
            refused(svc, who, {"user": dict(user(svc, name), admin_level=ADMINISTRATOR)})
        assert svc.run("sacctmgr -i modify user %s set adminlevel=admin" % who, user=who).returncode != 0
    refused(svc, "carol", {"user": {"name": "mallory", "admin_level": ADMINISTRATOR}})
    assert "Administrator" not in svc.run("sacctmgr -nP show user alice,bob,carol format=admin").stdout


def test_an_operator_does_not_rise(svc):
    prepare(svc)
    svc.run("sacctmgr -i modify user bob set adminlevel=operator", user="root")
    refused(svc, "bob", {"user": dict(user(svc, "bob"), admin_level=ADMINISTRATOR)})
    refused(svc, "bob", {"user": user(svc, "root"), "remove": True})
    refused(svc, "bob", {"qos": {"name": "mine", "priority": 4000000000}})
    assert svc.run("scontrol reconfigure", user="bob").returncode == 0, "an operator is one at once"
    svc.run("sacctmgr -i modify user bob set adminlevel=none", user="root")
    assert svc.run("scontrol reconfigure", user="bob").returncode != 0, "and none at once"


def test_a_coordinator_stays_below_his_account(svc):
    prepare(svc)
    mine, others = association(svc, "es"), association(svc, "cs")
    refused(svc, "carol", {"association": dict(mine, limits={"max_jobs": 999})})
    refused(svc, "carol", {"association": dict(others, limits={"max_jobs": 0})})
    refused(svc, "carol", {"association": dict(association(svc, "es.shj"), parent="cs")})
    refused(svc, "carol", {"association": dict(association(svc, "es.shj", "bob"), qos=["+fast"])})
    refused(svc, "carol", {"account": dict(name="cs", coordinators=["carol"])})
    refused(svc, "carol", {"account": {"name": "cs"}, "remove": True})
    refused(svc, "carol", {"account": {"name": "es"}, "remove": True})


def test_nobody_but_an_administrator_forgets_what_was_used(svc):
    prepare(svc)
    svc.run("sacctmgr -i modify user bob set adminlevel=operator", user="root")
    used = association(svc, "es.shj", "alice")
    for who in ("alice", "carol", "bob"):
        refused(svc, who, {"association": used, "reset_usage": True})
    status, answer = request(svc, "root", "Books/Change", {"ops": [{"association": used, "reset_usage": True}]})
    assert status == 200, answer
    svc.run("sacctmgr -i modify user bob set adminlevel=none", user="root")


def test_a_user_changes_nothing_of_his_own_limits(svc):
    prepare(svc)
    own = association(svc, "es.shj", "alice")
    refused(svc, "alice", {"association": dict(own, limits={"max_jobs": 999})})
    refused(svc, "alice", {"association": dict(own, shares=1000000)})
    refused(svc, "alice", {"association": {"cluster": own["cluster"], "account": "cs", "user": "alice"}})


def test_archives_and_copies_are_for_administrators(svc):
    for method, body in (("Books/Archive", {"jobs_before": 4000000000}), ("Books/Backup", {"file": "/tmp/grappe-copy"}),
                         ("Books/LoadArchive", {"file": "/etc/passwd"}), ("Books/Transactions", {})):
        status, answer = request(svc, "alice", method, body)
        assert status != 200, "%s: %s" % (method, answer)
    assert not os.path.exists("/tmp/grappe-copy")


def test_a_coordinator_ends_jobs_of_his_accounts_and_runs_nothing_in_them(svc):
    prepare(svc)
    job = submit(svc, "sleep 300", options="-A es.shj -o /dev/null")
    wait_running(svc, job)
    assert "sleep" not in svc.run("scontrol write batch_script %d -" % job, user="carol").stdout
    assert svc.run("srun --jobid=%d --overlap true" % job, user="carol").returncode != 0
    assert svc.run("scancel %d" % job, user="bob").returncode != 0
    assert state(svc, job) == "RUNNING"
    assert svc.run("scancel %d" % job, user="carol").returncode == 0


if __name__ == "__main__":
    main(globals())
