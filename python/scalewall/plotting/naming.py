"""The words on the main panel: law names in the margin, the ideal line, the dots, where the data end."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from scalewall import palette
from scalewall.palette import LABEL, LIGHT, NOTE
from scalewall.plotting import words
from scalewall.plotting.pixels import box, fraction, frame, halo, leader, move, pixel, points, size_of
from scalewall.plotting.placing import (
    Box,
    Surroundings,
    along,
    free_place,
    nearest,
    place_along,
    push_apart,
)

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes

    from scalewall.fitting import Fit
    from scalewall.plotting.scene import Scene

    Array = npt.NDArray[np.float64]

GAP = 3.0
"""Least distance in points between two words, or between a word and a line."""

NEAR_TO_FAR = (34.0, 50.0, 70.0, 95.0, 125.0)
ANGLES = (-45, -60, -30, -75, -90, -120, 135, 120, 150, 60, 90, 45, -150)
"""Where words may stand around a dot, in points and degrees; below a rising curve comes first."""


def margin(ax: Axes, fit: Fit, scene: Scene) -> None:
    """Name laws and ceiling right of the panel, pushed apart, each with a line to its place."""
    panel = frame(ax)
    bottom, top = ax.get_ylim()
    labels: list[tuple[float, str, str, str]] = []
    if scene.ceiling is not None and scene.forecast:
        low, high = scene.ceiling
        # An open ceiling is named at its foot, a bracket at its middle.
        ends = (low, low if high > top else high)
        middle = sum(pixel(ax, scene.last, min(max(v, bottom), top))[1] for v in ends) / 2
        labels.append((middle, words.in_figure(words.ceiling(fit)), LIGHT.ink, "bold"))
    for curve in scene.curves:
        color = getattr(LIGHT, palette.LAWS[curve.law].color)
        end = pixel(ax, scene.last, min(max(float(curve.y[-1]), bottom), top))[1]
        labels.append((end, words.law_name(curve.law), color, "normal"))
    x = panel.right + points(ax, 12.0)
    texts = [
        ax.annotate(
            text,
            fraction(ax, x, panel.bottom),
            xycoords="axes fraction",
            size=LABEL,
            color=color,
            weight=weight,
            ha="left",
            va="center",
            linespacing=1.15,
        )
        for _, text, color, weight in labels
    ]
    heights = [box(text).top - box(text).bottom for text in texts]
    targets = [label[0] for label in labels]
    centres = push_apart(targets, heights, panel.bottom, panel.top, points(ax, GAP))
    for text, centre, (target, _, color, _) in zip(texts, centres, labels, strict=True):
        move(ax, text, x, centre)
        near, far = panel.right + points(ax, 1.5), x - points(ax, 1.5)
        leader(ax, (near, target), (far, centre), color)


def boundary(ax: Axes, scene: Scene) -> None:
    """Say above the panel where the data end and the forecast begins."""
    if not scene.forecast:
        return
    panel = frame(ax)
    at = pixel(ax, scene.last, scene.high)[0]
    gap, y = points(ax, 4.0), panel.top + points(ax, 3.5)
    figure = ax.get_figure(root=True)
    edge = figure.bbox.width if figure is not None else math.inf
    measured = words.measured_up_to(scene.last)
    width = size_of(ax, measured, NOTE)[0]
    # A short stretch of data: its words start at the axis and push the others to the right.
    left = max(at - gap - width, panel.left)
    right = max(at + gap, left + width + 2 * gap)
    fits = right + size_of(ax, words.FORECAST_LONG, NOTE)[0] <= edge
    forecast = words.FORECAST_LONG if fits else words.FORECAST_SHORT
    # A short forecast pushes both to the left.
    right = min(right, edge - size_of(ax, forecast, NOTE)[0])
    left = min(left, right - width - 2 * gap)
    for text, x in ((measured, left), (forecast, right)):
        ax.annotate(
            text,
            fraction(ax, x, y),
            xycoords="axes fraction",
            size=NOTE,
            color=LIGHT.soft,
            ha="left",
            va="bottom",
        )


def ideal(ax: Axes, scene: Scene, taken: list[Box]) -> None:
    """Write the name of the ideal line along the line, above it, where there is room."""
    if scene.ideal is None:
        return
    start, end = ax.transData.transform([(n, scene.ideal_at(n)) for n in (scene.first, scene.horizon)])
    obstacles = _obstacles(ax, scene, ideal=False)
    for text in words.ideal(scene.quantity):
        size = size_of(ax, text, NOTE)
        found = place_along((start, end), size, frame(ax), obstacles, points(ax, 2.5))
        if found is None:
            continue
        foot, angle = found
        label = ax.annotate(
            text,
            fraction(ax, float(foot[0]), float(foot[1])),
            xycoords="axes fraction",
            size=NOTE,
            color=LIGHT.soft,
            rotation=angle,
            rotation_mode="anchor",
            ha="center",
            va="bottom",
            zorder=7,
        )
        taken.append(box(halo(label)))
        return


def dots(ax: Axes, scene: Scene, taken: list[Box]) -> None:
    """Say once, with a line to a dot, what the dots are."""
    text = words.dots(len(scene.runs_n) > 0)
    around = _around(ax, scene, taken)
    order = sorted(range(len(scene.n)), key=lambda i: abs(i - 0.62 * (len(scene.n) - 1)))
    for i in order[:6]:
        dot = pixel(ax, scene.n[i], scene.y[i])
        if (place := _pointed(ax, (text, LIGHT.ink), dot, around)) is not None:
            taken.append(place)
            return


def flagged(ax: Axes, fit: Fit, scene: Scene, taken: list[Box]) -> None:
    """Name the runs that were left out."""
    if not len(scene.flagged_n):
        return
    from scalewall.plotting.panel import at_edge  # noqa: PLC0415 - the panel draws with this module

    dot = pixel(ax, scene.flagged_n[0], float(at_edge(ax, scene.flagged_y)[0]))
    place = _pointed(ax, (words.flagged(fit), LIGHT.no), dot, _around(ax, scene, taken))
    if place is not None:
        taken.append(place)


def _pointed(ax: Axes, words_: tuple[str, str], dot: tuple[float, float], around: Surroundings) -> Box | None:
    """Write words (text, colour) near `dot` where nothing is, with a line between them; None without room."""
    text, color = words_
    width, height = size_of(ax, text, LABEL)
    places = []
    for far in NEAR_TO_FAR:
        for angle in ANGLES:
            across, up = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            x, y = dot[0] + points(ax, far) * across, dot[1] + points(ax, far) * up
            shift = 0.5 - 0.35 * across  # the line meets the near side of the words
            places.append(Box(x - shift * width, y - height / 2, x + (1 - shift) * width, y + height / 2))
    place = free_place(places, dot, around, points(ax, GAP))
    if place is None:
        return None
    target = nearest(place, dot)
    reach = math.hypot(target[0] - dot[0], target[1] - dot[1])
    # The line ends short of the dot, so that the dot stays a dot.
    share = min(1.0, points(ax, 4.5) / max(reach, 1e-9))
    near = (dot[0] + (target[0] - dot[0]) * share, dot[1] + (target[1] - dot[1]) * share)
    label = ax.annotate(
        text,
        fraction(ax, (place.left + place.right) / 2, (place.bottom + place.top) / 2),
        xycoords="axes fraction",
        size=LABEL,
        color=color,
        ha="center",
        va="center",
        linespacing=1.2,
        zorder=7,
    )
    halo(label)
    leader(ax, near, target, color)
    return place


def _around(ax: Axes, scene: Scene, taken: list[Box]) -> Surroundings:
    panel = frame(ax)
    room = Box(panel.left + 2, panel.bottom + 2, panel.right - 2, panel.top - 2)
    return Surroundings(room, taken, _obstacles(ax, scene), _dots(ax, scene))


def _dots(ax: Axes, scene: Scene) -> Array:
    """Return all dots as points in pixels."""
    n = np.concatenate([scene.n, scene.runs_n, scene.flagged_n])
    y = np.clip(np.concatenate([scene.y, scene.runs_y, scene.flagged_y]), *ax.get_ylim())
    dots: Array = ax.transData.transform(np.column_stack([n, y]))
    return dots


def _obstacles(ax: Axes, scene: Scene, *, ideal: bool = True) -> Array:
    """Return all that words must not cover, as points in pixels."""
    lines = [np.column_stack([curve.n, curve.y]) for curve in scene.curves]
    if ideal and scene.band is not None:
        lines += [np.column_stack([scene.band.n, edge]) for edge in (scene.band.low, scene.band.high)]
    if ideal and scene.ideal is not None:
        lines.append(np.array([[n, scene.ideal_at(n)] for n in (scene.first, scene.horizon)]))
    if scene.forecast:
        lines.append(np.array([[scene.last, v] for v in ax.get_ylim()]))
    pieces = [along(ax.transData.transform(line), points(ax, 4.0)) for line in lines]
    pieces.append(_dots(ax, scene))
    return np.concatenate(pieces)
