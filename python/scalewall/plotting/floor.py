"""Peak and knee as bars on the floor of the panel, each beside its words, in a strip free of data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scalewall.palette import LABEL, LIGHT
from scalewall.plotting import words
from scalewall.plotting.pixels import box, frame, halo, pixel, points, size_of
from scalewall.plotting.scene import RATE, SPEEDUP

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from scalewall.fitting import Fit
    from scalewall.plotting.placing import Box
    from scalewall.plotting.scene import Scene

ROW, TALL_ROW, PADDING = 15.0, 26.0, 6.0
"""Heights in points: bar beside its words, bar under its words, and free room above all."""


@dataclass(frozen=True)
class Bar:
    """One bar: the words, the colour, and both ends in workers."""

    text: str
    color: str
    low: float
    high: float


def bars(fit: Fit, scene: Scene) -> list[Bar]:
    """Return what stands on the floor: the peak, and where half the workers are wasted."""
    if scene.quantity not in (SPEEDUP, RATE):
        return []
    found = (
        (words.peak(fit), LIGHT.no, fit.peak_n),
        (words.knee(fit), LIGHT.soft, words.knee_interval(fit)),
    )
    return [Bar(text, color, *interval) for text, color, interval in found if text and interval]


def share(ax: Axes, bars: list[Bar]) -> float:
    """Return the share of the panel's height that the floor takes."""
    if not bars:
        return 0.0
    height = sum(TALL_ROW if _side(ax, bar) == "above" else ROW for bar in bars) + PADDING
    panel = frame(ax)
    return min(0.4, points(ax, height) / (panel.top - panel.bottom))


def draw(ax: Axes, bars: list[Bar]) -> list[Box]:
    """Draw the bars, an arrow where the end is open, and return where their words stand."""
    panel = frame(ax)
    left, right = ax.get_xlim()
    across = ax.get_xaxis_transform()
    taken = []
    sides = [_side(ax, bar) for bar in bars]
    top = sum(TALL_ROW if side == "above" else ROW for side in sides) + 3.0
    for bar, side in zip(bars, sides, strict=True):
        top -= TALL_ROW if side == "above" else ROW
        y = points(ax, top + ROW / 2) / (panel.top - panel.bottom)
        start, end = min(max(bar.low, left), right), min(max(bar.high, left), right)
        if bar.high > right > bar.low:
            arrow = {
                "arrowstyle": "-|>,head_width=.22,head_length=.4",
                "color": bar.color,
                "linewidth": 3.2,
                "shrinkA": 0,
                "shrinkB": 0,
            }
            ax.annotate("", (right, y), (start, y), xycoords=across, arrowprops=arrow, zorder=4)
        elif bar.low < right and bar.high > left:
            # Never thinner than the eye can find.
            end = max(end, start * (right / left) ** 0.006)
            ax.plot(
                [start, end],
                [y, y],
                transform=across,
                color=bar.color,
                linewidth=4,
                zorder=4,
                solid_capstyle="butt",
            )
        at, shift, align = {
            "left": (start, (-5, 0), ("right", "center_baseline")),
            "right": (end, (6, 0), ("left", "center_baseline")),
            "above": (left, (4, 5), ("left", "bottom")),
        }[side]
        label = ax.annotate(
            bar.text,
            (at, y),
            shift,
            xycoords=across,
            textcoords="offset points",
            ha=align[0],
            va=align[1],
            size=LABEL,
            color=bar.color,
            zorder=7,
        )
        taken.append(box(halo(label)))
    return taken


def _side(ax: Axes, bar: Bar) -> str:
    """Say where the words of a bar have room: "left" or "right" of it, else "above"."""
    panel = frame(ax)
    width = size_of(ax, bar.text, LABEL)[0] + points(ax, 10.0)
    start, end = (
        min(max(pixel(ax, min(v, 1e300), 1.0)[0], panel.left), panel.right) for v in (bar.low, bar.high)
    )
    if start - panel.left >= width:
        return "left"
    return "right" if panel.right - end >= width else "above"
