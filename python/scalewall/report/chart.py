"""The scene of a fit as SVG for the page: colours by CSS variables, words placed so that they never meet."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from scalewall import palette
from scalewall.plotting import ticks, words
from scalewall.plotting.placing import Box, along, place_along, push_apart
from scalewall.plotting.scene import EFFICIENCY, MEASURED, RATE
from scalewall.report.canvas import Canvas, dash, path, rectangle, text_width, variable

if TYPE_CHECKING:
    import numpy.typing as npt

    from scalewall.fitting import Fit
    from scalewall.plotting.scene import Scene

    Array = npt.NDArray[np.float64]

MANY_RUNS, MANY_DOTS = 250, 25
"""Beyond so many single runs a chart shows their range at each count, beyond so many counts smaller dots."""


def charts(fit: Fit, scene: Scene, prefix: str = "") -> tuple[str, str]:
    """Return the wide and the narrow chart of a fit as SVG; `prefix` keeps their ids apart from others."""
    labels = [_tick_label(scene, t) for t in _y_ticks(scene)]
    longest = max((len(label) for label in labels), default=2)
    margin = _margin(fit, scene)
    wide = Canvas(
        width=palette.SVG_WIDE, height=430.0, left=14.0 + 8.0 * longest, right=margin, top=28.0, bottom=40.0,
        size=14.0, scene=scene,
    )  # fmt: skip
    narrow = Canvas(
        width=palette.SVG_NARROW, height=360.0, left=12.0 + 7.6 * longest, right=14.0, top=27.0, bottom=38.0,
        size=13.5, scene=scene,
    )  # fmt: skip
    return _svg(fit, wide, prefix, names=True), _svg(fit, narrow, prefix, names=False)


def _margin(fit: Fit, scene: Scene) -> float:
    """Return the room that the names right of the panel need; bold type is wider."""
    rows = [0.56 * len(row) for curve in scene.curves for row in words.law_name(curve.law).split("\n")]
    if scene.ceiling is not None and scene.forecast:
        rows += [0.64 * len(row) for row in words.ceiling(fit).split("\n")]
    return 18.0 + 14.0 * max(rows) if rows else 14.0


def _svg(fit: Fit, c: Canvas, prefix: str, *, names: bool) -> str:
    scene, panel = c.scene, c.panel
    key = f"{prefix}{c.width:g}"
    view = f'viewBox="0 0 {c.width:g} {c.height:g}" font-size="{c.size:g}"'
    label = escape(words.chart_label(fit, scene))
    parts = [f'<svg {view} role="img" aria-label="{label}"{_slider_scale(c)}>{_definitions(c, key)}']
    if scene.forecast:
        beyond = Box(float(c.x(scene.last)), panel.bottom, panel.right, panel.top)
        parts.append(f'<path d={rectangle(beyond)} fill="var(--fcbg)"/>')
    parts += _grid(c)
    parts.append(f'<g clip-path="url(#c{key})">{"".join(_lines(c, key))}</g>')
    if scene.forecast:
        parts.append(_boundary(c))
    parts += _bracket(c)
    if names:
        parts += _names(fit, c)
    parts.append(_ideal_name(c))
    if scene.forecast:
        parts.append(
            f'<g class="mark" style="display:none"><line y1="{panel.bottom:g}" y2="{panel.top:g}" '
            'stroke="var(--ink)" stroke-dasharray="3 3"/>'
            '<rect width="8" fill="var(--ink)" fill-opacity=".8" rx="1.5"/></g>'
        )
    parts += _dots(c)
    middle = (panel.left + panel.right) / 2
    unit = escape(fit.runs.unit)
    parts.append(
        f'<text x="{middle:.0f}" y="{c.height - 4:g}" text-anchor="middle" class="s">{unit}</text></svg>'
    )
    return "".join(parts)


def _definitions(c: Canvas, key: str) -> str:
    """Return the hatch of the forecast and the frame that curves are cut at."""
    return (
        f'<defs><pattern id="h{key}" width="7" height="7" patternUnits="userSpaceOnUse" '
        'patternTransform="rotate(45)"><path d="M0 0H7V7H0z" fill="var(--bandf)"/>'
        '<path d="M0 0V7" stroke="var(--edge)" stroke-width="1.6"/></pattern>'
        f'<clipPath id="c{key}"><path d={rectangle(c.panel)}/></clipPath></defs>'
    )


def _slider_scale(c: Canvas) -> str:
    """Return what the slider needs to draw its mark: pixels of n = 1 and per doubling, likewise for y."""
    if not c.scene.forecast:
        return ""
    x0 = float(c.x(c.scene.first)) - math.log2(c.scene.first) * c.x_factor
    base = math.log2(c.scene.low) if c.scene.log else c.scene.low
    y0 = c.height - c.bottom + base * c.y_factor
    return f' data-x0="{x0:.2f}" data-kx="{c.x_factor:.3f}" data-y0="{y0:.2f}" data-ky="{c.y_factor:.3f}"'


def _grid(c: Canvas) -> list[str]:
    scene, panel = c.scene, c.panel
    counts = ticks.doublings(
        scene.first, scene.horizon, ticks.room(scene.horizon, 11 if c.width > 500 else 8)
    )
    if len(counts) < 2:
        counts = sorted({scene.first, scene.last})
    marks = _y_ticks(scene)
    lines = "".join(f"M{c.x(t):.1f} {panel.bottom:g}V{panel.top:g}" for t in counts)
    lines += "".join(f"M{panel.left:g} {c.y(t):.1f}H{panel.right:g}" for t in marks)
    parts = [f'<path d="{lines}" stroke="var(--grid)" fill="none"/>', '<g class="s" text-anchor="middle">']
    below = panel.top + c.size * 1.2
    for t in counts:
        label = ticks.plain(t)
        x = min(float(c.x(t)), c.width - 3.0 - text_width(label, c.size) / 2)
        parts.append(f'<text x="{x:.1f}" y="{below:.1f}">{label}</text>')
    parts.append('</g><g class="s" text-anchor="end">')
    parts += [
        f'<text x="{panel.left - 6:.1f}" y="{c.y(t) + c.size * 0.35:.1f}">{_tick_label(scene, t)}</text>'
        for t in marks
    ]
    return [*parts, "</g>"]


def _y_ticks(scene: Scene) -> list[float]:
    if scene.quantity == EFFICIENCY:
        return ticks.even(scene.low, scene.high, 9)
    if scene.quantity in (RATE, MEASURED):
        return ticks.decades(scene.low, scene.high, 8)
    return ticks.doublings(scene.low, scene.high, 9)


def _tick_label(scene: Scene, value: float) -> str:
    if scene.quantity == EFFICIENCY:
        return ticks.percent(value)
    return ticks.plain(value) if scene.quantity in (RATE, MEASURED) else f"{ticks.plain(value)}×"


def _lines(c: Canvas, key: str) -> list[str]:
    scene, parts = c.scene, []
    if scene.band is not None:
        n, low, high = scene.band.n, scene.band.low, scene.band.high
        for part, fill in (
            (n <= scene.last, 'fill="var(--band)" fill-opacity=".75"'),
            (n >= scene.last, f'fill="url(#h{key})" stroke="var(--edge)" stroke-width=".8"'),
        ):
            if part.sum() < 2:
                continue
            there = path(c.x(n[part]), c.y(high[part]))
            back = path(c.x(n[part])[::-1], c.y(low[part])[::-1])
            parts.append(f'<path d="M{there}L{back}Z" {fill}/>')
    if scene.ideal is not None:
        ends = np.array([scene.first, scene.horizon])
        # Clipped by hand: both ends count for the angle, and the clip of far points would bend the line.
        x, y = c.x(ends), _straight(c, ends)
        parts.append(f'<path d="M{path(x, y)}" stroke="var(--axis)" stroke-dasharray="2 4"/>')
    for curve in scene.curves:
        style = palette.LAWS[curve.law]
        color = f'fill="none" stroke="var(--{variable(curve.law)})"'
        for part, width in ((curve.n <= scene.last, 2.0), (curve.n >= scene.last, 1.4)):
            line = path(c.x(curve.n[part]), c.y(curve.y[part]))
            parts.append(f'<path d="M{line}" {color} stroke-width="{width:g}"{dash(style.dash)}/>')
    return parts


def _straight(c: Canvas, n: Array) -> Array:
    value = np.array([c.scene.ideal_at(v) for v in n])
    position: Array = np.log2(value / c.scene.low) if c.scene.log else value - c.scene.low
    return c.height - c.bottom - position * c.y_factor


def _boundary(c: Canvas) -> str:
    """Draw the line where the data end, with its words above the panel."""
    scene, panel = c.scene, c.panel
    x, y = float(c.x(scene.last)), panel.bottom - 7.0
    size = 0.92 * c.size
    measured = words.measured_up_to(scene.last)
    width = text_width(measured, size)
    left = max(x - 6.0, width + 2.0)  # where the words before the line end
    right = max(x, left + 4.0) + 6.0
    long = right + text_width(words.FORECAST_LONG, size) <= c.width - 2.0
    forecast = words.FORECAST_LONG if long else words.FORECAST_SHORT
    # A narrow forecast pushes both to the left.
    right = min(right, c.width - 2.0 - text_width(forecast, size))
    left = min(left, right - 10.0)
    return (
        f'<path d="M{x:.1f} {panel.bottom:g}V{panel.top:g}" stroke="var(--soft)"/>'
        f'<g class="s" font-size="{size:.1f}">'
        f'<text x="{left:.1f}" y="{y:g}" text-anchor="end">{measured}</text>'
        f'<text x="{right:.1f}" y="{y:g}">{forecast}</text></g>'
    )


def _bracket(c: Canvas) -> list[str]:
    scene, panel = c.scene, c.panel
    if scene.ceiling is None or not scene.forecast:
        return []
    x = panel.right - 5.0
    low, high = scene.ceiling
    foot = float(np.clip(c.y(low), panel.bottom + 14.0, panel.top))
    if high <= scene.high:
        head = float(np.clip(c.y(high), panel.bottom, panel.top))
        shape = f"M{x - 5:.1f} {head:.1f}h10M{x:.1f} {head:.1f}V{foot:.1f}"
    else:
        head = max(panel.bottom + 1.0, foot - 34.0)
        shape = f"M{x:.1f} {foot:.1f}V{head:.1f}l-3.5 7h7l-3.5 -7"
    outline = f'd="{shape}M{x - 5:.1f} {foot:.1f}h10"'
    return [f'<path {outline} stroke="var(--ink)" stroke-width="1.6" fill="var(--ink)"/>']


def _names(fit: Fit, c: Canvas) -> list[str]:
    """Name laws and ceiling in the right margin, pushed apart, each with a line to its place."""
    scene, panel = c.scene, c.panel
    labels: list[tuple[float, list[str], str, int]] = []
    if scene.ceiling is not None and scene.forecast:
        low, high = scene.ceiling
        ends = (low, high if high <= scene.high else low)
        middle = float(np.mean([np.clip(c.y(v), panel.bottom, panel.top) for v in ends]))
        labels.append((middle, words.ceiling(fit).split("\n"), "ink", 700))
    for curve in scene.curves:
        end = float(np.clip(c.y(curve.y[-1]), panel.bottom, panel.top))
        color = variable(curve.law)
        labels.append((end, words.law_name(curve.law).split("\n"), color, 400))
    line = c.size * 1.22
    heights = [line * len(rows) for _, rows, _, _ in labels]
    centres = push_apart([label[0] for label in labels], heights, panel.bottom, panel.top, 3.0)
    parts = []
    x = panel.right + 12.0
    for (target, rows, color, weight), centre, height in zip(labels, centres, heights, strict=True):
        first = centre - height / 2 + 0.78 * line
        spans = "".join(
            f'<tspan x="{x:.1f}" y="{first + i * line:.1f}">{escape(row)}</tspan>'
            for i, row in enumerate(rows)
        )
        bold = ' font-weight="700"' if weight == 700 else ""
        leader = f"M{panel.right + 1.5:.1f} {target:.1f}L{x - 2:.1f} {centre:.1f}"
        parts.append(f'<path d="{leader}" stroke="var(--{color})"/>')
        parts.append(f'<text style="fill:var(--{color})"{bold}>{spans}</text>')
    return parts


def _ideal_name(c: Canvas) -> str:
    """Write the name of the ideal line along the line, where there is room."""
    scene, panel = c.scene, c.panel
    if scene.ideal is None:
        return ""
    # The geometry counts y upward.
    up = np.array([1.0, -1.0])
    ends = np.array([scene.first, scene.horizon])
    start, end = np.column_stack([c.x(ends), _straight(c, ends)]) * up
    lines = [np.column_stack([c.x(curve.n), c.y(curve.y)]) for curve in scene.curves]
    lines.append(np.array([[float(c.x(scene.last)), panel.bottom], [float(c.x(scene.last)), panel.top]]))
    dots = [np.column_stack([c.x(scene.n), c.y(scene.y)])]
    obstacles = np.concatenate([along(line, 5.0) for line in lines] + dots) * up
    room = Box(panel.left, -panel.top, panel.right, -panel.bottom)
    size = 0.9 * c.size
    for text in words.ideal(scene.quantity):
        found = place_along((start, end), (text_width(text, size), size), room, obstacles, 4.0)
        if found is not None:
            (x, y), angle = found
            return (
                f'<text class="s halo" font-size="{size:.1f}" text-anchor="middle" '
                f'transform="translate({x:.1f} {-y:.1f}) rotate({-angle:.1f})">{escape(text)}</text>'
            )
    return ""


def _dots(c: Canvas) -> list[str]:
    """Draw runs as rings, their means as dots, runs left out as crosses."""
    scene, parts = c.scene, []
    many = len(scene.n) > MANY_DOTS
    if 0 < len(scene.runs_n) <= MANY_RUNS:
        rings = "".join(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{2 if many else 2.8}"/>'
            for x, y in zip(c.x(scene.runs_n), c.y(scene.runs_y), strict=True)
        )
        parts.append(f'<g fill="none" stroke="var(--soft)">{rings}</g>')
    elif len(scene.runs_n):
        spans = [scene.runs_y[scene.runs_n == n] for n in scene.n]
        ranges = "".join(
            f"M{c.x(n):.1f} {c.y(y.min()):.1f}V{c.y(y.max()):.1f}"
            for n, y in zip(scene.n, spans, strict=True)
            if len(y)
        )
        parts.append(f'<path d="{ranges}" stroke="var(--soft)" fill="none"/>')
    dots = list(zip(c.x(scene.n), c.y(scene.y), strict=True))
    if many:
        # Round ends of lines without length: a tenth of the bytes of as many circles.
        points = "".join(f"M{x:.1f} {y:.1f}h0" for x, y in dots)
        parts.append(f'<path d="{points}" stroke="var(--ink)" stroke-width="5.4" stroke-linecap="round"/>')
    else:
        circles = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.6"/>' for x, y in dots)
        parts.append(f'<g fill="var(--ink)" stroke="var(--paper)" stroke-width="1.2">{circles}</g>')
    if len(scene.flagged_n):
        panel = c.panel
        heights = np.clip(c.y(scene.flagged_y), panel.bottom + 5, panel.top - 5)
        crosses = "".join(
            f"M{x - 4:.1f} {y - 4:.1f}l8 8m0 -8l-8 8"
            for x, y in zip(c.x(scene.flagged_n), heights, strict=True)
        )
        parts.append(f'<path d="{crosses}" stroke="var(--no)" stroke-width="2" fill="none"/>')
    return parts
