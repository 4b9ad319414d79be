# SPDX-License-Identifier: MIT
"""The reference of the C interface: one page per header, and an index of all names."""
import html
import re
import textwrap

import headers
import highlight
import search

KINDS = {"function": "function", "struct": "struct", "enum": "enum", "type": "opaque type", "macro": "macro"}


def register(site):
    """Tells the site where the names are, before any page is written."""
    found = headers.read_all(site.root)
    for header in found:
        for declaration in header.declarations:
            where = f"{url_of(header)}#{declaration.name}"
            site.names[declaration.name] = where
            for member in declaration.members:
                site.names[member] = where
    return found


def stem(header):
    return header.path.split("/")[-1].removesuffix(".h")


def url_of(header):
    return f"api/{stem(header)}.html"


def prose(site, url, text):
    """The text of a comment as paragraphs; indented lines are kept as they are."""
    out = []
    for part in filter(None, re.split(r"\n\s*\n", text)):
        if all(line.startswith("  ") for line in part.splitlines()):
            out.append(f'<pre class="code c"><code>{highlight.highlight(part, "c")}</code></pre>')
            continue
        part = site.link_names_at(url, re.sub(r"\s*\n\s*", " ", part))
        part = re.sub(r"`([^`]+)`", r"<code>\1</code>", part)
        part = re.sub(r"\b(docs/[\w/]+\.md)\b", lambda match: page_link(site, url, match[1]), part)
        part = re.sub(r"\bwithy/(\w+)\.h\b", lambda match: f'<a href="{match[1]}.html">withy/{match[1]}.h</a>', part)
        out.append(f"<p>{part}</p>")
    return "".join(out)


def page_link(site, url, path):
    text = site.texts.get(path)
    if not text:
        site.errors.append(f"include/withy: no such page: {path}")
        return path
    title = re.match(r"# (.*)", text)[1]
    return f'<a href="{site.relative(url, site.urls[path])}">{html.escape(title)}</a>'


def entries(header):
    """Declarations that share a comment and stand together make one entry."""
    groups = []
    for declaration in header.declarations:
        last = groups[-1][-1] if groups else None
        joined = last and last.kind == declaration.kind == "function" and last.comment == declaration.comment
        if joined and last.line + last.text.count("\n") + 1 == declaration.line:
            groups[-1].append(declaration)
        else:
            groups.append([declaration])
    return groups


def code_of(declaration):
    """The text of the header; prototypes without the export macro and in shorter lines."""
    if declaration.kind != "function" or declaration.text.startswith("static"):
        return declaration.text
    text = re.sub(r"\s+", " ", declaration.text.removeprefix("WY_API "))
    return "\n".join(textwrap.wrap(text, 84, subsequent_indent="    ", break_long_words=False))


def entry(site, url, header, group):
    names = [declaration.name for declaration in group]
    source = site.relative(url, site.source(header.path))
    anchors = "".join(f'<a id="{name}"></a>' for name in names[1:])
    code = "\n".join(
        highlight.highlight(code_of(declaration), "c", lambda part: site.link_names_at(url, part, names))
        for declaration in group
    )
    heading = ", ".join(f"<code>{name}</code>" for name in names)
    return (
        f'<section class="entry"><h3 id="{names[0]}">{anchors}{heading}'
        f'<a class="anchor" href="#{names[0]}" aria-label="Link">#</a>'
        f'<a class="where" href="{source}#L{group[0].line}">{KINDS[group[0].kind]}, line {group[0].line}</a></h3>'
        f'<pre class="code c"><code>{code}</code></pre>{prose(site, url, group[0].comment)}</section>'
    )


class Sections:
    """What the search needs to know of a page."""

    def __init__(self, title, sections):
        self.title, self.sections, self.keys = title, sections, {}


def write_header(site, header):
    url, title = url_of(header), f"withy/{stem(header)}.h"
    body = [f"<h1>{title}</h1>", prose(site, url, header.comment)]
    headings, sections, last = [], [["", title, [header.comment]]], ""
    for group in entries(header):
        if group[0].group != last:
            last = group[0].group
            anchor = last.lower().replace(" ", "-")
            body.append(f'<h2 id="{anchor}">{last}</h2>')
            headings.append((2, anchor, last))
        names = ", ".join(declaration.name for declaration in group)
        headings.append((3, group[0].name, f"<code>{names}</code>"))
        sections.append([group[0].name, names, [group[0].comment] + [declaration.text for declaration in group]])
        body.append(entry(site, url, header, group))
    site.write(url, title, "".join(body), headings, "api", header.path)
    site.index += search.entries(url, Sections(title, sections))


def first_sentence(text):
    return re.sub(r"\s+", " ", re.split(r"(?<=\.)\s", text, maxsplit=1)[0])


def write_index(site, found):
    url = "api/index.html"
    rows = "".join(
        f'<tr><td><a href="{stem(header)}.html"><code>withy/{stem(header)}.h</code></a></td>'
        f"<td>{prose(site, url, first_sentence(header.comment))}</td></tr>"
        for header in found
    )
    names = sorted((d.name, d.kind, header) for header in found for d in header.declarations)
    items = "".join(
        f'<li><a href="{stem(header)}.html#{name}"><code>{name}</code></a></li>' for name, kind, header in names
    )
    body = (
        "<h1>The C interface</h1><p>Every public declaration, from the headers. "
        "<code>#include &lt;withy/withy.h&gt;</code> takes all of them but <code>withy/sundials.h</code>. "
        "A first program is in "
        '<a href="../hello.html#a-c-program">Hello in five minutes</a>.</p>'
        "<p>Definitions are plain structs: take the default, change what differs, hand it over. Functions return a "
        '<a href="base.html#wy_status"><code>wy_status</code></a>: 0 done, positive: a smaller step may help, '
        'negative: failed, with a <a href="base.html#wy_message"><code>wy_message</code></a>.</p>'
        f'<h2 id="headers">Headers</h2><div class="wide"><table>{rows}</table></div>'
        f'<h2 id="all-names">All names</h2><ul class="names">{items}</ul>'
    )
    site.write(url, "The C interface", body, [], "api")


def write(site, found):
    for header in found:
        write_header(site, header)
    write_index(site, found)
