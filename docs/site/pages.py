# SPDX-License-Identifier: MIT
"""The site as a whole: which file becomes which page, what links point to, the navigation and the frame of a page."""
import html
import os
import posixpath
import re
from pathlib import Path

import highlight
import markdown
import search

PAGES = {  # beside docs/*.md, which keep their names
    "README.md": "index.html",
    "docs/README.md": "index.html",
    "CONTRIBUTING.md": "dev/contributing.html",
    "CHANGELOG.md": "dev/changes.html",
    "include/withy": "api/index.html",
}
ENTRY = re.compile(r"^( *)- \[(.+?)\]\((.+?)\)")


class Site:
    def __init__(self, root, out):
        self.root, self.out = Path(root), Path(out)
        self.template = (self.root / "docs/site/page.html").read_text(encoding="utf-8")
        self.texts = {str(path.relative_to(self.root)): path.read_text(encoding="utf-8") for path in self.sources()}
        self.urls = dict(PAGES)
        for header in (self.root / "include/withy").glob("*.h"):
            self.urls[f"include/withy/{header.name}"] = f"api/{header.stem}.html"
        self.urls["include/withy/withy.h"] = "api/index.html"
        for path in self.texts:
            self.urls.setdefault(path, path.removeprefix("docs/").removesuffix(".md") + ".html")
        self.labels = {}
        for path, text in self.texts.items():
            for name in markdown.labels_of(text):
                self.labels.setdefault(name, []).append(path)
        self.names = {}  # of the C interface: name to address
        self.scenarios = {}  # name to address
        self.wanted = set()  # files and folders that are shown because something points to them
        self.errors = []
        self.index = []
        self.written = set()
        self.navigation = self.read_navigation()
        self.order = [url for _, group in self.navigation for _, url, depth in group if "#" not in url and depth < 2]

    def sources(self):
        return sorted((self.root / "docs").rglob("*.md")) + [self.root / "CONTRIBUTING.md", self.root / "CHANGELOG.md"]

    def read_navigation(self):
        """[(group, [(title, address, depth)])], from the list at the end of docs/README.md."""
        contents = self.texts["docs/README.md"].split("\n## Contents\n")[1]
        groups = [("", [("Home", "index.html", 0)])]
        for line in contents.splitlines():
            entry = ENTRY.match(line)
            if line.startswith("### "):
                groups.append((line[4:], []))
            elif entry:
                url = self.target("docs/README.md", entry[3])
                groups[-1][1].append((entry[2].replace("`", ""), url, len(entry[1]) // 2))
        return groups

    # ---- Targets ----

    def target(self, path, link):
        """The address, from the root of the site, of what a link in the file `path` points to."""
        name, _, anchor = link.partition("#")
        if not name:
            return self.urls[path] + "#" + anchor
        full = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
        found = self.address(full)
        if not found:
            self.errors.append(f"{path}: no such file: {link}")
            return "index.html"
        return found + ("#" + anchor if anchor else "")

    def address(self, full):
        if full in self.urls:
            return self.urls[full]
        scenario = re.fullmatch(r"scenarios/([\w-]+)\.yaml", full)
        if scenario and scenario[1] in self.scenarios:
            return self.scenarios[scenario[1]]
        if (self.root / full).exists():
            return self.source(full)
        return None

    def source(self, full):
        """The page that shows a file or lists a folder as it is."""
        self.wanted.add(full)
        return "source/" + full + ".html"

    def relative(self, url, to):
        page, _, anchor = to.partition("#")
        if page == url and anchor:
            return "#" + anchor
        name = posixpath.relpath(page, posixpath.dirname(url) or ".")
        return name + ("#" + anchor if anchor else "")

    def link(self, path, href):
        if re.match(r"[a-z]+:", href):
            return href
        return self.relative(self.urls[path], self.target(path, href))

    def title(self, path, href):
        return re.match(r"# (.*)", self.texts[self.joined(path, href.partition("#")[0])])[1]

    def image(self, path, source, text):
        """A picture, with its dark twin NAME-dark where there is one."""
        full = self.joined(path, source)
        stem, ending = posixpath.splitext(full)
        if not (self.root / full).is_file():
            self.errors.append(f"{path}: no such picture: {source}")
        kind = ' class="drawing"' if self.is_drawing(full) else ""
        image = f'<img{kind} src="{self.figure(path, full)}" alt="{html.escape(text)}" loading="lazy">'
        dark = f"{stem}-dark{ending}"
        if not (self.root / dark).is_file():
            return image
        twin = f'<source media="(prefers-color-scheme: dark)" srcset="{self.figure(path, dark)}">'
        return f"<picture>{twin}{image}</picture>"

    def is_drawing(self, full):
        """Black lines on white, which dark pages may turn over; maps of a value keep their colours."""
        file = self.root / full
        return file.suffix == ".svg" and file.is_file() and "<image" not in file.read_text(encoding="utf-8")

    def figure(self, path, full):
        name = "figures/" + posixpath.basename(full)
        self.copy(full, name)
        return self.relative(self.urls[path], name)

    def meaning(self, path, text):
        """What a piece of inline code is the name of: part of the C interface, a scenario, or a file."""
        url = self.urls[path]
        name = text.removesuffix("()")
        if name in self.names:
            return self.relative(url, self.names[name])
        if text in self.scenarios and "-" in text:
            return self.relative(url, self.scenarios[text])
        if re.fullmatch(r"[\w.-]+(/[\w.-]+)+", text) and not text.startswith("build"):
            full = next((p for p in (text, "src/" + text) if (self.root / p).is_file()), None)
            found = full and self.address(full)
            if found and found != url:
                return self.relative(url, found)
        return None

    def formula(self, path, name, own, linked):
        """Labels are unique within a page. One of another page is meant where no other page has it, or where the text
        links to that page."""
        pages = self.labels.get(name, [])
        if name not in own and len(pages) > 1:
            pages = [page for page in pages if any(self.joined(path, link) == page for link in linked)]
        page = path if name in own else pages[0] if len(pages) == 1 else None
        return self.relative(self.urls[path], f"{self.urls[page]}#{name}") if page else None

    @staticmethod
    def joined(path, link):
        return posixpath.normpath(posixpath.join(posixpath.dirname(path), link))

    def link_names(self, path, text):
        return self.link_names_at(self.urls[path], text)

    def link_names_at(self, url, text, but=()):
        """C code with the names of the interface linked."""

        def one(match):
            target = self.names.get(match[0])
            if not target or match[0] in but:
                return match[0]
            return f'<a class="quiet" href="{self.relative(url, target)}">{match[0]}</a>'

        return re.sub(r"\b(?:wy|WY)_\w+", one, highlight.plain(text))

    # ---- Writing ----

    def copy(self, full, name):
        target = self.out / name
        if name in self.written or not (self.root / full).is_file():
            return
        self.written.add(name)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((self.root / full).read_bytes())

    def menu(self, url):
        out = []
        for group, entries in self.navigation:
            here = any(address.partition("#")[0] == url for _, address, _ in entries)
            if group:
                shown = " open" if here or group == "Start" else ""
                out.append(f"<details{shown}><summary>{html.escape(group)}</summary>")
            out.append("<ul>")
            for title, address, depth in entries:
                mark = ' aria-current="page"' if address == url else ""
                kind = ' class="deep"' if depth else ""
                out.append(f'<li{kind}><a href="{self.relative(url, address)}"{mark}>{html.escape(title)}</a></li>')
            out.append("</ul>" + ("</details>" if group else ""))
        return "".join(out)

    def around(self, url):
        """Links to the page before and the page after."""
        titles = {address: title for _, group in self.navigation for title, address, _ in group}
        if url not in self.order:
            return ""
        place = self.order.index(url)
        out = []
        for step, word, arrow in ((-1, "prev", "←"), (1, "next", "→")):
            if 0 <= place + step < len(self.order):
                to = self.order[place + step]
                text = html.escape(titles[to])
                text = f"{arrow} {text}" if step < 0 else f"{text} {arrow}"
                out.append(f'<a rel="{word}" href="{self.relative(url, to)}">{text}</a>')
        return f'<nav class="around" aria-label="Pages before and after">{"".join(out)}</nav>'

    @staticmethod
    def contents(headings):
        rows = [(level, anchor, inside) for level, anchor, inside in headings if level <= 3]
        if len(rows) < 3:
            return ""
        items = "".join(f'<li class="l{level}"><a href="#{anchor}">{inside}</a></li>' for level, anchor, inside in rows)
        return f'<details class="contents"><summary>On this page</summary><ul>{items}</ul></details>'

    def write(self, url, title, body, headings=(), kind="", source=""):
        foot = ""
        if source:
            foot = f'<p class="source">Made from {html.escape(source)}</p>'
        fields = {
            "title": html.escape(title if url == "index.html" else f"{title} · withy"),
            "root": posixpath.relpath(".", posixpath.dirname(url) or "."),
            "menu": self.menu(url),
            "contents": self.contents(headings),
            "body": body + foot,
            "around": self.around(url),
            "kind": kind,
        }
        text = re.sub(r"\{\{(\w+)\}\}", lambda match: fields[match[1]], self.template)
        target = self.out / url
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        self.written.add(url)

    def write_page(self, path):
        page = markdown.Page(self, path, self.texts[path])
        url = self.urls[path]
        kind = "home" if url == "index.html" else ""
        self.write(url, page.title, page.body, page.headings, kind, path)
        self.index += search.entries(url, page)

    def write_sources(self):
        """Pages of the files that others point to; folders are lists, which point to more."""
        done = set()
        while self.wanted - done:
            for full in sorted(self.wanted - done):
                done.add(full)
                url = self.source(full)
                body = self.folder(url, full) if (self.root / full).is_dir() else self.file(url, full)
                self.write(url, full, f'<h1 class="path">{html.escape(full)}</h1>{body}', kind="listing")

    def folder(self, url, full):
        names = sorted(entry.name for entry in os.scandir(self.root / full) if not entry.name.startswith((".", "__")))
        rows = [(name, self.address(f"{full}/{name}")) for name in names if (self.root / full / name).is_file()]
        links = [f'<a href="{self.relative(url, to)}"><code>{html.escape(name)}</code></a>' for name, to in rows]
        return "<ul>" + "".join(f"<li>{link}</li>" for link in links) + "</ul>"

    def file(self, url, full):
        text = (self.root / full).read_text(encoding="utf-8")
        name = highlight.ENDINGS.get(Path(full).suffix, "sh" if text.startswith("#!") else "")
        code = highlight.highlight(text, name, lambda part: self.link_names_at(url, part))
        # A comment may run over several lines: its span ends and begins anew with each of them.
        lines, open_span = [], ""
        for number, line in enumerate(code.rstrip("\n").split("\n"), 1):
            line = open_span + line
            opened = re.findall(r'<span class="\w+">|</span>', line)
            open_span = opened[-1] if opened and opened[-1] != "</span>" else ""
            lines.append(f'<span class="line" id="L{number}">{line}{"</span>" if open_span else ""}</span>')
        return f'<pre class="code numbered {name}"><code>' + "\n".join(lines) + "</code></pre>"
