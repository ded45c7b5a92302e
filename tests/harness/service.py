"""A Grappe service of its own for one test: started in a folder, stopped and removed after it.

As root the service runs with its launcher as root and jobs run as the users alice, bob and carol
(made when they are missing); otherwise it is a personal service of whoever runs the tests.
"""

import fcntl
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time

# Four nodes of eight pretended CPUs and four pretended GPUs: what the transcripts of the real
# Slurm in tests/golden were recorded on.
CONF = """\
ClusterName=peer
SlurmctldHost=HOST(127.0.0.1)
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
JobContainerType=job_container/none
DefMemPerCPU=512
MaxJobCount=200000
MaxArraySize=100001
KillWait=5
NodeName=node[1-4] NodeHostname=HOST NodeAddr=127.0.0.1 CPUs=8 Sockets=1 CoresPerSocket=8 \
ThreadsPerCore=1 RealMemory=32000 Gres=gpu:4 State=UNKNOWN
PartitionName=batch Nodes=ALL Default=YES DefaultTime=01:00:00 MaxTime=7-00:00:00 State=UP
PartitionName=c-iq Nodes=node4 MaxTime=1-00:00:00 PriorityTier=2 State=UP
"""

# This machine as it is: one node with its real CPUs.
REAL_CONF = """\
ClusterName=real
SlurmctldHost=HOST(127.0.0.1)
JobContainerType=job_container/none
DefMemPerCPU=100
KillWait=5
"""

USERS = ("alice", "bob", "carol")


def is_root():
    return os.getuid() == 0


def ensure_users():
    """The accounts that the tests run jobs as, and the one that grapped runs as."""
    if not is_root():
        return
    with open("/etc/passwd") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # on a new machine several tests come at once
        for name in USERS:
            ensure_user(name, ["-m", "-s", "/bin/bash"])
        ensure_user("grappe", ["--system", "--home-dir", "/nonexistent", "--shell",
                               "/usr/sbin/nologin"])


def ensure_user(name, options):
    try:
        pwd.getpwnam(name)
    except KeyError:
        subprocess.run(["useradd"] + options + [name], check=True)


def identity(user, env, folder):
    """Arguments of subprocess for running something as that user, in a folder."""
    arguments = {"env": env, "cwd": folder}
    if is_root() and user != "root":
        entry = pwd.getpwnam(user)
        arguments.update(user=entry.pw_uid, group=entry.pw_gid, extra_groups=[])
    return arguments


def make_homes(folder):
    """A home folder for each of the users, that only the tests know of."""
    for user in USERS:
        home = os.path.join(folder, "home-" + user)
        os.mkdir(home)
        if is_root():
            shutil.chown(home, user, user)


class Service:
    def __init__(self, bin_dir, conf=CONF, name="t", grapped="grapped", folder=None,
                 run=None):
        self.bin = os.path.abspath(bin_dir)
        self.dir = folder or tempfile.mkdtemp(prefix="grappe-", dir="/tmp")
        self.run_dir = run or self.dir + "/run"  # its sockets
        self.conf = conf
        self.cgroup = "grappe-test-%d-%s" % (os.getpid(), name)
        self.grapped = grapped
        self.crash_file = self.dir + "/db/crash"  # what grapped_crashing reads
        self.process = None
        self.database = None
        self._lay_out()

    @property
    def socket(self):
        return self.run_dir + "/grapped.sock"

    def _lay_out(self):
        os.makedirs(self.dir, exist_ok=True)
        os.chmod(self.dir, 0o755)
        for folder in ("db", "tmp", "conf"):
            os.mkdir(os.path.join(self.dir, folder))
        os.mkdir(self.run_dir)
        os.chmod(self.dir + "/tmp", 0o711)
        host = os.uname().nodename.split(".")[0]
        with open(self.dir + "/conf/slurm.conf", "w") as file:
            file.write(self.conf.replace("HOST", host))
        if is_root():
            shutil.chown(self.dir + "/db", "grappe")
        make_homes(self.dir)
        # The folder of a PostgreSQL's socket: the service gets a database of its own there.
        self.postgres = os.environ.get("GRAPPE_POSTGRES")
        if self.postgres:
            self.database = os.path.basename(self.dir)
            self._on_postgres('CREATE DATABASE "%s"' % self.database)

    def _on_postgres(self, statement):
        subprocess.run(["psql", "-q", "-h", self.postgres, "-U", "grappe", "-d", "postgres", "-c", statement],
                       check=True)

    def start(self):
        self.launch()
        self.wait_until_up()
        return self

    def launch(self):
        command = [self.bin + "/grappe-launcher", "--state", self.dir, "--run", self.run_dir,
                   "--socket", self.socket, "--cgroup", self.cgroup, "--user", "grappe", "--",
                   self.bin + "/" + self.grapped, "--state", self.dir + "/db", "--socket", self.socket,
                   "--conf", self.dir + "/conf", "--tmp-root", self.dir + "/tmp"]
        if not is_root():
            command.append("--personal")
        if self.database:
            command += ["--database", "postgresql:///%s?user=grappe&host=%s" % (self.database, self.postgres)]
        self.log = open(self.dir + "/log", "ab")
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.log,
                                        stderr=self.log, start_new_session=True,
                                        env=dict(os.environ, GRAPPE_CRASH_FILE=self.crash_file))

    def wait_until_up(self, seconds=60):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                break
            ping = subprocess.run([self.bin + "/scontrol", "ping"], env=self.environment("root"),
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if ping.returncode == 0:
                return
            time.sleep(0.05)
        raise RuntimeError("the service did not start:\n" + self.read_log())

    def read_log(self):
        with open(self.dir + "/log", errors="replace") as file:
            return file.read()

    def environment(self, user):
        home = os.path.join(self.dir, "home-" + user) if user in USERS else self.dir
        env = {"PATH": self.bin + ":/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": home,
               "LANG": "C.UTF-8", "GRAPPE_SOCKET": self.socket, "USER": user, "SHELL": "/bin/bash"}
        if "TZ" in os.environ:
            env["TZ"] = os.environ["TZ"]
        return env

    def as_user(self, user):
        env = self.environment(user)
        return identity(user, env, env["HOME"])

    def run(self, command, user="alice", timeout=120):
        return subprocess.run(["bash", "-c", command], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, errors="replace", timeout=timeout,
                              **self.as_user(user))

    def processes(self):
        """Descriptions of what runs for this service's jobs: tasks and shepherds."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/cgroup" % pid) as file:
                    ours = self.cgroup in file.read()
                with open("/proc/%s/comm" % pid) as file:
                    name = file.read().strip()
                if name == "grappe-shepherd":
                    links = (os.readlink("/proc/%s/fd/%s" % (pid, fd))
                             for fd in os.listdir("/proc/%s/fd" % pid))
                    ours = any(link.startswith(self.dir) for link in links)
                if ours:
                    found.append("%s %s" % (pid, name))
            except OSError:
                pass  # it has just ended
        return found

    def stop(self):
        if self.process and self.process.poll() is None:
            # A job that still runs would outlive the service, as it should, and leave its cgroup.
            self.run("scancel -u alice; scancel -u bob; scancel -u carol; scancel -u root; "
                     "for i in {1..100}; do [ \"$(squeue -a -h -t R,S,CG -o %i)\" ] || break; "
                     "sleep 0.05; done", user="root")
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.process:
            self.log.close()
            self.process = None

    def close(self):
        self.stop()
        if self.database:
            self._on_postgres('DROP DATABASE "%s" WITH (FORCE)' % self.database)
        shutil.rmtree(self.run_dir, ignore_errors=True)
        shutil.rmtree(self.dir, ignore_errors=True)

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.close()
