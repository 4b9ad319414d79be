# SPDX-License-Identifier: MIT
"""Shared by the oracles: stored tables, comparison with them, and the command line.

An oracle is a program that knows nothing of withy's code: it solves the equations of docs/theory again, dense and slow, in
another formulation where there is one. Each makes tables of tests/data. Without arguments it computes the rows that take
seconds and compares; --all computes all rows; --write OUT writes what it computed to the folder OUT instead. The stored
tables are never changed to fit withy: where an oracle and a table differ, one of both programs is wrong.
"""
import csv, os, sys

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data")


def stored(name):
    """Rows of a table of tests/data: a dictionary of numbers each."""
    with open(os.path.join(DATA, name)) as file:
        return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


class Comparison:
    """What an oracle computed, row by row, against what is stored."""

    def __init__(self):
        self.all = "--all" in sys.argv
        self.folder = sys.argv[sys.argv.index("--write") + 1] if "--write" in sys.argv else None
        self.made = {}
        self.failed = False

    def row(self, name, row, values, tolerance):
        """One computed row; `tolerance` is absolute, or a dictionary of them, and says what the oracle is good for."""
        self.made.setdefault(name, []).append(dict(row, **values))
        for key, value in values.items():
            allowed = tolerance[key] if isinstance(tolerance, dict) else tolerance
            if not abs(value - row[key]) <= allowed:
                self.failed = True
                print(f"{name}: {key}: got {value:.15g}, stored {row[key]:.15g}, tolerance {allowed:.3g}, row {row}")

    def value(self, what, got, want, tolerance):
        """One computed number against one that stands in a page."""
        self.made.setdefault("values", []).append({"what": what})
        if not abs(got - want) <= tolerance:
            self.failed = True
            print(f"{what}: got {got:.15g}, want {want:.15g}, tolerance {tolerance:.3g}")

    def end(self):
        for name, rows in self.made.items():
            print(f"{name}: {len(rows)} rows")
            if self.folder and name != "values":
                path = os.path.join(self.folder, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w") as file:
                    out = csv.DictWriter(file, rows[0].keys())
                    out.writeheader()
                    out.writerows(rows)
        sys.exit(1 if self.failed or not self.made else 0)
