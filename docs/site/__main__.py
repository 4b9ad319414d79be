# SPDX-License-Identifier: MIT
"""Builds the documentation as a site of plain files that opens from a folder. Needs cmark-gfm and Python, no network.

    python3 docs/site [-o site] [--command build/withy]

With --command the scenarios are run, and the gallery plays them in 3D. scripts/site calls it so."""
import argparse
import shutil
import subprocess
import sys
from pathlib import Path

import check
import gallery
import headers
import play
import reference
import search
from pages import Site


def clean(folder):
    """Old pages go. 3D pages stay: they take long and are remade when the command is newer; so does the first page, by
    which the folder is known as a site if the rest should fail."""
    for entry in folder.iterdir():
        if entry.name in ("play", "index.html"):
            continue
        if entry.is_dir():
            shutil.rmtree(entry)
        else:
            entry.unlink()


def build(root, out, command):
    out.mkdir(parents=True, exist_ok=True)
    there = {entry.name for entry in out.iterdir()}
    if there - {"play"} and "index.html" not in there:
        sys.exit(f"{out} holds something else than a site: not overwritten")
    clean(out)
    site = Site(root, out)
    found = reference.register(site)
    gallery.register(site)
    playable = play.write(command, out / "play") if command else set()
    for path in site.texts:
        if path != "docs/gallery.md":
            site.write_page(path)
    gallery.write(site, playable)
    reference.write(site, found)
    site.write_sources()
    for name in ("style.css", "site.js", "icon.svg"):
        site.copy(f"docs/site/{name}", f"assets/{name}")
    search.write(out / "assets" / "search.js", site.index)
    return site.errors + check.check(out)


def main():
    parser = argparse.ArgumentParser(prog="scripts/site", description=__doc__.split("\n")[0])
    root = Path(__file__).resolve().parents[2]
    parser.add_argument("-o", "--output", type=Path, default=root / "site", help="the folder to write (default: site)")
    parser.add_argument("--command", type=Path, help="the command withy, for pages that play scenarios in 3D")
    options = parser.parse_args()
    if not shutil.which("cmark-gfm"):
        sys.exit("scripts/site: the documentation needs cmark-gfm (Debian package cmark-gfm)")
    if options.command and not options.command.is_file():
        sys.exit(f"scripts/site: there is no command {options.command}; `make build` makes it")
    try:
        wrong = build(root, options.output, options.command)
    except headers.HeaderError as error:
        sys.exit(f"scripts/site: {error}")
    except subprocess.CalledProcessError as error:
        sys.exit(f"scripts/site: failed: {' '.join(map(str, error.cmd))}")
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"The documentation, to open in a browser: {options.output.resolve()}/index.html")


if __name__ == "__main__":
    main()
