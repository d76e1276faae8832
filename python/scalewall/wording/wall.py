"""What stands in the way: peak, ceiling, wasted workers, serial share; each in words and with its range."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scalewall.wording import numbers as say
from scalewall.wording import weak
from scalewall.wording.verdict import at_least, best_speedup, falls

if TYPE_CHECKING:
    from scalewall.fitting import Fit
    from scalewall.results import Interval

STAR = "or waiting for something all share: timings alone cannot tell them apart."
"""What a serial share may be instead; the row carries a star."""

UNKNOWN_FROM = 3.0
"""A range whose ends differ by more than this factor says "unknown"."""


@dataclass(frozen=True)
class WallRow:
    """One thing that stands in the way.

    Attributes
    ----------
    name : str
        "peak", "ceiling", "half wasted", "serial share" or "efficiency"; empty where it goes on.
    text : str
        What the value says.
    value : str
        The range in words, or why there is none.
    remark : str
        What belongs to the value in brackets, if anything.
    star : bool
        Whether the text needs the remark `STAR`.
    """

    name: str
    text: str
    value: str
    remark: str = ""
    star: bool = False


def wall(fit: Fit) -> tuple[WallRow, ...]:
    """Return the rows of "What stands in the way" in their order."""
    if fit.kind == "weak":
        return _weak(fit)
    rows = (_peak(fit), _ceiling(fit), wasted(fit, fit.options.efficiency), _serial(fit))
    return tuple(row for row in rows if row is not None)


def _peak(fit: Fit) -> WallRow | None:
    peak = fit.peak_n
    if peak is None:
        return None
    beyond = "slower beyond" if falls(fit) else "no gain beyond"
    if not math.isfinite(peak.low):
        return WallRow("peak", "none visible", "no slowdown in sight")
    if not math.isfinite(peak.high) and fit.counts and peak.low <= fit.counts[0].n:
        return WallRow("peak", f"{beyond}, if ever", "anywhere, or never")
    if not math.isfinite(peak.high):
        start = f"{say.count_down(peak.low)} {_counted(math.floor(peak.low), fit)}"
        return WallRow("peak", f"{beyond}, if ever", f"not before {start}")
    return WallRow("peak", beyond, f"{say.counts(*peak)} {_counted(math.ceil(peak.high), fit)}")


def _ceiling(fit: Fit) -> WallRow | None:
    if fit.ceiling is None:
        return None
    low, high = fit.ceiling
    best = best_speedup(fit)
    what = "best rate ever, against 1" if fit.kind == "throughput" else "best speedup ever"
    if not math.isfinite(high):
        measured = "the best measured" if low <= best else ""
        return WallRow("ceiling", "none visible", f"at least {at_least(low, best)}", measured)
    ratio = high / low if low > 0 else math.inf
    if ratio > UNKNOWN_FROM:
        return WallRow("ceiling", "unknown", say.factors(low, high))
    return WallRow("ceiling", what if ratio <= 2 else f"{what}, roughly", say.factors(low, high))


def wasted(fit: Fit, efficiency: float) -> WallRow | None:
    """Return the row of the count beyond which workers are wasted: efficiency below the one stated."""
    knee = fit.knee(efficiency)
    if knee is None:
        return None
    name = "half wasted" if math.isclose(efficiency, 0.5) else f"{say.share(1 - efficiency)} wasted"
    return WallRow(name, f"efficiency below {say.share(efficiency)} beyond", _knee_value(knee, fit))


def _knee_value(knee: Interval, fit: Fit) -> str:
    if not math.isfinite(knee.low):
        return "not in sight"
    if not math.isfinite(knee.high):
        return f"not before {say.count_down(knee.low)} {_counted(math.floor(knee.low), fit)}"
    return f"{say.counts(*knee)} {_counted(math.ceil(knee.high), fit)}"


def _counted(n: float, fit: Fit) -> str:
    """Return what is counted, as it stands after the last number of a range."""
    return fit.runs.unit_one if n == 1 else fit.runs.unit


def _serial(fit: Fit) -> WallRow:
    text = f"of the 1-{fit.runs.unit_one} time"
    share = fit.serial_fraction
    if share is None:
        return WallRow("serial share", text, "cannot tell, no bend visible", star=True)
    low, high = max(share.low, 0.0), share.high
    if low <= 1e-9 and high <= 1e-9:
        value = "none visible"
    elif low <= 1e-9:
        value = "cannot tell" if high >= 1 else f"at most {say.share(high)}"
    else:
        value = say.shares(low, high)
    return WallRow("serial share", text, value, star=True)


def _weak(fit: Fit) -> tuple[WallRow, ...]:
    units = fit.runs.unit
    rows = [
        WallRow("" if i else "efficiency", f"at {say.count(n)} {units}", say.shares(*interval))
        for i, (n, interval) in enumerate(weak.ahead(fit))
    ]
    share = fit.serial_fraction
    if share is None:
        rows.append(WallRow("serial share", "cannot be read from weak scaling", "see below"))
    else:
        largest = say.count(fit.counts[-1].n) if fit.counts else "n"
        rows.append(
            WallRow("serial share", f"of the time on {largest} {units}", say.shares(share.low, share.high))
        )
    return tuple(rows)
