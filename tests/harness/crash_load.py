"""What users do to the service while the crash suite kills it, and what they remember of it."""

import random
import threading


class Load(threading.Thread):
    """Acts again and again until told to stop."""

    def __init__(self, svc, seed):
        super().__init__()
        self.svc = svc
        self.random = random.Random(seed)
        self.done = threading.Event()

    def run(self):
        while not self.done.is_set():
            self.act()


class BatchLoad(Load):
    """Submits batch jobs, some with a step, and cancels, requeues and suspends a few of them.

    A job writes one line into the file `ran` for each of its runs and each of its steps.
    """

    def __init__(self, svc, seed):
        super().__init__(svc, seed)
        self.file = svc.dir + "/home-alice/ran"
        self.codes = {}  # acknowledged jobs: the exit code of their script
        self.with_step = set()
        self.cancelled, self.requeued = set(), set()
        self.errors = []  # commands that failed though the service lived on

    def script(self, step, code):
        line = "echo batch $SLURM_JOB_ID ${SLURM_RESTART_COUNT:-0} >>%s\n" % self.file
        if step:
            line += ("srun -n1 sh -c \"echo step \\$SLURM_JOB_ID ${SLURM_RESTART_COUNT:-0} >>%s\" "
                     "2>%s.$SLURM_JOB_ID || echo failed $SLURM_JOB_ID $? >>%s\n" % ((self.file,) * 3))
        return line + "sleep 0.%d; exit %d" % (self.random.randrange(10), code)

    def said(self, job):
        """What the srun of a job complained of."""
        try:
            with open("%s.%d" % (self.file, job)) as file:
                return file.read().strip()
        except OSError:
            return ""

    def command(self, text, user="alice"):
        answer = self.svc.run(text, user=user)
        if answer.returncode != 0:
            self.errors.append("%s: %d %s" % (text[:60], answer.returncode, answer.stderr.strip()))
        return answer

    def act(self):
        step, code = self.random.random() < 0.3, self.random.choice((0, 0, 3))
        answer = self.command("sbatch --parsable -o /dev/null --wrap '%s'" %
                              self.script(step, code))
        if answer.returncode == 0:
            job = int(answer.stdout)
            self.codes[job] = code
            if step:
                self.with_step.add(job)
        if self.codes:
            self.disturb(self.random.choice(list(self.codes)[-12:]), self.random.random())

    def disturb(self, job, dice):
        # Noted before it is asked for: whether or not the answer arrives, it may have happened.
        if dice < 0.12:
            self.cancelled.add(job)
            self.command("scancel %d" % job)
        elif dice < 0.2:
            self.requeued.add(job)
            self.svc.run("scontrol requeue %d" % job)  # refused while the job waits
        elif dice < 0.25:
            if self.svc.run("scontrol suspend %d" % job, user="root").returncode == 0:
                # Refused if the job has been cancelled meanwhile.
                self.svc.run("scontrol resume %d" % job, user="root")


class SrunLoad(Load):
    """Runs programs with srun, in allocations of their own."""

    def __init__(self, svc, seed):
        super().__init__(svc, seed)
        self.count = 0
        self.wrong = []

    def act(self):
        self.count += 1
        code = self.random.choice((0, 7))
        answer = self.svc.run("srun -Q -n2 sh -c 'echo %d; exit %d'" % (self.count, code))
        if answer.returncode != code or answer.stdout != "%d\n" % self.count * 2:
            self.wrong.append("srun %d: exit code %d (not %d), %r, %s" % (
                self.count, answer.returncode, code, answer.stdout, answer.stderr.strip()))
