"""When a campaign has enough: rounds, budget, every T(n) narrow, or another round that would hardly narrow."""

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
            return Stop("rounds", f"the {_rounds(self.rounds)} asked for are done.")
        if self.rounds is None and runs is not None and done >= FEWEST:
            if narrow(runs, self.until):
                return Stop("until", f"every time is known to within {100 * self.until:.2g} %.")
            left = another_round(runs)
            if left is not None and left > HARDLY:
                return Stop("gain", "another round would narrow the answer by less than a tenth.")
        if self.most is not None and done >= self.most:
            return Stop("rounds", f"{_rounds(self.most)} are done, the most there are without --rounds.")
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
    if np.bincount(at).min() < FEWEST:
        return False
    logs = np.log(runs.time)
    return all(half_width(logs[at == place]) <= math.log1p(until) for place in range(counts.size))


def half_width(logs: FloatArray) -> float:
    """Return the half-width of the 95 % interval of a mean of logarithms."""
    _, low, high = _core.fitting_mean_interval(np.ascontiguousarray(logs), 0.95)
    return (high - low) / 2.0


def another_round(runs: Runs) -> float | None:
    """Return the share of the log width of T(2n)/T(n) that another round would leave; None without a width.

    Every round so far is put on once more, as one that is yet to come, and the fit is done again; the middle
    width is what is said. Where the curve misses the points by more than they scatter, this shows that
    repeating the same counts does not help.
    """
    today = width(_fit(runs))
    if today is None or runs.round is None:
        return None
    new = int(runs.round.max()) + 1
    found = []
    for round_ in np.unique(runs.round[runs.round > 0]).tolist():
        again = runs.round == round_
        more = Runs(
            np.concatenate([runs.n, runs.n[again]]),
            time=np.concatenate([runs.time, runs.time[again]]),
            round=np.concatenate([runs.round, np.full(int(again.sum()), new)]),
            kind="strong",
        )
        then = width(_fit(more))
        if then is not None:
            found.append(then)
    return float(np.median(found)) / today if found else None


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


def _rounds(number: int) -> str:
    return f"{number} round" if number == 1 else f"{number} rounds"


def _time(seconds: float) -> str:
    from scalewall.wording import numbers as say  # noqa: PLC0415 - a floor above, looked up when asked

    return say.time(seconds) if seconds < 120 else f"{say.digits(seconds / 60, 2)} min"
