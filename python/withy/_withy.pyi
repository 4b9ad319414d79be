# SPDX-License-Identifier: MIT
"""The extension module that cffi makes of the public headers (python/bind.py)."""
from typing import Any

ffi: Any
lib: Any
