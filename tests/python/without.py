# SPDX-License-Identifier: MIT
"""A package that was built without runs and without YAML (tests/consumer/run): what is there works, the rest says why."""
from common import SMALL

import withy

sim = withy.Simulation(SMALL)
sim.advance(0.5)
assert sim.record([0.6, 0.7]).shape == (2, 4)
for call, words in ((lambda: withy.run(SMALL), "built without runs"), (lambda: withy.open("."), "built without runs"),
                    (lambda: withy.sweep({}), "built without runs"), (lambda: withy.converge(SMALL), "built without runs"),
                    (lambda: withy.Model("withy: 1\n"), "YAML"), (lambda: withy.Model("rubber-pendulum"), "YAML")):
    try:
        call()
    except withy.InputError as error:
        assert words in str(error), error
    else:
        raise AssertionError(f"no error with '{words}'")
print("the Python package without runs and YAML")
