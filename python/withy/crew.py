# SPDX-License-Identifier: MIT
"""Threads: those that work together while the calling thread waits, so that it can answer Ctrl-C, and those of one
simulation."""
from __future__ import annotations

import os
import threading
from typing import Any, Callable

from ._withy import ffi, lib
from .errors import InputError

STOPPED = ffi.addressof(lib, "withy_stopped")  # what the library asks with a flag
PAUSE = 0.1  # seconds between two reports


def new_flag(size: int = 0) -> Any:
    """A flag by which threads are asked to stop, and `size` numbers behind it."""
    return ffi.new("int[]", 1 + size)


def crew_size(threads: int | None) -> int:
    """How many threads are wished; None: one for each core that this process may use."""
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise InputError(f"found {threads!r} threads; expected a whole number > 0")
    return threads


def pool(threads: int | None, parts: int) -> Any:
    """Threads that compute the rods and bodies of a simulation, `parts` in number, at the same time; NULL: one alone."""
    wished = crew_size(threads)
    made = lib.wy_pool_create(wished) if parts > 1 else ffi.NULL
    return ffi.gc(made, lib.wy_pool_destroy) if made else made


def together(work: Callable[[], None], flag: Any, threads: int, report: Callable[[], None] | None = None) -> None:
    """Calls `work` in threads, at the same time, and returns when all are done.

    `report` is called ten times a second and at the end, in the calling thread. After an exception, of a thread or of
    `report`, and after Ctrl-C the flag is set, by which `work` sees that it shall end; then it is raised.
    """
    errors = list[BaseException]()

    def one() -> None:
        try:
            work()
        except BaseException as error:  # raised below
            errors.append(error)
            lib.withy_stop(flag)

    crew = [threading.Thread(target=one) for _ in range(threads)]
    try:
        for thread in crew:
            thread.start()
        for thread in crew:
            while thread.is_alive():
                thread.join(PAUSE)
                if report:
                    report()
    except BaseException as error:
        errors.insert(0, error)
        lib.withy_stop(flag)
    for thread in crew:
        _wait(thread)
    if errors:
        raise errors[0]


def _wait(thread: threading.Thread) -> None:
    """Waits however often Ctrl-C is pressed: what the thread uses must stay until it ends."""
    while thread.is_alive():
        try:
            thread.join()
        except KeyboardInterrupt:
            pass
