#!/usr/bin/python3
"""One user who wants everything: jobs without end, huge scripts, all processes, all memory."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../harness"))
import service  # noqa: E402
from cases import main, request, run_job, wait_for  # noqa: E402

CONF = service.CONF.replace("MaxJobCount=200000", "MaxJobCount=50").replace(
    "MaxArraySize=100001", "MaxArraySize=1001") + "MinJobAge=2\n"
SPEC = {"batch": True, "name": "x", "work_dir": "/", "argv": ["x"], "hold": True}


def test_a_full_queue_refuses_and_recovers(svc):
    body = {"spec": SPEC, "script": "IyEvYmluL3NoCg=="}
    answers = [request(svc, "alice", "Jobs/Submit", body) for _ in range(55)]
    assert [status for status, _ in answers].count(200) == 50, answers[-1]
    assert "full" in str(answers[-1][1]).lower() or answers[-1][0] == 400, answers[-1]
    assert svc.run("squeue -h | wc -l", user="bob").stdout.strip() == "50"
    svc.run("scancel -u alice")
    # Those that are over count until they are forgotten, as in Slurm.
    wait_for(lambda: request(svc, "alice", "Jobs/Submit", body)[0] == 200, "there is room again")


def test_huge_scripts_and_words_are_refused(svc):
    size = lambda: os.path.getsize(svc.dir + "/db/grappe.db")  # noqa: E731
    before = size()
    answer = svc.run("{ echo '#!/bin/sh'; head -c 10000000 /dev/zero | tr '\\0' '#'; } >big.sh; sbatch big.sh")
    assert answer.returncode == 1, answer
    assert answer.stderr == ("sbatch: error: Batch job submission failed: Pathname of a file, "
                             "directory or other parameter too long\n"), answer.stderr
    for field in ("name", "comment", "work_dir", "std_out", "dependency", "features", "required_nodes",
                  "licenses", "array"):
        status, answer = request(svc, "alice", "Jobs/Submit",
                                 {"spec": dict(SPEC, **{field: "x" * 2_000_000}),
                                  "script": "IyEvYmluL3NoCg=="})
        assert status != 200, field
    assert size() - before < 1 << 20
    assert svc.run("sinfo", user="bob").returncode == 0


def test_numbers_without_measure_are_refused(svc):
    for options in ("-n 4000000000", "-N 4000000000", "--mem=99999999999999", "--array=0-4000000000",
                    "--gres=gpu:9223372036854775807", "-w node[1-99999999]",
                    "--array=1-1001"):
        answer = svc.run("timeout 60 sbatch -o /dev/null %s --wrap true" % options)
        assert answer.returncode not in (0, 124), options
    assert svc.run("scontrol ping", user="bob").returncode == 0


def test_memory_and_processes_stay_within_the_job(svc):
    text = run_job(svc, "python3 -c 'x = bytearray(300 << 20); print(len(x))' || echo killed",
                   options="--mem=50")
    assert "killed" in text or text == "" or "ut of memory" in text, text


if __name__ == "__main__":
    main(globals(), CONF)
