#!/usr/bin/python3
"""Nothing of the user's environment reaches what runs as root (CVE-2017-15566, CVE-2021-31215)."""

import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../harness"))
import service  # noqa: E402
from cases import main, require_root, run_job, state, submit, wait_for  # noqa: E402

require_root()
# In a folder that only root can change, or the launcher would not run them.
FOLDER = tempfile.mkdtemp(prefix="grappe-hooks-", dir="/var/lib")
HOSTILE = ("LD_PRELOAD=/tmp/evil.so LD_LIBRARY_PATH=/tmp LD_AUDIT=/tmp/evil.so BASH_ENV=/tmp/evil.sh "
           "ENV=/tmp/evil.sh PATH=/tmp/evil:/usr/bin:/bin IFS=x PYTHONPATH=/tmp PERL5OPT=-d "
           "SPANK_X=1 SHELLOPTS=xtrace GCONV_PATH=/tmp TZ=/tmp/evil MALLOC_CHECK_=3")
CLEAN_PATH = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def write_hook(name):
    path = os.path.join(FOLDER, name)
    with open(path, "w") as file:
        file.write("#!/bin/sh\nenv >>%s.env; pwd >>%s.env; ls -l /proc/$$/fd >%s.fds\n" % (
            path, path, path))
    os.chmod(path, 0o755)
    return path


os.chmod(FOLDER, 0o755)
CONF = service.CONF + "Prolog=%s\nEpilog=%s\n" % (write_hook("prolog"), write_hook("epilog"))


def read(name):
    with open(os.path.join(FOLDER, name)) as file:
        return file.read().split("\n")


def test_prolog_and_epilog_see_only_what_we_give_them(svc):
    run_job(svc, "true", options="--export=ALL", output="one")
    svc.run("export %s; /usr/bin/env -u LD_PRELOAD -u LD_AUDIT %s/sbatch -W -o /dev/null --wrap true" % (
        HOSTILE.replace("LD_PRELOAD=/tmp/evil.so ", "").replace("LD_AUDIT=/tmp/evil.so ", ""),
        svc.bin))
    svc.run("sbatch -W -o /dev/null --export=ALL,LD_PRELOAD=/tmp/evil.so,BASH_ENV=/tmp/evil.sh "
            "--wrap true")
    wait_for(lambda: os.path.exists(FOLDER + "/epilog.env"), "the epilog runs")
    for name in ("prolog.env", "epilog.env"):
        lines = read(name)
        assert CLEAN_PATH in lines, lines
        assert "/" in lines, "runs in /"
        for line in lines:
            assert not any(line.startswith(word.split("=")[0] + "=") and line != CLEAN_PATH
                           for word in HOSTILE.split()), line
            assert "evil" not in line, line


def test_they_inherit_no_descriptors(svc):
    run_job(svc, "true", output="two")
    for name in ("prolog.fds", "epilog.fds"):
        targets = [line.split(" -> ")[1] for line in read(name) if " -> " in line]
        ours = [t for t in targets if t not in ("/dev/null",) and not t.startswith(FOLDER)]
        assert not ours, ours


def test_a_hook_that_others_can_write_is_not_run(svc):
    path = FOLDER + "/prolog"
    os.chmod(path, 0o777)
    before = len(read("prolog.env"))
    job = submit(svc, "true", options="-o /dev/null")
    wait_for(lambda: "drain" in svc.run("sinfo -h -o %t").stdout, "the node is drained")
    wait_for(lambda: state(svc, job) == "PENDING", "the job waits for somebody to look")
    os.chmod(path, 0o755)
    assert len(read("prolog.env")) == before
    svc.run("scancel -u alice; scontrol update node=ALL state=resume", user="root")


def test_the_service_itself_keeps_nothing_of_a_users_environment(svc):
    # A job's environment is data: grapped and the launcher run with what they were started with.
    run_job(svc, "true", options="--export=ALL,GRAPPE_X=evil", output="three")
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/cmdline" % pid) as file:
                if svc.dir not in file.read():
                    continue
            with open("/proc/%s/environ" % pid) as file:
                assert "GRAPPE_X" not in file.read()
        except OSError:
            pass


if __name__ == "__main__":
    try:
        main(globals(), CONF)
    finally:
        for name in os.listdir(FOLDER):
            os.unlink(os.path.join(FOLDER, name))
        os.rmdir(FOLDER)
