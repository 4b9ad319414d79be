# SPDX-License-Identifier: MIT
"""The gallery: docs/gallery.md names the scenarios in groups, with their titles; the rest comes from the scenario files
themselves: what happens (the first paragraph of the comment at the top) and the text to copy."""
import html
import re

import highlight
import markdown
import search

ITEM = re.compile(r"^- \[([\w-]+)\]\(\.\./scenarios/\1\.yaml\): (.*)\n", re.M)
HERE = re.compile(r"^With pictures.*?\n\n", re.M | re.S)  # for readers of the repository only


def names(text):
    return [match[1] for match in ITEM.finditer(text)]


def register(site):
    for name in names(site.texts["docs/gallery.md"]):
        site.scenarios[name] = f"gallery.html#{name}"


def describe(text):
    """Title and first paragraph of a scenario."""
    title = re.search(r"^title: *(.*?)(?: +#.*)?$", text, re.M)
    lines = []
    for line in text.splitlines():
        if not line.startswith("# "):
            break
        lines.append(line[2:])
    return title[1].strip("\"'") if title else "", " ".join(lines)


def picture(root, name):
    for ending in ("webp", "svg"):
        full = f"docs/figures/{name}.{ending}"
        if (root / full).is_file():
            return full
    return None


def prose(site, own, text):
    """The text with its code marked and other scenarios linked."""
    text = re.sub(r"`([^`]+)`|(--set \S+)", lambda match: f"<code>{match[1] or match[2]}</code>", highlight.plain(text))
    others = "|".join(name for name in sorted(site.scenarios, key=len, reverse=True) if "-" in name and name != own)
    return re.sub(rf"\b(?<![\w-])({others})\b(?!-)", r'<a href="#\1">\1</a>', text)


def card(site, name, listed, playable):
    full = site.root / "scenarios" / f"{name}.yaml"
    text = full.read_text(encoding="utf-8")
    title, happens = describe(text)
    if listed != title:
        site.errors.append(f"docs/gallery.md: {name}: the title is {title!r}, not {listed!r}")
    out = [f'<article class="card" id="{name}">']
    image = picture(site.root, name)
    shown = site.image("docs/gallery.md", image.removeprefix("docs/"), title) if image else ""
    if name in playable:
        out.append(f'<a class="figure" href="play/{name}.html">{shown}<span class="play">▶ play in 3D</span></a>')
    elif image:
        out.append(f'<span class="figure">{shown}</span>')
    out.append(f'<h3>{html.escape(title)}<a class="anchor" href="#{name}" aria-label="Link">#</a></h3>')
    out.append(f"<p>{prose(site, name, happens)}</p>")
    out.append(f'<pre class="code sh"><code>withy run {name}\nwithy view {name}.out</code></pre>')
    out.append(f'<details class="yaml"><summary><code>{name}.yaml</code></summary>')
    out.append(f'<pre class="code yaml"><code>{highlight.highlight(text, "yaml")}</code></pre></details></article>')
    return "".join(out), title, happens


def write(site, playable):
    text = HERE.sub("", site.texts["docs/gallery.md"])
    cards, sections = {}, []
    for match in ITEM.finditer(text):
        cards[match[1]], title, happens = card(site, match[1], match[2], playable)
        sections.append([match[1], title, [match[1], happens]])
    # The items become marks that survive the Markdown parser, and then cards.
    marked = ITEM.sub(lambda match: f"\n<p>@card {match[1]}@</p>\n\n", text)
    page = markdown.Page(site, "docs/gallery.md", marked)
    body = re.sub(r"(?:<p>@card [\w-]+@</p>\s*)+", lambda match: f'<div class="cards">{match[0]}</div>', page.body)
    body = re.sub(r"<p>@card ([\w-]+)@</p>", lambda match: cards[match[1]], body)
    site.write("gallery.html", page.title, body, page.headings, "gallery", "docs/gallery.md")
    page.sections = [[anchor, title, words] for anchor, title, words in page.sections if not anchor] + sections
    site.index += search.entries("gallery.html", page)
