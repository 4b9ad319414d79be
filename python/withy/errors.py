# SPDX-License-Identifier: MIT
"""What can go wrong, as exceptions. Their sentences are those of the command `withy`."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._withy import ffi, lib

if TYPE_CHECKING:
    from .runs import Run


class InputError(ValueError):
    """A scenario, a setting or an argument is wrong. Nothing was computed.

    The sentence names the place, what was found and what is expected.
    """


class SolverError(RuntimeError):
    """The solver cannot go on: for example there is no equilibrium, or a step fails however short it is.

    `run` is the run so far where `withy.run` raises it, with all files that were written; else it is None.
    """

    run: Run | None = None


class ResultError(SolverError):
    """The result is known to be wrong, but it is there: `withy run` would end with exit status 1.

    The state of the simulation can be read as after success; `run` is the run where `withy.run` raises it.
    """


class ResultWarning(UserWarning):
    """The result is doubtful: what `withy run` prints as a warning."""


def text(characters: Any) -> str:
    """A C string as a Python one; None becomes ''."""
    return str(ffi.string(characters), "utf-8", "replace") if characters else ""


def names(function: Any) -> tuple[str, ...]:
    """The names that a function of the library has for 0, 1, 2 and so on."""
    found: list[str] = []
    while name := function(len(found)):
        found.append(text(name))
    return tuple(found)


def exception(status: int, sentence: str) -> Exception:
    """The exception that belongs to a status of the library."""
    if status in (lib.WY_ERROR_INPUT, lib.WY_ERROR_SUPPORT):
        return InputError(sentence)
    if status == lib.WY_ERROR_RESULT:
        return ResultError(sentence)
    if status == lib.WY_ERROR_MEMORY:
        return MemoryError(sentence)
    if status == lib.WY_ERROR_FILE:
        return OSError(sentence)
    return SolverError(sentence)


def check(status: int, message: Any) -> None:
    """Raises where a call of the library has failed; `message` is its wy_message."""
    if status != lib.WY_OK:
        path, sentence = text(message.path), text(message.text)
        raise exception(status, f"{path}: {sentence}" if path else sentence)
