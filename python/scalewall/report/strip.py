"""The strip of the doubling answer as SVG: half as fast, same, twice as fast, and the range on it."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING

from scalewall.wording import numbers as say

if TYPE_CHECKING:
    from scalewall.results import Interval


WIDTHS = (720.0, 362.0)
"""Widths in pixels of the strips for a wide and a narrow page."""


FASTER = ("half as fast", "twice as fast", "faster")
HIGHER = ("half the rate", "twice the rate", "more")
"""Words at the left end, at the right end, and behind the share that counts as help."""


def strip(
    ratio: Interval, gain: float, *, color: str, label: str, words: tuple[str, str, str], width: float
) -> str:
    """Return the strip "half as fast ... same ... twice as fast" with the range of the answer on it.

    Parameters
    ----------
    ratio : Interval
        Range of T(2n)/T(n).
    gain : float
        Share that counts as help; marked on the strip.
    color : str
        Name of the CSS variable of the verdict.
    label : str
        What a screen reader says.
    words : tuple of str
        `FASTER`, or `HIGHER` for a load curve.
    width : float
        Width in pixels.
    """
    left, right = 20.0, width - 20.0
    half, twice, more = words

    def at(ratio: float) -> float:
        return (left + right) / 2 + min(max(-math.log2(ratio), -1.0), 1.0) * (right - left) / 2

    same, mark = at(1.0), at(1 / (1 + gain))
    start, end = at(ratio.high), at(ratio.low)
    if end - start < 3:  # a dot that can be seen
        start, end = (start + end - 3) / 2, (start + end + 3) / 2
    line = 'y1="26" y2="26" stroke-width="8" stroke-linecap="round"'
    side = f'x="{mark + 4:.1f}"' if mark < right - 90 else f'x="{mark - 4:.1f}" text-anchor="end"'
    help_words = escape(say.glue(f"{say.share(gain)} {more}"))
    return (
        f'<svg viewBox="0 0 {width:g} 58" role="img" aria-label="{escape(label)}">'
        f'<line x1="{left:g}" x2="{right:g}" {line} stroke="var(--hair)"/>'
        f'<line x1="{start:.1f}" x2="{end:.1f}" {line} stroke="var(--{color})"/>'
        f'<path d="M{same:g} 12V40" stroke="var(--ink)" stroke-width="1.5"/>'
        f'<path d="M{mark:.1f} 14V38" stroke="var(--soft)" stroke-width="1.2" stroke-dasharray="3 2"/>'
        f'<g font-size="13"><text x="{left:g}" y="54" class="s">{half}</text>'
        f'<text x="{same:g}" y="54" text-anchor="middle">same</text>'
        f'<text {side} y="11" font-size="12">{help_words}</text>'
        f'<text x="{right:g}" y="54" text-anchor="end" class="s">{twice}</text></g></svg>'
    )
