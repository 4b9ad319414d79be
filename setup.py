# SPDX-License-Identifier: MIT
"""The build step of the Python package: CMake builds the extension module, so that compiler flags have one home.

With WITHY_BUILD=FOLDER in the environment the module is taken from a build folder of CMake that has it; else the
library is built for it, below build/wheel. CMAKE_ARGS goes to the configuration.
"""
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
HEADER = (ROOT / "include/withy/base.h").read_text(encoding="utf-8")
VERSION = re.search(r'#define WY_VERSION "(.*)"', HEADER)[1]


def cmake(*arguments):
    subprocess.run(["cmake", *map(str, arguments)], check=True, cwd=ROOT)


class BuildExtension(build_ext):
    """Builds and installs the component `python` of the CMake project."""

    def run(self):
        folder = os.environ.get("WITHY_BUILD") or self.build_module()
        place = ROOT / "python" if self.inplace else Path(self.build_lib).resolve()
        cmake("--install", folder, "--component", "python", "--prefix", place, "--strip")

    def build_module(self):
        folder = ROOT / self.build_temp
        options = ["-DCMAKE_BUILD_TYPE=Release", "-DBUILD_SHARED_LIBS=OFF", "-DWITHY_COMMAND=OFF", "-DWITHY_TESTS=OFF"]
        options += ["-DWITHY_PYTHON=ON", f"-DWITHY_PYTHON_EXECUTABLE={sys.executable}"]
        options += shlex.split(os.environ.get("CMAKE_ARGS", ""))
        cmake("-S", ROOT, "-B", folder, *options)
        cmake("--build", folder, "--target", "withy_python", "--parallel", os.cpu_count() or 1)
        return folder


(ROOT / "build/wheel").mkdir(parents=True, exist_ok=True)
setup(
    version=VERSION,
    ext_modules=[Extension("withy._withy", sources=[], py_limited_api=True)],
    cmdclass={"build_ext": BuildExtension},
)
