"""Between data, pixels and shares of the axes: the small conversions that placing words needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scalewall.palette import HALO, LIGHT
from scalewall.plotting.placing import Box

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Annotation, Text


def pixel(ax: Axes, x: float, y: float) -> tuple[float, float]:
    """Convert a point of the data to pixels."""
    px, py = ax.transData.transform((x, y))
    return float(px), float(py)


def points(ax: Axes, size: float) -> float:
    """Convert a length in points to pixels."""
    return size * float(ax.get_figure(root=True).dpi) / 72.0  # type: ignore[union-attr]


def fraction(ax: Axes, x: float, y: float) -> tuple[float, float]:
    """Convert pixels to shares of the axes, which keep their meaning at another resolution."""
    fx, fy = ax.transAxes.inverted().transform((x, y))
    return float(fx), float(fy)


def frame(ax: Axes) -> Box:
    """Return the panel itself in pixels."""
    extent = ax.get_window_extent()
    return Box(extent.x0, extent.y0, extent.x1, extent.y1)


def box(text: Text) -> Box:
    """Return where a text stands, in pixels."""
    extent = text.get_window_extent()
    return Box(extent.x0, extent.y0, extent.x1, extent.y1)


def size_of(
    ax: Axes, words: str, size: float, *, weight: str = "normal", spacing: float = 1.2
) -> tuple[float, float]:
    """Return width and height in pixels that words would take."""
    probe = ax.text(0, 0, words, size=size, weight=weight, linespacing=spacing)
    found = box(probe)
    probe.remove()
    return found.right - found.left, found.top - found.bottom


def move(ax: Axes, text: Annotation, x: float, y: float) -> None:
    """Move an annotation, given in shares of the axes, to a place in pixels."""
    text.xy = fraction(ax, x, y)
    text.set_position(text.xy)


def halo(text: Text) -> Text:
    """Put a paper-coloured halo behind words that may cross lines."""
    from matplotlib.patheffects import withStroke  # noqa: PLC0415 - matplotlib is optional

    text.set_path_effects([withStroke(linewidth=HALO, foreground=LIGHT.paper)])
    return text


def leader(ax: Axes, start: tuple[float, float], end: tuple[float, float], color: str) -> None:
    """Draw a thin line between two places in pixels: from a word to what it names."""
    ax.annotate(
        "",
        fraction(ax, *start),
        fraction(ax, *end),
        xycoords="axes fraction",
        textcoords="axes fraction",
        arrowprops={"arrowstyle": "-", "color": color, "linewidth": 1.0, "shrinkA": 0, "shrinkB": 0},
        zorder=6,
    )
