#!/usr/bin/python3
"""Text that a user chose, where others read it: databases, terminals, logs (CVE-2018-7033,
CVE-2019-12838, CVE-2023-49934)."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../harness"))
from cases import main, submit, wait_for, wait_running  # noqa: E402

SQL = ("x'); DROP TABLE jobs; --", "'; UPDATE jobs SET uid=0; --", '"quoted"', "per%cent %s %n",
       "back\\slash", "x' OR '1'='1")


def test_sql_in_names_is_only_text(svc):
    jobs = {}
    for text in SQL:
        answer = svc.run("sbatch -H --parsable -o /dev/null -J \"$T\" --comment \"$T\" --wrap true".replace(
            "$T", text.replace("\\", "\\\\").replace('"', '\\"')))
        assert answer.returncode == 0, answer.stderr
        jobs[int(answer.stdout)] = text
    svc.run("scontrol update job=%d name=\"x'); DROP TABLE jobs; --\"" % list(jobs)[0])
    svc.stop()
    svc.start()  # what is read back from the database
    for job, text in jobs.items():
        assert svc.run("squeue -h -t all -j %d -o %%j" % job).stdout == text + "\n", text
    svc.run("scancel -u alice")


def test_names_can_neither_steer_a_terminal_nor_forge_a_line(svc):
    answer = svc.run("sbatch -H --parsable -o /dev/null --comment=$'c\\nForged=1\\e[2J' "
                     "-J $'a\\n999 batch forged root R\\e]0;title\\a' --wrap true")
    job = int(answer.stdout)
    for command in ("squeue -j %d", "squeue -j %d -o '%%j|%%k'", "squeue -j %d -O name:100,comment:100",
                    "scontrol show job %d", "scontrol -o show job %d", "scontrol -d show job %d"):
        done = svc.run(command % job, user="root")
        assert done.returncode == 0, command
        lines = done.stdout.split("\n")
        assert not any(line.startswith(("999 ", "Forged=")) for line in lines), done.stdout
        assert "\x1b" not in done.stdout and "\x07" not in done.stdout, command
    svc.run("scancel %d" % job)


def test_the_log_has_one_line_for_one_event(svc):
    svc.run("sbatch -o $'/nonexistent/x\\n2030-01-01T00:00:00.000 error forged' --wrap true")
    svc.run("sbatch -o /dev/null -D $'/x\\nforged' -J $'n\\nforged' --wrap true")
    svc.run("scontrol notify 1 $'x\\nforged'; scancel $'1\\nforged'")
    wait_for(lambda: not svc.run("squeue -h").stdout, "the jobs end")
    for line in svc.read_log().split("\n"):
        assert not line.startswith(("forged", "2030")), line


def test_a_script_with_a_nul_is_refused_as_slurm_does(svc):
    answer = svc.run("printf '#!/bin/sh\\necho a\\0b\\n' >nul.sh; sbatch nul.sh")
    assert answer.returncode == 1
    assert answer.stderr == ("sbatch: error: The Slurm controller does not allow scripts that\n"
                             "sbatch: error: contain a NULL character '\\0'.\n"), answer.stderr


def test_a_notice_to_a_job_is_text_for_its_error_file_only(svc):
    job = submit(svc, "sleep 60", options="-o noticed")
    wait_running(svc, job)
    svc.run("scontrol notify %d 'hello $(id) `id`'" % job)
    path = svc.dir + "/home-alice/noticed"
    wait_for(lambda: os.path.exists(path) and "hello $(id) `id`" in open(path).read(), "it arrives")
    svc.run("scancel %d" % job)


if __name__ == "__main__":
    main(globals())
