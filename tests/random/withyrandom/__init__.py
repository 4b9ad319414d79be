# SPDX-License-Identifier: MIT
"""Random tests of withy: valid scenarios at random, faults of their runs, relations between runs.

The command is a black box here: scenarios go in, probes.csv, modes.csv and summary.json come out. Modules, in the order in
which they build on each other: vectors, expressions, scenario (YAML), command (one run), generate, faults, compare,
twins, relations, shrink, driver. docs/dev/random.md tells how to use and to extend them.
"""
