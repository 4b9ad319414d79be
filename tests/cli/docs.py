# SPDX-License-Identifier: MIT
"""Checks of the documentation, on its sources. Python's own library is enough; where cmark-gfm is installed the site is
built and checked, too. Arguments: the command, an empty folder."""
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "docs" / "site"), str(ROOT / "scripts")]

import gallery  # noqa: E402
import headers  # noqa: E402
import markdown  # noqa: E402
import sources  # noqa: E402

FENCE = re.compile(r"^[ \t]*```.*?^[ \t]*```[ \t]*$", re.M | re.S)
LINK = re.compile(r"!?\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^)\s]+)\)")


def pages():
    found = sorted((ROOT / "docs").rglob("*.md"))
    return [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] + found


def anchors(text):
    used = set()
    for line in FENCE.sub("", text).splitlines():
        heading = re.match(r"#{1,6} +(.*)", line)
        if heading:
            markdown.slug(re.sub(r"[`*]|\]\([^)]*\)|\[", "", heading[1]), used)
    return used | set(re.findall(r'<a id="([^"]+)"', text)) | markdown.labels_of(text)


def broken_links(path, text):
    """Links of a page that lead nowhere."""
    plain = re.sub(r"`[^`\n]*`", "", FENCE.sub("", text))
    for link in LINK.findall(plain) + re.findall(r'(?:src|srcset|href)="([^"]+)"', plain):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        if not target.exists():
            yield f"{path.relative_to(ROOT)}: no such file: {link}"
        elif anchor and target.suffix == ".md":
            if anchor not in anchors(text if target == path else target.read_text(encoding="utf-8")):
                yield f"{path.relative_to(ROOT)}: no such anchor: {link}"


def check_links():
    for path in pages():
        yield from broken_links(path, path.read_text(encoding="utf-8"))


def check_that_links_can_fail():
    path = ROOT / "docs" / "hello.md"
    text = "# A\n[a](nowhere.md) [b](#a) [c](#b) [d](notation.md#notation) [e](notation.md#none)\n"
    text += '`[f](x)` <img src="g">\n'
    found = [line.rsplit(" ", 1)[1] for line in broken_links(path, text)]
    if found != ["nowhere.md", "#b", "notation.md#none", "g"]:
        yield f"broken links found: {found}"


def check_contents():
    """docs/README.md lists every page: the site's navigation is made of it."""
    text = (ROOT / "docs/README.md").read_text(encoding="utf-8")
    listed = {(ROOT / "docs" / link.partition("#")[0]).resolve() for link in LINK.findall(text.split("## Contents")[1])}
    for path in pages()[1:]:
        if path not in listed and path.name != "README.md":
            yield f"docs/README.md: {path.relative_to(ROOT)} is not in the contents"


def check_make():
    """make help has a line for every target but those that others use, and the README names the tests."""
    listed = subprocess.run(["make", "-s", "-C", str(ROOT), "help"], capture_output=True, text=True, check=True).stdout
    shown = {line.split()[1] for line in listed.splitlines() if len(line.split()) > 3}
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    wanted = set(re.search(r"^\.PHONY: (.*)$", makefile, re.M)[1].split()) - {"configure"}
    for name in sorted(wanted ^ shown):
        yield f"make help: {name} is {'missing' if name in wanted else 'no target'}"
    if "`make test`" not in (ROOT / "README.md").read_text(encoding="utf-8"):
        yield "README.md: it does not name `make test`"


def check_version():
    """All that names the version of withy names the one of base.h."""
    version = re.search(r'^#define WY_VERSION "(.*)"', (ROOT / "include/withy/base.h").read_text(encoding="utf-8"), re.M)[1]
    library = "libwithy" + version.rpartition(".")[0]
    for file, pattern, wanted in (
        ("CITATION.cff", r"^version: (.*)$", [version]),
        ("debian/changelog", r"\Awithy \((.*?)\)", [version]),
        ("debian/control", r"^Package: (libwithy[\d.]+)$", [library]),
        ("debian/control", r"(libwithy\d[\d.]*) \(= ", [library]),
    ):
        found = re.findall(pattern, (ROOT / file).read_text(encoding="utf-8"), re.M)
        if found != wanted:
            yield f"{file}: found {found}, want {wanted}"
    if not (ROOT / f"debian/{library}.install").exists():
        yield f"debian: there is no {library}.install"


def check_gallery(command):
    text = (ROOT / "docs/gallery.md").read_text(encoding="utf-8")
    shown = gallery.names(text)
    built_in = subprocess.run([command, "list"], capture_output=True, text=True, check=True).stdout
    wanted = [line.split()[0] for line in built_in.splitlines() if line.strip()]
    for name in wanted:
        if shown.count(name) != 1:
            yield f"docs/gallery.md: {name} is there {shown.count(name)} times, want once"
    for name in set(shown) - set(wanted):
        yield f"docs/gallery.md: there is no scenario {name}"
    for name in shown:
        scenario = (ROOT / "scenarios" / f"{name}.yaml").read_text(encoding="utf-8")
        title, happens = gallery.describe(scenario)
        if not title or len(happens) < 40:
            yield f"scenarios/{name}.yaml: no title, or no comment at the top that says what happens"
        if name != "template" and not gallery.picture(ROOT, name):
            yield f"docs/figures: no picture of {name}"


def check_headers():
    """Every public declaration is in the C reference, with a comment."""
    found = headers.read_all(ROOT)
    known = {declaration.name for header in found for declaration in header.declarations}
    known |= {member for header in found for declaration in header.declarations for member in declaration.members}
    for path in sorted((ROOT / "include/withy").glob("*.h")):
        text = headers.strip_comments(path.read_text(encoding="utf-8"))
        names = re.findall(r"(?:WY_API|static inline)[^;{(]*?\b(wy_\w+)\(", text) + re.findall(r"\} (wy_\w+);", text)
        enums = " ".join(re.findall(r"enum[^{;]*\{[^}]*\}", text))
        names += re.findall(r"\bWY_[A-Z0-9_]+\b", enums)
        for name in names:
            if name not in known:
                yield f"{path.relative_to(ROOT)}: {name} is not in the C reference"
    for header in found:
        for declaration in headers.undocumented(header):
            yield f"{header.path}:{declaration.line}: {declaration.name} has no comment"


def check_code(path, text):
    """Code that a page takes from a file, marked by a comment with the file's name, is in that file, word for word."""
    for name, code in re.findall(r"<!-- (\S+) -->\n```c\n(.*?)^```$", text, re.M | re.S):
        if code not in (ROOT / name).read_text(encoding="utf-8"):
            yield f"{path.relative_to(ROOT)}: {name} has no such code: {code.splitlines()[0]} ..."


def check_scenarios(command, folder):
    """Scenarios and plans of sweeps that are shown as a whole are valid."""
    for path in pages():
        text = path.read_text(encoding="utf-8")
        for number, block in enumerate(re.findall(r"^```yaml\n(withy: 1\n.*?)^```$", text, re.M | re.S)):
            file = folder / f"{path.stem}-{number}.yaml"
            file.write_text(block, encoding="utf-8")
            check = ["sweep", file, "--list"] if re.search("^vary:", block, re.M) else ["check", file]
            run = subprocess.run([command, *check], capture_output=True, text=True)
            if run.returncode:
                yield f"{path.relative_to(ROOT)}: {run.stderr.strip()}"


def check_site(folder):
    if not shutil.which("cmark-gfm"):
        print("the site is not built: there is no cmark-gfm")
        return
    command = [sys.executable, "-B", ROOT / "docs" / "site", "-o", folder / "site"]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        yield f"docs/site: {run.stderr.strip()}"


def check_names():
    """Files and functions that the developers' pages name exist."""
    text = "".join((ROOT / name).read_text(encoding="utf-8") for name in sources.files(ROOT) if name.endswith((".c", ".h")))
    words = set(re.findall(r"\bwy_\w+", text))
    for path in sorted((ROOT / "docs" / "dev").glob("*.md")):
        if path.name == "decisions.md":  # speaks of the past as well
            continue
        for name, file in re.findall(r"`(wy_\w+)` (?:in|\() ?`([\w/.]+\.c)`", path.read_text(encoding="utf-8")):
            home = ROOT / file
            if home.exists() and not re.search(rf"^\w.*\b{name}\(", home.read_text(encoding="utf-8"), re.M):
                yield f"docs/dev/{path.name}: {name} is not in {file}"
        for name in re.findall(r"`([^`\n]+)`", FENCE.sub("", path.read_text(encoding="utf-8"))):
            if re.fullmatch(r"wy_[a-z0-9_]+", name) and name not in words:
                yield f"docs/dev/{path.name}: there is no {name}"
            if "NAME" not in name and re.fullmatch(r"(src|run|draw|cli|include|sundials|tests|scripts|web|bench|experiments|docs)/[\w./-]+", name):
                if not (ROOT / name).exists():
                    yield f"docs/dev/{path.name}: there is no {name}"


def check_graph():
    run = subprocess.run([sys.executable, "-B", ROOT / "scripts" / "graph", "--check"], capture_output=True, text=True)
    if run.returncode:
        yield run.stderr.strip()


def main():
    command, folder = sys.argv[1], Path(sys.argv[2])
    wrong = [*check_links(), *check_that_links_can_fail(), *check_contents(), *check_make(), *check_version(), *check_graph(), *check_names()]
    wrong += [*check_gallery(command), *check_headers()]
    for path in pages():
        wrong += check_code(path, path.read_text(encoding="utf-8"))
    wrong += [*check_scenarios(command, folder), *check_site(folder)]
    print("\n".join(wrong))
    sys.exit(bool(wrong))


main()
