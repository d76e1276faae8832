"""Weak scaling in words: efficiencies against one worker, or the smallest count where none ran on one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scalewall.results import Interval
from scalewall.wording import numbers as say
from scalewall.wording.notes import spread_out

if TYPE_CHECKING:
    from scalewall.fitting import Fit


def base(fit: Fit) -> float:
    """Return the count that efficiencies stand against."""
    return fit.counts[0].n if fit.counts else 1.0


def at_largest(fit: Fit) -> float | None:
    """Return the efficiency at the largest count; None without counts."""
    return fit.counts[-1].efficiency if fit.counts else None


def ahead(fit: Fit) -> tuple[tuple[float, Interval], ...]:
    """Return the efficiency of the curve beyond the data."""
    return () if fit.weak is None else fit.weak.efficiency


def forecasts(fit: Fit) -> tuple[tuple[float, Interval], ...]:
    """Return the efficiency that somebody would measure at the counts asked for."""
    return tuple((p.n, Interval(p.efficiency.low, p.efficiency.high)) for p in fit.forecasts)


def sentence(fit: Fit) -> str:
    """Return how efficient the largest count is, and twice that count."""
    value = at_largest(fit)
    if value is None or not math.isfinite(value):
        return "no efficiency can be given."
    units, start = fit.runs.unit, base(fit)
    efficient = "efficient" if start == 1 else "as efficient"
    against = "" if start == 1 else f" as on {say.count(start)}"
    text = f"{say.share(value)} {efficient} on {say.count(fit.counts[-1].n)} {units}{against}"
    for n, interval in ahead(fit)[:1]:
        text += f", {say.shares(*interval)} on {say.count(n)}"
    return text + "."


def growth(fit: Fit) -> str:
    """Return how much longer each doubling makes a step."""
    if fit.weak is None:
        return ""
    low, high = fit.weak.growth_per_doubling
    if not math.isfinite(low):
        return ""
    if low > 0 and not math.isfinite(high):
        return f"Each doubling makes a step at least {say.share(low)} longer."
    if low > 0:
        return f"Each doubling makes a step {say.shares(low, high)} longer."
    if high > 0:
        return f"A doubling changes a step by little or nothing: at most {say.share(high)} longer."
    return f"Each doubling makes a step {say.shares(-high, -low)} shorter: look at the work of each row."


def measured(fit: Fit) -> str:
    """Return the efficiencies in one sentence; empty where they stand against one worker, as in the table."""
    if fit.kind != "weak" or base(fit) == 1 or len(fit.counts) < 2:
        return ""
    pairs = [(count.n, count.efficiency or 0.0) for count in fit.counts]
    shown, rest = spread_out(pairs[1:])
    told = say.listed(f"{say.share(value)} at {say.count(n)}" for n, value in shown)
    return f"Efficiency against {say.count(base(fit))} {fit.runs.unit}, as measured: {told}{rest}."
