#!/usr/bin/python3
"""What a task is left with: no rights of root, no descriptors of ours, no way into its shepherd."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../harness"))
from cases import main, run_job, submit, wait_for, wait_running  # noqa: E402

LIST_FDS = "python3 -c 'import os; print(*sorted(os.listdir(\"/proc/self/fd\"), key=int))'"


def status_of(text):
    return dict(line.split(":\t", 1) for line in text.strip().split("\n") if ":\t" in line)


def test_a_task_has_no_capabilities(svc):
    for text in (run_job(svc, "cat /proc/self/status"), svc.run("srun -n1 cat /proc/self/status").stdout):
        status = status_of(text)
        for name in ("CapInh", "CapPrm", "CapEff", "CapAmb"):
            assert int(status[name], 16) == 0, (name, status[name])
        # Programs with the set-uid bit (sudo, ping, fusermount) work in a job as they do in a login.
        assert status["NoNewPrivs"].strip() == "0"


def test_a_task_inherits_only_its_three_streams(svc):
    # The fourth is that of the listing itself.
    assert run_job(svc, LIST_FDS).split() == ["0", "1", "2", "3"]
    assert svc.run("srun -n1 " + LIST_FDS).stdout.split() == ["0", "1", "2", "3"]
    assert svc.run("srun -n1 --mpi=none " + LIST_FDS).stdout.split() == ["0", "1", "2", "3"]


def test_ignored_signals_and_masks_are_not_inherited(svc):
    status = status_of(run_job(svc, "cat /proc/self/status"))
    assert int(status["SigBlk"], 16) == 0 and int(status["SigIgn"], 16) == 0, status


def test_the_shepherd_cannot_be_traced_or_read_by_its_user(svc):
    job = submit(svc, "sleep 60", options="-o /dev/null")
    # Until its script runs, the child of a shepherd still bears its name.
    wait_for(lambda: any(p.endswith(" sleep") for p in svc.processes()), "the script")
    shepherds = [p.split()[0] for p in svc.processes() if p.endswith("grappe-shepherd")]
    assert shepherds
    trace = ("import ctypes,os\nlibc = ctypes.CDLL(None, use_errno=True)\n"
             "print('traced' if libc.ptrace(16, %s, 0, 0) == 0 else ctypes.get_errno())\n"
             "for name in ('mem', 'environ', 'maps'):\n"
             "    try: open('/proc/%s/' + name, 'rb').read(1); print('read', name)\n"
             "    except OSError as error: print(error.errno)\n")
    for pid in shepherds:
        answer = svc.run("cat >t.py <<'EOF'\n%s\nEOF\npython3 t.py; ls /proc/%s/fd; kill -9 %s" % (
            trace % (pid, pid), pid, pid))
        assert "traced" not in answer.stdout and "read" not in answer.stdout, answer
        assert os.path.exists("/proc/" + pid), "the user has killed the shepherd"
    svc.run("scancel %d" % job)


def test_root_could_not_be_regained(svc):
    code = ("import os\n"
            "for call in (os.setuid, os.seteuid, os.setgid, os.setegid):\n"
            "    try: call(0); print('root')\n"
            "    except PermissionError: print('no')\n"
            "try: os.setgroups([0]); print('root')\n"
            "except PermissionError: print('no')\n")
    text = run_job(svc, "python3 - <<'EOP'\n%sEOP" % code)
    assert text.split() == ["no"] * 5, text


def test_a_job_cannot_leave_its_cgroup(svc):
    text = run_job(svc, "grep -o '[^:]*$' /proc/self/cgroup | sort -u; "
                        "for f in /sys/fs/cgroup/cgroup.procs /sys/fs/cgroup/*/cgroup.procs; do "
                        "echo $$ >$f && echo left $f; done 2>/dev/null; true")
    assert "left" not in text, text
    assert "job_" in text, text


def test_core_dumps_of_ours_hold_no_secrets(svc):
    """Shepherds are not dumpable; a task's dump is the user's affair and limit."""
    text = run_job(svc, "ulimit -c", options="--propagate=NONE")
    assert text.strip() != "", text
    job = submit(svc, "sleep 60", options="-o /dev/null")
    wait_running(svc, job)
    for line in svc.processes():
        pid, name = line.split(" ", 1)
        if name != "grappe-shepherd":
            continue
        owner = os.stat("/proc/%s/fd" % pid).st_uid
        with open("/proc/%s/comm" % pid) as comm:  # a task has this name until it runs its program
            assert owner == 0 or comm.read().strip() != name, "dumpable"
    svc.run("scancel %d" % job)


if __name__ == "__main__":
    main(globals())
