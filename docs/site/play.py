# SPDX-License-Identifier: MIT
"""3D pages of the scenarios: runs them with the command, and writes what `withy view` makes of them."""
import shutil
import subprocess
import tempfile
from pathlib import Path

# Each runs in a second or two; settings keep the pages small.
SCENARIOS = {
    "flying-spaghetti": [],
    "rubber-pendulum": ["time.end=4"],
    "soft-arm-circle": [],
    "tendon-finger": [],
    "hair-tress": ["strands.tress.count=60"],
    "coil-spring": [],
    "helix-spring": [],
    "twisted-falling-rod": [],
    "hanging-hose": [],
    "hanging-cable": ["time.end=6"],
    "cantilever-release": [],
    "rubber-pendulum-undamped": ["time.end=4"],
    "five-integrators": [],
    "soft-arm-heart": [],
    "rolled-up": [],
    "elastica": [],
    "euler-column": [],
    "bent-cantilever": [],
    "buckling-strut": [],
    "cable-push": ["rods.cable.segments=40"],
    "steel-string": ["time.end=4"],
    "aluminium-cantilever": [],
    "aluminium-cantilever-viscoelastic": [],
    "torsional-wave": [],
    "transversal-oscillation": [],
    "ring-twisted": [],
    "right-angle-frame": [],
    "net": [],
    "gridshell": [],
    "lee-frame": [],
    "gripper": [],
    "double-pendulum": [],
    "slider-crank": ["time.end=2"],
    "mobile": ["time.end=3"],
    "wind-chime": ["time.end=2"],
    "template": [],
}


def make(command, name, settings, page, scratch):
    run = Path(scratch) / name
    options = [option for setting in settings for option in ("--set", setting)]
    subprocess.run([command, "run", name, "-o", run, "--quiet", *options], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([command, "view", run, "-o", page], check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(run)


def write(command, folder):
    """Pages that are newer than the command stay. Returns the names of what can be played."""
    folder.mkdir(parents=True, exist_ok=True)
    made = Path(command).stat().st_mtime
    with tempfile.TemporaryDirectory() as scratch:
        for name, settings in SCENARIOS.items():
            page = folder / f"{name}.html"
            if not page.exists() or page.stat().st_mtime < made:
                make(command, name, settings, page, scratch)
    return set(SCENARIOS)
