"""The column of what was measured: times, rates of a load curve, or times against one worker's."""

from __future__ import annotations

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
    work : float
        Work of one run, so that work over time is the rate as it was given.
    base : float or None
        Time at the smallest count, where efficiencies stand against that.
    """

    head: str
    unit: say.TimeUnit | None
    work: float
    base: float | None = None

    @property
    def suffix(self) -> str:
        """What stands behind a range of numbers."""
        return f" {self.unit.name}" if self.unit else "" if self.head == "rate" else say.TIMES

    def value(self, count: Count) -> str:
        """Write what was measured at one count."""
        if self.unit is not None:
            return say.time(count.time, self.unit)
        if self.head == "rate":
            return say.digits(self.work / count.time, 3)
        share = self.efficiency(count)
        return say.speedup(1 / share) if share else ""

    def efficiency(self, count: Count) -> float:
        """Return the efficiency at a measured count."""
        return count.efficiency or 0.0 if self.base is None else self.base / count.time

    def efficiency_ends(self, point: ForecastPoint) -> tuple[float, float]:
        """Return the range of the efficiency that a run would show."""
        if self.base is None:
            return point.efficiency.low, point.efficiency.high
        return self.base / point.time.high, self.base / point.time.low

    def ends(self, point: ForecastPoint) -> tuple[float, float]:
        """Return the range that a run would read, as the numbers of the column."""
        if self.unit is not None:
            return point.time.low / self.unit.seconds, point.time.high / self.unit.seconds
        if self.head == "rate":
            return self.work / point.time.high, self.work / point.time.low
        low, high = self.efficiency_ends(point)
        return 1 / high, 1 / low

    def span(self, point: ForecastPoint) -> str:
        """Write the range that a run would read."""
        return say.span(*self.ends(point)) + self.suffix


def measured(fit: Fit) -> Measured:
    """Return how the measured values of a fit are written."""
    runs = fit.runs
    work = float(np.median(runs.value * runs.time))
    if fit.kind == "throughput" or (fit.refusal is not None and runs.quantity == "rate"):
        return Measured("rate", None, work)
    if fit.kind == "weak" and fit.refusal is None:
        start = weak.base(fit)
        base = None if start == 1 else fit.counts[0].time
        return Measured(f"time/{runs.unit_one} {say.count(start)}", None, work, base)
    times = [c.time for c in fit.counts] + [p.time.low for p in fit.forecasts]
    return Measured("time", say.time_unit(times), work)
