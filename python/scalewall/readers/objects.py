"""Tables of objects: JSON, JSON Lines, and Python dicts, lists and arrays of the same shapes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from scalewall.readers.cells import is_number
from scalewall.readers.table import Table, listed, shortened, unreadable
from scalewall.results import Note, Rejected

if TYPE_CHECKING:
    from scalewall.readers.table import Cells

_SHAPES = "Expected a list of objects, an object of lists, or an object that holds one of these"


class _TwiceError(ValueError):
    """A key stands twice in one object: one of its values would be lost."""


def looks_like_json(text: str, suffix: str) -> bool:
    """Say whether a text is JSON: by the ending of its name, or by its first sign."""
    if suffix in {".json", ".jsonl", ".ndjson"}:
        return True
    lines = (line for line in text.split("\n", 1000)[:1000] if line.strip())
    first = next((line for line in lines if not line.lstrip().startswith("#")), "")
    return suffix not in {".csv", ".tsv", ".tab"} and first.lstrip()[:1] in {"{", "["}


def parse(text: str, source: str, suffix: str = "") -> Table:
    """Return the table that a JSON or JSON Lines text holds."""
    if suffix not in {".jsonl", ".ndjson"}:
        try:
            return from_object(_loads(text), source)
        except _TwiceError as error:
            raise unreadable(source, f"{error}. Expected every key once. Rename one of them") from error
        except RecursionError as error:
            raise unreadable(source, f"is nested too deep for a table of runs. {_SHAPES}") from error
        except json.JSONDecodeError as error:
            if not _is_lines(text):
                raise unreadable(
                    source,
                    f"row {error.lineno}, sign {error.colno}: this is no JSON ({error.msg}). {_SHAPES}. "
                    "Correct it there",
                ) from error
    return _parse_lines(text, source)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _TwiceError(f'key "{shortened(twice)}" stands twice in one object')
    return found


# One decoder: making one costs more than a row does.
_DECODER = json.JSONDecoder(object_pairs_hook=_once)


def _loads(text: str) -> object:
    return cast("object", _DECODER.decode(text))


def _is_lines(text: str) -> bool:
    """Say whether the first of several lines that hold something is JSON on its own."""
    lines = [line for line in text.split("\n", 1000)[:1000] if line.strip() and line.lstrip()[0] != "#"]
    if len(lines) < 2:
        return False
    try:
        return isinstance(json.loads(lines[0]), (dict, list))
    except ValueError:
        return False


def _parse_lines(text: str, source: str) -> Table:
    lines = [
        (number, line)
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip() and not line.lstrip().startswith(("#", "//"))
    ]
    if lines:
        # All lines as one list, if that gives as many rows: much faster than line by line.
        try:
            together = _loads(f"[{','.join(line for _, line in lines)}]")
        except (ValueError, RecursionError):
            together = None
        if isinstance(together, list) and len(together) == len(lines):
            return _from_rows(together, np.array([number for number, _ in lines], dtype=np.int64), source, ())
    rows: list[object] = []
    numbers: list[int] = []
    rejected: list[Rejected] = []
    for number, line in lines:
        try:
            rows.append(_loads(line))
            numbers.append(number)
        except (ValueError, RecursionError) as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
            text = f'{source} row {number}: "{shortened(line)}" is no JSON ({reason})'
            rejected.append(Rejected(number, text))
    if not rows:
        what = rejected[0].reason if rejected else f"{source}: holds no row"
        raise unreadable("", f"{what}. Expected one JSON object a line. Correct the file")
    return _from_rows(rows, np.array(numbers, dtype=np.int64), source, tuple(rejected))


def from_object(found: object, source: str) -> Table:
    """Return the table that an object of JSON, or of Python, holds.

    Parameters
    ----------
    found : dict, list or ndarray
        A list of objects, an object of lists, a list of lists, an object that holds one of these, an array.
    source : str
        Its name, for messages.
    """
    table, path, beside = _inside(found, source, ())
    if isinstance(table, np.ndarray):
        result = _from_array(table, source)
    elif isinstance(table, Mapping):
        result = _from_columns({str(name): cells for name, cells in table.items()}, source)
    else:
        rows = list(table)
        if not rows:
            raise unreadable(
                source, f"holds an empty list. {_SHAPES}. Check that the program wrote its results"
            )
        result = _from_rows(rows, np.arange(1, len(rows) + 1, dtype=np.int64), source, ())
    if not path:
        return result
    where = ".".join(path)
    aside = f"; beside it stand {listed(beside)}" if beside else ""
    note = Note("rows_inside", f'Rows are taken from "{where}"{aside}.')
    return Table(result.source, result.names, result.columns, result.line, result.rejected, (note,))


def _is_list(value: object) -> bool:
    return isinstance(value, (Sequence, np.ndarray)) and not isinstance(value, (str, bytes))


def _holds_objects(value: object) -> bool:
    return _is_list(value) and len(value) > 0 and isinstance(value[0], Mapping)  # type: ignore[arg-type,index]


def _is_columns(value: object) -> bool:
    """Say whether an object is made of columns: lists of cells, at least two of them."""
    if not isinstance(value, Mapping):
        return False
    lists = [cells for cells in value.values() if _is_list(cells) and not _holds_objects(cells)]
    return len(lists) > 1


def _inside(
    found: object, source: str, path: tuple[str, ...]
) -> tuple[Mapping[object, object] | Sequence[object] | np.ndarray, tuple[str, ...], list[str]]:
    """Return the table inside an object, the keys that lead to it, and the keys beside it."""
    if isinstance(found, np.ndarray) or _is_columns(found):
        return found, path, []  # type: ignore[return-value]
    if _is_list(found):
        return found, path, []  # type: ignore[return-value]
    if not isinstance(found, Mapping):
        kind = type(found).__name__
        raise unreadable(source, f"holds one {kind} ({shortened(str(found))!r}) and no table. {_SHAPES}")
    inner = [str(key) for key, value in found.items() if _holds_objects(value) or _is_columns(value)]
    if not inner:
        inner = [str(key) for key, value in found.items() if isinstance(value, Mapping) and _leads(value)]
    if len(inner) > 1:
        raise unreadable(
            source, f"holds several tables: {listed(inner)}. Expected one. Pass the one that is meant"
        )
    if inner:
        beside = [str(key) for key in found if str(key) != inner[0]]
        value = next(value for key, value in found.items() if str(key) == inner[0])
        table, deeper, further = _inside(value, source, (*path, inner[0]))
        return table, deeper, beside + further
    if not found:
        raise unreadable(
            source, f"holds an empty object. {_SHAPES}. Check that the program wrote its results"
        )
    # One run alone, or one column of lists: its columns are told apart later.
    return (found if any(map(_is_list, found.values())) else [found]), path, []


def _leads(value: object) -> bool:
    if _holds_objects(value) or _is_columns(value):
        return True
    return isinstance(value, Mapping) and any(_leads(inner) for inner in value.values())


def _from_columns(columns: dict[str, object], source: str) -> Table:
    """Return a table of an object of lists; a single value beside the lists holds for every row."""
    lists = {name: cells for name, cells in columns.items() if _is_list(cells)}
    sizes = {name: len(cells) for name, cells in lists.items()}  # type: ignore[arg-type]
    if len(set(sizes.values())) > 1:
        said = ", ".join(f'"{shortened(name)}" has {size}' for name, size in sizes.items())
        raise unreadable(source, f"columns differ in length: {said}. Expected one cell for every run in each")
    rows = next(iter(sizes.values()))
    if rows == 0:
        raise unreadable(source, "holds columns without rows. Expected one row a run")
    cells = [
        _column(value, source, name) if name in lists else [value] * rows for name, value in columns.items()
    ]
    return Table(source, tuple(columns), tuple(cells), np.arange(1, rows + 1, dtype=np.int64))


def _column(value: object, source: str, name: str) -> Cells:
    if isinstance(value, np.ndarray):
        if value.ndim != 1:
            raise unreadable(
                source, f'column "{name}" has {value.ndim} dimensions. Expected one value per run (1-D)'
            )
        return value if value.dtype.kind in "fiu" else cast("list[object]", value.tolist())
    return list(cast("Sequence[object]", value))


def _from_array(array: np.ndarray, source: str) -> Table:
    if array.dtype.names:
        return _from_columns({name: array[name] for name in array.dtype.names}, source)
    if array.ndim != 2 or 0 in array.shape:
        raise unreadable(
            source,
            f"is an array of shape {array.shape}. Expected one row a run and one column a quantity (2-D)",
        )
    columns = tuple(array[:, column] for column in range(array.shape[1]))
    if array.dtype.kind not in "fiu":
        return _from_rows(array.tolist(), np.arange(1, array.shape[0] + 1, dtype=np.int64), source, ())
    return Table(source, None, columns, np.arange(1, array.shape[0] + 1, dtype=np.int64))


def _from_rows(rows: list[object], number: np.ndarray, source: str, rejected: tuple[Rejected, ...]) -> Table:
    """Return a table of a list of objects, or of a list of lists whose first may name the columns."""
    objects = isinstance(rows[0], Mapping)
    lists = _is_list(rows[0])
    if not (objects or lists):
        raise unreadable(source, f"row {int(number[0])} is {shortened(str(rows[0]))!r}. {_SHAPES}")
    names: tuple[str, ...] | None = None
    if lists:
        first = [str(cell).strip() for cell in cast("Sequence[object]", rows[0])]
        if all(isinstance(cell, str) for cell in cast("Sequence[object]", rows[0])) and not any(
            map(is_number, first)
        ):
            names, rows, number = tuple(first), rows[1:], number[1:]
        width = len(first)
    wrong = [
        index
        for index, row in enumerate(rows)
        if (not isinstance(row, Mapping) if objects else not _is_list(row) or len(row) != width)  # type: ignore[arg-type]
    ]
    if wrong:
        expected = "an object" if objects else f"a list of {width} cells"
        rejected += tuple(
            Rejected(
                int(number[index]),
                f"{source + ' ' if source else ''}row {int(number[index])}: "
                f'"{shortened(json.dumps(rows[index], default=str))}" where {expected} is expected',
            )
            for index in wrong
        )
        keep = np.ones(len(rows), dtype=np.bool_)
        keep[wrong] = False
        rows = [row for row, good in zip(rows, keep.tolist(), strict=True) if good]
        number = number[keep]
    if not rows:
        raise unreadable(
            source, "holds no row. Expected one row a run. Check that the program wrote its results"
        )
    if objects:
        flat = _flat(cast("list[Mapping[str, object]]", rows))
        keys = list(dict.fromkeys(key for row in flat for key in row)) if _differ(flat) else list(flat[0])
        cells = tuple([row.get(key) for row in flat] for key in keys)
        return Table(source, tuple(map(str, keys)), cells, number, rejected)
    columns = tuple(map(list, zip(*cast("list[Sequence[object]]", rows), strict=True)))
    return Table(source, names, columns, number, rejected)


def _differ(rows: list[Mapping[str, object]]) -> bool:
    keys = rows[0].keys()
    return any(row.keys() != keys for row in rows)


def _flat(rows: list[Mapping[str, object]]) -> list[Mapping[str, object]]:
    """Spread objects inside a row into columns of its own: {"host": {"cores": 4}} gives "host.cores"."""
    if not any(isinstance(value, dict) for row in rows for value in row.values()):
        return rows
    return [dict(_pairs(row, "")) for row in rows]


def _pairs(row: Mapping[str, object], prefix: str) -> list[tuple[str, object]]:
    pairs: list[tuple[str, object]] = []
    for key, value in row.items():
        if isinstance(value, dict):
            pairs.extend(_pairs(value, f"{prefix}{key}."))
        else:
            pairs.append((f"{prefix}{key}", value))
    return pairs


def is_plain(source: object) -> bool:
    """Say whether a Python object is one that `from_object` takes: dict, list, tuple or array."""
    return isinstance(source, (dict, list, tuple, np.ndarray))
