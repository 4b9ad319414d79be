#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What MPI costs a sweep, with the programs of a build folder: bench/mpi.py [BUILD [queue | sweep]]. Some 30 seconds on
two idle cores.
1. The queue alone: tasks that take no time, and tasks of 1 ms on ranks that only wait, with and without the help of rank 0.
2. Points of about a millisecond by one process with one and two threads, and by ranks, in turn; the best of five.
   Processor time is that of all processes, less that of the same command with one point: it says what the queue costs
   also where other programs use the machine. Figures of one run can be compared with each other."""
import os
import re
import resource
import subprocess
import sys
import tempfile

BUILD = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build")
os.environ["OMPI_ALLOW_RUN_AS_ROOT"] = os.environ["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
RANKS = ["mpirun", "--quiet", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1", "-n"]
POINTS = 2000
PLAN = """withy: 1
scenario: rubber-pendulum
set: {time.end: 0.02, time.frames: 0.02, rods.pendulum.segments: 5}
vary: {constants.r: VALUES}
keep: {sag: {probe: tip.z, of: min}}
"""


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def queue(ranks, **options):
    """Microseconds per task, the best of three."""
    words = [f"{name}={value}" for name, value in options.items()]
    said = [output(*RANKS, str(ranks), f"{BUILD}/tests/mpi/tasks", *words) for _ in range(3)]
    return min(float(line.split()[-1]) for line in said)


def processor_time(*command):
    """Seconds of the command and of what it has started; what it says."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = output(*command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, said


def time_queue():
    print("the queue alone, tasks that take no time: us per task")
    for ranks in (1, 2, 4):
        print(f"  {ranks} ranks  {queue(ranks, tasks=20000):7.1f}")
    print("tasks of 1 ms on ranks that only wait, rank 0 computing never, as it does, always: us per task")
    for ranks in (5, 9, 17, 33):
        times = [queue(ranks, tasks=400 * ranks, microseconds=1000, idle=1, busy=busy) for busy in (0, 30000, 10 ** 8)]
        print(f"  {ranks:2} ranks " + "".join(f"{t:8.1f}" for t in times) + f"   of {1000 / (ranks - 1):.1f} without rank 0")


def time_sweep():
    withy, mpi = f"{BUILD}/withy", f"{BUILD}/withy-mpi"
    ways = {"1 thread": [withy, "sweep", "-j", "1"], "2 threads": [withy, "sweep", "-j", "2"],
            "1 rank": RANKS + ["1", mpi, "sweep"], "2 ranks": RANKS + ["2", mpi, "sweep"],
            "1 rank of 2 threads": RANKS + ["1", mpi, "sweep", "-j", "2"], "4 ranks": RANKS + ["4", mpi, "sweep"]}
    for name, values in (("plan", f"{{from: 4e-3, to: 6e-3, count: {POINTS}}}"), ("start", "[5e-3]")):
        with open(name + ".yaml", "w", encoding="utf-8") as file:
            file.write(PLAN.replace("VALUES", values))
    start = {name: min(processor_time(*command, "start.yaml", "-o", "start", "--no-page")[0] for _ in range(3))
             for name, command in ways.items()}
    wall, processor = {name: 1e9 for name in ways}, {name: 1e9 for name in ways}
    for _ in range(5):
        for name, command in ways.items():
            used, said = processor_time(*command, "plan.yaml", "-o", name, "--no-page")
            wall[name] = min(wall[name], float(re.search(r", ([0-9.]+) s with", said)[1]))
            processor[name] = min(processor[name], used - start[name])
    print(f"a sweep of {POINTS} points: wall time [s] and how often it is faster than one thread; processor time [s] and its ratio")
    for name in ways:
        print(f"  {name:20} {wall[name]:7.3f} {wall['1 thread'] / wall[name]:6.2f} {processor[name]:9.3f}"
              f" {processor[name] / processor['1 thread']:6.3f}")


def main():
    parts = sys.argv[2:] or ["queue", "sweep"]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        if "queue" in parts:
            time_queue()
        if "sweep" in parts:
            time_sweep()


main()
