#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Runs the Python code of a Markdown page from top to bottom as one script.

usage: scripts/python_page.py PAGE.md [FOLDER]     FOLDER is where the code finds and leaves its files (default: here)
"""
import os
import re
import sys
from pathlib import Path


def script(page):
    """The blocks of code of a page, each on its own lines of the page, so that errors name them."""
    text = Path(page).read_text(encoding="utf-8")
    lines = [""] * (text.count("\n") + 1)
    for block in re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S):
        first = text.count("\n", 0, block.start(1))
        for number, line in enumerate(block[1].splitlines()):
            lines[first + number] = line
    return "\n".join(lines)


if __name__ == "__main__":
    code = compile(script(sys.argv[1]), sys.argv[1], "exec")
    if len(sys.argv) > 2:
        os.chdir(sys.argv[2])
    exec(code, {"__name__": "__main__"})
