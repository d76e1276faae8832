"""The whole figure: verdict as title, the panel, e(n) under it, one line of reading help at the foot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scalewall import palette
from scalewall.palette import LABEL, LIGHT, NOTE, SUBTITLE, TITLE
from scalewall.plotting import fraction, panel, words
from scalewall.plotting.scene import SPEEDUP, scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

    from scalewall.fitting import Fit
    from scalewall.plotting.scene import Scene

RC = {
    "figure.dpi": palette.SCREEN_DPI,
    "savefig.dpi": palette.DPI,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Segoe UI", "Helvetica", "Arial"],
    "font.size": 9.5,
    "text.color": LIGHT.ink,
    "axes.labelcolor": LIGHT.ink,
    "axes.unicode_minus": True,
    "hatch.linewidth": 0.6,
    "lines.solid_capstyle": "round",
    "svg.fonttype": "none",
    "svg.hashsalt": "scalewall",
    "text.usetex": False,
    "path.sketch": None,
}
"""Settings while drawing and saving; the caller's own settings come back afterwards."""

LINE = 1.28
"""Distance of lines of text in units of their size."""

INCH = 72.0


def build(fit: Fit) -> Figure:
    """Draw the full figure of `fit`; its first axes are the main panel."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 - matplotlib is optional
    from matplotlib.figure import Figure  # noqa: PLC0415

    view = scene(fit)
    shares = view.quantity == SPEEDUP and fraction.shown(fit)
    figure = Figure(figsize=(palette.WIDTH, 8.0), facecolor=LIGHT.paper)
    FigureCanvasAgg(figure)
    head = words.head(fit)
    width = palette.WIDTH - palette.LEFT - 0.35
    title = _wrap(figure, f"{head.word}  {head.title}" if head.word else head.title, TITLE, "bold", width)
    text = [part for line in head.lines for part in _wrap(figure, line, SUBTITLE, "normal", width)]
    foot = _wrap(figure, words.foot(fit, view), NOTE, "normal", width)

    top = 0.26 + len(title) * TITLE * LINE / INCH + 0.05 + len(text) * SUBTITLE * LINE / INCH + 0.12
    above = (LABEL * LINE + 5.0) / INCH + ((NOTE * LINE + 6.0) / INCH if view.forecast else 0.0)
    below = 0.46 + 0.12 + len(foot) * NOTE * LINE / INCH
    lower = palette.LOWER_PANEL + 0.38 + (LABEL * LINE + 5.0) / INCH if shares else 0.0
    height = top + above + palette.MAIN_PANEL + lower + below
    figure.set_size_inches(palette.WIDTH, height)

    right = _right(figure, fit, view)

    def place(from_top: float, tall: float) -> tuple[float, float, float, float]:
        wide = palette.WIDTH - palette.LEFT - right
        return (
            palette.LEFT / palette.WIDTH,
            1 - (from_top + tall) / height,
            wide / palette.WIDTH,
            tall / height,
        )

    main = figure.add_axes(place(top + above, palette.MAIN_PANEL))
    panel.draw(main, fit, view)
    _panel_title(main, words.panel_title(fit, view), above - 2.0 / INCH)
    last = main
    if shares:
        at = top + above + palette.MAIN_PANEL + lower - palette.LOWER_PANEL
        last = figure.add_axes(place(at, palette.LOWER_PANEL))
        fraction.draw(last, fit, view)
        _panel_title(last, words.fraction_title(fit), (LABEL * LINE + 3.0) / INCH)
    last.set_xlabel(fit.runs.unit, size=SUBTITLE, color=LIGHT.ink)

    _head(figure, title, head, text, height)
    for i, line in enumerate(reversed(foot)):
        figure.text(
            palette.LEFT / palette.WIDTH, (0.09 + i * NOTE * LINE / INCH) / height, line, size=NOTE,
            color=LIGHT.soft, va="bottom",
        )  # fmt: skip
    # Tick labels are made when first drawn: now, while the settings hold.
    figure.draw_without_rendering()
    return figure


def _right(figure: Figure, fit: Fit, view: Scene) -> float:
    """Return the room right of the panels, in inches, that the names there need."""
    if not view.curves:
        return 0.45
    names = [(words.law_name(curve.law), "normal") for curve in view.curves]
    if view.ceiling is not None:
        names.append((words.in_figure(words.ceiling(fit)), "bold"))
    widths = []
    for text, weight in names:
        probe = figure.text(0, 0, text, size=LABEL, weight=weight)
        widths.append(_width(probe))
        probe.remove()
    return max(palette.RIGHT, max(widths) + 0.26)


def _head(figure: Figure, title: list[str], head: words.Head, text: list[str], height: float) -> None:
    x, y = palette.LEFT / palette.WIDTH, 1 - 0.26 / height
    for i, line in enumerate(title):
        shift, rest = 0.0, line
        if i == 0 and head.word:
            word = figure.text(
                x, y, head.word, size=TITLE, weight="bold", va="top", color=getattr(LIGHT, head.color)
            )
            shift = _width(word) / palette.WIDTH + 0.014
            rest = line.removeprefix(head.word).lstrip()
        figure.text(x + shift, y, rest, size=TITLE, weight="bold", va="top", color=LIGHT.ink)
        y -= TITLE * LINE / INCH / height
    y -= 0.05 / height
    for line in text:
        figure.text(x, y, line, size=SUBTITLE, va="top", color=LIGHT.soft)
        y -= SUBTITLE * LINE / INCH / height


def _panel_title(ax: Axes, text: str, rise: float) -> None:
    ax.annotate(
        text, (0, 1), (0, rise * INCH), xycoords="axes fraction", textcoords="offset points", size=LABEL,
        weight="bold", color=LIGHT.ink, ha="left", va="top",
    )  # fmt: skip


def _width(text: Text) -> float:
    return float(text.get_window_extent().width) / palette.SCREEN_DPI


def _wrap(figure: Figure, text: str, size: float, weight: str, width: float) -> list[str]:
    """Break `text` into lines no wider than `width` inches, at spaces that are not thin."""
    lines: list[str] = []
    probe = figure.text(0, 0, "", size=size, weight=weight)
    for word in text.split(" "):
        trial = f"{lines[-1]} {word}" if lines else word
        probe.set_text(trial)
        if lines and _width(probe) <= width:
            lines[-1] = trial
        else:
            lines.append(word)
    probe.remove()
    return [line for line in lines if line.strip()]
