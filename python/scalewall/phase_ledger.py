"""Where the worker-seconds of a measured function went, by the phases that it reported itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    FloatArray = npt.NDArray[np.float64]

CALLER = "phase."
INSIDE = "phase of other threads."
"""Beginnings of the names of the columns, in nanoseconds, that hold phases."""

OUTSIDE = "outside phases"


@dataclass(frozen=True, eq=False)
class PhaseLedger:
    """Worker-seconds by phase, one column a worker count; the rows add up to n times T(n).

    A phase of the calling thread holds all `n` workers for as long as it lasts, whatever they do in it:
    whether others work or wait meanwhile, phases cannot tell.

    Attributes
    ----------
    n : ndarray of float64, shape (k,)
        Worker counts, ascending.
    wall_s : ndarray of float64, shape (k,)
        Mean wall time at each count.
    rows : dict of str to ndarray of float64, shape (k,)
        Phase to mean worker-seconds, the last row is what lies outside all phases. Means add up; medians
        would not.
    inside : dict of str to ndarray of float64, shape (k,)
        Phases that other threads reported, thread-seconds; they overlap with the rows.
    """

    n: FloatArray
    wall_s: FloatArray
    rows: dict[str, FloatArray]
    inside: dict[str, FloatArray]

    def summary(self) -> str:
        """Return the ledger as a plain table of worker-seconds."""
        width = max(len(name) for name in (*self.rows, *self.inside, "n x T")) + 2
        lines = [" " * width + "".join(f"{f'n = {n:g}':>12}" for n in self.n)]
        table = dict(self.rows)
        table["n x T"] = self.n * self.wall_s
        lines += [f"{name:<{width}}" + "".join(f"{v:>12.4g}" for v in row) for name, row in table.items()]
        if self.inside:
            lines.append("of this in other threads, thread-seconds:")
            lines += [
                f"{name:<{width}}" + "".join(f"{v:>12.4g}" for v in row) for name, row in self.inside.items()
            ]
        return "\n".join(lines)


def of(n: FloatArray, time: FloatArray, extra: Mapping[str, npt.NDArray[np.generic]]) -> PhaseLedger | None:
    """Return the ledger of runs whose kept columns hold phases, None where there are none."""
    phases = _columns(extra, CALLER)
    inside = _columns(extra, INSIDE)
    if not (phases or inside) or n.size == 0:
        return None
    counts, at = np.unique(n, return_inverse=True)
    size = np.bincount(at)

    def mean(values: FloatArray) -> FloatArray:
        return np.bincount(at, weights=np.nan_to_num(values)) / size

    wall = mean(time)
    rows = {name: counts * mean(column) for name, column in phases.items()}
    rows[OUTSIDE] = counts * (wall - sum((mean(column) for column in phases.values()), np.zeros(counts.size)))
    return PhaseLedger(counts, wall, rows, {name: mean(column) for name, column in inside.items()})


def _columns(extra: Mapping[str, npt.NDArray[np.generic]], beginning: str) -> dict[str, FloatArray]:
    return {
        name.removeprefix(beginning).removesuffix("_ns"): column.astype(np.float64) / 1e9
        for name, column in extra.items()
        if name.startswith(beginning) and column.dtype.kind in "fiu"
    }
