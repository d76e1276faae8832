"""Small frozen results that the rooms hand to one another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Interval(NamedTuple):
    """A range at the stated level; `high` may be infinite, and then `low` is a lower bound."""

    low: float
    high: float


class Estimate(NamedTuple):
    """A value with its range; `value` is None where only the range can be stated."""

    value: float | None
    low: float
    high: float


@dataclass(frozen=True)
class SerialFraction:
    """A serial fraction, and of which time it is a share."""

    value: float | None
    low: float
    high: float
    of: str


@dataclass(frozen=True)
class Note:
    """Something the reader of a result must know: a stable code and a sentence."""

    code: str
    text: str


@dataclass(frozen=True)
class Rejected:
    """A row that was left out before the fit, with its line in the source and the reason."""

    line: int
    reason: str


@dataclass(frozen=True)
class Flagged:
    """A run that was left out of the fit as an outlier; `deviation` counts robust standard deviations."""

    line: int
    n: float
    value: float
    deviation: float
    first: bool


@dataclass(frozen=True)
class Count:
    """All used runs at one worker count. Times in seconds; `karp_flatt` is e(n) of the fitted T(1)."""

    n: float
    time: float
    runs: int
    speedup: float | None
    efficiency: float | None
    karp_flatt: Estimate | None


@dataclass(frozen=True)
class LawFit:
    """One law fitted to the runs; `kept` says whether the data allow it."""

    law: str
    params: dict[str, float]
    intervals: dict[str, Interval]
    time_one: float | None
    sse: float | None
    noise: float | None
    df: float | None
    kept: bool


@dataclass(frozen=True)
class Doubling:
    """Whether twice the largest worker count saves the stated share of the time."""

    start: float
    to: float
    answer: str
    time_ratio: Interval
    mid: float
    inner: Interval | None


@dataclass(frozen=True)
class DoublingStep:
    """What one further doubling buys: ratios of time and of worker-seconds, each with its range."""

    start: float
    to: float
    time_ratio: Interval
    cost_ratio: Interval


@dataclass(frozen=True)
class ForecastPoint:
    """What somebody would measure at `n` workers."""

    n: float
    time: Estimate
    speedup: Estimate
    efficiency: Estimate


@dataclass(frozen=True)
class Measurement:
    """A measurement to make next; `shrinks_to` is the share of the log width of T(2n)/T(n) that is left."""

    n: float
    repeats: int
    shrinks_to: float | None


@dataclass(frozen=True)
class WeakGrowth:
    """Weak scaling: efficiency, and growth of the time as a share of T(1), per doubling or per worker."""

    efficiency_at_max: float
    log_growth: Estimate
    linear_growth: Estimate
    growth_per_doubling: Interval
    efficiency: tuple[tuple[float, Interval], ...]


@dataclass(frozen=True)
class Refusal:
    """Why the input cannot be read as claimed, and the flag for each reading it could have."""

    reason: str
    readings: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Prediction:
    """Arrays of shape (k, 3) with columns value, low, high, for k worker counts."""

    n: npt.NDArray[np.float64]
    time: npt.NDArray[np.float64]
    speedup: npt.NDArray[np.float64]
    efficiency: npt.NDArray[np.float64]
