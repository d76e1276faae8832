"""What a note adds to the core's numbers: how runs scatter, and one more estimate of Amdahl's share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from scalewall.runs import Runs

    FloatArray = npt.NDArray[np.float64]


def scatter(runs: Runs) -> float | None:
    """Return the standard deviation of log time among repeats, pooled; None without repeats."""
    groups = _groups(runs)
    free = sum(len(group) - 1 for group in groups)
    if free == 0:
        return None
    squares = sum(float(((np.log(group) - np.log(group).mean()) ** 2).sum()) for group in groups)
    return float(np.sqrt(squares / free))


def share_over_scatter(runs: Runs) -> float | None:
    """Return the serial share f of T(n) = T(1) (f + (1 - f) / n), means weighted by one over their scatter.

    Least squares as many scripts do it. None where a count has no repeats, or repeats that agree.
    """
    groups = _groups(runs)
    if len(groups) < 2 or any(len(group) < 3 for group in groups):
        return None
    spread = np.array([group.std(ddof=1) for group in groups])
    if not np.all(spread > 0):
        return None
    mean = np.array([group.mean() for group in groups])
    design = np.stack([np.ones(len(groups)), 1.0 / np.unique(runs.n)], axis=1)
    stays, divides = np.linalg.lstsq(design / spread[:, None], mean / spread, rcond=None)[0]
    return float(stays / (stays + divides))


def _groups(runs: Runs) -> list[FloatArray]:
    return [runs.time[runs.n == n] for n in np.unique(runs.n)]
