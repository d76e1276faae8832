"""What a picture of a fit shows, in data units; figure and page draw the same scene."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scalewall.results import Interval

if TYPE_CHECKING:
    import numpy.typing as npt

    from scalewall.fitting import Fit

    Array = npt.NDArray[np.float64]

HORIZON = 4.0
"""Nothing is drawn beyond this multiple of the largest measured count."""

SPEEDUP, RATE, EFFICIENCY, MEASURED = "speedup", "rate", "efficiency", "measured"

TALLEST_BAND = 8.0
"""A forecast reaches at most this many times above the best measured value; beyond, it is cut off."""

DEEPEST_BAND = 4.0
"""A forecast reaches at most this many times below the smallest measured value; beyond, it is cut off."""


@dataclass(frozen=True)
class Curve:
    """One fitted law; for weak scaling the growth of the time: "log_growth" or "linear_growth"."""

    law: str
    n: Array
    y: Array


@dataclass(frozen=True)
class Band:
    """Where the curve runs, from `Fit.predict`."""

    n: Array
    low: Array
    high: Array


@dataclass(frozen=True)
class Scene:
    """Everything a chart needs to know.

    `quantity` names the vertical axis: "speedup", "rate" (throughput), "efficiency" (weak scaling) or
    "measured" (the numbers as given, where nothing was fitted). `horizon` is the right end: 4 times the
    largest count, or the largest count itself where nothing is forecast. `runs_*` holds single runs, and
    is empty where every count was run once.
    """

    quantity: str
    first: float
    last: float
    horizon: float
    n: Array
    y: Array
    runs_n: Array
    runs_y: Array
    flagged_n: Array
    flagged_y: Array
    band: Band | None
    curves: tuple[Curve, ...]
    ideal: float | None
    ceiling: Interval | None
    low: float
    high: float

    @property
    def log(self) -> bool:
        """Whether the vertical axis is logarithmic."""
        return self.quantity != EFFICIENCY

    @property
    def forecast(self) -> bool:
        """Whether the chart reaches beyond the data."""
        return self.horizon > self.last

    def ideal_at(self, n: float) -> float:
        """Return the height of the ideal line, no loss at any count."""
        if self.ideal is None:
            return math.nan
        return self.ideal if self.quantity == EFFICIENCY else self.ideal * n


def scene(fit: Fit, points: int = 161) -> Scene:
    """Collect what a chart of `fit` shows.

    Parameters
    ----------
    fit : Fit
        Any fit, also one that was refused; then only the measured points stand in the scene.
    points : int, default 161
        Points of a curve, evenly spread over log n; the largest measured count comes on top.

    Returns
    -------
    Scene
        In data units, limits of the axes included.
    """
    quantity = _quantity(fit)
    if quantity == MEASURED:
        return _measured(fit)
    n = np.array([c.n for c in fit.counts])
    grid = _grid(n, points)
    # A height is `unit` divided by a time: one-worker time for a speedup, one for a rate.
    unit = 1.0 if quantity == RATE else _time_one(fit, quantity)
    y = unit / np.array([c.time for c in fit.counts])
    used, flagged = _used_and_flagged(fit)
    runs_n, runs_y = fit.runs.n[used], unit / fit.runs.time[used]
    if all(c.runs == 1 for c in fit.counts):
        runs_n, runs_y = np.empty(0), np.empty(0)
    band = _band(fit, grid, quantity)
    curves = _curves(fit, grid, quantity, unit)
    ceiling = fit.ceiling if quantity != EFFICIENCY else None
    if ceiling is not None and quantity == RATE:
        one = 1.0 / _time_one(fit, quantity)
        ceiling = Interval(ceiling.low * one, ceiling.high * one)
    seen = np.concatenate([y, runs_y])
    if ceiling is not None and math.isinf(ceiling.high):
        # What was measured is possible: "at least" is never less.
        ceiling = Interval(max(ceiling.low, float(y.max())), ceiling.high)
    low, high = (
        _linear_limits(seen, band) if quantity == EFFICIENCY else _log_limits(seen, curves, band, ceiling)
    )
    return Scene(
        quantity=quantity,
        first=float(n[0]),
        last=float(n[-1]),
        horizon=float(grid[-1]),
        n=n,
        y=y,
        runs_n=runs_n,
        runs_y=runs_y,
        flagged_n=fit.runs.n[flagged],
        flagged_y=unit / fit.runs.time[flagged],
        band=band,
        curves=curves,
        ideal=1.0 / _time_one(fit, quantity) if quantity == RATE else 1.0,
        ceiling=ceiling,
        low=low,
        high=high,
    )


def _quantity(fit: Fit) -> str:
    if fit.refusal is not None:
        return MEASURED
    if fit.kind == "weak":
        return EFFICIENCY if fit.weak is not None else MEASURED
    if not any(law.kept and law.time_one for law in fit.laws):
        return MEASURED
    return RATE if fit.kind == "throughput" else SPEEDUP


def _measured(fit: Fit) -> Scene:
    """Return the scene of a refused table: the numbers as given, and nothing beyond them."""
    used, flagged = _used_and_flagged(fit)
    n, value = fit.runs.n, np.asarray(fit.runs.value, dtype=np.float64)
    counts, place = np.unique(n[used], return_inverse=True)
    repeats = np.bincount(place)
    mean = np.exp(np.bincount(place, weights=np.log(value[used])) / repeats)
    single = bool((repeats == 1).all())
    low, high = _log_limits(value[used], (), None, None)
    return Scene(
        quantity=MEASURED,
        first=float(counts[0]),
        last=float(counts[-1]),
        horizon=float(counts[-1]),
        n=counts,
        y=mean,
        runs_n=np.empty(0) if single else n[used],
        runs_y=np.empty(0) if single else value[used],
        flagged_n=n[flagged],
        flagged_y=value[flagged],
        band=None,
        curves=(),
        ideal=None,
        ceiling=None,
        low=low,
        high=high,
    )


def _grid(n: Array, points: int) -> Array:
    """Return where curves are drawn: from the smallest count, but not below one worker, to the horizon."""
    start, horizon = max(float(n[0]), 1.0), HORIZON * float(n[-1])
    if horizon <= start:
        return np.array([horizon])
    grid = np.concatenate([np.geomspace(start, horizon, points), [n[-1]]])
    # geomspace rounds its ends: without the clip a curve could leave the data by one ulp.
    return np.unique(np.clip(grid, start, horizon))


def _used_and_flagged(fit: Fit) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    flagged = np.isin(fit.runs.line, [f.line for f in fit.flagged])
    return ~flagged, flagged


def _time_one(fit: Fit, quantity: str) -> float:
    """Return the time that speedups, or weak efficiencies, stand against."""
    if quantity == EFFICIENCY:
        return fit.counts[0].time * (fit.counts[0].efficiency or 1.0)
    times = {law.law: law.time_one for law in fit.laws if law.kept and law.time_one}
    return times.get(fit.law or "") or next(iter(times.values()))


def _band(fit: Fit, grid: Array, quantity: str) -> Band | None:
    if len(grid) < 2:
        return None
    predicted, one = fit.predict(grid), _time_one(fit, quantity)
    low, high = predicted.speedup[:, 1], predicted.speedup[:, 2]
    if quantity == RATE:
        with np.errstate(over="ignore"):
            low, high = low / one, high / one
    if quantity == EFFICIENCY:
        # The curves are weighted for fixed work. Of weak scaling they say what comes, not what was.
        grid = grid[grid >= fit.counts[-1].n]
        predicted = fit.predict(grid)
        with np.errstate(divide="ignore", over="ignore"):
            low, high = one / predicted.time[:, 2], one / predicted.time[:, 1]
    known = np.isfinite(low) & np.isfinite(high) & (low > 0)
    return Band(grid[known], low[known], high[known]) if known.sum() > 1 else None


def _curves(fit: Fit, grid: Array, quantity: str, unit: float) -> tuple[Curve, ...]:
    if len(grid) < 2:
        return ()
    if quantity == EFFICIENCY:
        return _growth(fit, grid, unit)
    kept = [law.law for law in fit.laws if law.kept and law.time_one]
    if fit.insisted is not None:
        kept = [law for law in kept if law == fit.insisted]
    with np.errstate(divide="ignore", over="ignore"):
        return tuple(Curve(law, grid, unit / fit.law_time(law, grid)) for law in kept)


def _growth(fit: Fit, grid: Array, unit: float) -> tuple[Curve, ...]:
    """Return efficiency under the growth that fits the times best: the same share a doubling, or a worker."""
    if fit.weak is None:
        return ()
    n, time = np.array([c.n for c in fit.counts]), np.array([c.time for c in fit.counts])
    found = []
    shapes = (
        ("log_growth", fit.weak.log_growth.value, np.log2(n), np.log2(grid)),
        ("linear_growth", fit.weak.linear_growth.value, n - 1, grid - 1),
    )
    for name, rate, grown, ahead in shapes:
        if (
            rate is None
            or not math.isfinite(rate)
            or min((1 + rate * grown).min(), (1 + rate * ahead).min()) <= 0
        ):
            continue
        miss = np.log(time) - np.log(1 + rate * grown)
        y = unit / (np.exp(miss.mean()) * (1 + rate * ahead))
        found.append((float(miss.var()), Curve(name, grid, y)))
    return (min(found, key=lambda f: f[0])[1],) if found else ()


def _log_limits(
    seen: Array, curves: tuple[Curve, ...], band: Band | None, ceiling: Interval | None
) -> tuple[float, float]:
    """Return limits that show every measurement whole, and of a forecast what still can be read."""
    low, high = float(seen.min()), float(seen.max())
    tops, bottoms = [high], [low]
    for curve in curves:
        tops.append(min(float(curve.y.max()), TALLEST_BAND * high))
        bottoms.append(max(float(curve.y.min()), low / DEEPEST_BAND))
    if band is not None:
        tops.append(min(float(band.high.max()), TALLEST_BAND * high))
        bottoms.append(max(float(band.low.min()), low / DEEPEST_BAND))
    if ceiling is not None and math.isfinite(ceiling.high):
        tops.append(min(ceiling.high, TALLEST_BAND * high))
    low, high = min(bottoms) / 1.12, max(tops) * 1.15
    # At least two doublings, so that a flat curve looks flat and the axis has ticks.
    missing = max(0.0, 2.0 - math.log2(high / low))
    return low / 2 ** (missing / 2), high * 2 ** (missing / 2)


def _linear_limits(seen: Array, band: Band | None) -> tuple[float, float]:
    edges = np.array([1.0]) if band is None else np.concatenate([[1.0], band.low, band.high])
    values = np.concatenate([seen, edges])
    low, high = max(0.0, float(values.min())), min(2.0, float(values.max()))
    room = max(0.04, 0.08 * (high - low))
    return max(0.0, low - room), high + room
