"""A surface: contours of the speedup over workers and parallel share, shaded by the efficiency."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from scalewall import palette
from scalewall._errors import ChoiceError
from scalewall.palette import LABEL, LIGHT, SUBTITLE, TITLE
from scalewall.plotting import FORMATS, _matplotlib, ticks
from scalewall.surfaces import surface as evaluate

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    Array = npt.NDArray[np.float64]

SHADES = ("#5e9ccb", "#7fb2da", "#a9cce8", "#cbd8e5", "#dde4ec", "#eaeef3", "#f4f6f8")
"""From useful to wasted: luminance alone tells them apart."""
STEPS = (0.0, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 1.0)
SHARE_TICKS = (0.1, 0.2, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9998, 0.9999, 0.99999)
SHARE_LAWS = ("amdahl", "gustafson", "sun_ni")
NAMES = {
    "amdahl": "Amdahl's law",
    "gustafson": "Gustafson's law",
    "sun_ni": "Sun and Ni's law",
    "usl": "contention and coherency",
    "usl_log": "contention and a tree of messages",
    "ring": "a training step, ring all-reduce",
    "tree": "a training step, tree all-reduce",
}
WORDS = {
    "sigma": "contention sigma",
    "kappa": "coherency kappa",
    "serial": "serial time of a step, s",
    "compute": "work of a step, s",
    "latency": "latency of a message, s",
    "transfer": "time to send all gradients, s",
}


def save(law: str, n: Array, parameters: dict[str, Any], path: Path, *, scaling: str = "strong") -> None:
    """Write the figure of a surface; the suffix decides the format."""
    if path.suffix.lower() not in FORMATS:
        raise ChoiceError(
            f"path is {str(path)!r}: a figure is written as {', '.join(FORMATS)}; give one of these endings"
        )
    matplotlib = _matplotlib()
    from scalewall.plotting.figure import RC  # noqa: PLC0415 - matplotlib is optional

    with matplotlib.rc_context(RC):
        figure = build(law, n, parameters, scaling=scaling)
        metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(path.suffix.lower())
        figure.savefig(path, metadata=metadata)


def build(law: str, n: Array, parameters: dict[str, Any], *, scaling: str = "strong") -> Figure:
    """Draw a surface: rows are the parameter that has the most values."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 - matplotlib is optional
    from matplotlib.figure import Figure  # noqa: PLC0415

    name = max((key for key in parameters if np.ndim(parameters[key])), key=lambda key: len(parameters[key]))
    order = np.argsort(parameters[name])
    if law in SHARE_LAWS:
        # Equal ratios of the serial share: none at all has no place on such an axis.
        serial = 1 - parameters[name] if name == "p" else parameters[name]
        order = order[serial[order] > 0]
    n = np.unique(n)
    rows = {
        key: value[order] if key == name or np.size(value) > 1 else value for key, value in parameters.items()
    }
    if len(order) < 2 or len(n) < 2:
        raise ChoiceError(
            "a figure needs at least two worker counts and two values of one parameter: widen the ranges"
        )
    options: dict[str, Any] = {"n": n, "scaling": scaling, **rows}
    speedup = evaluate(law, **options)
    efficiency = evaluate(law, quantity="efficiency", **options)

    figure = Figure(figsize=(palette.WIDTH, 5.05), facecolor=LIGHT.paper)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.1, 0.105, 0.86, 0.655))
    height, upside_down = _height(law, name, rows[name])
    # The scales first: labels are turned and spaced by what the axes show.
    _x_axis(axes, n)
    _y_axis(axes, height, share=upside_down)
    _draw(axes, n, height, speedup, efficiency)
    _ceiling(axes, law, name, rows, n)
    title = "Parallel share of the one-worker time" if upside_down else WORDS.get(name, name)
    figure.text(
        0.1, 0.775, title[0].upper() + title[1:], size=LABEL, weight="bold", color=LIGHT.ink, va="bottom"
    )
    figure.text(0.1, 0.975, _title(law, upside_down), size=TITLE, weight="bold", color=LIGHT.ink, va="top")
    weak = ", weak scaling" if scaling == "weak" else ""
    text = (
        f"Speedup ({NAMES[law]}{weak}). Shade: share of the workers that does\n"
        "useful work. Right of the thick line, more than half is wasted."
    )
    figure.text(0.1, 0.915, text, size=SUBTITLE, color=LIGHT.soft, va="top", linespacing=1.35)
    return figure


def _title(law: str, share: bool) -> str:
    return (
        "How far workers carry, by parallel share" if share and law == "amdahl" else "How far workers carry"
    )


def _height(law: str, name: str, values: Array) -> tuple[Array, bool]:
    """Return the vertical positions, and whether they are serial shares, the smallest on top."""
    if law in SHARE_LAWS:
        return (1 - values if name == "p" else values), True
    return values, False


def _draw(axes: Axes, n: Array, height: Array, speedup: Array, efficiency: Array) -> None:
    import matplotlib.patheffects as effects  # noqa: PLC0415 - matplotlib is optional

    halo: list[Any] = [effects.withStroke(linewidth=palette.HALO, foreground=LIGHT.paper)]
    shown = np.clip(efficiency, 0.0, 1.0)
    axes.contourf(n, height, shown, levels=STEPS, colors=SHADES[::-1])
    low, high = max(float(speedup.min()), 1.0), float(speedup.max())
    first, last = math.floor(math.log2(low)) + 1, math.ceil(math.log2(high)) - 1
    stride = max(1, -(-(last - first + 1) // 14))
    levels = [2.0**k for k in range(first, last + 1, stride)]
    if levels:
        lines = axes.contour(n, height, speedup, levels=levels, colors=LIGHT.ink, linewidths=0.9)
        spots = [spot for level in levels if (spot := _spot(axes, n, height, speedup, efficiency, level))]
        for label in axes.clabel(
            lines, fmt=lambda value: f"{value:g}x", fontsize=palette.TICK, inline=True, manual=spots
        ):
            label.set_path_effects(halo)
    if efficiency.min() < 0.5 < efficiency.max():
        axes.contour(n, height, efficiency, levels=[0.5], colors=LIGHT.no, linewidths=2.6)
        _name_half(axes, n, height, efficiency, halo)


def _spot(  # noqa: PLR0917 - one panel and its grid
    axes: Axes, n: Array, height: Array, speedup: Array, efficiency: Array, level: float
) -> tuple[float, float] | None:
    """Return where a contour is labelled: at 72 % useful, clear of the thick line."""
    inside = np.abs(np.log(speedup / level)) < math.log(1.06)
    # A margin of the panel, so that no label is cut.
    across, up = _places(axes, n, height)
    inside &= ((up > 0.06) & (up < 0.94))[:, None] & (across > 0.03) & (across < 0.94)
    if not inside.any():
        return None
    row, column = np.unravel_index(
        np.argmin(np.where(inside, np.abs(efficiency - 0.72), np.inf)), speedup.shape
    )
    return float(n[column]), float(height[row])


def _places(axes: Axes, n: Array, height: Array) -> tuple[Array, Array]:
    """Return where columns and rows stand in the panel, as shares of its width and height."""
    points = axes.transData + axes.transAxes.inverted()
    across = points.transform(np.column_stack([n, np.full_like(n, height[0])]))[:, 0]
    up = points.transform(np.column_stack([np.full_like(height, n[0]), height]))[:, 1]
    return across, up


def _name_half(axes: Axes, n: Array, height: Array, efficiency: Array, halo: list[Any]) -> None:
    """Write on the thick line what it means, along the line, at two thirds of its way."""
    above = efficiency >= 0.5
    rows = np.flatnonzero(above.any(axis=1) & ~above.all(axis=1))
    if len(rows) < 2:
        return
    up = _places(axes, n, height)[1][rows]
    shares = [up.min() + share * (up.max() - up.min()) for share in (0.4, 0.5, 0.6)]
    places = [rows[int(np.argmin(np.abs(up - share)))] for share in shares]
    columns = [int(len(n) - 1 - np.argmax(above[row][::-1])) for row in places]
    ends = [
        axes.transData.transform((n[column], height[row]))
        for row, column in zip(places, columns, strict=True)
    ]
    angle = math.degrees(math.atan2(ends[2][1] - ends[0][1], ends[2][0] - ends[0][0]))
    turned = angle - 180 if angle > 90 else angle + 180 if angle < -90 else angle
    text = axes.annotate(
        "half the workers wasted", (n[columns[1]], height[places[1]]), xytext=(5, -5),
        textcoords="offset points", size=LABEL, weight="bold", color=LIGHT.no, rotation=turned,
        rotation_mode="anchor", ha="center", va="top",
    )  # fmt: skip
    text.set_path_effects(halo)


def _x_axis(axes: Axes, n: Array) -> None:
    axes.set_xscale("log", base=2)
    places = ticks.doublings(float(n[0]), float(n[-1]), 9)
    axes.set_xticks(places, [ticks.plain(place) for place in places])
    axes.minorticks_off()
    axes.set_xlim(n[0], n[-1])
    axes.set_xlabel("workers", size=LABEL, color=LIGHT.soft)
    axes.tick_params(colors=LIGHT.soft, labelsize=palette.TICK)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(LIGHT.axis)


def _y_axis(axes: Axes, height: Array, *, share: bool) -> None:
    low, high = float(height.min()), float(height.max())
    if share or low > 0:
        axes.set_yscale("log")
    axes.minorticks_off()
    if share:
        places = [1 - share for share in SHARE_TICKS if low * (1 - 1e-9) <= 1 - share <= high * (1 + 1e-9)]
        # Labels need room: of two that would touch, the one nearer to the bottom goes.
        gap = math.log(high / low) / 14
        places = [
            p for k, p in enumerate(places) if k + 1 == len(places) or math.log(p / places[k + 1]) > gap
        ]
        axes.set_yticks(places, [f"{100 * (1 - place):.10g} %" for place in places])
        axes.set_ylim(high, low)
    else:
        places = ticks.decades(low, high, 8) if low > 0 else ticks.even(low, high, 8)
        axes.set_yticks(places, [f"{place:g}" for place in places])
        axes.set_ylim(low, high)


def _ceiling(axes: Axes, law: str, name: str, rows: dict[str, Any], n: Array) -> None:
    """Mark one row with the speedup that no count of workers passes."""
    import matplotlib.patheffects as effects  # noqa: PLC0415 - matplotlib is optional

    if law != "amdahl":
        return
    serial = 1 - rows["p"] if name == "p" else rows["serial"]
    low, high = float(serial.min()), float(serial.max())
    mark = 0.05 if low < 0.05 < high else math.sqrt(max(low, 1e-12) * high)
    halo: list[Any] = [effects.withStroke(linewidth=palette.HALO, foreground=LIGHT.paper)]
    axes.axhline(mark, color=LIGHT.ink, linewidth=1.2, linestyle=(0, (1, 2)))
    text = axes.text(
        n[-1] ** 0.985, mark * 0.93, f"{100 * (1 - mark):.3g} % parallel: never {1 / mark:.3g} times as fast",
        size=LABEL, weight="bold", color=LIGHT.ink, ha="right", va="bottom",
    )  # fmt: skip
    text.set_path_effects(halo)
