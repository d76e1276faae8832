"""The runs on the screen: one row a worker count with its efficiency as a bar, forecast rows last."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scalewall.report.measured import measured
from scalewall.report.signs import EFFICIENCY_WIDTH, Piece, bar, forecast_bar
from scalewall.results import Interval
from scalewall.wording import numbers as say
from scalewall.wording import weak

if TYPE_CHECKING:
    from scalewall.fitting import Fit
    from scalewall.report.text import Line
    from scalewall.results import Count, ForecastPoint

SHOWN = 8
"""Rows of a table that has more than `MOST` counts."""

MOST = 10

WIDTH = 80


def runs_table(fit: Fit, *, every_count: bool, ascii_only: bool) -> tuple[list[Line], int]:
    """Return the lines of the table, and how many counts they leave out."""
    counts = fit.counts if every_count else chosen(fit.counts)
    ahead = _ahead(fit)
    shares = [count.efficiency for count in counts]
    if fit.kind == "weak":
        columns = _weak_columns(fit, counts, [share or 0.0 for share in shares], ahead)
    else:
        columns = _columns(fit, counts, ahead)
    least = (12, 13, 11) if fit.kind == "weak" else (12, 14, 12)
    sizes = [
        max(size, 2 + max(len(cell) for cell in column)) for size, column in zip(least, columns, strict=True)
    ]
    rows = ["".join(map(str.rjust, cells, sizes)) for cells in zip(*columns, strict=True)]
    repeated = fit.kind != "weak" and any(count.runs > 1 for count in fit.counts)
    tails = [_tail(count, share, repeated=repeated) for count, share in zip(counts, shares, strict=True)]
    tails += [_tail_ahead(point, fit.counts[-1].n if counts else 0.0) for point in ahead]
    longest = max((len(tail) for tail in tails), default=0)
    gap = " " * max(min(3, WIDTH - len(rows[0]) - longest), 1)
    rows = [row + gap for row in rows]
    room = max(min(EFFICIENCY_WIDTH, WIDTH - len(rows[0]) - longest), 0)

    lines: list[Line] = [(Piece(f"{rows[0]}efficiency", "soft"),)]
    for row, tail, share in zip(rows[1:], tails, shares, strict=False):
        filled = bar(share or 0.0, room, ascii_only=ascii_only)
        lines.append((Piece(row), Piece(f"{filled:<{room}}", "bar"), Piece(tail)))
    for row, tail, point in zip(rows[1 + len(counts) :], tails[len(counts) :], ahead, strict=True):
        filled = forecast_bar(point.efficiency.low, room, ascii_only=ascii_only)
        lines.append((Piece(f"{row}{filled:<{room}}{tail}", "soft"),))
    return lines, len(fit.counts) - len(counts)


def _tail(count: Count, share: float | None, *, repeated: bool) -> str:
    if share is None:
        return ""
    runs = f"   {say.plural(count.runs, 'run')}" if repeated else ""
    return f" {say.whole(100 * share):3d} %{runs}"


def _tail_ahead(point: _Ahead, largest: float) -> str:
    # A count inside the data is no forecast: the range there is what one more run would show.
    word = "forecast" if point.n > largest else "one run"
    return f" {say.shares(*point.efficiency):>7}  {word}"


class _Ahead(NamedTuple):
    """A count that was forecast."""

    n: float
    efficiency: Interval
    point: ForecastPoint | None


def _ahead(fit: Fit) -> list[_Ahead]:
    if fit.kind == "weak":
        return [_Ahead(n, interval, None) for n, interval in weak.forecasts(fit) or weak.ahead(fit)[:1]]
    return [_Ahead(p.n, Interval(p.efficiency.low, p.efficiency.high), p) for p in fit.forecasts]


def _columns(fit: Fit, counts: tuple[Count, ...], ahead: list[_Ahead]) -> list[list[str]]:
    """Return workers, time (or rate) and speedup as columns of text, heads first."""
    points = [p.point for p in ahead if p.point is not None]
    workers = [fit.runs.unit, *(say.count(c.n) for c in counts), *(say.count(p.n) for p in ahead)]
    speedups = ["speedup", *("" if c.speedup is None else say.speedup(c.speedup) for c in counts)]
    speedups += [say.factors(p.speedup.low, p.speedup.high) for p in points]
    column = measured(fit)
    values = [column.head, *(column.value(c) for c in counts), *(column.span(p) for p in points)]
    return [workers, values, speedups]


def _weak_columns(
    fit: Fit, counts: tuple[Count, ...], shares: list[float], ahead: list[_Ahead]
) -> list[list[str]]:
    """Return workers, time against that of the smallest count, and runs as columns of text, heads first."""
    base = weak.base(fit)
    one = f"{fit.runs.unit_one} 1" if base == 1 else f"{fit.runs.unit_one} {say.count(base)}"
    workers = [fit.runs.unit, *(say.count(c.n) for c in counts), *(say.count(p.n) for p in ahead)]
    times = [f"time/{one}", *(say.speedup(1 / e) if e > 0 else "" for e in shares)]
    times += [say.factors(1 / p.efficiency.high, _inverse(p.efficiency.low)) for p in ahead]
    return [workers, times, ["runs", *(str(c.runs) for c in counts), *("" for _ in ahead)]]


def _inverse(value: float) -> float:
    return 1 / value if value > 0 else math.inf


def chosen(counts: tuple[Count, ...]) -> tuple[Count, ...]:
    """Return the counts to show: all up to ten, else eight, halving from the largest down."""
    if len(counts) <= MOST:
        return counts
    n = np.array([count.n for count in counts])
    largest = float(n[-1])
    halves = [largest]
    while halves[-1] / 2 > n[0]:
        halves.append(halves[-1] / 2)
    if len(halves) >= SHOWN:
        kept = {round(i * (len(n) - 1) / (SHOWN - 1)) for i in range(SHOWN)}
        return tuple(counts[i] for i in sorted(kept))
    kept = {0, len(n) - 1}
    between = [largest * part for part in (3 / 4, 7 / 8, 3 / 8, 5 / 8, 3 / 16, 5 / 16)]
    for target in halves + between + list(n[::-1]):
        nearest = int(np.abs(np.log(n / target)).argmin())
        if abs(math.log(n[nearest] / target)) <= math.log(1.2):
            kept.add(nearest)
        if len(kept) == SHOWN:
            break
    return tuple(counts[i] for i in sorted(kept))
