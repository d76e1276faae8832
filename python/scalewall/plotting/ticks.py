"""Where ticks stand and what they say: powers of two for counts and speedups, round numbers elsewhere."""

from __future__ import annotations

import math

THIN = "\u2009"
"""Thin space: between thousands, and before a unit."""


def doublings(low: float, high: float, most: int) -> list[float]:
    """Return powers of two within [low, high], thinned evenly to at most `most`."""
    first = math.ceil(math.log2(low) - 1e-9)
    last = math.floor(math.log2(high) + 1e-9)
    step = 1
    while (last - first) // step + 1 > most:
        step += 1
    # Multiples of the step keep 1 on the axis wherever it is in range.
    start = first + (-first) % step
    return [2.0**k for k in range(start, last + 1, step)]


def room(largest: float, most: int) -> int:
    """Return how many ticks of counts have room: fewer where their labels are long."""
    return most if largest < 1e4 else most - 2


def decades(low: float, high: float, most: int) -> list[float]:
    """Return round numbers for a logarithmic axis: 1-2-5 steps, or powers of ten where the range is wide."""
    ticks: list[float] = []
    for steps in ((1, 1.5, 2, 3, 4, 5, 6, 8), (1, 2, 5), (1, 3), (1,)):
        exponents = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        # Division keeps 0.05 exact where a product with 10**-2 would not.
        values = [s * 10.0**k if k >= 0 else s / 10.0**-k for k in exponents for s in steps]
        ticks = [v for v in values if low <= v <= high]
        if len(ticks) <= most:
            return ticks
    stride = -(-len(ticks) // most)
    return ticks[::stride]


def even(low: float, high: float, most: int) -> list[float]:
    """Return evenly spaced round numbers within [low, high], at most `most`."""
    raw = (high - low) / max(most - 1, 1)
    power = 10.0 ** math.floor(math.log10(raw))
    for factor in (1.0, 2.0, 2.5, 5.0, 10.0, 20.0):
        step = factor * power
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if last - first + 1 <= most:
            return [k * step for k in range(first, last + 1)]
    return [low, high]


def plain(value: float) -> str:
    """Write a number of an axis as short as it goes: 0.05, 16, 65 536 with a thin space, 262 k, 4.19 M."""
    if value >= 1e9:
        return f"{value / 1e9:.3g}{THIN}G"
    if value >= 1e6:
        return f"{value / 1e6:.3g}{THIN}M"
    if value >= 1e5:
        return f"{value / 1e3:.0f}{THIN}k"
    if value >= 1e4:
        return f"{value:,.0f}".replace(",", THIN)
    return f"{value:.6g}" if value >= 1e-4 or value == 0 else f"{value:.1e}"


def percent(value: float) -> str:
    """Write a share in per cent as short as it goes: 2.5 %."""
    return f"{100 * value:.4g} %"
