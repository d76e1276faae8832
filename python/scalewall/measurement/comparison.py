"""Did it get worse? The serial fraction, or the time at one count, of two sets of runs, with an interval."""

from __future__ import annotations

import math
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from scalewall import _core
from scalewall._errors import DomainError, InsufficientDataError
from scalewall.fitting import Law, fit
from scalewall.readers import read
from scalewall.runs import Runs
from scalewall.wording import numbers as say
from scalewall.workers import count_text

if TYPE_CHECKING:
    from scalewall.fitting import Fit

Answer = Literal["worse", "better", "no worse", "cannot tell"]

_LAWS: tuple[Law, ...] = ("amdahl", "usl", "usl_log")
"""Laws with a serial fraction that is a share of the one-worker time."""


class Bounds(NamedTuple):
    """A value with its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Comparison:
    """What changed from one set of runs to another.

    Attributes
    ----------
    what : str
        "serial fraction", or "time at n = 16".
    a, b : Bounds
        The quantity in both, with its interval.
    change : Bounds
        Serial fraction: difference b - a. Time: ratio b/a - 1.
    tolerance : float
        How much worse is still accepted, in the unit of `change`.
    answer : {"worse", "better", "no worse", "cannot tell"}
        "worse" where the whole interval lies above the tolerance, "better" where it lies below 0, "no worse"
        where it lies at or below the tolerance, else "cannot tell".
    level : float
        Confidence level of every interval.
    """

    what: str
    a: Bounds
    b: Bounds
    change: Bounds
    tolerance: float
    answer: Answer
    level: float
    relative: bool

    @property
    def worse(self) -> bool:
        """Whether it got worse by more than the tolerance."""
        return self.answer == "worse"

    def summary(self) -> str:
        """Return the answer as text of at most 80 columns."""
        return "\n".join(self._lines())

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain Python."""
        found: dict[str, Any] = {"schema": "scalewall.compare/1", "answer": self.answer, "what": self.what}
        for name in ("a", "b", "change"):
            estimate = getattr(self, name)
            found[name] = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
        return found | {
            "change_is": "ratio minus 1" if self.relative else "difference",
            "tolerance": self.tolerance,
            "level": self.level,
        }

    def _lines(self) -> list[str]:
        unit = " points" if not self.relative else ""
        write = _share if not self.relative else _time
        accepted = (
            f"up to +{say.share(self.tolerance)}{unit}" if self.tolerance else "no change for the worse"
        )
        rows = [
            (
                self.what if self.relative else "serial share, of the 1-worker time",
                f"{say.share(self.level)} interval",
            ),
            ("  before", write(self.a)),
            ("  after", write(self.b)),
            ("  change", _signed(self.change) + unit),
            ("  accepted", accepted),
        ]
        return [*self._head(), "", *(f"{name:<36}{value}" for name, value in rows)]

    def _head(self) -> list[str]:
        thing = f"The {self.what}" if self.relative else "The serial share"
        points = "" if self.relative else " points of the 1-worker time"
        word = self.answer.upper()
        grew = "grew" if self.worse else "changed"
        more = " More rounds of both would tell." if self.answer == "cannot tell" else ""
        at = len(word) + 2
        sentence = f"{thing} {grew} by {_signed(self.change)}{points}.{more}"
        lines = textwrap.wrap(sentence, 80 - at)
        return [f"{word}  {lines[0]}", *(" " * at + line for line in lines[1:])]


def compare(
    a: Any, b: Any, *, at: float | None = None, tolerance: float = 0.0, level: float = 0.95
) -> Comparison:
    """Compare two sets of runs: the serial fraction, or the time at one worker count.

    Parameters
    ----------
    a, b : Runs, path, dict or data frame
        Runs before and after; anything but `Runs` goes through `scalewall.read`.
    at : float, optional
        Compare the time at this count; both must have been measured there.
    tolerance : float, default 0
        How much worse is accepted: a difference of serial fractions (0.01 is one per cent of the one-worker
        time), or a relative change of the time.
    level : float, default 0.95
        Confidence level of the intervals.

    Returns
    -------
    Comparison
        With `answer`; `worse` is true only where the whole interval lies above the tolerance.

    Raises
    ------
    DomainError
        If `tolerance` or `level` is not allowed, or `at` was not measured in both.
    InsufficientDataError
        If one of the sets has no serial fraction with an interval, or fewer than two runs at `at`.

    Notes
    -----
    The interval of a difference of serial fractions comes from the intervals of both [1]_, for each law that
    both sets allow, and spans all of them: the same law on both sides, so that what a law gets wrong cancels.
    Times are compared by Welch's interval for the difference of mean logarithms.

    References
    ----------
    .. [1] Zou and Donner, "Construction of confidence limits about effect measures", Statistics in Medicine
       27, 2008, eq. 6.

    Examples
    --------
    >>> import scalewall as sw
    >>> n = [1, 2, 4, 8] * 3
    >>> noise = [1.001, 0.999, 1.0, 1.001, 0.999, 1.001, 1.0, 0.999, 1.0, 1.001, 0.999, 1.0]
    >>> def runs(f):
    ...     times = [10 * (f + (1 - f) / k) * e for k, e in zip(n, noise)]
    ...     return sw.Runs(n, time=times, kind="strong")
    >>> sw.compare(runs(0.05), runs(0.10), tolerance=0.01).answer
    'worse'
    """
    if not (math.isfinite(tolerance) and tolerance >= 0):
        raise DomainError(f"tolerance is {tolerance}: expected 0 or more, such as 0.01")
    if not 0.5 < level < 1.0:
        raise DomainError(f"level is {level}: expected a confidence level between 0.5 and 1, such as 0.95")
    before, after = (given if isinstance(given, Runs) else read(given) for given in (a, b))
    if at is None:
        return _fractions(before, after, tolerance, level)
    return _times(before, after, float(at), tolerance, level)


def _fractions(before: Runs, after: Runs, tolerance: float, level: float) -> Comparison:
    pairs = []
    both = [_regions(runs, level) for runs in (before, after)]
    for law in _LAWS:
        a, b = both[0].get(law), both[1].get(law)
        if a is not None and b is not None:
            pairs.append((a, b, difference(a, b)))
    if not pairs:
        which = "before" if not both[0] else "after" if not both[1] else "the two together"
        raise InsufficientDataError(
            f"{which}: no serial fraction with an interval; it needs times of fixed work at 4 worker counts, "
            "or at 3 with repeats. Compare the time at one count with --at"
        )
    a, b, change = (_spanning([pair[i] for pair in pairs]) for i in range(3))
    what = "serial fraction"
    return Comparison(what, a, b, change, tolerance, _answer(change, tolerance), level, relative=False)


def _regions(runs: Runs, level: float) -> dict[str, Bounds]:
    """Return the serial fraction under each law that the runs allow."""
    whole = fit(runs, level=level)
    if whole.refusal is not None or whole.kind == "weak":
        return {}
    kept = [law.law for law in whole.laws if law.kept]
    # A law with coherency holds the one without: it is allowed wherever that one is.
    found: dict[str, Bounds] = {}
    for law in _LAWS:
        if law not in kept:
            continue
        estimate = _under(fit(runs, law=law, level=level))
        if estimate is not None:
            found[law] = estimate
    return found


def _under(found: Fit) -> Bounds | None:
    sigma, share = found.params.get("sigma"), found.serial_fraction
    if sigma is None or share is None or not (share.low <= sigma <= share.high):
        return None
    return Bounds(sigma, share.low, share.high)


def difference(a: Bounds, b: Bounds) -> Bounds:
    """Return b - a with the interval that those of both give, whatever their shapes.

    Parameters
    ----------
    a, b : Bounds
        Independent estimates with intervals of one level.
    """
    value = b.value - a.value
    low = value - math.hypot(b.value - b.low, a.high - a.value)
    high = value + math.hypot(b.high - b.value, a.value - a.low)
    return Bounds(value, low, high)


def _spanning(estimates: list[Bounds]) -> Bounds:
    """Return the middle value with the interval that spans all."""
    values = sorted(e.value for e in estimates)
    middle = values[len(values) // 2]
    return Bounds(middle, min(e.low for e in estimates), max(e.high for e in estimates))


def _times(before: Runs, after: Runs, at: float, tolerance: float, level: float) -> Comparison:
    logs = []
    for name, runs in (("before", before), ("after", after)):
        here = np.log(runs.time[runs.n == at])
        if here.size == 0:
            known = ", ".join(count_text(n) for n in np.unique(runs.n).tolist())
            raise DomainError(f"at is {at:g}: {name} has no run there. It has runs at {known}")
        if here.size < 2:
            raise InsufficientDataError(
                f"{name} has one run at {at:g}: its scatter is not known. Measure at least two, better five"
            )
        logs.append(here)
    a, b = (_mean(here, level) for here in logs)
    shift = _welch(logs[0], logs[1], level)
    change = Bounds(*(math.expm1(end) for end in (shift.value, shift.low, shift.high)))
    what = f"time at n = {count_text(at)}"
    return Comparison(what, a, b, change, tolerance, _answer(change, tolerance), level, relative=True)


def _mean(logs: np.ndarray, level: float) -> Bounds:
    found = _core.fitting_mean_interval(np.ascontiguousarray(logs), level)
    return Bounds(*(math.exp(end) for end in found))


def _welch(a: np.ndarray, b: np.ndarray, level: float) -> Bounds:
    """Return Welch's interval of mean(b) - mean(a)."""
    value = float(b.mean() - a.mean())
    parts = [float(x.var(ddof=1)) / x.size for x in (a, b)]
    error = math.sqrt(sum(parts))
    if error == 0.0:
        return Bounds(value, value, value)
    df = sum(parts) ** 2 / sum(part**2 / (x.size - 1) for part, x in zip(parts, (a, b), strict=True))
    half = quantile(level, df) * error
    return Bounds(value, value - half, value + half)


def quantile(level: float, df: float) -> float:
    """Return the two-sided Student quantile at `df` degrees of freedom, also between whole numbers.

    Between whole numbers its logarithm is interpolated in 1/df: within 4 % of the truth from df = 1 on.
    """
    low = max(1, math.floor(df))
    near, far = _student(level, low), _student(level, low + 1)
    weight = (1.0 / low - 1.0 / max(df, 1.0)) / (1.0 / low - 1.0 / (low + 1))
    return near * math.exp(weight * math.log(far / near))


def _student(level: float, df: int) -> float:
    # The core gives the interval of a mean: values of mean 0 and standard error 1 end at the quantile.
    values = np.resize([1.0, -1.0], df + 1)
    values -= values.mean()
    values *= math.sqrt((df + 1) * df / float(values @ values))
    _, _, high = _core.fitting_mean_interval(values, level)
    return high


def _answer(change: Bounds, tolerance: float) -> Answer:
    if change.low > tolerance:
        return "worse"
    if change.high < 0:
        return "better"
    if change.high <= tolerance:
        return "no worse"
    return "cannot tell"


def _share(estimate: Bounds) -> str:
    return say.shares(estimate.low, estimate.high)


def _time(estimate: Bounds) -> str:
    return say.times(estimate.low, estimate.high)


def _signed(change: Bounds) -> str:
    ends = [f"{100 * end:+.2g}" if abs(end) >= 5e-5 else "0" for end in (change.low, change.high)]
    joined = f"{ends[0]} to {ends[1]}" if ends[0] != ends[1] else ends[0]
    return f"{joined} %".replace("-", "−")
