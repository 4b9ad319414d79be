"""Threads that work together while the calling thread waits, so that it can answer Ctrl-C."""
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


def together(work: Callable[[], None], flag: Any, threads: int | None, report: Callable[[], None] | None = None) -> None:
    """Calls `work` in threads, at the same time, and returns when all are done; default: one for each core.

    `report` is called ten times a second and at the end, in the calling thread. After an exception, of a thread or of
    `report`, and after Ctrl-C the flag is set, by which `work` sees that it shall end; then it is raised.
    """
    count = _cores() if threads is None else threads
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise InputError(f"found {threads!r} threads; expected a whole number > 0")
    errors = list[BaseException]()

    def one() -> None:
        try:
            work()
        except BaseException as error:  # raised below
            errors.append(error)
            lib.withy_stop(flag)

    crew = [threading.Thread(target=one) for _ in range(count)]
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


def _cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _wait(thread: threading.Thread) -> None:
    """Waits however often Ctrl-C is pressed: what the thread uses must stay until it ends."""
    while thread.is_alive():
        try:
            thread.join()
        except KeyboardInterrupt:
            pass
