"""What to measure next, and how much of the uncertainty that leaves."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scalewall.wording import numbers as say
from scalewall.wording.verdict import HARDLY

if TYPE_CHECKING:
    from scalewall.fitting import Fit
    from scalewall.results import Measurement

LEFT = "what is left of the uncertainty"
"""Head of the bars."""


@dataclass(frozen=True)
class Step:
    """One measurement that could be made.

    Attributes
    ----------
    text : str
        "40 processors, 1 run".
    left : float or None
        Share of the uncertainty that is left; None where it cannot be foretold.
    words : str
        "23 %", with "hardly helps" in `remark` where it does.
    remark : str
        Empty, or "hardly helps".
    best : bool
        Whether this is the one to make.
    """

    text: str
    left: float | None
    words: str
    remark: str
    best: bool


@dataclass(frozen=True)
class Next:
    """What to measure next: one sentence, or steps to choose from."""

    sentence: str
    steps: tuple[Step, ...] = ()


def measure_next(fit: Fit) -> Next:
    """Return what to measure next."""
    units, one = fit.runs.unit, fit.runs.unit_one
    if fit.kind == "weak":
        sentence = (
            f"One problem of fixed size on 4 {one} counts: only fixed work tells which part is serial."
            if fit.serial_fraction is None
            else "Nothing needed for the serial share: it was measured."
        )
        return Next(sentence)
    if fit.kind == "unknown":
        return Next("Nothing before it is said what the rows are.")
    answer = fit.doubling.answer
    if answer == "no":
        look = "See what the {} wait for" if fit.kind == "throughput" else "Look at what the {} share"
        return Next(f"Nothing: the question is answered. {look.format(units)}.")
    if answer == "yes":
        far = 4 * fit.doubling.start
        reach = fit.cap is None or far <= fit.cap
        more = f" To know more: {say.count(far)} {units}, 3 runs." if reach else ""
        return Next(f"Nothing needed.{more}")
    steps = tuple(_step(fit, m) for m in _ordered(fit))
    return Next("" if steps else "Nothing within reach would settle the question.", steps)


def _ordered(fit: Fit) -> tuple[Measurement, ...]:
    known = fit.candidates
    if fit.next is not None and not any(_same(m, fit.next) for m in known):
        return (fit.next, *known)
    return known


def _same(a: Measurement, b: Measurement) -> bool:
    return a.n == b.n and a.repeats == b.repeats


def _step(fit: Fit, m: Measurement) -> Step:
    known = any(c.n == m.n for c in fit.counts)
    if known:
        text = f"{m.repeats} more {'run' if m.repeats == 1 else 'runs'} at {say.count(m.n)}"
    else:
        units = fit.runs.unit_one if m.n == 1 else fit.runs.unit
        text = f"{say.count(m.n)} {units}, {say.plural(m.repeats, 'run')}"
    best = fit.next is not None and _same(m, fit.next)
    left = m.shrinks_to
    if left is None or not math.isfinite(left):
        return Step(text, None, "cannot be foretold", "", best)
    return Step(text, left, say.share(left), "hardly helps" if left > HARDLY else "", best)
