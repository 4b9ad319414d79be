#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes the reference of the Python package from its docstrings, as Markdown.

usage: scripts/python_reference.py >docs/guide/python-reference.md
"""
from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent / "python" / "withy"
HEAD = """# Python reference

Everything that `import withy` brings, made from the docstrings by `scripts/python_reference.py`. [Python](python.md) is the guide;
arrays are numpy's, of double precision, and `Array` is the type of such an array.
"""
GROUPS = {
    "Models": ("Model", "scenarios", "quantities", "RodInfo", "Probe", "Quantity"),
    "Simulations": ("Simulation", "Inputs", "Modes", "Strands"),
    "Rods": ("Rods", "Rod", "End", "Energy", "Momentum", "Extreme", "Equilibrium", "Methods"),
    "Networks": ("Parts", "Body", "Joint", "Load", "Spring", "Group"),
    "Contact": ("Obstacle", "Contact"),
    "Batches": ("Batch", "BatchInfo", "BatchWork", "Sections", "DeviceArray"),
    "Runs": ("run", "open", "Run", "Field", "Finding"),
    "Studies": ("sweep", "Sweep", "Course", "Plan", "converge", "Convergence", "Estimate", "Level"),
    "Threads and learning": ("rollout", "envs.Arm", "envs.Box"),
    "Errors": ("InputError", "SolverError", "ResultError", "ResultWarning"),
}
READ_AS = {"Number": "Array"}  # types of attributes that are read as something else
NAMES = {"open": "open_run"}  # in the source


def load() -> dict[str, tuple[ast.ClassDef | ast.FunctionDef, list[str]]]:
    """All classes and functions of the package by name, with the lines of their file."""
    found: dict[str, tuple[ast.ClassDef | ast.FunctionDef, list[str]]] = {}
    for file in sorted(SOURCES.glob("*.py")):
        text = file.read_text(encoding="utf-8")
        prefix = "envs." if file.stem == "envs" else ""
        for node in ast.parse(text).body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                found[prefix + node.name] = (node, text.splitlines())
    return found


def signature(node: ast.FunctionDef, name: str, method: bool) -> str:
    """The call as it is written, without `self`."""
    arguments = ast.unparse(node.args)
    if method:
        arguments = re.sub(r"^self(, )?", "", arguments)
    result = f" -> {ast.unparse(node.returns)}" if node.returns and ast.unparse(node.returns) != "None" else ""
    return f"{name}({arguments}){result}"


def decorated(node: ast.FunctionDef) -> bool:
    """Is it read like a variable?"""
    return any("property" in ast.unparse(one) for one in node.decorator_list)


def comment(lines: list[str], number: int) -> str | None:
    """The comment #: of a line, or of the line before."""
    for line in (lines[number - 1], lines[number - 2]):
        if "#: " in line and (line is lines[number - 1] or line.strip().startswith("#:")):
            return line.split("#: ")[1]
    return None


def fields(node: ast.ClassDef, lines: list[str]) -> list[tuple[str, str]]:
    """Attributes with their meaning: of a tuple, of `__init__`, and properties."""
    found = []
    for part in node.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            kind = ast.unparse(part.annotation)
            found.append((f"{part.target.id}: {READ_AS.get(kind, kind)}", comment(lines, part.lineno) or ""))
        elif isinstance(part, ast.FunctionDef) and part.name == "__init__":
            for one in ast.walk(part):
                if isinstance(one, (ast.Assign, ast.AnnAssign)):
                    target = one.targets[0] if isinstance(one, ast.Assign) else one.target
                    meaning = comment(lines, one.lineno)
                    if meaning and isinstance(target, ast.Attribute):
                        found.append((target.attr, meaning))
        elif isinstance(part, ast.FunctionDef) and decorated(part) and not part.name.startswith("_"):
            result = ast.unparse(part.returns) if part.returns else ""
            found.append((f"{part.name}: {result}", " ".join((ast.get_docstring(part) or "").split())))
    return found


def entry(name: str, node: ast.ClassDef | ast.FunctionDef, lines: list[str]) -> str:
    text = ast.get_docstring(node) or ""
    if isinstance(node, ast.FunctionDef):
        return f"### {name}\n\n```python\nwithy.{signature(node, name, False)}\n```\n\n{text}\n"
    parts = [f"### {name}\n"]
    methods = [part for part in node.body if isinstance(part, ast.FunctionDef)]
    made = next((part for part in methods if part.name == "__init__"), None)
    if made and any(word in text for word in ("`model`", "`plan`", "`scenario`", "folder")):
        parts.append(f"```python\nwithy.{signature(made, name, True)}\n```\n")
    parts.append(text + "\n")
    rows = fields(node, lines)
    if rows:
        parts.append("| attribute | |\n|---|---|")
        parts += [f"| `{what}` | {meaning} |".replace(" | None", " or None") for what, meaning in rows]
        parts.append("")
    for part in methods:
        if not part.name.startswith("_") and not decorated(part):
            parts.append(f"**`{signature(part, part.name, True)}`**\n\n{ast.get_docstring(part)}\n")
    return "\n".join(parts)


def main() -> None:
    found = load()
    print(HEAD)
    for group, names in GROUPS.items():
        print(f"## {group}\n")
        for name in names:
            print(entry(name, *found[NAMES.get(name, name)]))


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    main()
