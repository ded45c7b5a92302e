#!/usr/bin/python3
"""Root and other users' files behind the paths that a user names (CVE-2016-10030, CVE-2023-41914):
output files, temporary folders, what is removed after a job."""

import os
import shutil
import stat
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../harness"))
from cases import main, run_job, state, submit, wait_for  # noqa: E402


def precious(path, owner, mode=0o600):
    with open(path, "w") as file:
        file.write("precious\n")
    os.chmod(path, mode)
    shutil.chown(path, owner)
    return path


def unharmed(path, owner_uid=None):
    info = os.stat(path)
    with open(path) as file:
        return file.read() == "precious\n" and info.st_uid == (owner_uid or info.st_uid)


def test_output_through_a_symbolic_link_is_opened_as_the_user(svc):
    for owner in ("root", "bob", "grappe"):
        target = precious(svc.dir + "/precious-" + owner, owner)
        link = "%s/home-alice/link-%s" % (svc.dir, owner)
        os.symlink(target, link)
        for options in ("-o %s", "-o /dev/null -e %s", "-o %s --open-mode=append", "-i %s -o /dev/null"):
            job = submit(svc, "echo harm; echo harm >&2; cat", options=options % link)
            wait_for(lambda: state(svc, job) == "FAILED", "job %d fails" % job)
        assert unharmed(target), owner


def test_a_step_opens_its_files_as_the_user(svc):
    target = precious(svc.dir + "/precious-step", "root")
    os.symlink(target, svc.dir + "/home-alice/step-link")
    answer = svc.run("srun -n1 -o step-link echo harm; srun -n1 -e step-link sh -c 'echo harm >&2'; "
                     "srun -n1 --output=/etc/grappe-test-%t echo harm")
    assert unharmed(target), answer
    assert not os.path.exists("/etc/grappe-test-0")


def test_output_files_have_the_users_umask_and_owner(svc):
    run_job(svc, "true", options="", output="plain")
    svc.run("umask 077; sbatch -W -o private --wrap true")
    for name, mode in (("plain", 0o644), ("private", 0o600)):
        info = os.stat("%s/home-alice/%s" % (svc.dir, name))
        assert stat.S_IMODE(info.st_mode) == mode, (name, oct(info.st_mode))
        assert info.st_uid == os.stat(svc.dir + "/home-alice").st_uid


def test_the_temporary_folder_is_the_users_alone_and_goes(svc):
    text = run_job(svc, "echo $SLURM_TMPDIR; stat -c '%a %U' $SLURM_TMPDIR; touch $SLURM_TMPDIR/x")
    path, access = text.split("\n")[:2]
    assert access == "700 alice", text
    wait_for(lambda: not os.path.exists(path), "it is removed")


def test_removing_it_follows_no_link(svc):
    target = svc.dir + "/home-bob/kept"
    os.mkdir(target)
    os.chmod(target, 0o777)
    precious(target + "/file", "bob", 0o666)
    text = run_job(svc, "cd $SLURM_TMPDIR && echo $PWD && ln -s %s one && ln -s %s/file two && "
                        "mkdir -p a/b && ln -s %s a/b/three && mkdir locked && touch locked/x && "
                        "chmod 0 locked" % (target, target, target))
    wait_for(lambda: not os.path.exists(text.strip()), "it is removed")
    assert unharmed(target + "/file")


def test_a_link_planted_where_it_will_be_is_not_followed(svc):
    # A site that lets everybody write there, as /tmp is: bob knows the number of the next job.
    parent = svc.dir + "/tmp"
    os.chmod(parent, 0o1777)
    target = precious(svc.dir + "/precious-folder", "root")
    last = submit(svc, "true", options="-o /dev/null")
    svc.run("for i in $(seq 1 5); do ln -s %s %s/job_$((%d + i)); done" % (target, parent, last),
            user="bob")
    job = submit(svc, "echo harm >$SLURM_TMPDIR/harm", options="-o /dev/null")
    wait_for(lambda: state(svc, job) != "RUNNING", "job %d is refused" % job)
    assert unharmed(target, 0) and stat.S_IMODE(os.stat(target).st_mode) == 0o600
    svc.run("scancel -u alice; rm -f %s/job_*" % parent, user="root")
    os.chmod(parent, 0o711)
    svc.run("scontrol update node=ALL state=resume", user="root")


def test_the_working_folder_of_another_is_not_entered(svc):
    private = svc.dir + "/home-bob/closed"
    os.mkdir(private)
    shutil.chown(private, "bob")
    os.chmod(private, 0o700)
    text = run_job(svc, "pwd", options="-D %s" % private)
    assert private not in text.split("\n"), text


if __name__ == "__main__":
    main(globals())
