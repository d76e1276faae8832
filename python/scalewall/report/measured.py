"""The column of what was measured: times, rates of a load curve, or times against one worker's."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scalewall.wording import numbers as say
from scalewall.wording import weak

if TYPE_CHECKING:
    from scalewall.fitting import Fit
    from scalewall.results import Count, ForecastPoint


@dataclass(frozen=True)
class Measured:
    """How measured values are written.

    Attributes
    ----------
    head : str
        Head of the column.
    unit : say.TimeUnit or None
        Unit of the times; None where the column holds no times.
    scale : float
        What a rate is counted in: 1, a million, ... as the head says.
    """

    head: str
    unit: say.TimeUnit | None
    scale: float = 1.0

    @property
    def is_rate(self) -> bool:
        """Whether the column holds rates."""
        return self.head.startswith("rate")

    @property
    def suffix(self) -> str:
        """What stands behind a range of numbers."""
        return f" {self.unit.name}" if self.unit else "" if self.is_rate else say.TIMES

    def value(self, count: Count) -> str:
        """Write what was measured at one count."""
        if self.unit is not None:
            return say.time(count.time, self.unit)
        if self.is_rate:
            return say.digits(1 / count.time / self.scale, 3)
        return say.speedup(1 / count.efficiency) if count.efficiency else ""

    def ends(self, point: ForecastPoint) -> tuple[float, float]:
        """Return the range that a run would read, as the numbers of the column."""
        if self.unit is not None:
            return point.time.low / self.unit.seconds, point.time.high / self.unit.seconds
        if self.is_rate:
            return 1 / point.time.high / self.scale, say.ratio(1, point.time.low) / self.scale
        return say.ratio(1, point.efficiency.high), say.ratio(1, point.efficiency.low)

    def span(self, point: ForecastPoint) -> str:
        """Write the range that a run would read."""
        low, high = self.ends(point)
        if high == math.inf:
            return f"{say.digits(low)}{self.suffix} or more" if low > 0 else "any"
        return say.span(low, high) + self.suffix


def measured(fit: Fit) -> Measured:
    """Return how the measured values of a fit are written.

    A rate without a work column stands as a rate: its inverse, the time of one unit of work, is no number
    that anybody measured.
    """
    runs = fit.runs
    if runs.quantity == "rate" and runs.work is None and (fit.kind != "weak" or fit.refusal is not None):
        given = _given(fit)
        name, scale = _counted_in([given / c.time for c in fit.counts])
        return Measured(f"rate, {name}" if name else "rate", None, scale / given)
    if fit.kind == "weak" and fit.refusal is None:
        return Measured(f"time/{runs.unit_one} {say.count(weak.base(fit))}", None)
    times = [c.time for c in fit.counts] + [p.time.low for p in fit.forecasts]
    return Measured("time", say.time_unit(times))


def _given(fit: Fit) -> float:
    """Return how much larger a rate stands in the table than per second: 86 400 for a rate per day.

    A rate per worker was multiplied by the number of workers: it stands as the rate of all of them.
    """
    parts = fit.runs.value * fit.runs.time
    first = float(parts[0])
    return first if np.allclose(parts, first, rtol=1e-9, atol=0.0) else 1.0


_SCALES = (("trillions", 1e12), ("billions", 1e9), ("millions", 1e6))


def _counted_in(rates: list[float]) -> tuple[str, float]:
    """Return what rates too long to read are counted in, so that the smallest still shows its digits."""
    for name, scale in _SCALES:
        if max(rates, default=0.0) >= scale and min(rates) >= 0.01 * scale:
            return name, scale
    return "", 1.0
