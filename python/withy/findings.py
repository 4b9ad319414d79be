# SPDX-License-Identifier: MIT
"""What the library finds doubtful or wrong, before a run and after it."""
from __future__ import annotations

from typing import Any, Callable, NamedTuple

from ._withy import ffi, lib
from .errors import check, text

SEVERITIES = ("fine", "note", "warning", "wrong")


class Finding(NamedTuple):
    """One finding. `str(finding)` is the line that the command prints."""

    severity: str  #: "note", "warning" (doubtful) or "wrong"
    code: str  #: a short name that does not change between versions, such as "energy_drift"
    rod: int  #: index of the rod, or -1 for all
    where: float  #: arc length, or NaN
    when: float  #: time, or NaN
    value: float  #: the number that was found
    limit: float  #: the largest acceptable one
    path: str  #: the key of the scenario, or ""
    text: str  #: what is wrong
    remedy: str  #: what to do about it
    line: str  #: all of it in one line

    def __str__(self) -> str:
        return self.line


def finding(one: Any) -> Finding:
    """A wy_finding as a Finding."""
    line = ffi.new("char[1024]")  # more than path, text and remedy together
    lib.wy_finding_line(ffi.addressof(one), line, len(line))
    return Finding(SEVERITIES[one.severity], text(one.code), one.rod, one.where, one.when, one.value, one.limit,
                   text(one.path), text(one.text), text(one.remedy), text(line))


def listed(call: Callable[[Any, int, Any, Any], int], *allowed: int) -> list[Finding]:
    """All findings of call(findings, room, count, message); a status of `allowed` is no failure."""
    count, message = ffi.new("int *"), ffi.new("wy_message *")

    def ask(room: int) -> Any:
        findings = ffi.new("wy_finding[]", room + 1)
        status = call(findings, room, count, message)
        if status not in allowed:
            check(status, message)
        return findings

    ask(0)
    findings = ask(count[0])
    return [finding(findings[i]) for i in range(count[0])]
