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


@dataclass(frozen=True)
class Shortage:
    """Which runs were short of processors, and the numbers that show it."""

    rows: npt.NDArray[np.bool_]
    capacity: float | None
    n: FloatArray
    used: FloatArray

    def reason(self, row: int, words: tuple[str, str]) -> str:
        """Return why a run is set aside, in words."""
        return (
            f"{self.n[row]:g} {words[0]}: they shared {self.capacity:.2g} processors and used "
            f"{self.used[row]:.2g} of them. Put it back with --keep-row"
        )


def find(
    n: FloatArray, wall: FloatArray, cpu: FloatArray, preemptions: FloatArray, capacity: float | None
) -> Shortage:
    """Find the runs that had more workers than the machine has processors to give, and wanted them.

    A program that sleeps or waits uses few processors whatever its count, and keeps its runs.

    Parameters
    ----------
    n, wall, cpu, preemptions : ndarray of float64, shape (k,)
        Worker count, wall seconds, processor seconds and preemptions of each run; NaN where unknown.
    capacity : float or None
        Processors' worth of time that a trial found; None where it does not apply.

    Returns
    -------
    Shortage
        No run is short where the capacity or the processor time is not known.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        used = cpu / wall
        pushed = preemptions / cpu
    if capacity is None:
        return Shortage(np.zeros(n.size, dtype=np.bool_), None, n, used)
    # What a run got was there to be had, whatever the trial found in a busy moment.
    capacity = max(capacity, float(np.nanmax(used, initial=0.0)))
    with np.errstate(invalid="ignore"):
        wanted = (used >= FULL * capacity) | ((used >= HALF * capacity) & (pushed >= PUSHED))
        beyond = (n > BEYOND * capacity) & (n > 1)
    return Shortage(beyond & wanted, capacity, n, used)
