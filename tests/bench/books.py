"""The books of Grappe beside slurmdbd with its MariaDB, and alone with millions of jobs.

    books.py BIN_DIR [--jobs 10000] [--rows 5000000] [--only grappe]

Beside Slurm: an array of so many jobs runs on each, then sacct is timed. Alone: a generator fills a
database through the store, a service is started on it, and the questions of every day are timed.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bench  # noqa: E402
import service  # noqa: E402

JOBS_WANTED = 1 / 4


class SlurmWithBooks(bench.Slurm):
    arguments = ["--accounting"]


def history(system, count):
    """Times of sacct once so many jobs are over."""
    system.run("sbatch %s --array=1-%d" % (bench.JOB, count))
    system.drain()
    listed = 0
    # slurmdbd hears of the last ends somewhat later.
    while listed < count:
        listed = len(system.run("sacct -X -n -P -s CD -S now-1day -E now -o JobID").split())
    return {
        "sacct -X of %d jobs, ms" % count:
            system.median_ms("sacct -X -n -P -S now-1day -o JobID,State,Elapsed,AllocTRES", 7),
        "sacct of %d jobs, ms" % count: system.median_ms("sacct -n -P -S now-1day", 5),
        "sacct -j, ms": system.median_ms("sacct -n -P -j 1_77", 21),
    }


def beside(systems, count):
    results = {}
    for system in systems:
        system.start()
        try:
            results[system.name] = history(system, count)
        finally:
            system.stop()
    print("%-34s %10s %10s %8s" % ("", "Grappe", "Slurm", "ratio"))
    for name, ours in results["Grappe"].items():
        line = "%-34s %10.2f" % (name, ours)
        if "Slurm" in results:
            ratio = ours / results["Slurm"][name]
            line += " %10.2f %8.3f (wanted: at most %.3f)%s" % (
                results["Slurm"][name], ratio, JOBS_WANTED, "  SHORT" if ratio > JOBS_WANTED else "")
        print(line, flush=True)


def fill(tools, file, rows):
    """Fills it and returns the cost of a job in the first and in the last tenth, and the bytes."""
    done = subprocess.run([tools + "/books_fill", file, str(rows)], check=True, capture_output=True, text=True)
    print(done.stdout, end="", flush=True)
    costs = [float(each) for each in re.findall(r"([\d.]+) us each", done.stdout)]
    return costs[0], costs[-1]


QUESTIONS = [
    ("sacct -j of one job", "sacct -n -P -j 1234567", 20),
    ("a user's last day", "sacct -n -P -X -u 2007 -S now-1day", 100),
    ("sreport cluster utilization of a year",
     "sreport -n -P cluster utilization start=now-365days end=now", 200),
    ("sreport by account and user, of a year",
     "sreport -n -P cluster AccountUtilizationByUser start=now-365days end=now", 200),
]


def alone(tools, rows):
    """How Grappe's books hold up with so many jobs."""
    with tempfile.TemporaryDirectory(prefix="grappe-books-") as folder:
        os.chmod(folder, 0o755)
        books = service.Service(tools, bench.CONF, "books", folder=folder + "/service")
        first, last = fill(tools, books.dir + "/db/grappe.db", rows)
        print("cost of a job, last tenth / first tenth %21.2f (wanted: at most 1.2)%s"
              % (last / first, "  SHORT" if last / first > 1.2 else ""))
        subprocess.run(["chown", "-R", "grappe", books.dir + "/db"], check=True)
        system = bench.Grappe(tools)
        system.service = books.start()
        try:
            for name, command, limit in QUESTIONS:
                system.run(command, user="root")  # once: roll-ups are made, pages are read
                took = system.median_ms(command, 11, user="root")
                print("%-50s %10.2f ms (wanted: at most %d)%s"
                      % (name, took, limit, "  SHORT" if took > limit else ""), flush=True)
        finally:
            system.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin_dir")
    parser.add_argument("--jobs", type=int, default=10000)
    parser.add_argument("--rows", type=int, default=5000000)
    parser.add_argument("--only", choices=["grappe"], help="leave Slurm out")
    arguments = parser.parse_args()
    service.ensure_users()
    tools = os.path.abspath(arguments.bin_dir)
    systems = [bench.Grappe(tools)]
    if not arguments.only:
        systems.append(SlurmWithBooks(tools, "Slurm", {}))
    if arguments.jobs:
        beside(systems, arguments.jobs)
    if arguments.rows:
        alone(tools, arguments.rows)


if __name__ == "__main__":
    main()
