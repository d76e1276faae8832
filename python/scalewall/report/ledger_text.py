"""Ledgers as text bars, one letter a kind, and the table that adds up."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scalewall.parts import KINDS
from scalewall.report.signs import Piece, bar, plain_text
from scalewall.report.text import WIDTH, wrapped
from scalewall.wording import ledger as words
from scalewall.wording import numbers as say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scalewall.campaign import Campaign
    from scalewall.demonstration import Demonstration
    from scalewall.parts import Parts
    from scalewall.report.text import Line

LABEL, BAR = 14, 56
NAME, COLUMN, SHARE_BAR = 26, 11, 11
SHOWN_COUNTS = 5

STYLES = {"useful": "bar", "serial": "no", "serial_wait": "no", "imbalance": "open", "off_cpu": "refused"}


def screen(shown: Demonstration, *, ascii_only: bool = False) -> tuple[Line, ...]:
    """Return the whole demonstration as lines of at most 80 columns."""
    first, *rest = words.headline(shown)
    lines: list[Line] = [(Piece(text, "strong"),) for text in wrapped(first, 0, 0)]
    lines += [(Piece(text),) for part in rest for text in wrapped(part, 0, 0)]
    lines += [(), *_bars(shown)]
    lines += [(), (Piece(words.TITLES["serial"], "strong"),), *table(_parts(shown["serial"]), ascii_only)]
    lines += [(), *_shares(shown)]
    lines += [(), (Piece("What was seen", "strong"),)]
    for text in [*words.seen(shown), *words.gate(shown)]:
        lines += [(Piece(line),) for line in wrapped(text, 2, 2)]
    lines += [(), *((Piece(line, "soft"),) for line in wrapped(words.foot(shown), 0, 0))]
    return tuple(tuple(_written(piece, ascii_only) for piece in line) for line in lines)


def _written(piece: Piece, ascii_only: bool) -> Piece:
    text = piece.text.replace("\u00a0", " ").replace(say.TIMES, "x")
    return Piece(plain_text(text.replace("█", "#")) if ascii_only else text, piece.style)


def _parts(campaign: Campaign) -> list[Parts]:
    counts = campaign.counts
    chosen = counts if len(counts) <= SHOWN_COUNTS else (counts[0], *counts[1 - SHOWN_COUNTS :])
    return [campaign.parts(count) for count in chosen]


def _bars(shown: Demonstration) -> list[Line]:
    lines: list[Line] = [(Piece("Where every worker-millisecond went", "strong"),)]
    used = set()
    for part in shown.shown:
        group = _parts(part.campaign)
        scale = sign_of(max(parts.bought_ns / parts.runs / 1e6 for parts in group))
        title = f"  {words.TITLES[part.program.name]}"
        unit = f"one sign = {scale:g} ms".rjust(WIDTH - len(title))
        lines.append((Piece(title), Piece(unit, "soft")))
        for parts in group:
            pieces = [(kind, text) for kind, text in letters(parts, scale) if text]
            used |= {kind for kind, _ in pieces}
            label = f"{words.workers(parts.workers):>{LABEL - 2}}  "
            drawn = [Piece(text, STYLES.get(kind, "soft")) for kind, text in pieces]
            lines.append((Piece(label), *drawn, Piece(f"  {parts.bought_ns / parts.runs / 1e6:.0f}")))
    # A letter and its name stay on one line.
    key = ", ".join(words.key(kind) for kind in KINDS if kind in used)
    return lines + [(Piece(line, "soft"),) for line in wrapped(key, 2, 2)]


def sign_of(most: float) -> float:
    """Return how many milliseconds one sign stands for: 1, 2 or 5 times a power of ten, so that all fits."""
    least = max(most, 1e-6) / BAR
    decade = 10.0 ** math.floor(math.log10(least))
    return next(step * decade for step in (1, 2, 5, 10) if step * decade >= least)


def letters(parts: Parts, scale: float) -> list[tuple[str, str]]:
    """Return the signs of one bar by kind; together as many as the time bought needs, to the nearest."""
    mean = {kind: max(0.0, value) for kind, value in parts.mean_ms.items()}
    counted = apportioned(mean, scale)
    return [(kind, words.LETTERS[kind] * count) for kind, count in counted.items()]


def apportioned(values: Mapping[str, float], unit: float) -> dict[str, int]:
    """Return whole multiples of `unit` that add up to the rounded total, each within one of its value."""
    exact = {name: value / unit for name, value in values.items()}
    found = {name: math.floor(value) for name, value in exact.items()}
    missing = math.floor(sum(exact.values()) + 0.5) - sum(found.values())
    for name in sorted(exact, key=lambda name: found[name] - exact[name])[:missing]:
        found[name] += 1
    return found


def table(columns: Sequence[Parts], ascii_only: bool = False) -> list[Line]:
    """Return milliseconds by kind and count; the written digits add up to the written totals."""
    tenths = [apportioned(parts.mean_ms, 0.1) for parts in columns]
    last = columns[-1]
    room = WIDTH - NAME - COLUMN * len(columns)
    head = " " * NAME + "".join(f"{words.workers(parts.workers):>{COLUMN}}" for parts in columns)
    if room >= SHARE_BAR + 10:
        head += f"   share of {last.workers}"
    lines: list[Line] = [(Piece(head, "soft"),)]
    for kind in KINDS:
        if not any(column[kind] for column in tenths):
            continue
        values = "".join(f"{column[kind] / 10:>{COLUMN}.1f}" for column in tenths)
        name = f"  {words.LETTERS[kind]} {words.NAMES[kind]}".ljust(NAME)
        lines.append((Piece(name), Piece(values), *_share(last.shares[kind], room, ascii_only)))
    totals = "".join(f"{sum(column.values()) / 10:>{COLUMN}.1f}" for column in tenths)
    exactly = "   exactly n x T" if room >= 16 else ""
    lines.append((Piece("  = worker-time bought".ljust(NAME)), Piece(totals), Piece(exactly, "soft")))
    return lines


def _share(share: float, room: int, ascii_only: bool) -> tuple[Piece, ...]:
    if room < SHARE_BAR + 10:
        return ()
    drawn = bar(share, SHARE_BAR, ascii_only=ascii_only).ljust(SHARE_BAR)
    return (Piece("   "), Piece(drawn, "bar"), Piece(f"{100 * share:>4.0f} %"))


def _shares(shown: Demonstration) -> list[Line]:
    title = "Serial share of the CPU time"
    columns = "measured".ljust(18) + "by count"
    lines: list[Line] = [(Piece(title.ljust(48), "strong"), Piece(columns, "soft"))]
    for part in shown.shown:
        name = f"  {words.TITLES[part.program.name]}".ljust(48)
        found = words.share(part.campaign.f_work())
        lines.append((Piece(name), Piece(found.ljust(18)), Piece(words.known(part.program))))
    return lines
