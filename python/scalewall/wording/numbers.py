"""How numbers read: digits, ranges, counts, shares, factors and times."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

DASH = "–"
"""Between the ends of a range."""

TIMES = "×"
"""After a factor; a terminal writes x."""

CLOSE = 0.08
"""Ends nearer to one another than this share need a third digit to be told apart."""

_NOTHING = 1e-3
"""The lower end of a range of shares reads 0 below this part of the upper end."""

_HALVES_UP = 1 + 1e-12
"""3.55 is a little less than that in binary; people still expect 3.6."""

_GLUE = re.compile(r"(?<=\d) (?=%|\d{3}(?!\d)|(?:ns|µs|ms|s|min|h)\b)")


def digits(value: float, count: int = 2) -> str:
    """Return `value` with `count` significant digits, thousands apart, without exponent where possible.

    Parameters
    ----------
    value : float
        Any number; infinities read "infinite".
    count : int, default 2
        Significant digits.
    """
    if not math.isfinite(value):
        return "infinite" if value > 0 else "-infinite" if value < 0 else "unknown"
    if value == 0:
        return "0"
    value *= _HALVES_UP
    exponent = int(f"{value:.{count - 1}e}".split("e")[1])
    if not -6 <= exponent < 15:
        return f"{value:.{count - 1}e}"
    decimals = count - 1 - exponent
    return group(f"{round(value, decimals):.{max(0, decimals)}f}")


def group(number: str) -> str:
    """Put a thin gap between thousands of a written number, from five digits on."""
    sign, body = ("-", number[1:]) if number.startswith("-") else ("", number)
    whole, point, rest = body.partition(".")
    if len(whole) < 5 or not whole.isdigit():
        return number
    head = len(whole) % 3
    parts = ([whole[:head]] if head else []) + [whole[i : i + 3] for i in range(head, len(whole), 3)]
    return sign + " ".join(parts) + point + rest


def span(low: float, high: float) -> str:
    """Return a range: two digits an end, three where the ends lie within 8 %, one number where they agree.

    An open range reads "any", or "4.0 or more".
    """
    if high == math.inf:
        return f"{digits(low)} or more" if low > 0 and math.isfinite(low) else "any"
    count = 3 if high - low < CLOSE * abs(high) else 2
    return _ends(digits(low, count), digits(high, count))


def count(n: float) -> str:
    """Return one worker count as it was given: whole where it is whole."""
    if n == math.floor(n) and abs(n) < 1e15:
        return group(f"{n:.0f}")
    return f"{n:.6g}"


def counts(low: float, high: float) -> str:
    """Return a range of worker counts: whole, the lower end down, the upper end up."""
    return _ends(count_down(low), count_up(high))


def count_down(n: float) -> str:
    """Return a whole count not above `n`, as a lower end is written."""
    return group(f"{_outward(n, math.floor):.0f}") if math.isfinite(n) else digits(n)


def count_up(n: float) -> str:
    """Return a whole count not below `n`, as an upper end is written."""
    return group(f"{_outward(n, math.ceil):.0f}") if math.isfinite(n) else digits(n)


def share(value: float) -> str:
    """Return a share as per cent: whole from 10 % on, two digits below."""
    percent = 100.0 * value
    if not math.isfinite(percent):
        return f"{digits(percent)} %"
    if abs(percent) >= 9.95:
        return f"{group(str(whole(percent)))} %"
    return f"{digits(percent)} %"


def whole(value: float) -> int:
    """Return the nearest whole number, halves up, as people round."""
    return math.floor(value + 0.5)


def shares(low: float, high: float) -> str:
    """Return a range of shares as per cent: equal decimals, as many as give the upper end two digits."""
    if not math.isfinite(high):
        return f"at least {share(low)}" if low > 0 and math.isfinite(low) else "any share"
    return f"{_percents(100.0 * low, 100.0 * high)} %"


def factor(value: float) -> str:
    """Return how many times: two decimals near 1, where they matter, two digits beyond 2."""
    return (f"{value:.2f}" if value < 1.995 else digits(value)) + TIMES


def factors(low: float, high: float) -> str:
    """Return a range of factors, such as speedups."""
    if high == math.inf:
        return f"{digits(low)}{TIMES} or more" if low > 0 and math.isfinite(low) else "any"
    return span(low, high) + TIMES


def speedup(value: float) -> str:
    """Return a measured speedup: three digits, never more than two decimals."""
    if not math.isfinite(value):
        return digits(value)
    decimals = 2 if value < 9.995 else 1 if value < 99.95 else 0
    text = f"{value:.{decimals}f}" if value >= 0.095 or value == 0 else digits(value)
    return group(text) + TIMES


@dataclass(frozen=True)
class TimeUnit:
    """A unit of time, its length in seconds, and the time from which on it replaces the unit below."""

    name: str
    seconds: float
    reached: float = 0.0


_UNITS = (
    TimeUnit("h", 3600.0, 36_000.0),
    TimeUnit("min", 60.0, 10_000.0),
    TimeUnit("s", 1.0),
    TimeUnit("ms", 1e-3),
    TimeUnit("µs", 1e-6),
    TimeUnit("ns", 1e-9),
)


def time_unit(times: Iterable[float]) -> TimeUnit:
    """Return one unit for a whole column of times, so that its rows can be compared at a glance.

    The largest unit in which the shortest time is still 0.1 or more; minutes begin at 10 000 s.
    """
    usable = [t for t in times if math.isfinite(t) and t > 0]
    if not usable:
        return TimeUnit("s", 1.0)
    shortest, longest = min(usable), max(usable)
    for unit in _UNITS:
        if longest < unit.reached:
            continue
        if shortest >= 0.0995 * unit.seconds or (longest >= 10 * unit.seconds and unit.seconds <= 1.0):
            return unit
    return _UNITS[-1]


def time(seconds: float, unit: TimeUnit | None = None) -> str:
    """Return one measured time: three digits and its unit."""
    unit = unit or time_unit([seconds])
    return f"{digits(seconds / unit.seconds, 3)} {unit.name}"


def times(low: float, high: float, unit: TimeUnit | None = None) -> str:
    """Return a range of times with its unit."""
    unit = unit or time_unit([low, high])
    if high == math.inf:
        return f"{digits(low / unit.seconds)} {unit.name} or more" if low > 0 else "any"
    return f"{span(low / unit.seconds, high / unit.seconds)} {unit.name}"


def ratio(above: float, below: float) -> float:
    """Return above / below of two numbers not below 0; without end where nothing stands below."""
    return above / below if below > 0 else math.inf


def word(number: int) -> str:
    """Return a small number as a word, others as digits."""
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return words[number] if 0 <= number < len(words) else group(str(number))


def sentence(text: str) -> str:
    """Return `text` with a capital first letter."""
    return text[:1].upper() + text[1:]


def plural(number: int, one: str, many: str | None = None) -> str:
    """Return "1 row" or "3 rows"."""
    return f"{group(str(number))} {one if number == 1 else many or one + 's'}"


def listed(items: Iterable[str], last: str = "and") -> str:
    """Return "a", "a and b" or "a, b and c"."""
    parts = list(items)
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def glue(text: str) -> str:
    """Return `text` with gaps inside numbers and before units that no line break may split."""
    return _GLUE.sub("\u00a0", text)


def _ends(low: str, high: str) -> str:
    return low if low == high else f"{low}{DASH}{high}"


def _outward(n: float, whole: Callable[[float], int]) -> float:
    rounded = whole(n)
    if abs(rounded) < 10_000:
        return float(rounded)
    step = 10.0 ** (len(str(abs(int(rounded)))) - 3)
    return float(whole(n / step) * step)


def _percents(low: float, high: float) -> str:
    largest = max(abs(low), abs(high))
    if largest == 0:
        return "0"
    exponent = int(f"{largest:.1e}".split("e")[1])
    decimals = max(0, 1 - exponent)
    for extra in (0, 1):
        a, b = (f"{v * _HALVES_UP:.{decimals + extra}f}" for v in (low, high))
        if a != b:
            break
    if float(a) == 0 and low > _NOTHING * high:
        a = digits(low, 1)
    a, b = (t.replace("-0.0", "0.0") if float(t) == 0 else t for t in (a, b))
    return _ends("0" if float(a) == 0 else group(a), group(b))
