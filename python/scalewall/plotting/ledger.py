"""A ledger as stacked bars: height is workers times wall time, equal work looks equal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scalewall import palette
from scalewall._errors import ChoiceError
from scalewall.palette import LABEL, LIGHT, NOTE, SUBTITLE, TITLE
from scalewall.parts import KINDS
from scalewall.plotting import FORMATS, _matplotlib
from scalewall.wording import ledger as words
from scalewall.wording import numbers as say

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from scalewall.campaign import Campaign
    from scalewall.parts import Parts

HEIGHT = 5.4
BAR = 0.56
LEFT, RIGHT, BOTTOM, TOP = 0.085, 0.70, 0.13, 0.775
"""Edges of the panel, as shares of the figure."""

LEAST_LABELLED = 0.005
"""Parts below this share of the largest bar are not named beside it."""


def save(campaign: Campaign, path: Path, *, about: str = "", warning: str = "") -> None:
    """Write the figure of a campaign; the suffix decides the format."""
    if path.suffix.lower() not in FORMATS:
        raise ChoiceError(
            f"path is {str(path)!r}: a figure is written as {', '.join(FORMATS)}; give one of these endings"
        )
    matplotlib = _matplotlib()
    from scalewall.plotting.figure import RC  # noqa: PLC0415 - matplotlib is optional

    with matplotlib.rc_context({**RC, "hatch.color": LIGHT.paper, "hatch.linewidth": 0.9}):
        figure = build(campaign, about=about, warning=warning)
        metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(path.suffix.lower())
        figure.savefig(path, metadata=metadata)


def build(campaign: Campaign, *, about: str = "", warning: str = "") -> Figure:
    """Draw the bars of every worker count."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 - matplotlib is optional
    from matplotlib.figure import Figure  # noqa: PLC0415

    columns = [campaign.parts(count) for count in campaign.counts]
    figure = Figure(figsize=(palette.WIDTH, HEIGHT), facecolor=LIGHT.paper)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((LEFT, BOTTOM, RIGHT - LEFT, TOP - BOTTOM))
    tallest = max(_ms(parts.bought_ns, parts) for parts in columns)
    axes.set_xlim(-0.6, len(columns) - 0.4)
    axes.set_ylim(0, 1.2 * tallest)
    for place, parts in enumerate(columns):
        _stack(axes, place, parts, tallest)
    _names(axes, len(columns) - 1, columns[-1], tallest)
    _frame(axes, columns)
    _head(figure, campaign, columns[-1], about)
    runs = min(parts.runs for parts in columns)
    foot = (
        f"Mean of {runs} runs in mixed order. Serial share {words.share(campaign.f_work())} of the CPU time."
    )
    figure.text(
        LEFT,
        0.022,
        "\n".join(part for part in (foot, warning) if part),
        size=NOTE,
        color=LIGHT.soft,
        va="bottom",
        linespacing=1.3,
    )
    return figure


def _ms(ns: int, parts: Parts) -> float:
    return ns / parts.runs / 1e6


def _stack(axes: Axes, place: int, parts: Parts, tallest: float) -> None:
    bottom = 0.0
    for kind in KINDS:
        height = max(0.0, _ms(parts.kinds[kind], parts))
        style = palette.KINDS[kind]
        axes.bar(
            place, height, BAR, bottom, color=style.color, hatch=style.hatch, edgecolor=LIGHT.paper,
            linewidth=0.8, zorder=2,
        )  # fmt: skip
        if height > 0.055 * tallest:
            text = axes.text(
                place, bottom + height / 2, f"{height:.0f}", size=LABEL, ha="center", va="center", zorder=3,
                color=LIGHT.paper if style.light_text else LIGHT.ink,
            )  # fmt: skip
            if style.hatch:
                text.set_bbox({"facecolor": style.color, "edgecolor": "none", "pad": 1.0})
        bottom += height
    bought, wall = _ms(parts.bought_ns, parts), _ms(parts.wall_ns, parts)
    label = f"{say.digits(bought, 3)} ms bought\n{say.digits(wall)} ms on the clock"
    axes.annotate(
        label, (place, bottom), (0, 4), textcoords="offset points", size=LABEL, color=LIGHT.ink, ha="center",
        va="bottom", linespacing=1.35,
    )  # fmt: skip


def _names(axes: Axes, place: int, parts: Parts, tallest: float) -> None:
    """Name the parts of the last bar at its right, pushed apart so that none covers another."""
    bottom, wanted = 0.0, []
    for kind in KINDS:
        height = max(0.0, _ms(parts.kinds[kind], parts))
        if height > LEAST_LABELLED * tallest:
            wanted.append((kind, bottom + height / 2, height))
        bottom += height
    gap, level = 0.058 * tallest, -1.0
    for kind, middle, height in wanted:
        level = max(middle, level + gap)
        edge = place + BAR / 2
        axes.plot(
            [edge, edge + 0.13], [middle, level], color=LIGHT.axis, linewidth=0.8, clip_on=False, zorder=1
        )
        number = say.digits(height)
        axes.text(
            edge + 0.16, level, f"{words.NAMES[kind]}, {number}", size=LABEL, color=LIGHT.ink, va="center"
        )


def _frame(axes: Axes, columns: list[Parts]) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator  # noqa: PLC0415 - matplotlib is optional

    axes.set_xticks(range(len(columns)), [words.workers(parts.workers) for parts in columns])
    axes.yaxis.set_major_locator(MaxNLocator(6))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g} ms"))
    axes.tick_params(colors=LIGHT.soft, labelsize=palette.TICK)
    axes.tick_params(axis="x", length=0)
    axes.grid(axis="y", color=LIGHT.grid, linewidth=0.8, zorder=0)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(LIGHT.axis)


def _head(figure: Figure, campaign: Campaign, last: Parts, about: str) -> None:
    cores = say.plural(campaign.environment["usable"], "core")
    title = f"{words.workers(last.workers)} on {cores}: {words.bought(last)}"
    figure.text(LEFT, 0.965, title, size=TITLE, weight="bold", color=LIGHT.ink, va="top")
    lines = (
        f"{about + '. ' if about else ''}Bar = workers x wall time; the parts add up exactly.\n"
        "The dark part is the work itself: it stays the same, everything above it is price."
    )
    style: dict[str, Any] = {"size": SUBTITLE, "color": LIGHT.soft, "va": "top", "linespacing": 1.35}
    figure.text(LEFT, 0.91, lines, **style)
    figure.text(
        LEFT, 0.80, "Worker-time per run, workers x wall time", size=LABEL, weight="bold", color=LIGHT.ink,
        va="bottom",
    )  # fmt: skip
