"""The screen of a campaign under way: what is known so far, and whether it still narrows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from scalewall import wording
from scalewall.report.signs import Piece, bar, plain_text, strip, strip_head
from scalewall.report.text import STRIP_AT, WIDTH, to_text, wrapped
from scalewall.wording import numbers as say

if TYPE_CHECKING:
    from scalewall.fitting import Fit
    from scalewall.report.text import Line
    from scalewall.results import Interval

PROGRESS_WIDTH = 20
SPEEDUP_WIDTH = 23
SHOWN_ROUNDS = 6

FOOT = (
    "Order is mixed in every round, so that a slow minute hits all counts alike.",
    "Ctrl-C stops after this run and keeps what there is.",
)


@dataclass
class Running:
    """A campaign under way.

    Attributes
    ----------
    counts : tuple of int
        Worker counts, ascending.
    unit : str
        Plural of what is counted.
    last : int or None
        Number of the last round, None where only the budget or the answer ends it.
    fixed : bool
        Whether exactly so many rounds are run, rather than at most.
    round : int
        The round under way; 0 and below are warm-up rounds.
    current : int or None
        The count that runs now.
    values : dict of int to list of float
        Seconds, or rates, of the runs that count.
    rated : bool
        Whether `values` are rates.
    failed : int
        Runs that failed.
    done, total : int, int or None
        Runs that have ended, and all there will be at most.
    left_s : float or None
        Seconds that are left at most; None while that is not known.
    ranges : list of (int, Fit)
        Round and what was known after it, for rounds that had an answer.
    """

    counts: tuple[int, ...]
    unit: str
    last: int | None
    fixed: bool
    round: int = 1
    current: int | None = None
    values: dict[int, list[float]] = field(default_factory=dict)
    rated: bool = False
    failed: int = 0
    done: int = 0
    total: int | None = None
    left_s: float | None = None
    ranges: list[tuple[int, Fit]] = field(default_factory=list)


def screen(state: Running, *, ascii_only: bool = False) -> tuple[Line, ...]:
    """Return the whole screen as lines of pieces, at most 80 columns wide."""
    lines: list[Line] = [(*_head(state, ascii_only),), (), *_table(state, ascii_only)]
    lines += _ranges(state, ascii_only)
    lines += [(), *((Piece(text, "soft"),) for text in FOOT)]
    return tuple(tuple(_shown(piece, ascii_only) for piece in line) for line in lines)


def round_line(state: Running) -> str:
    """Return one line about the round that has just ended, for a pipe."""
    parts = [f"{_round(state)}: {_runs(state)}"]
    if state.failed:
        parts.append(f"{state.failed} failed")
    if state.ranges and state.ranges[-1][0] == state.round:
        fit = state.ranges[-1][1]
        ratio = wording.factors(fit.doubling.time_ratio, rate=fit.runs.quantity == "rate")
        parts.append(f"{wording.against(fit)} {fit.runs.unit}: {ratio} ({say.share(fit.level)})")
    left = _left(state)
    if left:
        parts.append(left)
    return ", ".join(parts).replace(say.TIMES, "x")


def text(state: Running) -> str:
    """Return the screen without colour."""
    return to_text(screen(state))


def _shown(piece: Piece, ascii_only: bool) -> Piece:
    words = piece.text.replace("\u00a0", " ").replace(say.TIMES, "x")
    return Piece(plain_text(words) if ascii_only else words, piece.style)


def _round(state: Running) -> str:
    if state.round < 1:
        return "warm-up round"
    if state.last is None:
        return f"round {state.round}"
    return f"round {state.round} of {'' if state.fixed else 'at most '}{state.last}"


def _runs(state: Running) -> str:
    if state.total is None:
        return say.plural(state.done, "run")
    return f"{state.done} of {say.plural(state.total, 'run')}"


def _left(state: Running) -> str:
    if state.left_s is None or (state.total is not None and state.done >= state.total):
        return ""
    at_most = "" if state.fixed else " at most"
    return f"{duration(state.left_s)} left{at_most}"


def duration(seconds: float) -> str:
    """Return a length of time for a person who waits: minutes from 100 s on, hours from 100 min on."""
    if seconds < 99.5:
        return f"{say.whole(max(seconds, 1.0)) if seconds >= 1 else say.digits(max(seconds, 0.01), 1)} s"
    minutes = seconds / 60
    return f"{say.whole(minutes)} min" if minutes < 99.5 else f"{minutes / 60:.1f} h"


def _head(state: Running, ascii_only: bool) -> list[Piece]:
    pieces = [Piece(f"{_round(state)}   ", "strong")]
    if state.total:
        filled = bar(state.done / state.total, PROGRESS_WIDTH, ascii_only=ascii_only)
        pieces.append(Piece(f"{filled:<{PROGRESS_WIDTH}}", "bar"))
    tail = "  ".join(part for part in (_runs(state), _left(state)) if part)
    failed = f"  {state.failed} failed" if state.failed else ""
    return [*pieces, Piece(f"{tail}{failed}")]


def _table(state: Running, ascii_only: bool) -> list[Line]:
    means = {n: float(np.exp(np.mean(np.log(v)))) for n, v in state.values.items() if v}
    speed = {n: mean if state.rated else 1.0 / mean for n, mean in means.items()}
    base = speed.get(min(speed, default=0), 1.0)
    ratios = {n: value / base for n, value in speed.items()}
    full = max(ratios.values(), default=1.0) * 5 / 3
    unit = say.time_unit(means.values())
    lines: list[Line] = [(Piece(f"{state.unit:>12}{'so far':>13}{'scatter':>11}   speedup", "soft"),)]
    for n in state.counts:
        values = state.values.get(n, [])
        mean = "" if not values else say.digits(means[n], 3) if state.rated else say.time(means[n], unit)
        spread = float(np.std(np.log(values), ddof=1)) if len(values) > 1 else None
        scatter = "" if spread is None else f"{100 * spread:.1f} %"
        filled = bar(ratios[n] / full, SPEEDUP_WIDTH, ascii_only=ascii_only) if n in ratios else ""
        speedup = f"{ratios[n]:.1f}{say.TIMES}" if n in ratios else ""
        running = "   running" if n == state.current else ""
        lines.append(
            (
                Piece(f"{say.count(n):>12}{mean:>13}{scatter:>11}   "),
                Piece(f"{filled:<{SPEEDUP_WIDTH}}", "bar"),
                Piece(f"{speedup:>8}{running}"),
            )
        )
    return lines


def _ranges(state: Running, ascii_only: bool) -> list[Line]:
    if not state.ranges:
        return []
    fit = state.ranges[-1][1]
    rate = fit.runs.quantity == "rate"
    to, start = say.count(fit.doubling.to), say.count(fit.doubling.start)
    words = (
        f"{to} {fit.runs.unit} against {start}, as of now: "
        f"{wording.factors(fit.doubling.time_ratio, rate=rate)}  ({say.share(fit.level)})"
    )
    lines: list[Line] = [(), *((Piece(line, "strong"),) for line in wrapped(words, 0, 2, WIDTH))]
    lines.append((Piece(" " * STRIP_AT), Piece(strip_head(fit.gain, say.share(fit.gain)), "soft")))
    for round_, found in state.ranges[-SHOWN_ROUNDS:]:
        ratio: Interval = found.doubling.time_ratio
        pieces = strip(ratio, found.gain, wording.answer(found).tone, ascii_only=ascii_only)
        lines.append((Piece(f"  round {round_}".ljust(STRIP_AT)), *pieces))
    return lines
