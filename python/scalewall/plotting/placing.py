"""Where words go so that they never meet: pure geometry in pixels, y upward or downward alike."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt


@dataclass(frozen=True)
class Box:
    """An upright rectangle."""

    left: float
    bottom: float
    right: float
    top: float

    def meets(self, other: Box, gap: float = 0.0) -> bool:
        """Whether two boxes overlap or come nearer than `gap`."""
        return (
            self.left < other.right + gap
            and other.left < self.right + gap
            and self.bottom < other.top + gap
            and other.bottom < self.top + gap
        )

    def inside(self, other: Box) -> bool:
        """Whether the box lies wholly in `other`."""
        return (
            self.left >= other.left
            and self.right <= other.right
            and self.bottom >= other.bottom
            and self.top <= other.top
        )

    def holds(self, points: npt.NDArray[np.float64], gap: float = 0.0) -> int:
        """Count the points, shape (k, 2), that lie in the box or nearer than `gap`."""
        x, y = points[:, 0], points[:, 1]
        hit = (
            (x > self.left - gap)
            & (x < self.right + gap)
            & (y > self.bottom - gap)
            & (y < self.top + gap)
        )  # fmt: skip
        return int(hit.sum())


def push_apart(
    wanted: Sequence[float], heights: Sequence[float], low: float, high: float, gap: float
) -> list[float]:
    """Move the centres of stacked labels as little as needed so that none overlap.

    Labels that want the same place form a cluster whose centre is the mean of what they want (the least
    squares answer); order is kept. If all together are taller than [low, high], they overflow evenly.
    """
    order = sorted(range(len(wanted)), key=lambda i: (wanted[i], i))
    clusters: list[list[int]] = []

    def size(cluster: list[int]) -> float:
        return sum(heights[i] for i in cluster) + gap * (len(cluster) - 1)

    def start(cluster: list[int]) -> float:
        offset, sum_ = 0.0, 0.0
        for i in cluster:
            sum_ += wanted[i] - offset - heights[i] / 2
            offset += heights[i] + gap
        free = sum_ / len(cluster)
        return min(max(free, low), max(high - size(cluster), (low + high - size(cluster)) / 2))

    for i in order:
        clusters.append([i])
        while len(clusters) > 1 and start(clusters[-2]) + size(clusters[-2]) + gap > start(clusters[-1]):
            clusters[-2:] = [clusters[-2] + clusters[-1]]
    centres = [0.0] * len(wanted)
    for cluster in clusters:
        at = start(cluster)
        for i in cluster:
            centres[i] = at + heights[i] / 2
            at += heights[i] + gap
    return centres


@dataclass(frozen=True)
class Surroundings:
    """What words must keep clear of: other words as boxes, lines and dots as points, shape (k, 2)."""

    room: Box
    taken: Sequence[Box]
    points: npt.NDArray[np.float64]
    dots: npt.NDArray[np.float64]


def free_place(
    places: Iterable[Box], dot: tuple[float, float], around: Surroundings, gap: float
) -> Box | None:
    """Return the first of `places` that is free and whose line to `dot` crosses no word and no dot."""
    for place in places:
        if not place.inside(around.room) or any(place.meets(box, gap) for box in around.taken):
            continue
        if place.holds(around.points, gap):
            continue
        line = along(np.array([dot, nearest(place, dot)]), gap)
        others = around.dots[np.hypot(*(around.dots - dot).T) > 2 * gap]
        crosses_dot = any(Box(x, y, x, y).holds(line, gap) for x, y in others)
        if not crosses_dot and not any(box.holds(line, 0.5 * gap) for box in around.taken):
            return place
    return None


def nearest(place: Box, dot: tuple[float, float]) -> tuple[float, float]:
    """Return the point of a box that is nearest to a dot."""
    return min(max(dot[0], place.left), place.right), min(max(dot[1], place.bottom), place.top)


def place_along(
    ends: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]],
    size: tuple[float, float],
    room: Box,
    points: npt.NDArray[np.float64],
    lift: float,
) -> tuple[npt.NDArray[np.float64], float] | None:
    """Find a place for words of a `size` along a line, `lift` off it on its left side, clear of `points`.

    Returns the middle of the foot of the words and their angle in degrees, or None. Left is seen in the
    direction of the line, with y upward.
    """
    start, end = ends
    whole = float(np.hypot(*(end - start)))
    direction = (end - start) / whole
    normal = np.array([-direction[1], direction[0]])
    width, height = size
    for share in (0.55, 0.7, 0.4, 0.82, 0.25, 0.93):
        # The visible stretch ends where the line leaves the room.
        length = whole
        if abs(direction[1]) > 1e-9:
            edge = room.top if direction[1] > 0 else room.bottom
            length = min(whole, (edge - start[1]) / direction[1])
        middle = share * length
        if not width / 2 <= middle <= length - width / 2 - abs(direction[1]) * height:
            continue
        foot = start + direction * middle
        local = np.column_stack([(points - foot) @ direction, (points - foot) @ normal])
        if not Box(-width / 2, lift, width / 2, lift + height).holds(local, 0.6 * lift):
            return foot + normal * lift, math.degrees(math.atan2(direction[1], direction[0]))
    return None


def along(points: npt.NDArray[np.float64], step: float) -> npt.NDArray[np.float64]:
    """Return points along a polyline, shape (k, 2), no further than `step` apart: a line as an obstacle."""
    if len(points) < 2:
        return points
    lengths = np.hypot(*np.diff(points, axis=0).T)
    position = np.concatenate([[0.0], np.cumsum(lengths)])
    dense = np.linspace(0.0, position[-1], max(2, int(position[-1] / step) + 2))
    return np.column_stack([np.interp(dense, position, points[:, k]) for k in (0, 1)])
