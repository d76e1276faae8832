"""The parts of the page: strip, tiles, slider, table of runs, what to measure next, how it was computed."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scalewall.plotting.scene import EFFICIENCY, MEASURED, RATE
from scalewall.report import strip as strips
from scalewall.report.measured import measured
from scalewall.report.runs_table import chosen
from scalewall.wording import STAR, against, measure_next, shape, wall
from scalewall.wording import numbers as say
from scalewall.wording.measure import LEFT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scalewall.fitting import Fit
    from scalewall.plotting.scene import Scene

MOST_DATA = 400
"""Rows of data printed on the page; of more it says how many there are."""

KINDS = {
    "strong": "strong scaling (same total work)",
    "weak": "weak scaling (same work per worker)",
    "throughput": "load curve (rate under load)",
    "unknown": "kind of scaling not known",
}


BEYOND = (
    "Forecast of what a run there would read: nothing was measured beyond {}. It holds unless something "
    "new starts to limit it."
)

FIT = (
    "Times are fitted on a logarithmic scale with the one-worker time as a free number, so that no "
    "single run serves as yardstick. Tried: {tried}. A shape is dropped only where the data rule it out "
    "at 99 %; what stays is reported together. Kept here: {kept}."
)

REGION = (
    "Peak, ceiling, wasted workers and serial share: the smallest and largest value over all parameters "
    "of all kept shapes that the data cannot reject at {level}. No lower bound reaches beyond 4 times "
    "the largest count."
)

WEIGHTS = (
    "Forecast and doubling: {level} of the curves that fit the points, weighted by how well they fit, "
    "with room for bends that no curve has. The table, the slider and its bar in the chart say what a "
    "run would read, noise included; the band in the chart and the strip hold the curve alone."
)

WEAK = (
    "Weak scaling: efficiency is the one-worker time over the time on n. Two shapes of growth are "
    "tried: every doubling of n, or every worker, adds the same share. The forecast comes from curves "
    "weighted by how well they fit, at {level}; the table and the slider say what a run would read, "
    "noise included."
)


@dataclass(frozen=True)
class Tile:
    """One number that stands in the way: its name, its range, and what it is."""

    name: str
    value: str
    under: str


@dataclass(frozen=True)
class Row:
    """One row of the table of runs; `share` is the length of its bar."""

    cells: tuple[str, ...]
    share: float
    last: str
    forecast: bool


def strip(fit: Fit, color: str) -> tuple[str, ...] | None:
    """Return the strip of the doubling answer, wide and narrow; None where there is no answer."""
    low, high = fit.doubling.time_ratio
    if fit.refusal is not None or fit.kind == "weak" or not 0 < low <= high < math.inf:
        return None
    rate = fit.kind == "throughput"
    span = say.span(1 / high, 1 / low)
    label = say.glue(f"{against(fit)}: {'rate' if rate else 'speed'} times {span}")
    words = strips.HIGHER if rate else strips.FASTER
    return tuple(
        strips.strip(fit.doubling.time_ratio, fit.gain, color=color, label=label, words=words, width=width)
        for width in strips.WIDTHS
    )


def tiles(fit: Fit) -> list[Tile]:
    """Return what stands in the way."""
    if fit.refusal is not None:
        return []
    found, name = [], ""
    for row in wall(fit):
        name = row.name or name
        # The unit goes under the number, so that the number stands alone and large.
        value = row.value.removesuffix(f" {fit.runs.unit}")
        under = row.text if value == row.value else f"{fit.runs.unit}: {row.text}"
        if row.remark:
            under += f" ({row.remark})"
        if row.star:
            under += f"; {STAR.partition(':')[0]}"
        found.append(Tile(say.sentence(name), say.glue(value), say.glue(under)))
    return found


def slider(fit: Fit, scene: Scene) -> dict[str, Any] | None:
    """Return the ranges that the slider stores: what a run would read, up to the horizon."""
    if not scene.forecast or scene.band is None or not scene.curves:
        return None
    # Counts that stand in the table are stored themselves: read off between two they could round differently.
    wanted = {
        *scene.curves[0].n[::2].tolist(),
        *(p.n for p in fit.forecasts),
        *scene.n[[0, -1]],
        2 * scene.last,
    }
    n = sorted(v for v in wanted if scene.curves[0].n[0] <= v <= scene.horizon)
    points = fit.forecast(n)
    column = measured(fit)
    first = [column.ends(p) for p in points]
    drawn = {EFFICIENCY: "efficiency", RATE: "rate"}.get(scene.quantity, "speedup")
    shares = [p.efficiency[1:] for p in points]
    # The drawing counts rates in ones, whatever the column counts them in.
    rates = [(low * column.scale, high * column.scale) for low, high in first]
    heights = {"rate": rates, "efficiency": shares}.get(drawn) or [p.speedup[1:] for p in points]
    columns = {
        "tl": [low for low, _ in first],
        "th": [high for _, high in first],
        "sl": [p.speedup.low for p in points],
        "sh": [p.speedup.high for p in points],
        "el": [low for low, _ in shares],
        "eh": [high for _, high in shares],
        "yl": [low for low, _ in heights],
        "yh": [high for _, high in heights],
    }
    # The slider reads between two counts on the log scale: a range without an end has no place there.
    if not all(math.isfinite(v) and v > 0 for values in columns.values() for v in values):
        return None
    stored = {
        "log": scene.log,
        "n": _short(n),
        **{name: _short(values) for name, values in columns.items()},
        "first": n[0],
        "seen": scene.last,
        "last": scene.horizon,
        "unit": say.glue(f"1{column.suffix}")[1:],
        "one": fit.runs.unit_one,
        "many": fit.runs.unit,
        "inside": "Inside the data.",
        "beyond": BEYOND.format(say.count(scene.last)),
    }
    shown = [("t", column.head), ("s", _gain(fit)), ("e", "efficiency")]
    if scene.quantity == EFFICIENCY:
        shown.pop(1)
    # Inside a script element only "<" could end the script or open a comment.
    text = json.dumps(stored, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    return {"json": text, "shown": shown}


def _short(values: Iterable[float]) -> list[float]:
    """Round to seven digits: nothing on the page shows more than three."""
    return [float(f"{v:.7g}") for v in values]


def _gain(fit: Fit) -> str:
    """Return the head of the column of speedups; a load is not sped up, it is compared with one."""
    return f"against 1 {fit.runs.unit_one}" if fit.kind == "throughput" else "speedup"


def table(fit: Fit, scene: Scene) -> dict[str, Any]:
    """Return heads and rows of the table of runs, the forecast last."""
    column = measured(fit)
    repeated = any(c.runs > 1 for c in fit.counts)
    bars = scene.quantity != MEASURED
    speedups = bars and scene.quantity != EFFICIENCY
    heads = [fit.runs.unit, column.head]
    heads += ["runs"] * repeated + [_gain(fit)] * speedups + ["efficiency"] * bars
    shown = chosen(fit.counts)
    rows = []
    for c in shown:
        cells = [say.count(c.n), column.value(c)] + [say.group(str(c.runs))] * repeated
        cells += [say.speedup(c.speedup) if c.speedup is not None else ""] * speedups
        share = c.efficiency or 0.0
        rows.append(_row(cells, share, say.share(share), forecast=False))
    for p in fit.forecasts if bars else ():
        cells = [say.count(p.n), column.span(p)] + [""] * repeated
        cells += [say.factors(p.speedup.low, p.speedup.high)] * speedups
        word = "forecast" if p.n > scene.last else "one run"
        low, high = p.efficiency[1:]
        rows.append(_row(cells, low, f"{say.shares(low, high)} {word}", forecast=True))
    hidden = len(fit.counts) > len(shown)
    more = (
        f"{say.count(len(fit.counts))} counts, {len(shown)} shown; all stand under The data."
        if hidden
        else ""
    )
    return {"heads": heads, "rows": rows, "bars": bars, "more": more}


def _row(cells: list[str], share: float, last: str, *, forecast: bool) -> Row:
    return Row(tuple(map(say.glue, cells)), min(max(share, 0.0), 1.3), say.glue(last), forecast)


def next_steps(fit: Fit) -> dict[str, Any] | None:
    """Return what to measure next: a sentence, or steps with what each leaves of the uncertainty."""
    if fit.refusal is not None:
        return None
    found = measure_next(fit)
    help_ = found.sentence or f"Bar: {LEFT} afterwards. Shorter is better."
    rows = [
        {
            "name": say.glue(step.text),
            "share": step.left,
            "text": say.glue(f"{step.words}, {step.remark}" if step.remark else step.words),
            "best": step.best,
        }
        for step in found.steps
    ]
    return {"help": say.glue(help_), "rows": rows}


def method(fit: Fit) -> list[str]:
    """Return how the numbers were computed, in a few sentences."""
    if fit.refusal is not None:
        return ["Nothing was fitted."]
    level = say.share(fit.level)
    if fit.kind == "weak":
        return [WEAK.format(level=level)]
    tried = say.listed(shape(law.law) for law in fit.laws)
    kept = say.listed(shape(law.law) for law in fit.laws if law.kept)
    return [FIT.format(tried=tried, kept=kept), REGION.format(level=level), WEIGHTS.format(level=level)]


def data(fit: Fit) -> str:
    """Return the runs as they were given, as CSV."""
    runs = fit.runs
    rows = list(zip(runs.n[:MOST_DATA], runs.value[:MOST_DATA], strict=True))
    lines = [f"{runs.unit},{runs.columns.get('throughput' if runs.quantity == 'rate' else 'time', 'value')}"]
    lines += [f"{n:.12g},{value:.12g}" for n, value in rows]
    if len(runs.n) > MOST_DATA:
        lines.append(f"... and {say.count(len(runs.n) - MOST_DATA)} more")
    return "\n".join(lines)
