# SPDX-License-Identifier: MIT
"""What the tests on MPI share: programs that are started on several ranks, and sweeps that are compared."""
import csv
import os
import subprocess
import sys
import time

os.environ["OMPI_ALLOW_RUN_AS_ROOT"] = os.environ["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
LAUNCHER = ["mpirun"]
if "Open MPI" in subprocess.run(["mpirun", "--version"], capture_output=True, text=True, check=False).stdout:
    LAUNCHER += ["--quiet", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1",
                 "--mca", "odls_base_sigkill_timeout", "0"]  # others are killed at once, too
JOURNAL = "journal-1-of-1.csv"


def fail(text):
    sys.exit(f"FAILED: {text}")


def expect(good, text):
    if not good:
        fail(text)


def expect_equal(got, wanted, text):
    expect(got == wanted, f"{text}: got {got!r}, want {wanted!r}")


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def on_ranks(count, *command):
    """Without what the launcher says of a machine that does not show its cores, such as a container."""
    done = run(*LAUNCHER, "-n", str(count), *command)
    done.stderr = "".join(line for line in done.stderr.splitlines(True) if not line.startswith("[hwloc"))
    return done


def start_ranks(count, *command):
    return subprocess.Popen([*LAUNCHER, "-n", str(count), *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def end(process):
    """Waits for the end; returns the exit status and what was said on stderr."""
    _, errors = process.communicate(timeout=60)
    return process.returncode, errors


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def points(folder):
    """The points that have a complete row in the journal, in its order."""
    try:
        text = read(f"{folder}/{JOURNAL}").decode()
    except FileNotFoundError:
        return []
    lines = text[:text.rfind("\n") + 1].splitlines()[2:]
    return [int(row[0]) for row in csv.reader(lines)]


def wait_for_rows(process, folder, count):
    """Returns whether the sweep has that many rows before it ends."""
    limit = time.monotonic() + 60
    while len(points(folder)) < count and process.poll() is None:
        expect(time.monotonic() < limit, f"{folder}: no {count} rows after a minute")
        time.sleep(0.005)
    return process.poll() is None


def ranks_of(process, name="withy-mpi"):
    """The processes of that name which a launcher has started, itself or by helpers."""
    parents, names = {}, {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            fields = read(f"/proc/{pid}/stat").decode()
        except (FileNotFoundError, ProcessLookupError):
            continue
        names[int(pid)] = fields[fields.index("(") + 1:fields.rindex(")")]
        parents[int(pid)] = int(fields[fields.rindex(")") + 2:].split()[1])

    def belongs(pid):
        while pid in parents and pid != process.pid:
            pid = parents[pid]
        return pid == process.pid
    return [pid for pid in sorted(names) if names[pid] == name and belongs(pid)]


# A point takes some milliseconds.
PLAN = """withy: 1
scenario: rubber-pendulum
set: {{time.end: {seconds}}}
vary:
  rods.pendulum.segments: [4, 5, 6, 7]
  solver.tolerance: {{from: 1e-7, to: 1e-4, count: {count}, scale: log}}
keep:
  sag: {{probe: tip.z, of: min}}
  steps: {{run: steps}}
"""
