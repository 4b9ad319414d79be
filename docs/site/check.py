# SPDX-License-Identifier: MIT
"""Checks a site that was built: every link and anchor has its target, and nothing is loaded from a network.

    python3 docs/site/check.py site"""
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADING = {("img", "src"), ("script", "src"), ("link", "href"), ("source", "srcset"), ("iframe", "src")}


class Links(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loads, self.twice = set(), [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                (self.twice if value in self.ids else []).append(value)
                self.ids.add(value)
            elif (tag, name) in LOADING:
                self.loads.append(value)
            elif name == "href":
                self.links.append(value)


def check(folder):
    """What is wrong, as a list of lines."""
    folder = Path(folder).resolve()
    own = [path for path in sorted(folder.rglob("*.html")) if path.parent.name != "play"]
    pages = {path: Links(path.read_text(encoding="utf-8")) for path in own}
    wrong = []
    for path, page in pages.items():
        name = path.relative_to(folder)
        wrong += [f"{name}: the anchor {anchor} is there twice" for anchor in page.twice]
        for link in page.loads:
            if urlsplit(link).scheme or link.startswith("//"):
                wrong.append(f"{name}: loads {link}")
        for link in page.links + page.loads:
            wrong += [f"{name}: {why}" for why in follow(path, link, pages) if not urlsplit(link).scheme]
    for path in sorted(folder.rglob("*.css")):
        for link in re.findall(r"url\(([^)]*)\)|@import\s+(\S+)", path.read_text(encoding="utf-8")):
            if not "".join(link).strip("\"'").startswith("data:"):
                wrong.append(f"{path.relative_to(folder)}: loads {''.join(link)}")
    return wrong


def follow(path, link, pages):
    parts = urlsplit(link)
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.is_file():
        yield f"no such file: {link}"
    elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
        yield f"no such anchor: {link}"


if __name__ == "__main__":
    found = check(sys.argv[1])
    print("\n".join(found) or "all links are good")
    sys.exit(bool(found))
