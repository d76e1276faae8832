"""The speedup and the efficiency surface over workers and one parameter, with contours and the ceiling."""

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
    from collections.abc import Callable
    from pathlib import Path

    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    Array = npt.NDArray[np.float64]

SHADES = ("#5e9ccb", "#7fb2da", "#a9cce8", "#cbd8e5", "#dde4ec", "#eaeef3", "#f4f6f8")
"""From useful to wasted: luminance alone tells them apart."""
STEPS = (0.0, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 1.0)
HEIGHT = 8.6
PANELS = ((4.08, 7.39), (0.53, 3.28))
"""Bottom and top of the two surfaces, in inches."""
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

    figure = Figure(figsize=(palette.WIDTH, HEIGHT), facecolor=LIGHT.paper)
    FigureCanvasAgg(figure)
    height, upside_down = _height(law, name, rows[name])
    across = "parallel share of the one-worker time" if upside_down else WORDS.get(name, name)
    panels = []
    for (bottom, top), quantity in zip(PANELS, ("Speedup", "Efficiency"), strict=True):
        axes = figure.add_axes((0.1, bottom / HEIGHT, 0.86, (top - bottom) / HEIGHT))
        # The scales first: labels are turned and spaced by what the axes show.
        _x_axis(axes, n)
        _y_axis(axes, height, share=upside_down)
        figure.text(
            0.1, (top + 0.08) / HEIGHT, f"{quantity}, by {across}", size=LABEL, weight="bold",
            color=LIGHT.ink, va="bottom",
        )  # fmt: skip
        panels.append(axes)
    _draw_speedup(panels[0], n, height, speedup, efficiency)
    _ceiling(panels[0], law, name, rows, n)
    _draw_efficiency(panels[1], n, height, efficiency)
    title = _title(law, upside_down)
    top = HEIGHT - 0.13
    figure.text(0.1, top / HEIGHT, title, size=TITLE, weight="bold", color=LIGHT.ink, va="top")
    weak = ", weak scaling" if scaling == "weak" else ""
    text = (
        f"{NAMES[law][0].upper()}{NAMES[law][1:]}{weak}. Shade: share of the workers that does useful\n"
        "work. Right of the thick line, more than half is wasted."
    )
    top = HEIGHT - 0.43
    figure.text(0.1, top / HEIGHT, text, size=SUBTITLE, color=LIGHT.soft, va="top", linespacing=1.35)
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


def _halo() -> list[Any]:
    import matplotlib.patheffects as effects  # noqa: PLC0415 - matplotlib is optional

    return [effects.withStroke(linewidth=palette.HALO, foreground=LIGHT.paper)]


def _draw_speedup(axes: Axes, n: Array, height: Array, speedup: Array, efficiency: Array) -> None:
    _shade(axes, n, height, efficiency)
    low, high = max(float(speedup.min()), 1.0), float(speedup.max())
    first, last = math.floor(math.log2(low)) + 1, math.ceil(math.log2(high)) - 1
    stride = max(1, -(-(last - first + 1) // 14))
    levels = [2.0**k for k in range(first, last + 1, stride)]
    # Labels stand where 72 % of the workers are useful, clear of the thick line.
    _contours(axes, (n, height, speedup), levels, np.abs(efficiency - 0.72), lambda level: f"{level:g}x")
    if _half(axes, n, height, efficiency):
        _name_half(axes, n, height, efficiency)


def _draw_efficiency(axes: Axes, n: Array, height: Array, efficiency: Array) -> None:
    _shade(axes, n, height, efficiency)
    low, high = float(efficiency.min()), float(efficiency.max())
    levels = [level for level in STEPS if low < level < high]
    up = _places(axes, n, height)[1]
    # Labels stand side by side, one line of them.
    away = np.broadcast_to(np.abs(up - 0.62)[:, None], efficiency.shape)
    _contours(axes, (n, height, efficiency), levels, away, lambda level: f"{100 * level:.3g} %")


def _shade(axes: Axes, n: Array, height: Array, efficiency: Array) -> None:
    axes.contourf(n, height, np.clip(efficiency, 0.0, 1.0), levels=STEPS, colors=SHADES[::-1])


def _half(axes: Axes, n: Array, height: Array, efficiency: Array) -> bool:
    crossed = bool(efficiency.min() < 0.5 < efficiency.max())
    if crossed:
        axes.contour(n, height, efficiency, levels=[0.5], colors=LIGHT.no, linewidths=2.6)
    return crossed


def _contours(
    axes: Axes,
    grid: tuple[Array, Array, Array],
    levels: list[float],
    away: Array,
    word: Callable[[float], str],
) -> None:
    """Draw contours, each labelled inside the panel where `away` is least."""
    if not levels:
        return
    half = [level == 0.5 for level in levels]
    lines = axes.contour(
        *grid,
        levels=levels,
        colors=[LIGHT.no if thick else LIGHT.ink for thick in half],
        linewidths=[2.6 if thick else 0.9 for thick in half],
    )
    spots = [spot for level in levels if (spot := _spot(axes, grid, away, level))]
    for label in axes.clabel(lines, fmt=word, fontsize=palette.TICK, inline=True, manual=spots):
        label.set_path_effects(_halo())


def _spot(
    axes: Axes, grid: tuple[Array, Array, Array], away: Array, level: float
) -> tuple[float, float] | None:
    n, height, values = grid
    # Cells beside the contour: a neighbour along the row lies on its other side.
    above = values >= level
    inside = np.zeros_like(above)
    inside[:, :-1] = above[:, :-1] != above[:, 1:]
    # A margin of the panel, so that no label is cut.
    across, up = _places(axes, n, height)
    inside &= ((up > 0.06) & (up < 0.94))[:, None] & (across > 0.03) & (across < 0.94)
    if not inside.any():
        return None
    row, column = np.unravel_index(np.argmin(np.where(inside, away, np.inf)), values.shape)
    return float(n[column]), float(height[row])


def _places(axes: Axes, n: Array, height: Array) -> tuple[Array, Array]:
    """Return where columns and rows stand in the panel, as shares of its width and height."""
    points = axes.transData + axes.transAxes.inverted()
    across = points.transform(np.column_stack([n, np.full_like(n, height[0])]))[:, 0]
    up = points.transform(np.column_stack([np.full_like(height, n[0]), height]))[:, 1]
    return across, up


def _name_half(axes: Axes, n: Array, height: Array, efficiency: Array) -> None:
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
    # On the side of the waste: to the right, below a line that rises and above one that falls.
    rises = turned >= 0
    text = axes.annotate(
        "half the workers wasted", (n[columns[1]], height[places[1]]), xytext=(5, -5 if rises else 5),
        textcoords="offset points", size=LABEL, weight="bold", color=LIGHT.no, rotation=turned,
        rotation_mode="anchor", ha="center", va="top" if rises else "bottom",
    )  # fmt: skip
    text.set_path_effects(_halo())


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
    if law != "amdahl":
        return
    serial = 1 - rows["p"] if name == "p" else rows["serial"]
    low, high = float(serial.min()), float(serial.max())
    mark = 0.05 if low < 0.05 < high else math.sqrt(max(low, 1e-12) * high)
    axes.axhline(mark, color=LIGHT.ink, linewidth=1.2, linestyle=(0, (1, 2)))
    text = axes.text(
        n[-1] ** 0.985, mark * 0.93, f"{100 * (1 - mark):.3g} % parallel: never {1 / mark:.3g} times as fast",
        size=LABEL, weight="bold", color=LIGHT.ink, ha="right", va="bottom",
    )  # fmt: skip
    text.set_path_effects(_halo())
