"""When a campaign has enough: rounds, budget, every T(n) narrow, or a next round that would hardly narrow."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from scalewall import _core
from scalewall._errors import DomainError, ScalewallError
from scalewall.fitting import fit
from scalewall.runs import Runs

if TYPE_CHECKING:
    import numpy.typing as npt

    from scalewall.fitting import Fit

    FloatArray = npt.NDArray[np.float64]
    IntArray = npt.NDArray[np.int64]

HARDLY = 0.9
"""Another round that leaves more than this share of the width of T(2n)/T(n) narrows it by under a tenth."""

FEWEST = 3
"""Two runs may agree by chance; nothing about scatter is believed before this many rounds."""

Reason = Literal["rounds", "budget", "until", "gain", "interrupted", "failed"]


@dataclass(frozen=True)
class Stop:
    """Why a campaign ended: a short name, and words to follow "Stopped: "."""

    reason: Reason
    text: str


@dataclass(frozen=True)
class Limits:
    """What ends a campaign.

    Attributes
    ----------
    rounds : int or None
        Exactly so many rounds are run; `until` and the gain of another round are then not asked.
    most : int or None
        Never more rounds than this.
    budget_s : float or None
        Seconds that a campaign may take.
    until : float
        Relative half-width of T(n), at 95 %, that is narrow enough at every count.
    """

    rounds: int | None = None
    most: int | None = None
    budget_s: float | None = None
    until: float = 0.02

    def __post_init__(self) -> None:
        for name in ("rounds", "most"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise DomainError(f"{name} is {value}: expected at least 1")
        if not (math.isfinite(self.until) and self.until > 0):
            raise DomainError(f"until is {self.until}: expected a relative half-width above 0, such as 0.02")

    @property
    def last(self) -> int | None:
        """The largest number of rounds."""
        return self.rounds if self.rounds is not None else self.most

    def after_round(self, runs: Runs | None, done: int, spent_s: float) -> Stop | None:
        """Return why to stop after `done` complete rounds that took `spent_s` seconds, None to go on."""
        if self.rounds is not None and done >= self.rounds:
            return Stop("rounds", f"the {_rounds(self.rounds)} asked for {_are(self.rounds)} done.")
        if self.rounds is None and runs is not None and done >= FEWEST:
            if narrow(runs, self.until):
                return Stop("until", f"every time is known to within {100 * self.until:.2g} %.")
            left = another_round(runs)
            if left is not None and left > HARDLY:
                return Stop("gain", "another round would narrow the answer by less than a tenth.")
        if self.most is not None and done >= self.most:
            return Stop(
                "rounds", f"{_rounds(self.most)} {_are(self.most)} done, the most there are without --rounds."
            )
        if self.budget_s is not None and done and spent_s * (done + 1) / done > self.budget_s:
            return Stop("budget", f"another round would not fit into the {_time(self.budget_s)} given.")
        return None

    def before_run(self, spent_s: float, complete: int) -> Stop | None:
        """Return why not to begin another run of a round, None to go on."""
        if self.budget_s is None or spent_s < self.budget_s:
            return None
        where = " in the first round" if complete == 0 else ""
        return Stop("budget", f"the {_time(self.budget_s)} given are spent{where}.")


def narrow(runs: Runs, until: float) -> bool:
    """Say whether every T(n) has a 95 % interval of at most `until` to each side, relative to T(n)."""
    counts, at = np.unique(runs.n, return_inverse=True)
    if counts.size == 0 or np.bincount(at).min() < FEWEST:
        return False
    logs = np.log(runs.time)
    return all(half_width(logs[at == place]) <= math.log1p(until) for place in range(counts.size))


def half_width(logs: FloatArray) -> float:
    """Return the half-width of the 95 % interval of a mean of logarithms."""
    _, low, high = _core.fitting_mean_interval(np.ascontiguousarray(logs), 0.95)
    return (high - low) / 2.0


def another_round(runs: Runs) -> float | None:
    """Return the share of the log width of T(2n)/T(n) that another round would leave; None without a width.

    A round is added in thought and the curves are weighed again. The scatter of a run stays as it is, and so
    does what a curve misses beyond that scatter: measuring the same counts again does not mend it.
    """
    found = _fit(runs)
    today = width(found)
    if found is None or today is None or not found.scatter or found.law is None:
        return None
    n = np.array([count.n for count in found.counts])
    y = np.log([count.time for count in found.counts])
    repeats = np.array([count.runs for count in found.counts], dtype=np.float64)
    rounds = 0 if runs.round is None else np.unique(runs.round).size - 1
    df = max(repeats.sum() - n.size - rounds, 1.0)
    variance = found.scatter**2
    curve = np.log(found.law_time(found.law, n))
    after = curve + (y - curve) * _left(y - curve, repeats, variance)
    more = _core.curves_forecast(
        n,
        np.ascontiguousarray(after),
        repeats + 1.0,
        variance * (df + n.size - 1),
        df + n.size - 1,
        np.array([found.doubling.to]),
        found.level,
    )
    if more is None:
        return float(np.sqrt(repeats.mean() / (repeats.mean() + 1.0)))
    then = more["forecasts"][0]["time_ratio"]
    return math.log(then["high"] / then["low"]) / today


def _left(missed: FloatArray, repeats: FloatArray, variance: float) -> float:
    """Return the factor by which another run at every count shrinks what a curve misses.

    Of the mean square of `missed`, `variance` / repeats is scatter and shrinks; the rest stays.
    """
    free = max(missed.size - 2, 1)
    square = float(missed @ missed) / free
    scatter, then = (float(np.mean(variance / k)) for k in (repeats, repeats + 1.0))
    stays = max(square - scatter, 0.0)
    return math.sqrt((stays + then) / (stays + scatter))


def _fit(runs: Runs) -> Fit | None:
    plain = runs
    if runs.kind != "strong" or runs.quantity != "time":
        # Only the width is wanted here, and the time of one unit of work has the same one.
        plain = Runs(runs.n, time=runs.time, round=runs.round, kind="strong")
    try:
        return fit(plain, confirm=True)
    except ScalewallError:
        return None


def width(found: Fit | None) -> float | None:
    """Return the log width of T(2n)/T(n), None where there is none."""
    if found is None or found.refusal is not None:
        return None
    ratio = found.doubling.time_ratio
    if not (0 < ratio.low < ratio.high and math.isfinite(ratio.high)):
        return None
    return math.log(ratio.high / ratio.low)


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _rounds(number: int) -> str:
    return f"{number} round" if number == 1 else f"{number} rounds"


def _time(seconds: float) -> str:
    return f"{seconds:g} s" if seconds < 120 else f"{seconds / 60:.3g} min"
