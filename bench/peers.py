# SPDX-License-Identifier: MIT
"""The two cantilevers of `withy bench peers` with other programs, as many as are installed: PyElastica, MuJoCo, Exudyn.

Called by the command: peers.py [--json]. A row for each program and cantilever: elements, steps, time of the processor for one
second of motion, and how far the tip is off. A program that fails is said and left out. The settings are the coarsest ones
with which each program should be stable.
"""
import json
import math
import sys
import time

GRAVITY = 9.81
# Radius, Young's modulus, Poisson's ratio, density; the tip in x and z at t = 0.5 and 1.
CANTILEVERS = {
    "rubber": {"radius": 5e-3, "young": 5e6, "poisson": 0.5, "density": 1100.0,
               "tip": [(-0.1670, -0.9125), (-0.632, -0.041)]},
    "steel": {"radius": 1e-3, "young": 2.1e11, "poisson": 0.2, "density": 7850.0,
              "tip": [(0.9800, -0.1873), (0.9258, -0.3494)]},
}


def pyelastica(rod, elements):
    """Explicit, staggered: its step follows from the speed of waves of stretch."""
    import elastica as ea
    import numpy as np

    class Simulator(ea.BaseSystemCollection, ea.Constraints, ea.Forcing):
        pass

    simulator = Simulator()
    shear = rod["young"] / (2 * (1 + rod["poisson"]))
    beam = ea.CosseratRod.straight_rod(elements, np.zeros(3), np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0]), 1.0,
                                       rod["radius"], rod["density"], youngs_modulus=rod["young"], shear_modulus=shear)
    simulator.append(beam)
    simulator.constrain(beam).using(ea.OneEndFixedBC, constrained_position_idx=(0,), constrained_director_idx=(0,))
    simulator.add_forcing_to(beam).using(ea.GravityForces, acc_gravity=np.array([0.0, 0.0, -GRAVITY]))
    simulator.finalize()
    # The fastest waves are those of bending and shear between neighbours; a fifth of the time of a wave of stretch.
    steps = math.ceil(0.5 / (0.2 / elements * math.sqrt(rod["density"] / rod["young"])))
    stepper = ea.PositionVerlet()

    def half():
        ea.integrate(stepper, simulator, 0.5, steps)
        return beam.position_collection[0, -1], beam.position_collection[2, -1]

    return half, 2 * steps


def mujoco(rod, elements):
    """A chain of stiff links with the elasticity of its plugin for cables."""
    import mujoco as mj

    shear = rod["young"] / (2 * (1 + rod["poisson"]))
    step = 1e-4
    model = mj.MjModel.from_xml_string(f"""
<mujoco>
  <extension><plugin plugin="mujoco.elasticity.cable"/></extension>
  <option timestep="{step}" gravity="0 0 {-GRAVITY}" integrator="implicitfast"><flag contact="disable"/></option>
  <worldbody>
    <composite type="cable" curve="s" count="{elements + 1} 1 1" size="1" offset="0 0 0" initial="none">
      <plugin plugin="mujoco.elasticity.cable">
        <config key="twist" value="{shear}"/><config key="bend" value="{rod['young']}"/><config key="vmax" value="0"/>
      </plugin>
      <joint kind="main" damping="0" armature="0"/>
      <geom type="capsule" size="{rod['radius']}" density="{rod['density']}"/>
    </composite>
  </worldbody>
</mujoco>""")
    data = mj.MjData(model)
    steps = round(0.5 / step)

    def half():
        for _ in range(steps):
            mj.mj_step(model, data)
        tip = data.site("S_last").xpos
        return tip[0], tip[2]

    return half, 2 * steps


def exudyn(rod, elements):
    """Cables of absolute nodal coordinates in the plane, with the generalised-alpha method."""
    import exudyn as exu
    from exudyn import utilities

    system = exu.SystemContainer().AddSystem()
    area, inertia = math.pi * rod["radius"] ** 2, math.pi * rod["radius"] ** 4 / 4
    cable = utilities.Cable2D(physicsMassPerLength=rod["density"] * area, physicsBendingStiffness=rod["young"] * inertia,
                              physicsAxialStiffness=rod["young"] * area)
    made = utilities.GenerateStraightLineANCFCable2D(
        mbs=system, positionOfNode0=[0, 0, 0], positionOfNode1=[1, 0, 0], numberOfElements=elements, cableTemplate=cable,
        massProportionalLoad=[0, -GRAVITY, 0], fixedConstraintsNode0=[1, 1, 1, 1], fixedConstraintsNode1=[0, 0, 0, 0])
    system.Assemble()
    settings = exu.SimulationSettings()
    settings.solutionSettings.writeSolutionToFile = False
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.8
    settings.timeIntegration.newton.useModifiedNewton = True
    steps = 250
    settings.timeIntegration.numberOfSteps = steps
    tip = made[0][-1]
    halves = []

    def half():
        settings.timeIntegration.startTime = 0.5 * len(halves)
        settings.timeIntegration.endTime = 0.5 * (len(halves) + 1)
        system.SolveDynamic(settings, updateInitialValues=True)
        halves.append(1)
        at = system.GetNodeOutput(tip, exu.OutputVariableType.Position)
        return at[0], at[1]

    return half, 2 * steps


PEERS = [("PyElastica", "elastica", pyelastica, {"rubber": 40, "steel": 16}),
         ("MuJoCo", "mujoco", mujoco, {"rubber": 40, "steel": 16}),
         ("Exudyn", "exudyn", exudyn, {"rubber": 16, "steel": 8})]


def measure(make, cantilever, elements):
    """A row; the time is that of the second of two runs: what is compiled while a program runs does not count."""
    rod = CANTILEVERS[cantilever]
    for _ in range(2):
        half, steps = make(rod, elements)
        start = time.process_time()
        found = [half() for _ in range(2)]
        spent = time.process_time() - start
    error = max(math.hypot(x - want[0], z - want[1]) for (x, z), want in zip(found, rod["tip"]))
    return {"cantilever": cantilever, "elements": elements, "steps": steps, "computing_ms": 1e3 * spent,
            "tip_error": error if math.isfinite(error) else None}


def main():
    as_json = "--json" in sys.argv[1:]
    for name, module, make, elements in PEERS:
        try:
            __import__(module)
        except ImportError:
            if not as_json:
                print(f"{name:12} is not installed")
            continue
        for cantilever, count in elements.items():
            try:
                row = {"name": name, **measure(make, cantilever, count)}
            except Exception as failure:  # whatever another program may raise
                print(f"withy bench: peers: {name}, {cantilever}: {failure!r}", file=sys.stderr)
                continue
            if as_json:
                print(",\n  " + json.dumps(row), end="")
                continue
            error = "lost" if row["tip_error"] is None else f"{row['tip_error']:.1e}"
            print(f"{name:12} {cantilever:8} {count:9} {row['steps']:8} {row['computing_ms']:13.2f} {error:>10}")


if __name__ == "__main__":
    main()
