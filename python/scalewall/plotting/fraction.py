"""The panel of e(n): the share of the one-worker time that did not shrink, and how to read it."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING

from scalewall.palette import LABEL, LIGHT
from scalewall.plotting import ticks, words
from scalewall.plotting.panel import count_axis, ground, style_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from scalewall.fitting import Fit
    from scalewall.plotting.scene import Scene


def shown(fit: Fit) -> bool:
    """Whether there is any e(n) to show."""
    return any(c.karp_flatt is not None for c in fit.counts)


def draw(ax: Axes, fit: Fit, scene: Scene) -> None:
    """Draw e(n) with its ranges over the same worker counts as the panel above."""
    style_axes(ax)
    count_axis(ax, scene)
    found = [
        (c.n, c.karp_flatt) for c in fit.counts if c.karp_flatt is not None and c.karp_flatt.value is not None
    ]
    values = [e.value for _, e in found if e.value is not None]
    ends = [v for _, e in found for v in (e.low, e.high) if math.isfinite(v)]
    low, high = min(0.0, *values), max(0.0, *values)
    reach = max(high - low, 1e-4)
    # Long ranges at small counts would flatten all others: they are cut at the edge of the panel.
    low = max(min(ends, default=low), low - 0.6 * reach)
    high = min(max(ends, default=high), high + 0.6 * reach)
    room = 0.10 * (high - low)
    ax.set_ylim(min(low, 0.0) - room, high + room)
    marks = ticks.even(*ax.get_ylim(), 4)
    ax.set_yticks(marks, [ticks.percent(t) for t in marks])
    ground(ax, scene)
    ax.axhline(0, color=LIGHT.axis, linewidth=0.8, zorder=1.6)
    many = len(found) > 40
    for n, e in found:
        ax.plot([n, n], [e.low, e.high], color=LIGHT.band_edge, linewidth=1.6 if many else 3.0, alpha=0.9,
                solid_capstyle="butt", zorder=2)  # fmt: skip
    ax.plot(
        [n for n, _ in found], values, "o", markersize=3.4 if many else 4.6, markerfacecolor=LIGHT.ink,
        markeredgecolor=LIGHT.paper, markeredgewidth=0.8, zorder=4,
    )  # fmt: skip
    ax.annotate(
        _lines(words.reading(fit)),
        (1, 1),
        (8, -2),
        xycoords="axes fraction",
        textcoords="offset points",
        size=LABEL,
        color=LIGHT.soft,
        ha="left",
        va="top",
        linespacing=1.35,
    )


def _lines(text: str) -> str:
    """Break a sentence into the short lines that the margin has room for."""
    return "\n".join(textwrap.wrap(text, 20, break_long_words=False))
