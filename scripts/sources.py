# SPDX-License-Identifier: MIT
"""The files of withy: what git knows of or would take; in a tarball, which has no git, all but what was built."""
import re
import subprocess
from pathlib import Path

BUILT = {"node_modules", "__pycache__", ".cache", ".mypy_cache"}


def is_source(path):
    parts = path.parts
    if BUILT & set(parts) or re.match(r"build(-|$)|site$|dist$", parts[0]) or path.suffix == ".so":
        return False
    return not any(part.endswith(".out") for part in parts)


def files(root):
    """Their names below `root`, sorted, with slashes."""
    if (root / ".git").exists():
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root,
                                capture_output=True, check=True).stdout
        return sorted({name.decode() for name in listed.split(b"\0") if name and (root / name.decode()).is_file()})
    found = (path.relative_to(root) for path in Path(root).rglob("*") if path.is_file())
    return sorted(path.as_posix() for path in found if is_source(path))
