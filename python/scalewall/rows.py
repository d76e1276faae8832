"""Checks of the rows of a table of runs: which cannot be used, and in which words that is said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from scalewall._errors import ChoiceError, DomainError, ShapeError
from scalewall.workers import count_text

if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping

    import numpy.typing as npt

    FloatArray = npt.NDArray[np.float64]
    IntArray = npt.NDArray[np.int64]
    AnyArray = npt.NDArray[np.generic]
    BoolArray = npt.NDArray[np.bool_]

# Whole numbers above this are not exact in double precision: neighbouring counts would be one.
LARGEST_COUNT = 2.0**53
# No clock and no counter gives less or more; ratios and products of what lies between never overflow.
SMALLEST, LARGEST = 1e-100, 1e100


def numbers(name: str, values: npt.ArrayLike) -> FloatArray:
    """Return a one-dimensional float64 copy, or say what is wrong with the argument."""
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"{name} - holds something that is no number ({error}) - expected a sequence of numbers - "
            "convert it, or let scalewall.read read the text"
        ) from error
    if array.ndim != 1:
        raise ShapeError(
            f"{name} - has {array.ndim} dimensions - expected one value per run (1-D) - pass a flat sequence"
        )
    return array


def same_length(name: str, array: npt.NDArray[np.generic], n: FloatArray) -> None:
    """Raise `ShapeError` unless the array has one value per worker count."""
    if array.size != n.size:
        raise ShapeError(
            f"{name} - has {array.size} values - expected {n.size}, one for each value of n - "
            "give every run a count and a value"
        )


def place(source: str, line: int, column: str) -> str:
    """Say where a cell stands: file, row and column."""
    where = f"{source} row {line}" if source else f"row {line}"
    return f'{where}, column "{column}"'


@dataclass(frozen=True)
class Rows:
    """All rows as given, the unusable ones with them."""

    n: FloatArray
    measured: FloatArray
    value: FloatArray
    work: FloatArray | None
    round: FloatArray | None
    serial: FloatArray | None
    one_worker: FloatArray | None
    line: IntArray
    extra: dict[str, AnyArray]
    faults: dict[int, str]

    def check_lengths(self, quantity: str) -> None:
        """Raise `ShapeError` unless every column has one value per row."""
        same_length("time" if quantity == "time" else "throughput", self.measured, self.n)
        for name in ("value", "work", "round", "serial", "one_worker", "line"):
            array = getattr(self, name)
            if array is not None:
                same_length(name, array, self.n)
        for name, array in self.extra.items():
            same_length(f'extra["{name}"]', array, self.n)

    def part(self, index: npt.NDArray[np.intp]) -> Rows:
        """Return the rows at these indices, with what is known about their faults."""
        place = {int(old): new for new, old in enumerate(index)} if self.faults else {}
        return Rows(
            n=self.n[index],
            measured=self.measured[index],
            value=self.value[index],
            work=None if self.work is None else self.work[index],
            round=None if self.round is None else self.round[index],
            serial=None if self.serial is None else self.serial[index],
            one_worker=None if self.one_worker is None else self.one_worker[index],
            line=self.line[index],
            extra={name: array[index] for name, array in self.extra.items()},
            faults={place[row]: text for row, text in self.faults.items() if row in place},
        )


class Faults:
    """Reasons, by row index, why rows cannot be used; the first fault of a column wins, columns add up."""

    def __init__(self, source: str, line: npt.NDArray[np.int64], known: MutableMapping[int, str]) -> None:
        self._source = source
        self._line = line
        self.reasons: dict[int, str] = dict(known)
        self._known = frozenset(known)

    def add(self, bad: BoolArray, column: str, text: Callable[[int], str]) -> int:
        """Record a reason for each bad row that the reader has not explained already; return how many."""
        rows = [int(row) for row in np.flatnonzero(bad) if int(row) not in self._known]
        for row in rows:
            said = f"{place(self._source, int(self._line[row]), column)}: {text(row)}"
            self.reasons[row] = f"{self.reasons[row]}; {said}" if row in self.reasons else said
        return len(rows)

    def usable(self, size: int) -> BoolArray:
        """Return which of the rows have no fault."""
        mask = np.ones(size, dtype=np.bool_)
        mask[list(self.reasons)] = False
        return mask


def number_text(value: float) -> str:
    """Write a number as it was most likely given."""
    exact = np.isfinite(value) and abs(value) < 1e15 and value == int(value)
    return repr(int(value)) if exact else repr(value)


def check_counts(faults: Faults, n: FloatArray, column: str, unit: str, min_n: float) -> int:
    """Record counts that are no numbers, too small or too large; return how many lie in (0, `min_n`)."""
    finite = np.isfinite(n)
    faults.add(~finite, column, lambda row: f'"{n[row]}" is not a number')
    with np.errstate(invalid="ignore"):
        small = finite & ((n < min_n) | (n <= 0))
        large = finite & (n > LARGEST_COUNT)
    start = f"Counts start at {count_text(min_n)}" if min_n > 0 else "Counts must be above 0"
    faults.add(small, column, lambda row: f"{number_text(float(n[row]))} {unit}. {start}")
    faults.add(large, column, lambda row: f"{n[row]:.6g} {unit}. Counts above 2^53 are not exact")
    return int(np.count_nonzero(small & (n > 0)))


def check_positive(
    faults: Faults, values: FloatArray, shown: FloatArray, column: str, words: tuple[str, str]
) -> None:
    """Record values that are no numbers, not above 0 or absurd; `words` are e.g. ("a time", "Times")."""
    one, many = words
    finite = np.isfinite(values)
    faults.add(np.isnan(values), column, lambda row: f'"{shown[row]}" is not a number')
    faults.add(np.isinf(values), column, lambda row: f'"{shown[row]}" is not {one}')
    with np.errstate(invalid="ignore"):
        low = finite & (values <= 0)
        absurd = finite & (values > 0) & ((values < SMALLEST) | (values > LARGEST))
    span = f"is not {one}. {many} must lie between {SMALLEST:g} and {LARGEST:g}"
    faults.add(absurd, column, lambda row: f"{number_text(float(shown[row]))} {span}")
    rule = f"is not {one}. {many} must be above 0"
    faults.add(low, column, lambda row: f"{number_text(float(shown[row]))} {rule}")


def check_optional(faults: Faults, values: FloatArray, column: str, what: str) -> None:
    """Record values that are infinite or negative; a missing one (NaN) is allowed."""
    with np.errstate(invalid="ignore"):
        bad = np.isinf(values) | (values < 0)
    faults.add(bad, column, lambda row: f"{number_text(float(values[row]))} is not {what}. Write 0 or more")


def rounds_of(faults: Faults, values: FloatArray, column: str) -> npt.NDArray[np.int64]:
    """Return whole round numbers, -1 where a row has none."""
    with np.errstate(invalid="ignore"):
        whole = np.isfinite(values) & (values == np.floor(values)) & (np.abs(values) <= LARGEST_COUNT)
    bad = ~whole & ~np.isnan(values)
    faults.add(
        bad, column, lambda row: f"{number_text(float(values[row]))} is not a round. Rounds are whole numbers"
    )
    return np.where(whole & (values >= 0), np.where(whole, values, -1.0), -1.0).astype(np.int64)


def measured_of(
    time: npt.ArrayLike | None, throughput: npt.ArrayLike | None
) -> tuple[Literal["time", "rate"], FloatArray]:
    """Return which of the two was measured, and its numbers."""
    if time is not None and throughput is None:
        return "time", numbers("time", time)
    if throughput is not None and time is None:
        return "rate", numbers("throughput", throughput)
    state = "neither is given" if time is None else "both are given"
    raise ChoiceError(f"time, throughput - {state} - expected exactly one - give the one that was measured")


def checked_min(min_n: float) -> float:
    """Return the smallest count to let in, or raise `DomainError`."""
    value = float(min_n)
    if not (np.isfinite(value) and value >= 0):
        raise DomainError(
            f"min_n - is {min_n!r} - expected a finite number of at least 0 - give 0 to let any load in"
        )
    return value


def optional(name: str, values: npt.ArrayLike | None) -> FloatArray | None:
    """Return the numbers of a column that may be absent."""
    return None if values is None else numbers(name, values)


def time_of(
    n: FloatArray, measured: FloatArray, work: FloatArray | None, quantity: str, kind: str
) -> FloatArray:
    """Return the time of each run: of a rate, the time of its work, in the unit that the work is in."""
    if quantity == "time":
        return measured
    if work is not None and kind != "throughput":
        return work / measured
    return n / measured if kind == "weak" else 1.0 / measured


def label(value: object) -> str:
    """Return the name of a group: the value as text."""
    if isinstance(value, float):
        return count_text(value) if np.isfinite(value) else str(value)
    return "" if value is None else str(value)


def plain(array: AnyArray | None) -> list[Any] | None:
    """Return a column as plain Python, None where there is no finite number."""
    if array is None:
        return None
    values: list[Any] = array.tolist()
    if array.dtype.kind == "f":
        return [value if np.isfinite(value) else None for value in values]
    if array.dtype.kind in "iub":
        return values
    kept = (bool, int, float, str, type(None))
    return [value if isinstance(value, kept) else str(value) for value in values]
