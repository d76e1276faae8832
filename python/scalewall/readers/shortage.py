"""Which runs say more about a machine that has too few processors than about the program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    FloatArray = npt.NDArray[np.float64]

BEYOND = 1.1
"""Counts up to a tenth above the capacity are not beyond it: a trial is no more exact than that."""

FULL = 0.75
"""A run that used this share of the capacity on average had phases that used all of it."""

HALF = 0.5
PUSHED = 50.0
"""Half of the capacity is enough where its workers were pushed off a processor this often in a second of
processor time: two that share one processor are, a few hundred times; a lone one is a few times."""

COMPUTES = 0.5
"""A program that uses less of a processor than this where it has the fewest workers mostly waits."""


@dataclass(frozen=True)
class Shortage:
    """Which runs were short of processors, and the numbers that show it."""

    rows: npt.NDArray[np.bool_]
    capacity: float | None
    n: FloatArray
    used: FloatArray

    def reason(self, row: int, unit: str) -> str:
        """Return why a run is set aside, in words."""
        shared = f"{self.n[row]:g} {unit} shared {self.capacity:.2g} processors"
        return f"{shared} and used {self.used[row]:.2g} of them"


@dataclass(frozen=True)
class Usage:
    """What each run used; NaN where it is not known.

    `timed` is the part of the `wall` seconds that was measured: the rest is start-up and the like.
    """

    n: FloatArray
    wall: FloatArray
    timed: FloatArray
    cpu: FloatArray
    preemptions: FloatArray


def find(usage: Usage, capacity: float | None, quota: float | None = None) -> Shortage:
    """Find the runs that had more workers than the machine has processors to give, and wanted them.

    A count is decided as a whole, by all its runs together, and with it every larger one.

    A program that sleeps or waits uses few processors whatever its count, and keeps its runs.

    Parameters
    ----------
    usage : Usage
        What each run used.
    capacity : float or None
        Processors' worth of time that a trial found; None where it does not apply.
    quota : float or None
        Processors' worth of time that are allowed at most.

    Returns
    -------
    Shortage
        No run is short where the capacity or the processor time is not known.
    """
    n = usage.n
    if capacity is None or not bool(np.isfinite(usage.cpu).any()):
        return Shortage(np.zeros(n.size, dtype=np.bool_), None, n, np.full(n.size, np.nan))
    one = min(1.0, quota or 1.0)
    counts, at = np.unique(n, return_inverse=True)
    wall, timed, cpu, preemptions = (
        np.bincount(at, weights=column) for column in (usage.wall, usage.timed, usage.cpu, usage.preemptions)
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        # What a run got was there to be had, whatever the trial found in a busy moment.
        most = float(np.nanmax(usage.cpu / usage.wall, initial=0.0))
        capacity = max(capacity, most)
        # Only what cannot have been used outside the timed part was used inside it for sure.
        used = np.maximum(cpu - one * (wall - timed), 0.0) / timed
        computes = bool(used[0] / counts[0] >= COMPUTES * min(one, capacity / counts[0]))
        wanted = (used >= FULL * capacity) | ((used >= HALF * capacity) & (preemptions / cpu >= PUSHED))
        short = (counts > BEYOND * capacity) & (counts > 1) & wanted & computes
    # Whatever was short of processors on fewer workers was so on more.
    return Shortage(np.logical_or.accumulate(short)[at], capacity, n, used[at])
