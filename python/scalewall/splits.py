"""What the kept columns say: a serial share that the program measured itself, problems mixed in one table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scalewall.kinds import quoted
from scalewall.results import Note
from scalewall.workers import words_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    FloatArray = npt.NDArray[np.float64]
    AnyArray = npt.NDArray[np.generic]

_PERCENT = frozenset({"pct", "percent", "percentage", "%"})
_SHARE = frozenset({"share", "fraction", "frac", "ratio"})
# Runs at one count that differ by more than this are not one program repeated.
_REPEAT_FACTOR = 1.5
# A column explains such a difference if it leaves less than this share of it.
_LEFT_OVER = 0.3
_MOST_GROUPS = 1000
# Row and column effects are taken out in turn; tables of runs are nearly complete, so that few turns do.
_SWEEPS = 25


def serial_share(extra: Mapping[str, AnyArray]) -> tuple[FloatArray | None, list[Note]]:
    """Return the serial share (0..1, NaN where absent) that a kept column claims, and notes about it."""
    found: list[tuple[str, FloatArray]] = []
    notes: list[Note] = []
    for name, column in extra.items():
        words = set(words_of(name.replace("%", " % ").replace("(", " ").replace(")", " ")))
        percent, share = bool(words & _PERCENT), bool(words & _SHARE)
        if "serial" not in words or not (percent or share) or column.dtype.kind not in "fiu":
            continue
        values = column.astype(np.float64) / (100.0 if percent else 1.0)
        with np.errstate(invalid="ignore"):
            outside = bool(np.any((values < 0) | (values > 1)))
        if outside:
            limit = "0 to 100" if percent else "0 to 1"
            text = f'Column "{name}" looks like a serial share, but has values outside {limit}: not used.'
            notes.append(Note("serial_share_unusable", text))
        elif bool(np.any(np.isfinite(values))):
            found.append((name, values))
    if len(found) > 1:
        listed = ", ".join(f'"{name}"' for name, _ in found)
        text = f"Several columns look like a serial share ({listed}): none is used."
        notes.append(Note("serial_share_unusable", text))
        return None, notes
    return (found[0][1] if found else None), notes


def mixed_problems(n: FloatArray, measured: FloatArray, extra: Mapping[str, AnyArray]) -> list[Note]:
    """Say if runs at one count differ widely and a kept column tells them apart: that is no repetition."""
    counts, at = np.unique(n, return_inverse=True)
    if n.size in {0, counts.size}:
        return []
    level = _centred(np.log(measured), at)
    spread = float(np.sqrt(np.sum(level**2) / (n.size - counts.size)))
    if spread <= np.log(_REPEAT_FACTOR) / 2:
        return []
    notes: list[Note] = []
    for name, column in extra.items():
        codes = np.unique(column.astype(str) if column.dtype.kind == "O" else column, return_inverse=True)[1]
        groups = int(codes.max()) + 1
        free = n.size - counts.size - groups + 1
        if not 1 < groups <= _MOST_GROUPS or free < groups:
            continue
        left = level
        for _ in range(_SWEEPS):
            left = _centred(_centred(left, codes), at)
        if np.sqrt(np.sum(left**2) / free) < _LEFT_OVER * spread:
            text = (
                f'Runs at one count differ widely, and column "{name}" ({groups} values) tells them apart: '
                f"if these are different problems, split the table with --by {quoted(name)}."
            )
            notes.append(Note("split_suggested", text))
    return notes


def _centred(level: FloatArray, codes: npt.NDArray[np.intp]) -> FloatArray:
    """Take the mean of its group from every value."""
    return level - (np.bincount(codes, weights=level) / np.bincount(codes))[codes]
