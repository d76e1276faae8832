"""From the data of a scene to the pixels of an SVG, and the small pieces that charts are made of."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scalewall import palette
from scalewall.plotting.placing import Box

if TYPE_CHECKING:
    import numpy.typing as npt

    from scalewall.plotting.scene import Scene

    Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Canvas:
    """Size and margins of one chart in pixels, and from data to pixels."""

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float
    size: float
    scene: Scene

    @property
    def panel(self) -> Box:
        """The panel; `bottom` is the smaller number, as y grows downward."""
        return Box(self.left, self.top, self.width - self.right, self.height - self.bottom)

    @property
    def x_factor(self) -> float:
        """Pixels per doubling of n."""
        return (self.width - self.right - self.left - 6.0) / max(
            math.log2(self.scene.horizon / self.scene.first), 1e-9
        )

    @property
    def y_factor(self) -> float:
        """Pixels per doubling, or per unit where the axis is linear."""
        reach = (
            math.log2(self.scene.high / self.scene.low)
            if self.scene.log
            else self.scene.high - self.scene.low
        )
        return (self.height - self.bottom - self.top) / reach

    def x(self, n: Array | float) -> Array:
        """Return where worker counts stand."""
        if self.scene.first == self.scene.horizon:
            middle = (self.left + self.width - self.right) / 2
            return np.full(np.shape(n), middle)
        return self.left + 6.0 + np.log2(np.asarray(n) / self.scene.first) * self.x_factor

    def y(self, value: Array | float) -> Array:
        """Return where values stand; far ones at most one panel height outside."""
        value = np.asarray(value, dtype=np.float64)
        if self.scene.log:
            position = np.log2(np.maximum(value, 1e-300) / self.scene.low)
        else:
            position = value - self.scene.low
        y = self.height - self.bottom - position * self.y_factor
        tall = self.height
        return np.clip(y, -tall, 2 * tall)


def line_sample(law: str) -> str:
    """Return a short piece of the line of a law, for a list of names beside a narrow chart."""
    return (
        f'<svg width="30" height="10" aria-hidden="true"><line x1="1" x2="29" y1="5" y2="5" '
        f'stroke="var(--{variable(law)})" stroke-width="2"{dash(palette.LAWS[law].dash)}/></svg>'
    )


def path(x: Array, y: Array) -> str:
    """Return points as a path, without its first letter."""
    return "L".join(f"{a:.1f} {b:.1f}" for a, b in zip(x, y, strict=True))


def rectangle(box: Box) -> str:
    """Return a box as a quoted path."""
    return f'"M{box.left:.1f} {box.bottom:.1f}H{box.right:.1f}V{box.top:.1f}H{box.left:.1f}z"'


def dash(lengths: tuple[float, ...]) -> str:
    """Return the attribute of a dash, given in widths of a line of 2 pixels."""
    return f' stroke-dasharray="{" ".join(f"{2 * d:g}" for d in lengths)}"' if lengths else ""


def variable(law: str) -> str:
    """Return the name of the CSS variable with the colour of a law."""
    return palette.LAWS[law].color.replace("_", "-")


def text_width(text: str, size: float) -> float:
    """Estimate a width without a font: a little more than sans-serif type takes on average."""
    return 0.56 * size * len(text)
