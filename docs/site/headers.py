# SPDX-License-Identifier: MIT
"""Reads the public headers: every declaration with its comment. The C reference and its test are made of it.

The headers keep to a few forms, and what is in none of them is an error: a comment before a declaration, or behind it
on the same line, belongs to it; declarations that follow without a blank line share the comment above them; `----
title ----` begins a group."""
import re
from dataclasses import dataclass, field
from pathlib import Path

LICENCE = re.compile(r"(?:/\* SPDX-[^\n]*\*/\n)?")  # the line above the comment that says what a header is for


@dataclass
class Declaration:
    kind: str  # function, struct, enum, type, macro
    name: str
    text: str  # as in the header
    line: int
    comment: str = ""
    group: str = ""
    members: list = field(default_factory=list)  # names of enumerators


@dataclass
class Header:
    path: str
    comment: str
    declarations: list


class HeaderError(Exception):
    pass


def unwrap(comment):
    """The text of a comment, without its marks; indented lines stay as they are."""
    text = comment[2:-2]
    lines = [re.sub(r"^ \* ?", "   ", line) for line in text.split("\n")]
    lines = [lines[0].strip()] + [line[3:] if line.startswith("   ") else line.lstrip() for line in lines[1:]]
    return "\n".join(line.rstrip() for line in lines).strip()


def classify(text):
    """Kind, name and enumerators of one declaration."""
    match = re.match(r"typedef (struct|enum) (\w+) \{", text)
    if match:
        if not re.search(r"\} " + match[2] + ";$", text):
            raise HeaderError(f"the name at the end of `typedef {match[1]} {match[2]}` differs")
        names = re.findall(r"\b(WY_[A-Z0-9_]+)\b", strip_comments(text)) if match[1] == "enum" else []
        return match[1], match[2], names
    match = re.match(r"typedef (?:struct|enum) (\w+) \1;$", text)
    if match:
        return "type", match[1], []
    match = re.match(r"(?:WY_API |static inline )[\w\s*]*?\b(wy_\w+)\(", text)
    if match:
        return "function", match[1], []
    match = re.match(r"#define (WY_\w+)", text)
    if match:
        return "macro", match[1], []
    raise HeaderError(f"not understood: {text.splitlines()[0]}")


def strip_comments(text):
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def body_of(text):
    """The lines between the `extern "C"` brackets: what C++ does not see twice."""
    guard = '#ifdef __cplusplus\nextern "C" {\n#endif\n'
    start = text.find(guard)
    if start < 0:
        return None
    end = text.rindex("#ifdef __cplusplus")
    start += len(guard)
    return start, end


def read(path, root):
    source = Path(path).read_text(encoding="utf-8")
    name = str(Path(path).relative_to(root))
    head = re.compile(r"/\*.*?\*/", re.S).match(source, LICENCE.match(source).end())
    if not head:
        raise HeaderError(f"{name}:1: no comment says what the header is for")
    span = body_of(source)
    header = Header(name, unwrap(head.group()), [])
    if span:
        parse(source, span, header)
    return header


def parse(source, span, header):
    start, end = span
    place, comment, shared, group = start, "", "", ""
    while place < end:
        line = source.count("\n", 0, place) + 1
        if source[place].isspace():
            blank = re.compile(r"\s+").match(source, place, end)
            if blank.group().count("\n") > 1:
                comment, shared = "", ""
            place = blank.end()
            continue
        if source.startswith("/*", place):
            close = source.index("*/", place) + 2
            text = unwrap(source[place:close])
            place = close
            if text.startswith("----"):
                group = text.strip("- ")
            else:
                comment = shared = text
            continue
        text, place = statement(source, place, end)
        try:
            kind, declared, members = classify(text)
        except HeaderError as error:
            raise HeaderError(f"{header.path}:{line}: {error}") from None
        behind = re.compile(r"[ \t]*(/\*.*?\*/)[ \t]*(?=\n)", re.S).match(source, place, end)
        own = comment or shared
        if behind:
            own = "\n\n".join(part for part in (shared, unwrap(behind[1])) if part)
            place = behind.end()
        header.declarations.append(Declaration(kind, declared, text, line, own, group, members))


def statement(source, place, end):
    """One declaration from `place` on and where it ends: at its semicolon, its closing brace or its line."""
    if source[place] == "#":
        stop = source.index("\n", place)
        while source[stop - 1] == "\\":
            stop = source.index("\n", stop + 1)
        return source[place:stop], stop
    depth, at = 0, place
    while at < end:
        if source.startswith("/*", at):
            at = source.index("*/", at) + 2
            continue
        char = source[at]
        if char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0 and source[place:at].startswith("static inline"):
                return source[place : at + 1], at + 1
        elif char == ";" and depth == 0:
            return source[place : at + 1], at + 1
        at += 1
    raise HeaderError("a declaration has no end")


def read_all(root):
    """The headers in the order in which withy.h includes them, and those that it does not include."""
    folder = Path(root) / "include" / "withy"
    included = re.findall(r'#include "withy/(\w+\.h)"', (folder / "withy.h").read_text(encoding="utf-8"))
    rest = sorted(path.name for path in folder.glob("*.h") if path.name not in included and path.name != "withy.h")
    return [read(folder / name, root) for name in included + rest]


def undocumented(header):
    return [declaration for declaration in header.declarations if not declaration.comment]
