"""The words on a picture of a fit: those of every answer, in the short form that a picture has room for."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scalewall.plotting.scene import EFFICIENCY, MEASURED, RATE
from scalewall.wording import answer, shape, wall, weak
from scalewall.wording import numbers as say
from scalewall.wording.verdict import falls, wasted_part

if TYPE_CHECKING:
    from scalewall.fitting import Fit
    from scalewall.plotting.scene import Scene
    from scalewall.results import Interval

FORECAST_LONG, FORECAST_SHORT = "forecast: no data here", "forecast"

TONES = {"yes": "yes", "no": "no", "open": "open", "refused": "refused", "plain": "ink"}
"""Field of the theme that colours the verdict word, by the tone of the answer."""

GROWTH = {
    "log_growth": "every doubling\nadds the same",
    "linear_growth": "every worker\nadds the same",
}
"""Names of the shapes of growth under weak scaling."""

READINGS = ("karp_flatt_rises", "karp_flatt_flat", "karp_flatt_falls")
"""Codes of the notes that say how e(n) runs."""


@dataclass(frozen=True)
class Head:
    """The head of a picture: verdict word, its colour, the title, and lines under it."""

    word: str
    color: str
    title: str
    lines: tuple[str, ...]


def head(fit: Fit) -> Head:
    """Return verdict word, title and the lines under it."""
    found = answer(fit)
    title, rest = found.sentence, ""
    if found.word == "CANNOT TELL":
        # The question is the title, its range the first thing under it.
        title, _, rest = found.sentence.partition(": ")
    lines = [" ".join(part for part in (say.sentence(rest), found.advice, data(fit)) if part)]
    if fit.refusal is not None:
        lines += [f"{say.sentence(text)}:  {flag}" for text, flag in fit.refusal.readings]
    return Head(
        found.word, TONES.get(found.tone, "ink"), in_figure(title.removesuffix(".")),
        tuple(in_figure(line) for line in lines if line),
    )  # fmt: skip


def data(fit: Fit) -> str:
    """Return what was measured in one short sentence: source, counts, repeats, scatter."""
    runs = {c.runs for c in fit.counts}
    source = f"{fit.runs.source}: " if fit.runs.source else ""
    counts = say.plural(len(fit.counts), f"{fit.runs.unit_one} count")
    if runs == {1}:
        return f"{source}{counts}, one run each."
    repeats = f"{min(runs)}{say.DASH}{max(runs)}" if len(runs) > 1 else f"{max(runs, default=0)}"
    scatter = f", scatter {say.share(fit.scatter)}" if fit.scatter else ""
    return f"{source}{counts}, {repeats} runs each{scatter}."


def in_figure(text: str) -> str:
    """Return text as figures write it: x after a factor, gaps inside numbers that no line break splits."""
    return say.glue(text).replace(say.TIMES, "x")


def law_name(law: str) -> str:
    """Return the name of a law's shape, in two lines where it is long."""
    if law in GROWTH:
        return GROWTH[law]
    return _two_lines(shape(law), 14)


def ceiling(fit: Fit) -> str:
    """Return the ceiling, in two lines where it is long; how sure it is decides the word."""
    row = next((row for row in wall(fit) if row.name == "ceiling"), None)
    if row is None:
        return ""
    if not math.isfinite(fit.ceiling.high if fit.ceiling else math.inf):
        return say.glue(f"no ceiling visible,\n{row.value}")
    if row.text == "unknown":
        return say.glue(f"ceiling unknown:\n{row.value}")
    return say.glue(
        f"ceiling roughly\n{row.value}" if row.text.endswith("roughly") else f"ceiling {row.value}"
    )


def peak(fit: Fit) -> str | None:
    """Return the words beside the bar of the peak; None where no peak is visible."""
    if fit.peak_n is None or not math.isfinite(fit.peak_n.low):
        return None
    if math.isfinite(fit.peak_n.high):
        beyond = "slower" if falls(fit) else "no gain"
        return say.glue(f"peak {say.counts(*fit.peak_n)}: {beyond} beyond")
    if fit.counts and fit.peak_n.low <= fit.counts[0].n:
        return "peak: anywhere, or never"
    return say.glue(f"peak: not before {say.count_down(fit.peak_n.low)}, perhaps never")


def knee(fit: Fit) -> str | None:
    """Return the words beside the bar of wasted workers; None where they are not in sight."""
    interval = knee_interval(fit)
    if interval is None or not math.isfinite(interval.low):
        return None
    part = f"{wasted_part(fit.options.efficiency)} the {fit.runs.unit} wasted"
    if math.isfinite(interval.high):
        return say.glue(f"{part} beyond {say.counts(*interval)}")
    return say.glue(f"{part}: not before {say.count_down(interval.low)}")


def knee_interval(fit: Fit) -> Interval | None:
    """Return where the efficiency falls below the one that was asked for."""
    return fit.knee(fit.options.efficiency)


def reading(fit: Fit) -> str:
    """Return how e(n) is to be read."""
    for note in fit.notes:
        if note.code in READINGS:
            return say.sentence(note.text.removeprefix("e(n) "))
    points = sum(c.karp_flatt is not None for c in fit.counts)
    return "Too few points for a trend." if points < 4 else "No trend beyond the noise."


def measured_up_to(n: float) -> str:
    """Return the words left of the line where the data end."""
    return say.glue(f"measured up to {say.count(n)}")


def ideal(quantity: str) -> tuple[str, ...]:
    """Return names of the ideal line, the longest first."""
    if quantity == EFFICIENCY:
        return ("ideal",)
    return ("ideal: n times as much" if quantity == RATE else "ideal: n times as fast", "ideal")


def dots(repeated: bool) -> str:
    """Return what the dots are."""
    return "each run, and the mean" if repeated else "measured"


def flagged(fit: Fit) -> str:
    """Return the name of the runs that were left out."""
    if len(fit.flagged) > 1:
        return f"{len(fit.flagged)} runs left out"
    run = fit.flagged[0]
    return say.glue(f"left out: 1 run at {say.count(run.n)}")


def panel_title(fit: Fit, scene: Scene) -> str:
    """Return what the vertical axis of the main panel shows."""
    one, units = fit.runs.unit_one, fit.runs.unit
    if scene.quantity == EFFICIENCY:
        base = weak.base(fit)
        first = f"one-{one} time" if base == 1 else f"time on {say.count(base)}"
        return f"Efficiency: {first} / time on n {units}"
    if scene.quantity == RATE:
        return f"Rate, as measured{_column(fit)}"
    if scene.quantity == MEASURED:
        return f"{'Rate' if fit.runs.quantity == 'rate' else 'Time'} of each run, as given{_column(fit)}"
    return f"Speedup over one {one}"


def fraction_title(fit: Fit) -> str:
    """Return what the lower panel shows."""
    return f"Share of the one-{fit.runs.unit_one} time that did not shrink, e(n)"


def foot(fit: Fit, scene: Scene) -> str:
    """Return how to read the band."""
    if scene.band is None:
        return ""
    level = say.share(fit.level)
    if scene.quantity == EFFICIENCY:
        return f"Hatched: forecast of where the curve runs, {level}."
    return f"Band: where the curve runs, {level}. Dark = inside the data, hatched = forecast."


def caption(scene: Scene) -> str:
    """Return how to read the chart of a page."""
    axes = "" if scene.quantity in (EFFICIENCY, RATE, MEASURED) else " Both axes double at every line."
    if scene.band is None:
        return f"{'Rings: runs. Dots: their means.' if len(scene.runs_n) else 'Dots: measured.'}{axes}"
    rings = "Rings: runs. Dots: their means." if len(scene.runs_n) else "Dots: measured."
    if scene.quantity == EFFICIENCY:
        return f"{rings} Hatched: forecast of where the curve runs; nothing was measured there."
    return (
        f"{rings} Band: where the curve runs; dark inside the data, hatched in the forecast, where nothing "
        f"was measured.{axes}"
    )


def chart_title(scene: Scene) -> str:
    """Return the heading over the chart of a page."""
    if scene.quantity == MEASURED:
        return "What was measured"
    return f"{say.sentence(scene.quantity)}, measured and forecast"


def chart_label(fit: Fit, scene: Scene) -> str:
    """Return what a screen reader says of the chart."""
    what = {MEASURED: "Measured values"}.get(scene.quantity, say.sentence(scene.quantity))
    ahead = f", forecast to {say.count(scene.horizon)}" if scene.forecast else ""
    measured = f"measured from {say.count(scene.first)} to {say.count(scene.last)}"
    return f"{what} against {fit.runs.unit}, {measured}{ahead}"


def _column(fit: Fit) -> str:
    """Name the column, where its name is not the one of its role."""
    role = "throughput" if fit.runs.quantity == "rate" else "time"
    name = fit.runs.columns.get(role, role)
    return "" if name == role else f" ({name})"


def _two_lines(text: str, longest: int) -> str:
    """Break text that is longer than `longest` where the longer of two lines gets shortest."""
    breaks = [i for i, letter in enumerate(text) if letter == " "]
    if len(text) <= longest or not breaks:
        return text
    at = min(breaks, key=lambda i: max(i, len(text) - i - 1))
    return f"{text[:at]}\n{text[at + 1 :]}"
