"""Gustafson's side: the serial fraction of weak scaling, from phase times or from T(1) of the big problem."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scalewall import _core
from scalewall.laws import serial_fraction
from scalewall.results import Note, SerialFraction

if TYPE_CHECKING:
    from scalewall.runs import Runs

_NOT_IDENTIFIED = Note(
    "serial_not_identified",
    "The serial share cannot be read from weak-scaling times alone. Give the serial phase of each run "
    "(--serial COL), or the time of the same problem on one worker (--one-worker COL).",
)


def gustafson_fraction(runs: Runs, level: float) -> tuple[SerialFraction | None, tuple[Note, ...]]:
    """Return Gustafson's serial fraction s of T(n) at the largest count, and what to say about it.

    With serial phase times, s = serial / T(n). With the time of the same problem on one worker,
    S = T(1) / T(n) and s = (n - S) / (n - 1), from S = s + (1 - s) n [1]_.

    Parameters
    ----------
    runs : Runs
        Weak-scaling runs; other kinds give nothing.
    level : float
        Confidence level; the interval is that of the mean over the repeats at the largest count, and
        spans [0, 1] where there is one run only.

    Returns
    -------
    SerialFraction or None, tuple of Note
        The fraction of T(n), dimensionless, and notes with its value as a share of T(1).

    References
    ----------
    .. [1] Gustafson, "Reevaluating Amdahl's Law", CACM 31(5), 1988.
    """
    if runs.kind != "weak":
        return None, ()
    n = float(runs.n.max())
    at_max = runs.n == n
    if runs.serial is not None:
        shares = runs.serial[at_max] / runs.time[at_max]
        source = "the serial phase of each run"
    elif runs.one_worker is not None and n > 1:
        shares = (n - runs.one_worker[at_max] / runs.time[at_max]) / (n - 1.0)
        source = "the time of the same problem on one worker"
    else:
        return None, (_NOT_IDENTIFIED,)
    shares = shares[np.isfinite(shares)]
    if shares.size == 0:
        return None, (_NOT_IDENTIFIED,)
    value, low, high = _core.fitting_mean_interval(np.ascontiguousarray(shares), level)
    fraction = SerialFraction(value, max(low, 0.0), min(high, 1.0), f"T({n:g}), Gustafson")
    amdahl = serial_fraction(n, gustafson=min(max(value, 0.0), 1.0), to="amdahl")
    text = (
        f"Serial share {value:.3g} of the time on {n:g} {runs.unit}, from {source} (Gustafson). "
        f"As a share of the same problem's time on one {runs.unit_one} it is {amdahl:.3g} (Amdahl)."
    )
    notes = [Note("gustafson_fraction", text)]
    if shares.size == 1:
        only = f"One run on {n:g} {runs.unit}: its serial share has no interval."
        notes.append(Note("gustafson_no_interval", only))
    return fraction, tuple(notes)
