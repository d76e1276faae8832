"""The answer as text of at most 80 columns, in the order of every answer: verdict first, cautions last."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scalewall import wording
from scalewall.report.runs_table import runs_table
from scalewall.report.signs import (
    LEFT_WIDTH,
    Piece,
    bar,
    plain_text,
    printable,
    strip,
    strip_head,
    width,
)
from scalewall.wording import numbers as say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scalewall.fitting import Fit

WIDTH = 80
STRIP_AT = 20
WALL_TEXT_AT, WALL_VALUE_AT = 16, 52
LEFT_AT, LEFT_HEAD_AT = 43, 45
READING_AT, READING_AT_MOST = 41, 50

Line = tuple[Piece, ...]


def summary(fit: Fit, *, every_count: bool = False) -> str:
    """Return the whole answer as plain text.

    Parameters
    ----------
    fit : Fit
        Any fit, refused ones too.
    every_count : bool, default False
        Show every worker count, not eight of them.
    """
    return to_text(screen(fit, every_count=every_count, hint="fit.counts holds every row"))


def screen(
    fit: Fit, *, every_count: bool = False, ascii_only: bool = False, hint: str = "--all shows every row"
) -> tuple[Line, ...]:
    """Return the screen as lines of pieces; `hint` is how the reader gets every count."""
    lines: list[Line] = [*_head(fit)]
    if fit.refusal is None:
        lines += _strip(fit, ascii_only)
        lines += _wall(fit)
        table, hidden = runs_table(fit, every_count=every_count, ascii_only=ascii_only)
        lines += [(), *table]
        lines += _next(fit, ascii_only)
        shown = f"{hidden + 8} counts, 8 shown; {hint}." if hidden else ""
        lines += _care(fit, shown)
    else:
        lines += [*_readings(fit), *_refused_care(fit)]
    return tuple(part for line in lines for part in _folded(_cleaned(line, ascii_only)))


def to_text(lines: Iterable[Line]) -> str:
    """Return lines without colour, ends of lines trimmed."""
    return "\n".join("".join(piece.text for piece in line).rstrip() for line in lines)


def wrapped(text: str, first: int, rest: int, limit: int = WIDTH) -> list[str]:
    """Return `text` in lines of at most `limit` columns, the first indented by `first`, others by `rest`."""
    lines, line, filled, indent = [], "", 0, first
    for word in _words(wording.glue(printable(text)), limit - max(first, rest)):
        size = width(word)
        if line and indent + filled + 1 + size > limit:
            lines.append(" " * indent + line)
            line, filled, indent = "", 0, rest
        line, filled = (f"{line} {word}", filled + 1 + size) if line else (word, size)
    if line:
        lines.append(" " * indent + line)
    return lines


def _words(text: str, room: int) -> Iterable[str]:
    """Yield the words of `text`, those longer than a line in pieces."""
    for word in text.split(" "):
        piece = ""
        for sign in word:
            if width(piece + sign) > room:
                yield piece
                piece = ""
            piece += sign
        if piece:
            yield piece


def _cleaned(line: Line, ascii_only: bool) -> Line:
    clean = [Piece(piece.text.replace("\u00a0", " ").replace(say.TIMES, "x"), piece.style) for piece in line]
    return tuple(Piece(plain_text(p.text), p.style) if ascii_only else p for p in clean)


def _folded(line: Line) -> Iterable[Line]:
    """Yield a line, or its parts where names or numbers are too long for the layout: nothing is cut off."""
    if sum(width(piece.text.rstrip() if piece is line[-1] else piece.text) for piece in line) <= WIDTH:
        yield line
        return
    part: list[Piece] = []
    filled = 0
    for piece in line:
        text = ""
        for sign in piece.text:
            if filled + width(sign) > WIDTH:
                yield (*part, Piece(text, piece.style))
                part, text, filled = [Piece(" " * 4)], "", 4
            text += sign
            filled += width(sign)
        part.append(Piece(text, piece.style))
    yield tuple(part)


def _head(fit: Fit) -> list[Line]:
    answer = wording.answer(fit)
    at = len(answer.word) + 2
    sentence = wrapped(answer.sentence, at, at)
    lines: list[Line] = [
        (Piece(answer.word, answer.tone), Piece("  "), Piece(sentence[0].lstrip(" "), "strong"))
    ]
    lines += [(Piece(line, "strong"),) for line in sentence[1:]]
    lines += [(Piece(line),) for line in wrapped(answer.advice, at, at)]
    return lines


def _strip(fit: Fit, ascii_only: bool) -> list[Line]:
    ratio = fit.doubling.time_ratio
    if fit.kind == "weak" or fit.doubling.answer == "not answered":
        return []
    if ratio is None or math.isnan(ratio.low) or math.isnan(ratio.high):
        return []
    label = "  " + wording.against(fit)
    head = (Piece(" " * STRIP_AT), Piece(strip_head(fit.gain, say.share(fit.gain)), "soft"))
    pieces = strip(ratio, fit.gain, wording.answer(fit).tone, ascii_only=ascii_only)
    if len(label) + 2 > STRIP_AT:
        return [(), (Piece(label),), head, (Piece(" " * STRIP_AT), *pieces)]
    return [(), head, (Piece(label.ljust(STRIP_AT)), *pieces)]


def _wall(fit: Fit) -> list[Line]:
    rows = wording.wall(fit)
    if not rows:
        return []
    title, level = "What stands in the way", f"{say.share(fit.level)} interval"
    lines: list[Line] = [
        (),
        (Piece(title, "strong"), Piece(" " * (WALL_VALUE_AT - len(title))), Piece(level, "soft")),
    ]
    for row in rows:
        text = wrapped(f"{row.text} *" if row.star else row.text, 0, 2, WALL_VALUE_AT - WALL_TEXT_AT - 1)
        values = wrapped(row.value, 0, 2, WIDTH - WALL_VALUE_AT)
        values += wrapped(f"({row.remark})" if row.remark else "", 0, 0, WIDTH - WALL_VALUE_AT)
        for i in range(max(len(text), len(values))):
            name = f"  {row.name}" if i == 0 else ""
            left = text[i] if i < len(text) else ""
            right = values[i] if i < len(values) else ""
            lines.append((Piece(f"{name:<{WALL_TEXT_AT}}{left:<{WALL_VALUE_AT - WALL_TEXT_AT}}{right}"),))
    return lines


def _next(fit: Fit, ascii_only: bool) -> list[Line]:
    step = wording.measure_next(fit)
    title = "Measure next"
    if not step.steps:
        at = len(title) + 2
        lines = wrapped(step.sentence, at, at)
        return [
            (),
            (Piece(title, "strong"), Piece(" " * 2), Piece(lines[0].lstrip(" "))),
            *((Piece(line),) for line in lines[1:]),
        ]
    gap = " " * (LEFT_HEAD_AT - len(title))
    out: list[Line] = [(), (Piece(title, "strong"), Piece(gap), Piece(wording.LEFT, "soft"))]
    for row in step.steps:
        mark = Piece("  > ", "strong") if row.best else Piece("    ")
        if row.left is None:
            out.append((mark, Piece(f"{row.text:<{LEFT_AT - 4}}{row.words}")))
            continue
        filled = bar(row.left, LEFT_WIDTH, ascii_only=ascii_only)
        tail = f"  {row.remark}" if row.remark else ""
        out.append(
            (
                mark,
                Piece(f"{row.text:<{LEFT_AT - 4}}"),
                Piece(f"{filled:<{LEFT_WIDTH}}", "bar"),
                Piece(f"{row.words:>6}{tail}"),
            )
        )
    return out


def _care(fit: Fit, shown: str) -> list[Line]:
    star = any(row.star for row in wording.wall(fit))
    lines = _left_out(fit, 2)
    for text in (*wording.remarks(fit), shown, f"* {wording.STAR}" if star else ""):
        lines += wrapped(text, 2, 4)
    if not lines:
        return []
    return [(), (Piece("Read with care", "strong"),), *((Piece(line),) for line in lines)]


def _left_out(fit: Fit, indent: int) -> list[str]:
    rows = wording.left_out(fit)
    if not rows:
        return []
    head = f"{say.plural(len(fit.rejected), 'row')} left out: "
    if len(rows) == 1:
        return wrapped(head + rows[0] + ("" if rows[0].endswith(".") else "."), indent, indent + 2)
    at = indent + len(head)
    lines = wrapped(head + rows[0], indent, at + 2)
    for row in rows[1:]:
        lines += wrapped(row, at, at + 2)
    return lines


def _readings(fit: Fit) -> list[Line]:
    readings = fit.refusal.readings if fit.refusal is not None else ()
    if not readings:
        return []
    longest = max(width(text) for text, _ in readings)
    at = min(max(READING_AT, 4 + longest + 2), READING_AT_MOST)
    lines: list[Line] = [(), (Piece("  It is one of these; say which:"),)]
    for text, flag in readings:
        left = wrapped(text, 4, 6, at - 2)
        right = wrapped(flag, 0, 2, WIDTH - at)
        for i in range(max(len(left), len(right))):
            head = left[i] if i < len(left) else ""
            lines.append((Piece(f"{head:<{at}}"), Piece(right[i] if i < len(right) else "", "strong")))
    return lines


def _refused_care(fit: Fit) -> list[Line]:
    """Name the rows that could not be used under the sentence they explain, then what else is known."""
    at = len(wording.answer(fit).word) + 2
    rows = [line for row in wording.left_out(fit) for line in wrapped(row, at, at + 2)]
    lines = [line for text in wording.remarks(fit) for line in wrapped(text, 2, 4)]
    gap: list[Line] = [()] if lines else []
    return [*((Piece(row),) for row in rows), *gap, *((Piece(line),) for line in lines)]
