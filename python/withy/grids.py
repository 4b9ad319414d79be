# SPDX-License-Identifier: MIT
"""Arrays of distances in a scenario: obstacles of batches whose form is a grid of numbers."""
from __future__ import annotations

import base64
import struct
from typing import Any, Mapping

import numpy as np

from .errors import InputError

KEYS = ("distance", "origin", "step")


def _numbers(obstacle: Mapping[str, Any], key: str, counts: tuple[int, ...]) -> list[float]:
    """Three numbers of an obstacle; where one is given, it is all of them."""
    try:
        numbers = [float(number) for number in np.atleast_1d(np.asarray(obstacle[key], dtype=float))]
    except KeyError:
        raise InputError(f"found an obstacle with an array of distances and without {key}; expected it") from None
    except (TypeError, ValueError):
        numbers = []
    if len(numbers) not in counts:
        raise InputError(f"found {key}: {obstacle[key]!r} of an obstacle; expected "
                         f"{' or '.join(map(str, counts))} numbers")
    return numbers * (3 // len(numbers))


def _text(obstacle: Mapping[str, Any]) -> str:
    """What the scenario keeps of a grid: the text that C makes of a file of distances."""
    try:
        values = np.ascontiguousarray(obstacle["distance"], dtype="<f4")
    except (TypeError, ValueError):
        values = np.empty(0, dtype="<f4")
    if values.ndim != 3 or values.size == 0:
        raise InputError(f"found distances with {values.ndim} dimensions; expected an array [nx][ny][nz]")
    head = struct.pack("<3i6d", *values.shape, *_numbers(obstacle, "origin", (3,)), *_numbers(obstacle, "step", (1, 3)))
    return "withy distances 1\n" + base64.b64encode(head + values.tobytes()).decode("ascii")


def taken_out(scenario: Mapping[str, Any]) -> tuple[Mapping[str, Any], dict[str, str]]:
    """The scenario with names in the place of arrays of distances, and their texts by these names."""
    obstacles = scenario.get("obstacles")
    if not isinstance(obstacles, (list, tuple)):
        return scenario, {}
    texts: dict[str, str] = {}
    named: list[Any] = []
    for i, obstacle in enumerate(obstacles):
        if isinstance(obstacle, Mapping) and "distance" in obstacle:
            name = f"distances of obstacle {i + 1}"
            texts[name] = _text(obstacle)
            obstacle = {**{key: value for key, value in obstacle.items() if key not in KEYS}, "file": name}
        named.append(obstacle)
    return ({**scenario, "obstacles": named} if texts else scenario), texts
