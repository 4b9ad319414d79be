# SPDX-License-Identifier: MIT
"""Markdown to the HTML of a page: cmark-gfm parses, this module gives headings their anchors, links their targets on
the site, code its colours and labels of formulas their links."""
import html
import re
import subprocess
from html.parser import HTMLParser

from highlight import highlight, plain

LABEL = re.compile(r"\(([A-Z]\d+[a-z]?)\)")
LABELLED_LINE = re.compile(r"^(.*?) {2,}\(([A-Z]\d+[a-z]?)\) *\n", re.M)
VOID = {"img", "br", "hr", "input"}


def slug(text, used):
    """The anchor of a heading, the same as on GitHub."""
    base = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
    name, count = base, 0
    while name in used:
        count += 1
        name = f"{base}-{count}"
    used.add(name)
    return name


def labels_of(text):
    """The labels of formulas that a page defines: those that end a line of a block."""
    names = []
    for block in re.findall(r"^[ \t]*```\n(.*?)^[ \t]*```", text, re.M | re.S):
        names += [match[2] for match in LABELLED_LINE.finditer(block)]
    return set(names)


def parse(text):
    command = ["cmark-gfm", "--unsafe", "-e", "table", "-e", "autolink", "-e", "strikethrough"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


class Page(HTMLParser):
    """Rewrites the HTML of one page. `site` knows the targets of links; `path` is the page's file in the repository."""

    def __init__(self, site, path, text):
        super().__init__(convert_charrefs=True)
        self.site, self.path = site, path
        self.labels = labels_of(text)
        self.seen = set()
        self.out, self.stack = [], []
        self.used, self.headings = set(), []
        self.title = ""
        self.heading = self.code = self.link = None
        self.sections = [["", "", []]]  # anchor, title, words: for the search
        self.keys = {}  # anchor to the keys that tables of the section explain
        self.cell = -1  # of a row of a table
        text = re.sub(r"^Contents: .*?\n\n", "", text, flags=re.M | re.S)  # the site has its own
        self.linked = set(re.findall(r"\]\(([^)#\s]*)", text))
        self.feed(parse(text))
        self.close()

    @property
    def body(self):
        return "".join(self.out)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag not in VOID:
            self.stack.append(tag)
        if re.fullmatch("h[1-6]", tag):
            self.heading = [tag, "", len(self.out)]
            return
        if tag == "pre":
            self.code = ["", ""]
            return
        if tag == "code" and self.code is not None:
            self.code[0] = attributes.get("class", "").removeprefix("language-")
            return
        if tag == "code":
            self.code = [None, ""]
            return
        if tag == "a" and "href" in attributes:
            self.link = attributes["href"]
            attributes["href"] = self.site.link(self.path, self.link)
        if tag == "img":
            picture = self.site.image(self.path, attributes["src"], attributes["alt"])
            self.out.append(f'<span class="figure">{picture}</span>')
            return
        if tag == "table":
            self.out.append('<div class="wide">')
        self.cell = -1 if tag == "tr" else self.cell + (tag == "td")
        text = "".join(f' {name}="{html.escape(value or "")}"' for name, value in attributes.items())
        self.out.append(f"<{tag}{text}>")

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        self.stack.pop()
        if self.heading and tag == self.heading[0]:
            self.end_heading()
        elif tag == "pre":
            self.end_block()
        elif tag == "code" and self.code and self.code[0] is None:
            self.end_inline()
        elif tag != "code" or self.code is None:
            self.out.append(f"</{tag}>")
            if tag == "table":
                self.out.append("</div>")
            if tag == "a":
                self.link = None

    def handle_data(self, data):
        if self.code is not None:
            self.code[1] += data
            return
        if self.heading:
            self.heading[1] += data
        self.sections[-1][2].append(data)
        if self.link and data.endswith(".md"):
            data = self.site.title(self.path, self.link)  # in the repository files are called by their names
        text = plain(data)
        self.out.append(text if self.link or self.heading else LABEL.sub(self.cite, text))

    def handle_comment(self, data):
        pass

    def end_heading(self):
        tag, text, start = self.heading
        inside = "".join(self.out[start:])
        del self.out[start:]
        anchor = slug(text, self.used)
        if tag == "h1" and not self.title:
            self.title = text
            self.sections[0][1] = text
        else:
            self.headings.append((int(tag[1]), anchor, inside))
            self.sections.append([anchor, text, []])
        link = f'<a class="anchor" href="#{anchor}" aria-label="Link">#</a>'
        self.out.append(f'<{tag} id="{anchor}">{inside}{link}</{tag}>')
        self.heading = None

    def end_inline(self):
        text = self.code[1]
        self.code = None
        if self.heading:
            self.heading[1] += text
        anchor, _, words = self.sections[-1]
        words.append(text)
        if self.stack[-1] == "td" and self.cell == 0:
            self.keys.setdefault(anchor, []).append(text)
        inside = f"<code>{plain(text)}</code>"
        target = None if self.link or self.heading else self.site.meaning(self.path, text)
        self.out.append(f'<a class="quiet" href="{target}">{inside}</a>' if target else inside)

    def end_block(self):
        name, text = self.code
        self.code = None
        self.sections[-1][2] += ["Python:", text] if name == "python" else [text]
        if name:
            code = highlight(text, name, self.link_names if name == "c" else plain)
            self.out.append(f'<pre class="code {name}"><code>{code}</code></pre>')
        else:
            code = LABELLED_LINE.sub(self.define, plain(text))
            kind = "formula" if code != plain(text) or self.path.startswith("docs/theory/") else "code"
            self.out.append(f'<pre class="{kind}"><code>{code}</code></pre>')

    def link_names(self, code):
        return self.site.link_names(self.path, code)

    def define(self, match):
        """A line of a formula with its label at the right margin."""
        text, name = match.groups()
        mark = "" if name in self.seen else f' id="{name}"'
        self.seen.add(name)
        return f'<span class="row"><span>{text}</span><a class="label"{mark} href="#{name}">({name})</a></span>'

    def cite(self, match):
        target = self.site.formula(self.path, match[1], self.labels, self.linked)
        return f'<a class="quiet" href="{target}">{match[0]}</a>' if target else match[0]
