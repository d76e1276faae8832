"""Tables of delimited text: CSV, TSV and their kin, with a header or without, with comments."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scalewall._errors import ChoiceError
from scalewall.readers.cells import is_number
from scalewall.readers.table import Table, shortened, unreadable
from scalewall.results import Note, Rejected

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    IntArray = npt.NDArray[np.int64]

_COMMENTS = ("#", "%", "//")
_WHITESPACE = " "
# In the order of preference where several split every row alike: a comma may be a decimal mark.
_DELIMITERS = ("\t", ";", "|", ",", _WHITESPACE)
_SNIFFED_LINES = 100
# No line of a table of runs is longer; a longer one is another kind of file.
LONGEST_LINE = 1_000_000


@dataclass(frozen=True)
class _Lines:
    """Lines that hold rows, the number of each in the file, and the last comment above the first of them."""

    rows: list[str]
    number: IntArray
    comment: str
    comment_line: int


def parse(text: str, source: str, *, delimiter: str | None = None, header: bool | None = None) -> Table:
    """Return the table that a text holds.

    Parameters
    ----------
    text : str
        The whole text.
    source : str
        Its name, for messages.
    delimiter : str, optional
        One sign, or "whitespace" (also " "). Found from the text if not given.
    header : bool, optional
        Whether the first row names the columns. Without it a first row that holds no number is a header.

    Returns
    -------
    Table
    """
    lines = _split(text, source)
    sign = _given(delimiter) if delimiter is not None else _sniff(lines.rows)
    rows, number = _fields(lines, sign, source)
    names, rows, number, notes = _header(lines, rows, number, sign, header)
    if not rows:
        raise unreadable(
            source, "has a header and no rows. Expected one row a run. Check that the program ran"
        )
    return _columns(source, names, rows, number, notes, sign=sign)


def _split(text: str, source: str) -> _Lines:
    every = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    longest = max(map(len, every))
    if longest > LONGEST_LINE:
        line = next(i for i, row in enumerate(every, 1) if len(row) > LONGEST_LINE)
        raise unreadable(
            source,
            f"row {line} has {longest} signs. Expected one run a row, and no row over {LONGEST_LINE} signs. "
            "Check that this is the table of runs",
        )
    stripped = list(map(str.strip, every))
    number = np.array(
        [i for i, row in enumerate(stripped, 1) if row and not row.startswith(_COMMENTS)], dtype=np.int64
    )
    if number.size == 0:
        raise unreadable(source, "holds only comments. Expected one row a run. Write the runs below them")
    first = int(number[0])
    above = [(i, row) for i, row in enumerate(stripped[: first - 1], 1) if row]
    comment_line, comment = above[-1] if above else (0, "")
    rows = every if number.size == len(every) else [every[i - 1] for i in number.tolist()]
    return _Lines(rows, number, comment.lstrip("#%/ \t"), comment_line)


def _given(delimiter: str) -> str:
    if delimiter in {"whitespace", " ", r"\s+"}:
        return _WHITESPACE
    if delimiter in {"tab", r"\t"}:
        return "\t"
    if len(delimiter) != 1 or delimiter in '"\n\r':
        raise ChoiceError(
            f'delimiter - is {delimiter!r} - expected one sign or "whitespace" - give "," ";" or the sign '
            "that stands between two cells"
        )
    return delimiter


def _sniff(rows: Sequence[str]) -> str:
    """Return the sign that splits the most of the first rows into the same number of cells."""
    sample = rows[:_SNIFFED_LINES]
    best, best_share = ",", 0.0
    for sign in _DELIMITERS:
        widths = [len(_cells(row, sign)) for row in sample]
        width, share = Counter(widths).most_common(1)[0]
        # The header, or the first row, must be split as well.
        if width > 1 and widths[0] > 1 and share / len(sample) > best_share:
            best, best_share = sign, share / len(sample)
    return best


def _cells(row: str, sign: str) -> list[str]:
    if sign == _WHITESPACE:
        return row.split()
    if '"' not in row:
        return row.split(sign)
    try:
        return next(csv.reader([row], delimiter=sign, skipinitialspace=True), [])
    except csv.Error:
        return [row]


def _fields(lines: _Lines, sign: str, source: str) -> tuple[list[list[str]], IntArray]:
    """Split every row into cells; a quoted cell may hold a line break, so rows can be fewer than lines."""
    if sign == _WHITESPACE and not any('"' in row for row in lines.rows):
        return [row.split() for row in lines.rows], lines.number
    if not any('"' in row for row in lines.rows):
        return [row.split(sign) for row in lines.rows], lines.number
    reader = csv.reader(
        (row + "\n" for row in lines.rows), delimiter=sign, skipinitialspace=True, strict=True
    )
    rows: list[list[str]] = []
    starts: list[int] = []
    start = 0
    try:
        for row in reader:
            rows.append(row)
            starts.append(start)
            start = reader.line_num
    except csv.Error as error:
        line = int(lines.number[min(start, lines.number.size - 1)])
        reason = str(error)
        if "unexpected end" in reason:
            reason = "a quote is opened and never closed"
        elif "field larger" in reason:
            reason = "a cell is longer than any number or name; a quote may be opened and never closed"
        text = f"row {line}: {reason}. Expected quotes in pairs. Look at the quotes there"
        raise unreadable(source, text) from error
    return rows, lines.number[np.array(starts, dtype=np.int64)]


def _header(
    lines: _Lines, rows: list[list[str]], number: IntArray, sign: str, header: bool | None
) -> tuple[tuple[str, ...] | None, list[list[str]], IntArray, tuple[Note, ...]]:
    """Find the names of the columns: the first row without a number, or the comment right above the rows."""
    first = [cell.strip() for cell in rows[0]]
    if header is None:
        header = not any(is_number(cell) for cell in first)
    if header:
        return tuple(first), rows[1:], number[1:], ()
    for split in (sign, _WHITESPACE):
        names = [cell.strip() for cell in _cells(lines.comment, split)]
        if (
            len(names) == len(first)
            and len(names) > 1
            and not any(is_number(name) or not name for name in names)
        ):
            text = f"Column names are taken from the comment in row {lines.comment_line}: {', '.join(names)}."
            return tuple(names), rows, number, (Note("header_from_comment", text),)
    return None, rows, number, ()


def _columns(
    source: str,
    names: tuple[str, ...] | None,
    rows: list[list[str]],
    number: IntArray,
    notes: tuple[Note, ...],
    *,
    sign: str,
) -> Table:
    """Turn rows into columns; rows of another width are left out and listed."""
    widths = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
    width = len(names) if names is not None else int(Counter(widths.tolist()).most_common(1)[0][0])
    for index in np.flatnonzero(widths > width).tolist():
        # Delimiters at the end of a row close nothing but empty cells.
        while len(rows[index]) > width and not rows[index][-1].strip():
            rows[index].pop()
        widths[index] = len(rows[index])
    good = widths == width
    rejected: tuple[Rejected, ...] = ()
    if not bool(good.all()):
        rejected = tuple(
            Rejected(int(number[i]), _ragged(source, int(number[i]), width, rows[i], sign))
            for i in np.flatnonzero(~good)
        )
        if not bool(good.any()):
            where = "the header has" if names is not None else "the first row has"
            raise unreadable(
                source,
                f"{where} {width} {_fields_word(width)} and no row has as many (row {int(number[0])} has "
                f"{int(widths[0])}). Expected one cell a column. Put the same sign between all cells; "
                'begin lines that are no rows with "#"',
            )
        rows = [row for row, fits in zip(rows, good.tolist(), strict=True) if fits]
        number = number[good]
    columns: list[Sequence[str]] = list(zip(*rows, strict=True))
    unnamed: frozenset[int] = frozenset()
    if names is not None:
        last = len(columns) - 1
        if names[last] == "" and last > 0 and not any(map(str.strip, columns[last])):
            columns.pop()
            names = names[:last]
        if names[0] == "":
            unnamed = frozenset({0})
    return Table(source, names, tuple(columns), number, rejected, notes, unnamed, text=True)


def _fields_word(count: int) -> str:
    return "cell" if count == 1 else "cells"


def _ragged(source: str, line: int, width: int, row: Sequence[str], sign: str) -> str:
    found = len(row)
    text = f"{source} row {line}: {found} {_fields_word(found)} where {width} are expected"
    if found > width:
        text += f'. "{shortened(row[width])}" is too much: put cells that hold the delimiter in quotes'
        if sign == ",":
            text += ", and write decimals with a point"
    else:
        text += ". Write every cell, or leave it empty between two delimiters"
    return text
