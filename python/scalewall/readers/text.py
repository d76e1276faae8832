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
# Signs of names, numbers and units.
_NO_DELIMITERS = "._-+%/()[]<>'\"#"
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
    cells, widths, number = _fields(lines, sign, source)
    names, skip, notes = _header(lines, cells[: int(widths[0])], sign, header)
    if skip:
        cells, widths, number = cells[int(widths[0]) :], widths[1:], number[1:]
    if widths.size == 0:
        raise unreadable(
            source, "has a header and no rows. Expected one row a run. Check that the program ran"
        )
    width = len(names) if names is not None else int(Counter(widths.tolist()).most_common(1)[0][0])
    rejected: tuple[Rejected, ...] = ()
    if bool(np.any(widths != width)):
        cells, number, rejected = _fitting(source, cells, widths, number, width=width, sign=sign)
    columns = [cells[column::width] for column in range(width)]
    return _table(source, names, columns, number, rejected, notes=notes)


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
    return best if best_share > 0 else _rare_sign(sample)


def _rare_sign(rows: Sequence[str]) -> str:
    """Return an unusual sign that splits every row alike; a comma if there is none."""
    for sign in dict.fromkeys(rows[0]):
        if sign.isalnum() or sign.isspace() or sign in _NO_DELIMITERS:
            continue
        widths = {len(_cells(row, sign)) for row in rows}
        if len(rows) > 1 and len(widths) == 1 and min(widths) > 1:
            return sign
    return ","


def _cells(row: str, sign: str) -> list[str]:
    if sign == _WHITESPACE:
        return row.split()
    if '"' not in row:
        return row.split(sign)
    try:
        return next(csv.reader([row], delimiter=sign, skipinitialspace=True), [])
    except csv.Error:
        return [row]


def _fields(lines: _Lines, sign: str, source: str) -> tuple[list[str], IntArray, IntArray]:
    """Return all cells one after another, how many each row has, and the line it begins in.

    No list a row is kept: a million of them would keep the garbage collector busy longer than the reading.
    """
    if sign != _WHITESPACE and not any('"' in row for row in lines.rows):
        widths = [row.count(sign) + 1 for row in lines.rows]
        return sign.join(lines.rows).split(sign), np.array(widths, dtype=np.int64), lines.number
    cells: list[str] = []
    widths, starts = [], []
    if sign == _WHITESPACE and not any('"' in row for row in lines.rows):
        for text in lines.rows:
            found = text.split()
            cells.extend(found)
            widths.append(len(found))
        return cells, np.array(widths, dtype=np.int64), lines.number
    # A quoted cell may hold a line break, so that rows can be fewer than lines.
    reader = csv.reader(
        (row + "\n" for row in lines.rows), delimiter=sign, skipinitialspace=True, strict=True
    )
    start = 0
    try:
        for row in reader:
            cells.extend(row)
            widths.append(len(row))
            starts.append(start)
            start = reader.line_num
    except csv.Error as error:
        line = int(lines.number[min(start, lines.number.size - 1)])
        raise unreadable(source, f"row {line}: {_quoting(str(error))}") from error
    return cells, np.array(widths, dtype=np.int64), lines.number[np.array(starts, dtype=np.int64)]


def _quoting(reason: str) -> str:
    if "unexpected end" in reason:
        reason = "a quote is opened and never closed"
    elif "field larger" in reason:
        reason = "a cell is longer than any number or name; a quote may be opened and never closed"
    return f"{reason}. Expected quotes in pairs. Look at the quotes there"


def _header(
    lines: _Lines, first: list[str], sign: str, header: bool | None
) -> tuple[tuple[str, ...] | None, int, tuple[Note, ...]]:
    """Return the names of the columns, how many rows of the table they take, and what is to be said.

    Names are the first row, if it holds no number, or the comment right above the rows.
    """
    first = [cell.strip() for cell in first]
    if header is None:
        header = not any(is_number(cell) for cell in first)
    if header:
        return tuple(first), 1, ()
    for split in (sign, _WHITESPACE):
        names = [cell.strip() for cell in _cells(lines.comment, split)]
        plain = not any(is_number(name) or not name for name in names)
        if len(names) == len(first) > 1 and plain:
            text = f"Column names are taken from the comment in row {lines.comment_line}: {', '.join(names)}."
            return tuple(names), 0, (Note("header_from_comment", text),)
    return None, 0, ()


def _fitting(
    source: str, cells: list[str], widths: IntArray, number: IntArray, *, width: int, sign: str
) -> tuple[list[str], IntArray, tuple[Rejected, ...]]:
    """Return the cells of the rows that are as wide as the table; the other rows are left out and listed."""
    kept: list[str] = []
    lines: list[int] = []
    rejected: list[Rejected] = []
    end = 0
    for line, found in zip(number.tolist(), widths.tolist(), strict=True):
        row = cells[end : end + found]
        end += found
        # Delimiters at the end of a row close nothing but empty cells.
        while len(row) > width and not row[-1].strip():
            row.pop()
        if len(row) == width:
            kept.extend(row)
            lines.append(line)
        else:
            rejected.append(Rejected(line, _ragged(source, line, width, row, sign)))
    if not lines:
        raise unreadable(
            source,
            f"the header has {width} {_fields_word(width)} and no row has as many (row {int(number[0])} has "
            f"{int(widths[0])}). Expected one cell a column. Put the same sign between all cells; "
            'begin lines that are no rows with "#"',
        )
    return kept, np.array(lines, dtype=np.int64), tuple(rejected)


def _table(
    source: str,
    names: tuple[str, ...] | None,
    columns: list[list[str]],
    number: IntArray,
    rejected: tuple[Rejected, ...],
    *,
    notes: tuple[Note, ...],
) -> Table:
    """Return the table, without an empty last column, and with the index that a program wrote marked."""
    unnamed: frozenset[int] = frozenset()
    if names is not None:
        last = len(columns) - 1
        if names[last] == "" and last > 0 and not any(map(str.strip, columns[last])):
            columns, names = columns[:last], names[:last]
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
