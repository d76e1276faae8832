"""The first lines of every answer: a verdict word, one sentence with a number and both counts, what to do."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scalewall.wording import numbers as say
from scalewall.wording import weak

if TYPE_CHECKING:
    from scalewall.fitting import Fit
    from scalewall.results import Interval, Measurement

SETTLES = 0.25
"""Where the middle is not known, a question counts as settled with so much of the uncertainty left."""

HARDLY = 0.85
"""A measurement that leaves more than this share hardly helps."""

_SAME = 5e-4
"""Ratios nearer to 1 than this read as the same."""

TONES = {
    "yes": "yes",
    "no": "no",
    "leaning yes": "open",
    "leaning no": "open",
    "cannot tell": "open",
    "not answered": "open",
}


@dataclass(frozen=True)
class Answer:
    """The head of a result.

    Attributes
    ----------
    word : str
        YES, NO, LEANING YES, LEANING NO, CANNOT TELL, REFUSED or WEAK SCALING.
    sentence : str
        One sentence with a number and both counts; after CANNOT TELL it goes on from the word.
    advice : str
        What to do, one line.
    tone : str
        "yes", "no", "open", "refused" or "plain": which colour the word has.
    """

    word: str
    sentence: str
    advice: str
    tone: str


def answer(fit: Fit) -> Answer:
    """Return verdict word, sentence and advice of a fit."""
    if fit.refusal is not None:
        head, _, rest = fit.refusal.reason.partition(". ")
        return Answer("REFUSED", _closed(head), _closed(rest) if rest else "", "refused")
    if fit.kind == "weak":
        return Answer("WEAK SCALING", weak.sentence(fit), weak.growth(fit), "plain")
    verdict = fit.doubling.answer
    word = "CANNOT TELL" if verdict == "not answered" else verdict.upper()
    return Answer(word, _sentence(fit), _advice(fit), TONES.get(verdict, "open"))


def against(fit: Fit) -> str:
    """Return "40 against 20": the two counts of the doubling question."""
    return f"{say.count(fit.doubling.to)} against {say.count(fit.doubling.start)}"


def _sentence(fit: Fit) -> str:
    d = fit.doubling
    to, start, units = say.count(d.to), say.count(d.start), fit.runs.unit
    rate = fit.kind == "throughput"
    if fit.kind == "unknown":
        return f"whether {to} {units} beat {start}: what stays the same from row to row is not said."
    if d.answer == "not answered" or not _usable(d.time_ratio):
        return f"whether {to} {units} beat {start}: no range can be given."
    ratio = d.time_ratio
    if d.answer in ("leaning yes", "leaning no"):
        level = " (80 % range)"
        ratio = d.inner or d.time_ratio
        text = (
            _saves(fit, ratio, "would probably")
            if d.answer == "leaning yes"
            else _fails(fit, ratio, "probably ")
        )
        return f"{to} {units} {text}{level}."
    if d.answer == "yes":
        return f"{to} {units} {_saves(fit, ratio, 'would')}."
    if d.answer == "no":
        return f"{to} {units} {_fails(fit, ratio, '')}."
    what = "rate " if rate else ""
    limit = _limit(fit, ratio)
    return f"whether {to} {units} beat {start}{limit}: {what}{factors(ratio, rate=rate)}."


def _limit(fit: Fit, ratio: Interval) -> str:
    """Name the threshold where both ends are faster: else the range itself says what is open."""
    return f" by {say.share(fit.gain)}" if ratio.high < 1 - _SAME else ""


def _saves(fit: Fit, ratio: Interval, would: str) -> str:
    start = say.count(fit.doubling.start)
    if fit.kind == "throughput":
        most = say.ratio(1, ratio.low) - 1
        return f"{would} raise the rate of {start} by {say.shares(1 / ratio.high - 1, most)}"
    return f"{would} cut the time of {start} by {say.shares(1 - ratio.high, 1 - ratio.low)}"


def _fails(fit: Fit, ratio: Interval, probably: str) -> str:
    start, low, high = say.count(fit.doubling.start), ratio.low, ratio.high
    gain = say.share(fit.gain)
    if fit.kind == "throughput":
        low, high = 1 / high, 1 / low
        if high < 1 - _SAME:
            return f"would {probably}lower the rate of {start} by {say.shares(1 - high, 1 - low)}"
        tail = _change(low, high, "lower", "higher")
        return f"would {probably}not raise the rate of {start} by {gain}: {tail}"
    if low <= 1 + _SAME:
        tail = _change(low, high, "less time", "more time")
        return f"would {probably}not be {gain} faster than {start}: {tail}"
    if high > 3:
        return f"would {probably}take {say.span(low, high)} times as long as {start}"
    return f"would {probably}be {say.shares(low - 1, high - 1)} slower than {start}"


def _change(low: float, high: float, less: str, more: str) -> str:
    """Return a range of ratios about 1 as per cent less or more."""
    if abs(low - 1) <= _SAME and abs(high - 1) <= _SAME:
        return "the same"
    if high <= 1 + _SAME:
        return f"{say.shares(max(0.0, 1 - high), 1 - low)} {less}"
    if low >= 1 - _SAME:
        return f"{say.shares(max(0.0, low - 1), high - 1)} {more}"
    less = less.removesuffix(" time")
    return f"{say.share(1 - low)} {less} to {say.share(high - 1)} {more}"


def factors(ratio: Interval, *, rate: bool) -> str:
    """Return a range of T(2n)/T(n) as factors, fastest end first ("1.33x faster to 1.32x slower")."""
    if abs(ratio.low - 1) <= _SAME and abs(ratio.high - 1) <= _SAME:
        return "the same"
    faster, slower = ("higher", "lower") if rate else ("faster", "slower")
    best = f"{say.factor(1 / ratio.low)} {faster}" if ratio.low > 0 else f"any factor {faster}"
    if ratio.high < 1 - _SAME:
        return f"{say.factor(1 / ratio.high)} to {best}"
    if ratio.high <= 1 + _SAME:
        return f"{best} to the same"
    worst = f"{say.factor(ratio.high)} {slower}" if math.isfinite(ratio.high) else f"any factor {slower}"
    if ratio.low > 1 + _SAME:
        return f"{say.factor(ratio.low)} to {worst}"
    if ratio.low >= 1 - _SAME:
        return f"the same to {worst}"
    return f"{best} to {worst}"


def _advice(fit: Fit) -> str:
    verdict = fit.doubling.answer
    if verdict == "yes":
        return _advice_yes(fit)
    if verdict == "no":
        return _advice_no(fit)
    return _advice_open(fit)


def _advice_yes(fit: Fit) -> str:
    knee = fit.knee(fit.options.efficiency)
    units, d = fit.runs.unit, fit.doubling
    if knee is not None and math.isfinite(knee.high) and knee.high < d.to:
        return (
            f"But {wasted_part(fit.options.efficiency)} the {units} are wasted from {say.counts(*knee)} on."
        )
    if fit.peak_n is not None and math.isfinite(fit.peak_n.high):
        verb = "It gets slower" if falls(fit) else "It gains no more"
        return f"{verb} beyond {say.counts(*fit.peak_n)} {units}."
    if fit.ceiling is not None and math.isfinite(fit.ceiling.high):
        return f"There is an end to it: {ceiling_phrase(fit)}."
    if fit.peak_n is not None and fit.peak_n.low < d.to:
        return "Where the gain ends cannot be told from these data."
    return "No end is in sight up to 4 times the data; beyond that we say nothing."


def _advice_no(fit: Fit) -> str:
    knee, units, d = fit.knee(fit.options.efficiency), fit.runs.unit, fit.doubling
    stop = d.start
    about = ""
    if fit.peak_n is not None and fit.peak_n.low < d.start:
        stop, about = max(1.0, math.floor(fit.peak_n.low)), "about "
    part = wasted_part(fit.options.efficiency)
    if knee is not None and math.isfinite(knee.high) and knee.low < d.start:
        wasted = f"{part} the {units} are already wasted from {say.counts(*knee)} on."
        return f"Stop at {about}{say.count(stop)}: {wasted}"
    return f"Stop at {about}{say.count(stop)}: {say.count(d.to)} {units} bring little."


def _advice_open(fit: Fit) -> str:
    if fit.kind == "unknown":
        return f"Say --scaling strong, weak or throughput. What {fit.insisted} says by itself stands below."
    before = "" if fit.kind == "throughput" else " Buy nothing before."
    reachable = [m for m in fit.candidates if m.shrinks_to is not None and m.shrinks_to <= HARDLY]
    settling = [m for m in reachable if m.shrinks_to is not None and _settles(fit, m.shrinks_to)]
    if fit.next is None and not fit.candidates:
        return "Nothing that can be measured here would change that."
    if settling:
        return f"{_runs_on(settling[0], fit)} should settle it.{before}"
    step = fit.next if fit.next is not None and fit.next.shrinks_to is not None else None
    if step is None and reachable:
        step = reachable[0]
    if step is None or step.shrinks_to is None:
        return (
            f"{_runs_on(fit.next, fit)} would say most.{before}" if fit.next is not None else _hopeless(fit)
        )
    if step.shrinks_to > HARDLY:
        return _hopeless(fit)
    cut = "cuts" if step.repeats == 1 else "cut"
    return f"{_runs_on(step, fit)} {cut} the uncertainty to {say.share(step.shrinks_to)}.{before}"


def _settles(fit: Fit, left: float) -> bool:
    """Return whether what is left of the range, about its middle, lies on one side of the threshold."""
    (low, high), mid = fit.doubling.time_ratio, fit.doubling.mid
    if not (low > 0 and math.isfinite(high) and low <= mid <= high):
        return left <= SETTLES
    threshold = 1.0 / (1.0 + fit.gain)
    return bool(mid * (high / mid) ** left <= threshold or mid * (low / mid) ** left >= threshold)


def _hopeless(fit: Fit) -> str:
    largest = say.count(fit.cap if fit.cap is not None else fit.doubling.start)
    return f"More runs up to {largest} {fit.runs.unit} will hardly change that."


def _runs_on(step: Measurement, fit: Fit) -> str:
    runs = f"{say.sentence(say.word(step.repeats))} {'run' if step.repeats == 1 else 'runs'}"
    more = " more" if any(c.n == step.n for c in fit.counts) else ""
    return f"{runs.split(' ', maxsplit=1)[0]}{more} {runs.split(' ')[1]} on {say.count(step.n)}"


def ceiling_phrase(fit: Fit) -> str:
    """Return the ceiling in words, as in "ceiling 12.4–13.0×" or "ceiling unknown, 4.0–40×"."""
    if fit.ceiling is None:
        return ""
    low, high = fit.ceiling
    best = best_speedup(fit)
    if not math.isfinite(high):
        return f"no ceiling visible, at least {at_least(low, best)}"
    low = max(low, min(best, high))
    if low > 0 and high / low <= 2:
        return f"ceiling {say.factors(low, high)}"
    if low > 0 and high / low <= 3:
        return f"ceiling roughly {say.factors(low, high)}"
    return f"ceiling unknown, {say.factors(low, high)}"


def best_speedup(fit: Fit) -> float:
    """Return the largest speedup measured, 0 where there is none."""
    return max((c.speedup for c in fit.counts if c.speedup is not None), default=0.0)


def at_least(low: float, best: float) -> str:
    """Return a lower bound of the speedup; it never reads less than the best speedup that was measured."""
    bound = max(low, best)
    if not math.isfinite(bound):
        return say.speedup(best)
    text = say.digits(bound)
    return text + say.TIMES if float(text.replace(" ", "")) >= best else say.speedup(bound)


def wasted_part(efficiency: float) -> str:
    """Return "half" or "25 % of": the part of the workers that an efficiency wastes."""
    return "half" if math.isclose(efficiency, 0.5) else f"{say.share(1 - efficiency)} of"


def falls(fit: Fit) -> bool:
    """Return whether more is slower beyond the peak; with saturation kept it only gains nothing."""
    return "saturation" not in standing(fit)


def standing(fit: Fit) -> tuple[str, ...]:
    """Return the laws behind the ranges: those that the data allow, or the one that was asked for."""
    if fit.insisted is not None:
        return (fit.insisted,)
    return tuple(law.law for law in fit.laws if law.kept)


def _usable(ratio: Interval | None) -> bool:
    return ratio is not None and not (math.isnan(ratio.low) or math.isnan(ratio.high)) and ratio.high > 0


def _closed(text: str) -> str:
    return text if text.endswith((".", ":", "?", "!")) else text + "."
