# SPDX-License-Identifier: MIT
"""Colours for code: one regular expression per language, enough for C, YAML, shell, Python and gnuplot."""
import html
import re

C_WORDS = (
    "alignas auto break case const continue default do else enum extern for goto if inline return sizeof static struct "
    "switch typedef union volatile while"
)
C_TYPES = "bool char double float int int32_t int64_t long short signed size_t uint32_t uint64_t unsigned void"
PYTHON_WORDS = (
    "and as assert break class continue def del elif else except finally for from global if import in is lambda None "
    "not or pass raise return True False try while with yield"
)
GNUPLOT_WORDS = "plot splot set unset using with title terminal output datafile separator do for fit"
SHELL_WORDS = "for do done if then else fi while case esac in sudo"

NUMBER = r"(?<![\w.])[-+]?(?:0x[0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?![\w])"
UNSIGNED = NUMBER.replace("[-+]?", "", 1)
STRING = r'"(?:\\.|[^"\\\n])*"'
QUOTED = r"'(?:\\.|[^'\\\n])*'"


def words(text):
    return r"\b(?:" + "|".join(text.split()) + r")\b"


def language(**patterns):
    return re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in patterns.items()), re.M | re.S)


# The names of the groups are the classes that docs/site/style.css gives colours to.
LANGUAGES = {
    "c": language(
        comment=r"/\*.*?\*/|//[^\n]*",
        string=STRING + "|" + QUOTED,
        macro=r"^[ \t]*#[ \t]*\w+|\bWY_[A-Z0-9_]+\b",
        word=words(C_WORDS),
        type=words(C_TYPES) + r"|\bwy_(?:status|signal|message)\b",
        number=UNSIGNED,
    ),
    "yaml": language(
        comment=r"(?:(?<=\s)|^)#[^\n]*",
        key=r"(?<![\w\"'])[A-Za-z_]\w*(?=\s*:(?:\s|$))",
        string=STRING + "|" + QUOTED,
        number=NUMBER,
    ),
    "sh": language(
        comment=r"(?:(?<=\s)|^)#[^\n]*",
        string=STRING + "|" + QUOTED,
        macro=r"(?<=\s)--?[a-zA-Z][\w-]*",
        word=words(SHELL_WORDS),
    ),
    "python": language(
        comment=r"#[^\n]*",
        string=r'""".*?"""|' + STRING + "|" + QUOTED,
        word=words(PYTHON_WORDS),
        number=UNSIGNED,
    ),
    "gnuplot": language(comment=r"#[^\n]*", string=STRING + "|" + QUOTED, word=words(GNUPLOT_WORDS), number=UNSIGNED),
}
ENDINGS = {".c": "c", ".h": "c", ".yaml": "yaml", ".py": "python", ".sh": "sh", ".js": "c"}


def plain(text):
    return html.escape(text, quote=False)


def highlight(code, name, link=plain):
    """HTML of `code`; `link` turns text outside strings and comments into HTML."""
    pattern = LANGUAGES.get(name)
    if not pattern:
        return plain(code)
    out, place = [], 0
    for match in pattern.finditer(code):
        out.append(link(code[place : match.start()]))
        inner = link if match.lastgroup in ("type", "macro") else plain
        out.append(f'<span class="{match.lastgroup}">{inner(match.group())}</span>')
        place = match.end()
    out.append(link(code[place:]))
    return "".join(out)
