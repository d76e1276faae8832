"""From cells and roles to `Runs`: numbers, units, rates per worker, and the columns that are kept."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from scalewall.readers import cells
from scalewall.readers.names import parse_name
from scalewall.readers.table import unreadable
from scalewall.results import Note
from scalewall.rows import place
from scalewall.runs import Runs
from scalewall.workers import singular, unit_of, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from scalewall.readers.roles import Roles
    from scalewall.readers.table import Cells, Table

    FloatArray = npt.NDArray[np.float64]

_TIMES = frozenset({"time", "serial", "one_worker"})
# An empty cell is no fault in these.
_OPTIONAL = frozenset({"round", "serial", "one_worker"})
_SHOWN = {"n": "the worker count", "time": "the time", "throughput": "the rate"}


@dataclass
class _Found:
    """What the columns gave so far."""

    table: Table
    roles: Roles
    faults: dict[int, str] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    # Columns without a role after all: kept as they are.
    released: set[int] = field(default_factory=set)

    def numbers(self, role: str) -> cells.Column | None:
        """Return the numbers of a role, with the faults of its cells recorded."""
        index = self.roles.column.get(role)
        if index is None:
            return None
        table, name = self.table, self.table.name(index)
        unit = "time" if role in _TIMES else None
        column = cells.convert(
            table.columns[index], source=table.source, name=name, line=table.line, unit=unit
        )
        if role == "round" and set(column.faults) - column.empty:
            return cells.Column(_codes(table.columns[index]), {}, frozenset())
        if len(column.faults) == len(column.values) and role not in _OPTIONAL:
            if role in self.roles.given or role in _SHOWN:
                raise self._nothing(role, name, column)
            self.notes.append(
                Note(f"{role}_not_numbers", f'Column "{name}" holds no number: it is kept, not used.')
            )
            self.released.add(index)
            return None
        for row, text in column.faults.items():
            if role in _OPTIONAL and row in column.empty:
                continue
            said = f"{place(table.source, int(table.line[row]), name)}: {text}"
            self.faults[row] = f"{self.faults[row]}; {said}" if row in self.faults else said
        return column

    def _nothing(self, role: str, name: str, column: cells.Column) -> Exception:
        """Return the error of a column without a single number."""
        first = min(column.faults)
        flag = f"--{role.replace('_', '-')} COLUMN"
        line = int(self.table.line[first])
        what = _SHOWN.get(role, f"the {role}")
        return unreadable(
            self.table.source,
            f'column "{name}" holds no number in any of {len(column.values)} rows (row {line}: '
            f"{column.faults[first]}). Expected {what} in every row. Write numbers, or say {flag}",
        )


def runs_of(
    table: Table,
    roles: Roles,
    *,
    kind: str | None,
    unit: str | tuple[str, str] | None,
    min_n: float,
    keep_rows: Iterable[int],
) -> Runs:
    """Return the runs of a table whose columns have roles."""
    found = _Found(table, roles, notes=[*table.notes, *roles.notes])
    n = found.numbers("n")
    if n is None:
        raise unreadable(table.source, "no column is the worker count. Expected one. Say --n COLUMN")
    timed, rated = found.numbers("time"), found.numbers("throughput")
    value = rated if timed is None else timed
    work, rounds = found.numbers("work"), found.numbers("round")
    serial, one_worker = found.numbers("serial"), found.numbers("one_worker")
    names = {role: table.name(index) for role, index in roles.column.items() if index not in found.released}
    return Runs(
        n.values,
        time=None if timed is None else _seconds(found, "time", timed),
        throughput=None if rated is None else _rate(found, n.values, rated),
        work=None if work is None else work.values,
        round=None if rounds is None else rounds.values,
        kind=kind,
        unit=unit if unit is not None or table.names is not None else ("workers", "worker"),
        extra=_extra(found),
        serial=None if serial is None else _seconds(found, "serial", serial),
        one_worker=None if one_worker is None else _seconds(found, "one_worker", one_worker),
        min_n=min_n,
        keep_rows=keep_rows,
        source=table.source,
        line=table.line,
        value=None if value is None else value.values,
        columns=names,
        rejected=table.rejected,
        notes=found.notes,
        faults=found.faults,
    )


def _seconds(found: _Found, role: str, column: cells.Column) -> FloatArray:
    """Return the times of a column in seconds: by the unit in its cells, or in its name."""
    index = found.roles.column[role]
    if column.seconds or index in found.table.seconds:
        return column.values
    name = found.roles.names[index]
    if not name.known:
        text = f'Column "{name.text}": unit "{name.unit}" is not known; the numbers are taken as seconds.'
        found.notes.append(Note("unit_unknown", text))
    return column.values if name.factor == 1.0 else column.values * name.factor


def _rate(found: _Found, n: FloatArray, rates: cells.Column) -> FloatArray:
    """Return the rate of all workers together, per second."""
    table = found.table
    index = found.roles.column["throughput"]
    name = found.roles.names[index]
    rate = rates.values if name.factor == 1.0 else rates.values * name.factor
    if name.per is None:
        return rate
    n_index = found.roles.column["n"]
    counted = singular(words_of(table.name(n_index))[-1]) if table.names is not None else "n"
    same = counted in {name.per, "n", "worker"} or name.per == "worker"
    if same or unit_of(table.name(n_index)) == unit_of(name.per):
        plural = unit_of(table.name(n_index))[0] if table.names is not None else "workers"
        each = unit_of(name.per)[1]
        said = f'Column "{name.text}" is a rate per {each}: multiplied by the number of {plural}.'
        found.notes.append(Note("per_worker_rate", said))
        return rate * n
    beside = [
        i
        for i, other in enumerate(table.names or ())
        if i != n_index and parse_name(other).role == "n" and singular(words_of(other)[-1]) == name.per
    ]
    if len(beside) == 1:
        other = table.name(beside[0])
        column = table.columns[beside[0]]
        factor = cells.convert(column, source=table.source, name=other, line=table.line, unit=None)
        for row, text in factor.faults.items():
            found.faults.setdefault(row, f"{place(table.source, int(table.line[row]), other)}: {text}")
        each = unit_of(name.per)[1]
        said = f'Column "{name.text}" is a rate per {each}: multiplied by column "{other}".'
        found.notes.append(Note("per_worker_rate", said))
        return rate * factor.values
    plural, one = unit_of(table.name(n_index))
    each, several = unit_of(name.per)[1], unit_of(name.per)[0]
    found.notes.append(
        Note(
            "per_worker_rate",
            f'Column "{name.text}" is a rate per {each}: multiplied by the number of {plural}, which is '
            f"right only if every {one} has the same number of {several}.",
        )
    )
    return rate * n


def _codes(column: Cells) -> FloatArray:
    """Return a number for each different label, in the order of first appearance; NaN where it is empty."""
    seen: dict[str, int] = {}
    codes = [
        float("nan")
        if cell is None or not str(cell).strip()
        else float(seen.setdefault(str(cell).strip(), len(seen)))
        for cell in (column.tolist() if isinstance(column, np.ndarray) else column)
    ]
    return np.array(codes)


def _extra(found: _Found) -> dict[str, npt.NDArray[np.generic]]:
    """Return the columns without a role: numbers where every cell that is not empty is one, else text."""
    table = found.table
    used = (set(found.roles.column.values()) - found.released) | table.index
    extra: dict[str, npt.NDArray[np.generic]] = {}
    for index, column in enumerate(table.columns):
        if index in used:
            continue
        name = table.name(index) if table.names is not None else ""
        if not name.strip() or name in extra:
            name = f"{name} (column {index + 1})".strip() if name.strip() else f"column {index + 1}"
        extra[name] = _kept(column, table.text)
    return extra


def _kept(column: Cells, text: bool) -> npt.NDArray[np.generic]:
    """Return a column as it is kept: as numbers where it holds nothing else, and "007" is no number."""
    if isinstance(column, np.ndarray):
        return column
    if not text and any(isinstance(cell, str) for cell in column):
        return _labels(column)
    values = cells.fast(column)
    empty = None
    if values is None:
        empty = np.array([cell is None or not str(cell).strip() for cell in column])
        filled = ["0" if gone else cell for cell, gone in zip(column, empty.tolist(), strict=True)]
        values = cells.fast(filled) if 0 < np.count_nonzero(empty) < empty.size else None
    if values is None or (text and any(_LEADING_ZERO(str(cell)) for cell in column)):
        return _labels(column)
    if empty is not None:
        values[empty] = np.nan
    return values


# A code, not a count.
_LEADING_ZERO = re.compile(r"\s*[+-]?0\d").match


def _labels(column: Cells) -> npt.NDArray[np.object_]:
    kept = np.empty(len(column), dtype=np.object_)
    kept[:] = list(map(_label, column))
    return kept


def _label(cell: object) -> object:
    if isinstance(cell, str):
        return cell.strip()
    return cell if cell is None or isinstance(cell, (bool, int, float)) else str(cell)
