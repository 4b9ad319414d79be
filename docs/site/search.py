"""The index of the search: one entry per section, in a script, because a page that is opened from a file can load
nothing else."""
import json
import re


def entries(url, page):
    """Entries of a page: [address, title of the page, title of the section, text]."""
    for anchor, title, words in page.sections:
        text = re.sub(r"\s+", " ", " ".join(words)).strip()
        if text:
            yield [url + (f"#{anchor}" if anchor else ""), page.title, title, text]


def write(path, found):
    # A sentence that a section's neighbours repeat does not matter; size does: long sections are cut.
    rows = [[address, page, title, text[:4000]] for address, page, title, text in found]
    text = json.dumps(rows, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    path.write_text(f"document.withySearch = {text};\n", encoding="utf-8")
