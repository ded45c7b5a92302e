#!/usr/bin/python3
"""Messages that are too long, too many, too slow or not messages at all (CVE-2019-6438,
CVE-2020-27745, CVE-2023-49936): refused, and the service goes on."""

import os
import random
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../harness"))
from cases import main, request, submit, wait_for, wait_running  # noqa: E402


def talk(path, data, seconds=20):
    """What comes back for these bytes until the other side closes or is silent."""
    with socket.socket(socket.AF_UNIX) as sock:
        sock.settimeout(seconds)
        sock.connect(path)
        answer = b""
        try:
            sock.sendall(data)
            sock.shutdown(socket.SHUT_WR)
            while chunk := sock.recv(65536):
                answer += chunk
        except OSError:
            pass
        return answer


def serves(svc):
    started = time.monotonic()
    answer = svc.run("scontrol ping", user="bob")
    return answer.returncode == 0 and time.monotonic() - started < 20


def grapped_of(svc):
    names = subprocess.run(["pgrep", "-f", svc.dir + "/db --socket"], capture_output=True, text=True)
    return set(names.stdout.split())


def head(length, extra=b""):
    return (b"POST /grappe.v1.Jobs/Submit HTTP/1.1\r\nHost: x\r\nContent-Type: application/proto\r\n"
            b"Content-Length: %d\r\n%s\r\n" % (length, extra))


def test_too_long_is_refused_with_a_status(svc):
    assert b" 413 " in talk(svc.socket, head(10**12))
    assert b" 413 " in talk(svc.socket, head(100 << 20) + b"x" * 1000)
    assert b" 431 " in talk(svc.socket, head(1, b"X: " + b"y" * 100000 + b"\r\n"))
    assert b" 400 " in talk(svc.socket, head(1, b"Content-Length: 2\r\n") + b"xx")
    assert b" 40" in talk(svc.socket, b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n"
                                      b"Content-Length: 4\r\n\r\n0\r\n\r\n")
    assert serves(svc)


def test_noise_does_not_bring_it_down(svc):
    before = grapped_of(svc)
    rng = random.Random(1)
    for size in (1, 10, 1000, 100000):
        for _ in range(20):
            noise = rng.randbytes(size)
            talk(svc.socket, noise, 1)
            talk(svc.socket, head(size) + noise, 1)
    for body in ("[" * 100000, '{"spec":' * 5000, '{"spec": {"name": 7, "batch": "maybe"}}',
                 '{"job_ids": ["' + "9" * 100000 + '"]}', "\u0000", "nonsense"):
        for method in ("Jobs/Submit", "Jobs/List", "Jobs/Cancel", "Steps/Create", "No/Such"):
            status, _ = request(svc, "alice", method, None, raw=body)
            assert status in (200, 400, 404), (method, body[:20], status)
    assert serves(svc)
    assert grapped_of(svc) == before, "grapped was restarted"


def test_those_who_send_slowly_do_not_keep_others_waiting(svc):
    code = ("import socket, time\n"
            "held = []\n"
            "for i in range(1500):\n"
            "    s = socket.socket(socket.AF_UNIX)\n"
            "    try: s.connect('%s'); s.send(b'POST /'); held.append(s)\n"
            "    except OSError: break\n"
            "print(len(held), flush=True)\n"
            "time.sleep(60)\n" % svc.socket)
    slow = subprocess.Popen(["/usr/bin/python3", "-c", code], stdout=subprocess.PIPE, text=True,
                            **svc.as_user("alice"))
    assert int(slow.stdout.readline()) > 500
    assert serves(svc), "bob is served while alice holds connections"
    assert svc.run("sbatch -o /dev/null --wrap true", user="bob").returncode == 0
    slow.kill()
    slow.wait()
    wait_for(lambda: svc.run("scontrol ping").returncode == 0, "alice is served again")


def test_a_steps_socket_takes_noise_from_its_own_user(svc):
    job = submit(svc, "srun -n1 sleep 60", options="-o /dev/null")
    wait_running(svc, job)
    path = "%s/run/steps/%d.0.0" % (svc.dir, job)
    wait_for(lambda: os.path.exists(path), "the step has a socket")
    rng = random.Random(2)
    for size in (1, 8, 12, 100, 100000):
        for _ in range(10):
            talk(path, rng.randbytes(size), 0.3)
    talk(path, b"\xff" * 64, 0.3)
    assert svc.run("squeue -h -s -j %d" % job).stdout.strip()
    svc.run("scancel %d" % job)


def test_a_message_to_the_launcher_needs_its_socketpair(svc):
    """There is no socket of the launcher to write to, and grapped's end can't be opened."""
    for pid in grapped_of(svc):
        answer = svc.run("ls -l /proc/%s/fd; echo x >/proc/%s/fd/3" % (pid, pid))
        assert "ermission denied" in answer.stderr, answer


if __name__ == "__main__":
    main(globals())
