#!/usr/bin/python3
"""What MPI costs a sweep, with the programs of a build folder: bench/mpi.py [build]. Some 20 seconds on two idle cores.
1. The queue alone: tasks that take no time, and tasks of 1 ms on ranks that only wait, with and without the help of rank 0.
2. Points of about a millisecond by one process with one and two threads, and by one and two ranks, in turn; the best of
   three. Figures of one run can be compared with each other."""
import os
import re
import subprocess
import sys
import tempfile
import time

BUILD = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build")
os.environ["OMPI_ALLOW_RUN_AS_ROOT"] = os.environ["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
RANKS = ["mpirun", "--quiet", "--oversubscribe", "--bind-to", "none", "-n"]
PLAN = """withy: 1
scenario: rubber-pendulum
set: {time.end: 0.02, time.frames: 0.02, rods.pendulum.segments: 5}
vary: {constants.r: {from: 4e-3, to: 6e-3, count: 2000}}
keep: {sag: {probe: tip.z, of: min}}
"""


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def queue(ranks, **options):
    """Microseconds per task, the best of three."""
    words = [f"{name}={value}" for name, value in options.items()]
    said = [output(*RANKS, str(ranks), f"{BUILD}/tests/mpi/tasks", *words) for _ in range(3)]
    return min(float(line.split()[-1]) for line in said)


def main():
    print("the queue alone, tasks that take no time: us per task")
    for ranks in (1, 2, 4):
        print(f"  {ranks} ranks  {queue(ranks, tasks=20000):7.1f}")
    print("tasks of 1 ms on ranks that only wait, rank 0 computing never, as it does, always: us per task")
    for ranks in (5, 9, 17, 33):
        times = [queue(ranks, tasks=400 * ranks, microseconds=1000, idle=1, busy=busy) for busy in (0, 30000, 10 ** 8)]
        print(f"  {ranks:2} ranks " + "".join(f"{t:8.1f}" for t in times) + f"   of {1000 / (ranks - 1):.1f} at best")

    print("a sweep of 2000 points: seconds as the program says, and as the user waits; ratio of the first to one thread")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open("plan.yaml", "w", encoding="utf-8") as file:
            file.write(PLAN)
        withy, mpi = f"{BUILD}/withy", f"{BUILD}/withy-mpi"
        ways = {"1 thread": [withy, "sweep", "-j", "1"], "2 threads": [withy, "sweep", "-j", "2"],
                "1 rank": RANKS + ["1", mpi, "sweep"], "2 ranks": RANKS + ["2", mpi, "sweep"],
                "1 rank of 2 threads": RANKS + ["1", mpi, "sweep", "-j", "2"],
                "4 ranks": RANKS + ["4", mpi, "sweep"]}
        best = {name: (1e9, 1e9) for name in ways}
        for _ in range(3):
            for name, command in ways.items():
                start = time.monotonic()
                said = output(*command, "plan.yaml", "-o", name)
                waited = time.monotonic() - start
                best[name] = min(best[name], (float(re.search(r", ([0-9.]+) s with", said)[1]), waited))
        for name, (seconds, waited) in best.items():
            print(f"  {name:20} {seconds:7.3f} {waited:7.3f} {best['1 thread'][0] / seconds:6.2f}")


main()
