"""Which rows belong together: by key columns, sorted or not, or by offsets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scalewall._errors import DomainError

if TYPE_CHECKING:
    import numpy.typing as npt

    IntArray = npt.NDArray[np.int64]
    AnyArray = npt.NDArray[np.generic]


@dataclass(frozen=True)
class Groups:
    """Trace i has the places offsets[i] to offsets[i + 1]; the rows there are those of `order`, if any."""

    offsets: IntArray
    order: IntArray | None
    keys: dict[str, AnyArray]

    def rows(self, trace: int) -> IntArray:
        """Return the rows of a trace, in the order of the table."""
        places = slice(int(self.offsets[trace]), int(self.offsets[trace + 1]))
        return np.arange(places.start, places.stop) if self.order is None else self.order[places]


def by_keys(columns: dict[str, AnyArray]) -> Groups:
    """Return the groups of equal keys, in the order of their first rows.

    Rows that lie side by side are found in one pass; only keys that come back later cost a sort.
    """
    rows = next(iter(columns.values())).size
    starts = np.zeros(rows, dtype=np.bool_)
    starts[:1] = True
    for column in columns.values():
        starts[1:] |= np.asarray(column[1:] != column[:-1], dtype=np.bool_)
    heads = np.flatnonzero(starts)
    codes, first = _numbered(columns, heads)
    if len(first) == heads.size:
        offsets, order = np.append(heads, rows), None
    else:
        of_rows = np.repeat(codes, np.diff(heads, append=rows))
        order = np.argsort(of_rows, kind="stable")
        offsets = np.append(0, np.cumsum(np.bincount(of_rows, minlength=len(first))))
    keys = {name: column[heads[first]] for name, column in columns.items()}
    return Groups(offsets.astype(np.int64), order, keys)


def _numbered(columns: dict[str, AnyArray], heads: IntArray) -> tuple[IntArray, IntArray]:
    """Return the number of the key at each head, and the head at which each number comes first."""
    labels = [_labels(column[heads]) for column in columns.values()]
    keys = labels[0] if len(labels) == 1 else list(zip(*labels, strict=True))
    numbers: dict[object, int] = {}
    codes = np.fromiter((numbers.setdefault(key, len(numbers)) for key in keys), np.int64, len(keys))
    first = np.flatnonzero(np.diff(np.maximum.accumulate(codes), prepend=-1))
    return codes, first


def _labels(column: AnyArray) -> list[object]:
    """Return keys that compare equal where people say they are: a missing number is one key."""
    labels: list[object] = column.tolist()
    if column.dtype.kind in "fO" and bool(np.any(column != column)):  # noqa: PLR0124 - only NaN differs from itself
        return [None if label != label else label for label in labels]  # noqa: PLR0124
    return labels


def by_offsets(offsets: npt.ArrayLike, rows: int) -> Groups:
    """Return the groups between offsets, or raise `DomainError` where they do not fit the rows."""
    places = np.asarray(offsets)
    if places.ndim != 1 or places.size < 1 or places.dtype.kind not in "iu":
        raise DomainError("offsets - is no list of whole numbers - expected 0, then the end of each trace")
    places = np.ascontiguousarray(places, dtype=np.int64)
    wrong = np.flatnonzero(np.diff(places, prepend=0) < 0)
    if places[0] != 0 or places[-1] != rows or wrong.size:
        index = int(wrong[0]) if wrong.size else 0 if places[0] != 0 else places.size - 1
        raise DomainError(
            f"offsets[{index}] is {places[index]}: expected ascending numbers from 0 to {rows}, "
            "the number of rows"
        )
    return Groups(places, None, {"trace": np.arange(places.size - 1)})
