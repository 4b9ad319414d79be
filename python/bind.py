# SPDX-License-Identifier: MIT
"""Writes the C source of the extension module withy._withy from the public headers; CMake calls it.

usage: bind.py OUTPUT INCLUDE COMPILER HEADER...

The preprocessor of COMPILER reads HEADERs ("withy/run.h") below the folder INCLUDE. cffi takes the declarations as they
are, so that no struct is written a second time, and a struct that does not fit is an error of the compiler.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import cffi

# What the headers use of the standard library; cffi knows these types by itself.
STANDARD = ("stdbool.h", "stddef.h", "stdint.h", "string.h")

# Functions of python/record.h and cli/pool.h.
RECORD = """
typedef wy_status withy_going(wy_sim *sim, double t, wy_message *message);
wy_status withy_go(wy_sim *sim, withy_going *go, double t, const int *rods, int count, wy_message *message);
wy_status withy_row(wy_sim *sim, const wy_scenario *scenario, double *row, wy_message *message);
wy_status withy_record(wy_sim *sim, withy_going *go, const double *times, int count,
                       const wy_scenario *scenario, double *rows, int columns, wy_message *message);
void withy_stop(int *flag);
bool withy_stopped(void *flag);
void withy_share(void *flag, int run, double share);
typedef struct wy_pool wy_pool;
wy_pool *wy_pool_create(int threads);
wy_tasks wy_pool_tasks(wy_pool *pool);
void wy_pool_destroy(wy_pool *pool);
"""

# Calls from C back into Python, of withy.run and Run.export.
CALLBACKS = """
extern "Python" void withy_progress(void *context, double t, double end);
extern "Python" bool withy_interrupted(void *context);
extern "Python" void withy_wrote(void *context, const char *path);
"""


def declarations(include: str, compiler: str, headers: "list[str]") -> str:
    """The headers as one text without comments, macros and inline functions, but for those that make definitions."""
    with tempfile.TemporaryDirectory() as folder:
        for name in STANDARD:
            (Path(folder) / name).touch()
        source = Path(folder) / "all.c"
        source.write_text(includes(headers), encoding="ascii")
        command = [compiler, "-E", "-P", "-DWY_STATIC", "-nostdinc", f"-I{folder}", f"-I{include}", str(source)]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    text = re.sub(r"static inline (wy_\w+ wy_default_\w+\(void\)) \{.*?^\}", r"\1;", text, flags=re.S | re.M)
    return re.sub(r"static inline [^{;]*\{.*?^\}", "", text, flags=re.S | re.M)


def includes(headers: "list[str]") -> str:
    return "".join(f'#include "{header}"\n' for header in headers)


def main(output: str, include: str, compiler: str, *headers: str) -> None:
    ffi = cffi.FFI()
    ffi.cdef(declarations(include, compiler, list(headers)))
    ffi.cdef(RECORD)
    if "withy/run.h" in headers:
        ffi.cdef(CALLBACKS)
    ffi.set_source("withy._withy", includes([*headers, "record.h"]))
    ffi.emit_c_code(output)


if __name__ == "__main__":
    main(*sys.argv[1:])
