"""The signs of the screen: bars in eighths, the strip from half to twice as fast, and plain forms of both."""

from __future__ import annotations

import math
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from scalewall.results import Interval

EFFICIENCY_WIDTH = 16
LEFT_WIDTH = 12
STRIP_WIDTH = 45
MIDDLE = STRIP_WIDTH // 2

_EIGHTHS = " ▏▎▍▌▋▊▉"
_PLAIN = str.maketrans(
    {
        "–": "-",
        "−": "-",
        "×": "x",
        "\u00a0": " ",
        "\u202f": " ",
        "µ": "u",
        "μ": "u",
        "…": "~",
        "“": '"',
        "”": '"',
        "‘": "'",
        "’": "'",
        "²": "2",
        "±": "~",
    }
)


class Piece(NamedTuple):
    """A stretch of one line and how it looks: "", "strong", "soft", "bar" or the tone of a verdict."""

    text: str
    style: str = ""


def bar(part: float, width: int, *, ascii_only: bool = False) -> str:
    """Return a bar of `part` of `width`, to an eighth of a sign; full where `part` is 1 or more."""
    filled = min(max(part if math.isfinite(part) else 0.0, 0.0), 1.0) * width
    eighths = math.floor(filled * 8 + 0.5)
    if ascii_only:
        return "#" * ((eighths + 4) // 8)
    return ("█" * (eighths // 8) + _EIGHTHS[eighths % 8]).rstrip()


def forecast_bar(part: float, width: int, *, ascii_only: bool = False) -> str:
    """Return a bar that cannot be taken for a measured one."""
    filled = min(max(part if math.isfinite(part) else 0.0, 0.0), 1.0) * width
    return (":" if ascii_only else "▒") * math.floor(filled + 0.5)


def strip(ratio: Interval, gain: float, tone: str, *, ascii_only: bool = False) -> tuple[Piece, ...]:
    """Return the strip: where T(2n)/T(n) lies between half as fast (left) and twice as fast (right).

    A range that goes on beyond an end has an arrow there.
    """
    low, high = _place(_inverse(ratio.high)), _place(_inverse(ratio.low))
    start, stop = (round(min(max(end, 0.0), STRIP_WIDTH - 1.0)) for end in (low, high))
    mark = _mark(gain)
    same_out, gain_out, rest, inside, same_in, gain_in = "|:.=|!" if ascii_only else "│┊·━┿╂"
    pieces: list[Piece] = []
    for i in range(STRIP_WIDTH):
        within = start <= i <= stop
        if within:
            sign = same_in if i == MIDDLE else gain_in if i == mark else inside
            if (i == 0 and low < -0.5) or (i == STRIP_WIDTH - 1 and high > STRIP_WIDTH - 0.5):
                sign = "<" if i == 0 else ">"
        else:
            sign = same_out if i == MIDDLE else gain_out if i == mark else rest
        style = tone if within else "soft"
        if pieces and pieces[-1].style == style:
            pieces[-1] = Piece(pieces[-1].text + sign, style)
        else:
            pieces.append(Piece(sign, style))
    return tuple(pieces)


def strip_head(gain: float, gain_words: str) -> str:
    """Return the words above the strip, each above its place."""
    head = list("half as fast".ljust(STRIP_WIDTH))
    _write(head, MIDDLE - 3, "same")
    mark = _mark(gain)
    if mark == MIDDLE:
        _write(head, STRIP_WIDTH - 13, "twice as fast")
        return "".join(head).rstrip()
    words = f"+{gain_words}"
    start = min(max(mark, MIDDLE + 2), STRIP_WIDTH - len(words))
    if start + len(words) < STRIP_WIDTH - 13:
        _write(head, STRIP_WIDTH - 13, "twice as fast")
    _write(head, start, words)
    return "".join(head).rstrip()


def plain_text(text: str) -> str:
    """Return `text` with bytes up to 127 only, sign for sign."""
    return "".join(sign if sign.isascii() else "?" for sign in text.translate(_PLAIN))


def width(text: str) -> int:
    """Return how many columns of a terminal `text` fills."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in text
    )


def printable(text: str) -> str:
    """Return `text` without signs that steer a terminal; what came from a file may hold any."""
    return "".join(sign if sign.isprintable() or sign == "\u00a0" else " " for sign in text)


def _place(speed: float) -> float:
    """Return the place of a speed ratio on the strip; its ends are one half and two."""
    if speed <= 0:
        return -math.inf
    return MIDDLE * (1 + math.log2(speed)) if math.isfinite(speed) else math.inf


def _inverse(value: float) -> float:
    return 1 / value if value > 0 else math.inf


def _mark(gain: float) -> int:
    return min(round(_place(1 + gain)), STRIP_WIDTH - 1)


def _write(line: list[str], start: int, words: str) -> None:
    line[start : start + len(words)] = words
