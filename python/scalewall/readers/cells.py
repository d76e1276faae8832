"""From cells to numbers; for what is no number, the words that say why and what to write."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scalewall.readers.table import shortened, unreadable

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from scalewall.readers.table import Cells

    FloatArray = npt.NDArray[np.float64]

# Seconds in each unit of time, as people write it.
TIME_UNITS: dict[str, float] = {
    **dict.fromkeys(("ns", "nsec", "nsecs", "nanosecond", "nanoseconds"), 1e-9),
    **dict.fromkeys(("us", "\u00b5s", "\u03bcs", "usec", "usecs", "microsecond", "microseconds"), 1e-6),
    **dict.fromkeys(("ms", "msec", "msecs", "millis", "millisecond", "milliseconds"), 1e-3),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1.0),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 3600.0),
    **dict.fromkeys(("d", "day", "days"), 86400.0),
}
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_WITH_UNIT = re.compile(rf"({_NUMBER})\s*([^\d\s.,;:+-][^\d]*)$")
_CLOCK = re.compile(r"(?:(\d+)-)?(\d+):([0-5]?\d):([0-5]?\d(?:\.\d+)?)$")
_GROUPED = re.compile(r"([+-]?\d{1,3})((?:[ '_\u00a0\u2009\u202f\u2019]\d{3})+)((?:\.\d*)?)$")


@dataclass(frozen=True)
class Column:
    """Numbers of a column (NaN where there is none), the reasons by index, and the empty cells."""

    values: FloatArray
    faults: dict[int, str]
    empty: frozenset[int]
    # True if the cells carried units of time: the values are seconds then.
    seconds: bool = False


def is_number(cell: str) -> bool:
    """Say whether a cell of text is a number as a program writes it (12, 1.5e3, nan)."""
    try:
        float(cell)
    except ValueError:
        return False
    return "_" not in cell


def fast(cells: Cells) -> FloatArray | None:
    """Convert a column of plain finite numbers at once; None if any cell needs a closer look."""
    if isinstance(cells, np.ndarray):
        return cells.astype(np.float64) if cells.dtype.kind in "fiu" else None
    kinds = set(map(type, cells))
    if not kinds <= {str, int, float}:
        return None
    try:
        values = np.array(list(map(float, cells)), dtype=np.float64)  # type: ignore[arg-type]
    except (ValueError, OverflowError):
        return None
    # float() takes 1_000 and digits of other scripts; a table of runs that holds them wants a closer look.
    joined = "".join(map(str, cells)) if str in kinds else ""
    odd = "_" in joined or not joined.isascii() or not bool(np.isfinite(values).all())
    return None if odd else values


def convert(cells: Cells, *, source: str, name: str, line: npt.NDArray[np.int64], unit: str | None) -> Column:
    """Return the numbers of a column that has a role.

    Parameters
    ----------
    cells : sequence or ndarray
        The cells as found.
    source, name, line : str, str, ndarray of int64
        Where they stand, for messages.
    unit : str or None
        "time" if units of time may stand in the cells ("310 ms"); they are then seconds in the result.
        A column that mixes units, or cells with and without one, is an error.
    """
    values = fast(cells)
    if values is not None:
        return Column(values, {}, frozenset())
    numbers = np.full(len(cells), np.nan)
    faults: dict[int, str] = {}
    empty: set[int] = set()
    plain = -1
    united: dict[float, int] = {}
    for row, cell in enumerate(cells.tolist() if isinstance(cells, np.ndarray) else cells):
        if _is_empty(cell):
            empty.add(row)
            faults[row] = "empty"
            continue
        found = _number(cell)
        if found is not None:
            numbers[row] = found
            plain = row if plain < 0 else plain
            continue
        timed = _time(cell) if unit == "time" else None
        if timed is not None:
            numbers[row] = timed[0] * timed[1]
            united.setdefault(timed[1], row)
            continue
        faults[row] = explain(cell)

    def shown(row: int) -> str:
        return f'row {int(line[row])} is "{shortened(str(cells[row]))}"'

    mixed = [shown(row) for row in list(united.values())[:2]]
    if united and plain >= 0:
        mixed = [mixed[0], f"{shown(plain)}, without a unit"]
    if len(mixed) > 1:
        raise unreadable(
            source,
            f'column "{name}" mixes units: {mixed[0]} and {mixed[1]}. Expected the same unit in every row, '
            'or none. Write one unit in every row, or in the header alone ("time_ms")',
        )
    return Column(numbers, faults, frozenset(empty), bool(united))


def _is_empty(cell: object) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip())


def _number(cell: object) -> float | None:
    """Return a finite number, or None."""
    if isinstance(cell, (bool, np.bool_)):
        return None
    if isinstance(cell, str) and ("_" in cell or not cell.isascii()):
        return None
    try:
        value = float(cell)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    return value if math.isfinite(value) else None


def _time(cell: object) -> tuple[float, float] | None:
    """Return a number with a unit of time, and the seconds of that unit."""
    match = _WITH_UNIT.match(cell.strip()) if isinstance(cell, str) else None
    factor = TIME_UNITS.get(match[2].strip().lower()) if match else None
    return None if match is None or factor is None else (float(match[1]), factor)


def explain(cell: object) -> str:
    """Say why a cell is no number and, where that is clear, what to write.

    Examples
    --------
    >>> explain("12,4")
    '"12,4" is not a number. Write 12.4'
    >>> explain("n/a")
    '"n/a" is not a number'
    """
    if isinstance(cell, (bool, np.bool_)):
        return f"{str(bool(cell)).lower()} is not a number"
    if isinstance(cell, (list, dict, tuple)):
        return "a list or an object is not a number"
    text = str(cell).strip()
    said = f'"{shortened(text)}" is not a number'
    bare = text.lower().lstrip("+-")
    if bare in {"inf", "infinity"} or (_NUMERIC.fullmatch(text) and math.isinf(float(text))):
        return f'"{shortened(text)}" is not a finite number'
    advice = _advice(text)
    return f"{said}. {advice}" if advice else said


_NUMERIC = re.compile(_NUMBER)


def _plain_point(text: str) -> str:
    return text.replace(",", ".")


def _no_commas(text: str) -> str:
    return text.replace(",", "")


def _no_points(text: str) -> str:
    return text.replace(".", "").replace(",", ".")


# Numbers as people and spreadsheets write them, and what to write instead.
_WRITE: tuple[tuple[re.Pattern[str], Callable[[str], str]], ...] = (
    (re.compile(r"[+-]?\d{1,3},\d{3}"), lambda text: f"{_no_commas(text)} or {_plain_point(text)}"),
    (re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?"), _plain_point),
    (re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?"), _no_commas),
    (re.compile(r"[+-]?\d{1,3}(?:\.\d{3})+,\d*"), _no_points),
    (re.compile(r"[+-]?\d{1,3}(?:\.\d{3}){2,}"), _no_points),
    (_GROUPED, lambda text: re.sub(r"[^0-9.+-]", "", text)),
    (_CLOCK, lambda text: f"{_clock_seconds(text):.15g} (seconds)"),
    (re.compile(r"\d+:\d+(?:\.\d+)?"), lambda _: "seconds"),
    (_WITH_UNIT, lambda text: f"{_leading(text)}, and what it counts in the header"),
)


def _leading(text: str) -> str:
    match = re.match(_NUMBER, text)
    return "" if match is None else match[0]


def _advice(text: str) -> str:
    for pattern, write in _WRITE:
        if pattern.fullmatch(text):
            return f"Write {write(text)}"
    return ""


def _clock_seconds(text: str) -> float:
    days, clock = text.split("-") if "-" in text else ("0", text)
    hours, minutes, seconds = clock.split(":")
    return 86400 * int(days) + 3600 * int(hours) + 60 * int(minutes) + float(seconds)
