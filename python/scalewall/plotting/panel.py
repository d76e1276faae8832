"""The main panel of a fit in matplotlib: axes, ground, band, laws, dots, ceiling."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scalewall import palette
from scalewall.palette import LIGHT, TICK
from scalewall.plotting import floor, naming, ticks
from scalewall.plotting.scene import MEASURED, RATE

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes

    from scalewall.fitting import Fit
    from scalewall.plotting.scene import Curve, Scene

EDGE = 0.022
"""Share of the width left free beside the first point, so that it is not cut."""


def draw(ax: Axes, fit: Fit, scene: Scene) -> None:
    """Draw `scene` into `ax`; law names and ceiling stand right of the axes, boundary words above them."""
    style_axes(ax)
    count_axis(ax, scene)
    if scene.log:
        ax.set_yscale("log", base=2)
    bars = floor.bars(fit, scene)
    _limits(ax, scene, floor.share(ax, bars))
    ground(ax, scene)
    _band(ax, scene)
    _ideal(ax, scene)
    for curve in scene.curves:
        _law(ax, curve, scene)
    _dots(ax, scene)
    _bracket(ax, scene)
    taken = floor.draw(ax, bars)
    naming.margin(ax, fit, scene)
    naming.ideal(ax, scene, taken)
    naming.dots(ax, scene, taken)
    naming.flagged(ax, fit, scene, taken)
    naming.boundary(ax, scene)


def style_axes(ax: Axes) -> None:
    """Give axes the quiet look: a grid behind, no upper and right spine, small ticks."""
    ax.set_facecolor(LIGHT.paper)
    ax.set_axisbelow(True)
    ax.grid(visible=True, which="major", color=LIGHT.grid, linewidth=0.8)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set(color=LIGHT.axis, linewidth=0.8)
    ax.tick_params(which="major", color=LIGHT.axis, labelcolor=LIGHT.soft, labelsize=TICK, length=4)
    ax.tick_params(which="minor", length=0)


def count_axis(ax: Axes, scene: Scene) -> None:
    """Set the axis of worker counts: doubling at every line, ending where the scene ends."""
    ax.set_xscale("log", base=2)
    room = max(scene.horizon / scene.first, 4.0) ** EDGE
    right = scene.horizon if scene.forecast else scene.horizon * room
    ax.set_xlim(scene.first / room, right)
    marks = ticks.doublings(scene.first / room, right, ticks.room(right, 11))
    if len(marks) < 2:
        marks = sorted({scene.first, scene.last})
    ax.set_xticks(marks, [ticks.plain(t) for t in marks])
    ax.set_xticks([], minor=True)


def ground(ax: Axes, scene: Scene) -> None:
    """Grey the ground where nothing was measured, and draw the line where the data end."""
    if scene.forecast:
        ax.axvspan(scene.last, scene.horizon, facecolor=LIGHT.forecast_ground, edgecolor="none", zorder=0)
        ax.axvline(scene.last, color=LIGHT.axis, linewidth=1.0, zorder=1.5)


def _limits(ax: Axes, scene: Scene, free: float) -> None:
    """Set the vertical limits so that a share `free` at the bottom has no data, and ticks above it."""
    if not scene.log:
        ax.set_ylim(scene.low, scene.high)
        marks = ticks.even(scene.low, scene.high, 9)
        ax.set_yticks(marks, [ticks.percent(t) for t in marks])
        return
    ax.set_ylim(scene.low / (scene.high / scene.low) ** (free / (1 - free)), scene.high)
    if scene.quantity in (RATE, MEASURED):
        marks = ticks.decades(scene.low, scene.high, 8)
        labels = [ticks.plain(t) for t in marks]
    else:
        marks = ticks.doublings(scene.low, scene.high, 9)
        labels = [f"{ticks.plain(t)}x" for t in marks]
    ax.set_yticks(marks, labels)
    ax.set_yticks([], minor=True)


def _band(ax: Axes, scene: Scene) -> None:
    if scene.band is None:
        return
    n, low, high = scene.band.n, scene.band.low, scene.band.high
    inside, beyond = n <= scene.last, n >= scene.last
    if inside.sum() > 1:
        ax.fill_between(
            n[inside], low[inside], high[inside], facecolor=LIGHT.band, alpha=0.75, linewidth=0, zorder=2
        )
    ax.fill_between(
        n[beyond],
        low[beyond],
        high[beyond],
        facecolor=LIGHT.band_forecast,
        edgecolor=LIGHT.band_edge,
        hatch="////",
        linewidth=0.7,
        zorder=2,
    )


def _ideal(ax: Axes, scene: Scene) -> None:
    if scene.ideal is None:
        return
    n = [scene.first, scene.horizon]
    y = [scene.ideal_at(v) for v in n]
    ax.plot(n, y, color=LIGHT.axis, linewidth=1.3, linestyle=(0, (2, 2.4)), zorder=1.8)


def _law(ax: Axes, curve: Curve, scene: Scene) -> None:
    style = palette.LAWS[curve.law]
    inside, beyond = curve.n <= scene.last, curve.n >= scene.last
    for part, width in ((inside, 2.0), (beyond, 1.3)):
        # Dashes count in line widths: scaled so that they keep their length where the line gets thin.
        dash: tuple[float, ...] = tuple(d * 2.0 / width for d in style.dash)
        line = "-" if not dash else (0, dash)
        ax.plot(
            curve.n[part],
            curve.y[part],
            color=getattr(LIGHT, style.color),
            linewidth=width,
            linestyle=line,
            zorder=3,
        )


def _dots(ax: Axes, scene: Scene) -> None:
    many = len(scene.n) > 40
    if len(scene.runs_n):
        ax.plot(
            scene.runs_n,
            scene.runs_y,
            "o",
            markersize=3.6 if many else 4.6,
            markerfacecolor="none",
            markeredgecolor=LIGHT.soft,
            markeredgewidth=0.9,
            zorder=4,
        )
    ax.plot(
        scene.n,
        scene.y,
        "o",
        markersize=4.4 if many else 6.4,
        markerfacecolor=LIGHT.ink,
        markeredgecolor=LIGHT.paper,
        markeredgewidth=0.4 if many else 1.2,
        zorder=5,
    )
    if len(scene.flagged_n):
        y = at_edge(ax, scene.flagged_y)
        ax.plot(scene.flagged_n, y, "x", markersize=6, color=LIGHT.no, markeredgewidth=1.8, zorder=5)


def at_edge(ax: Axes, y: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Move runs that lie far away to the edge of the panel: shown, without flattening all the others."""
    low, high = ax.get_ylim()
    if ax.get_yscale() == "log":
        step = (high / low) ** 0.015
        return np.clip(y, low * step, high / step)
    step = (high - low) * 0.015
    return np.clip(y, low + step, high - step)


def _bracket(ax: Axes, scene: Scene) -> None:
    """Draw the ceiling as a bracket at the right edge; an arrow where it has no upper end."""
    if scene.ceiling is None or not scene.forecast:
        return
    left, right = ax.get_xlim()
    bottom, top = ax.get_ylim()
    x = right / (right / left) ** 0.012
    cap = [x / (right / left) ** 0.010, right / (right / left) ** 0.002]
    low, high = scene.ceiling

    def stroke(n: list[float], y: list[float]) -> None:
        ax.plot(n, y, color=LIGHT.ink, linewidth=1.7, zorder=6, solid_capstyle="butt")

    if high <= top:
        stroke([x, x], [max(low, bottom), high])
        stroke(cap, [high, high])
    else:
        # A short arrow: its head says that there is no end, its length says nothing.
        low = min(low, top / (top / bottom) ** 0.07)
        arrow = {"arrowstyle": "-|>", "color": LIGHT.ink, "linewidth": 1.7, "shrinkA": 0, "shrinkB": 0}
        end = min(low * (top / bottom) ** 0.10, top / (top / bottom) ** 0.005)
        ax.annotate("", (x, end), (x, low), arrowprops=arrow, zorder=6)
    if low >= bottom:
        stroke(cap, [low, low])
