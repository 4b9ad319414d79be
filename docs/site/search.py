# SPDX-License-Identifier: MIT
"""The index of the search: one entry per section, in a script, because a page that is opened from a file can load
nothing else."""
import json
import re

# How much a hit counts: who uses withy comes first, then who wants to trust it, then who works on it.
WEIGHTS = (
    (r"(index|hello)\.html|guide/", 6),
    (r"(gallery|notation)\.html", 4),
    (r"(validation|benchmarks)\.html", 2),
    (r"", 1),
)


def entries(url, page):
    """Entries of a page: [address, title of the page, title of the section, text, keys that it explains]."""
    for anchor, title, words in page.sections:
        text = re.sub(r"\s+", " ", " ".join(words)).strip()
        if text:
            yield [url + (f"#{anchor}" if anchor else ""), page.title, title, text, page.keys.get(anchor, [])]


def weight(address):
    return next(weight for pattern, weight in WEIGHTS if re.match(pattern, address))


def write(path, found):
    # A sentence that a section's neighbours repeat does not matter; size does: long sections are cut.
    rows = [[row[0], row[1], row[2], row[3][:4000], row[4], weight(row[0])] for row in found]
    text = json.dumps(rows, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    path.write_text(f"document.withySearch = {text};\n", encoding="utf-8")
