"""From a long table to traces: the columns of the core, and the runs of one trace."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from scalewall._errors import ChoiceError, ColumnError, ReadError
from scalewall.kinds import Kind, checked_kind
from scalewall.many.groups import Groups, by_keys, by_offsets
from scalewall.readers import build, frames, read_table, roles
from scalewall.readers.names import parse_name
from scalewall.readers.sources import is_path
from scalewall.readers.table import Table, listed
from scalewall.runs import Runs, load_curve_of_times

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from scalewall.readers.roles import Roles
    from scalewall.readers.table import Cells

    FloatArray = npt.NDArray[np.float64]
    IntArray = npt.NDArray[np.int64]
    AnyArray = npt.NDArray[np.generic]

_PARQUET_READERS = {"pyarrow.parquet": "read_table", "polars": "read_parquet", "pandas": "read_parquet"}
# Roles that say nothing to many traces: their columns stay out of the table.
_PHASES = frozenset({"serial", "one_worker"})


@dataclass(frozen=True)
class Columns:
    """Columns that the caller names for the roles."""

    n: str | None
    time: str | None
    throughput: str | None
    work: str | None
    round: str | None

    def wanted(self) -> dict[str, str | int | None]:
        """Return the column of each role, for the readers."""
        given = {"n": self.n, "time": self.time, "throughput": self.throughput, "work": self.work}
        return {**given, "round": self.round, **dict.fromkeys(_PHASES)}


@dataclass(frozen=True, eq=False)
class Traces:
    """A table whose rows belong to traces.

    `table` holds the columns with a role, from which the runs of a trace are made exactly as `read` would
    make them of its rows alone.
    """

    table: Table
    roles: Roles
    groups: Groups
    columns: tuple[FloatArray, FloatArray, FloatArray | None, FloatArray | None, IntArray, IntArray | None]
    quantity: Literal["time", "rate"]
    kind: Kind | None
    unit: str | tuple[str, str] | None
    min_n: float
    # Whether rows are numbered through the table, as the lines of a file are, or in each trace.
    numbered: bool

    def __len__(self) -> int:
        """Return the number of traces."""
        return int(self.groups.offsets.size) - 1

    def runs(self, trace: int) -> Runs:
        """Return the runs of a trace."""
        index = self.groups.rows(trace)
        cells = tuple(_taken(column, index) for column in self.table.columns)
        line = self.table.line[index] if self.numbered else np.arange(1, index.size + 1)
        part = replace(self.table, columns=cells, line=line, rejected=())
        return build.runs_of(part, self.roles, kind=self.kind, unit=self.unit, min_n=self.min_n, keep_rows=())


def _taken(column: Cells, index: IntArray) -> Cells:
    return column[index] if isinstance(column, np.ndarray) else [column[row] for row in index.tolist()]


def traces_of(
    table: Any,
    *,
    by: str | Sequence[str] | None,
    offsets: npt.ArrayLike | None,
    columns: Columns,
    kind: str | None,
    unit: str | tuple[str, str] | None,
    min_n: float,
) -> Traces:
    """Return the traces of a table of any kind."""
    if (by is None) == (offsets is None):
        state = "neither is given" if by is None else "both are given"
        raise ChoiceError(f"by, offsets - {state} - expected one - name the column that tells traces apart")
    names = [] if by is None else [by] if isinstance(by, str) else list(by)
    given = checked_kind(kind)
    whole, keys = _split(table, names)
    found = roles.find(whole, columns.wanted())
    whole, found = _with_roles(whole, found)
    cells = build.columns_of(whole, found)
    quantity: Literal["time", "rate"] = "rate" if cells["time"] is None else "time"
    if given == "throughput" and quantity == "time":
        raise ChoiceError(load_curve_of_times(whole.source, whole.name(found.column["time"])))
    n, measured = cells["n"], cells["throughput" if quantity == "rate" else "time"]
    if n is None or measured is None:
        raise ReadError("table - has no time and no rate - expected one of them - say time= or throughput=")
    groups = by_keys(keys) if offsets is None else by_offsets(offsets, n.size)
    work, turn = (None if c is None else np.ascontiguousarray(c) for c in (cells["work"], cells["round"]))
    core = (
        np.ascontiguousarray(n),
        np.ascontiguousarray(measured),
        work,
        turn,
        groups.offsets,
        groups.order,
    )
    numbered = is_path(table) and not _parquet(Path(table))
    return Traces(whole, found, groups, core, quantity, given, unit, min_n, numbered)


def _split(source: Any, names: Sequence[str]) -> tuple[Table, dict[str, AnyArray]]:
    """Return the table without its key columns, and the key columns."""
    if is_path(source) and _parquet(Path(source)):
        source = _read_parquet(Path(source))
    frame = frames.frame_of(source)
    if frame is None:
        table = _from_arrays(source) or read_table(source)
        index = {name: _index(name, list(table.names or ())) for name in names}
        keys = {table.name(i): _as_keys(table.columns[i]) for i in index.values()}
        rest = [i for i in range(len(table.columns)) if i not in index.values()]
        return _lined(_only(table, rest)), keys
    known = [str(column) for column in frame.columns]
    chosen = [known[_index(name, known)] for name in names]
    keys = {name: frames.keys(frame[name]) for name in chosen}
    return _lined(frames.table_of(frame.drop(chosen), "", _unnumbered(len(frame)))), keys


def _from_arrays(source: Any) -> Table | None:
    """Return the table of a dict of arrays of numbers without a copy of any; None for anything else."""
    if not isinstance(source, dict) or not source:
        return None
    columns = tuple(source.values())
    if not all(isinstance(c, np.ndarray) and c.ndim == 1 and c.dtype.kind in "fiuU" for c in columns):
        return None
    if len({column.size for column in columns}) > 1 or columns[0].size == 0:
        return None
    names = tuple(str(name) for name in source)
    return Table("", names, columns, _unnumbered(columns[0].size))


def _unnumbered(rows: int) -> IntArray:
    """Return lines for rows that are counted in each trace: one number, however long the table."""
    return np.broadcast_to(np.int64(0), rows)


def _lined(table: Table) -> Table:
    """Return the table with numbered rows if it holds text: messages about its cells name a row."""
    plain = all(isinstance(column, np.ndarray) and column.dtype.kind in "fiu" for column in table.columns)
    if plain or table.line.strides != (0,):
        return table
    return replace(table, line=np.arange(1, table.line.size + 1))


def _as_keys(column: Cells) -> AnyArray:
    if isinstance(column, np.ndarray):
        return column
    keys = np.empty(len(column), dtype=np.object_)
    keys[:] = column
    return keys


def _index(name: str, known: list[str]) -> int:
    if name in known:
        return known.index(name)
    loose = [i for i, other in enumerate(known) if other.strip().lower() == name.strip().lower()]
    if len(loose) == 1:
        return loose[0]
    raise ColumnError(f'by is "{name}": there is no such column. The columns are {listed(known)}')


def _only(table: Table, columns: Sequence[int]) -> Table:
    place = {old: new for new, old in enumerate(columns)}
    return replace(
        table,
        names=None if table.names is None else tuple(table.names[i] for i in columns),
        columns=tuple(table.columns[i] for i in columns),
        index=frozenset(place[i] for i in table.index if i in place),
        seconds=frozenset(place[i] for i in table.seconds if i in place),
    )


def _with_roles(table: Table, found: Roles) -> tuple[Table, Roles]:
    """Leave the columns without a role out; a second worker count may belong to a rate per worker."""
    column = {role: i for role, i in found.column.items() if role not in _PHASES}
    used = set(column.values())
    if table.names is not None:
        used |= {i for i, name in enumerate(table.names) if parse_name(name).role == "n"}
    kept = sorted(used)
    place = {old: new for new, old in enumerate(kept)}
    reduced = replace(
        found,
        column={role: place[i] for role, i in column.items()},
        names={place[i]: name for i, name in found.names.items() if i in place},
    )
    return _only(table, kept), reduced


def _parquet(path: Path) -> bool:
    if path.suffix.lower() in {".parquet", ".pq"}:
        return True
    try:
        with path.open("rb") as file:
            return file.read(4) == b"PAR1"
    except OSError:
        return False


def _read_parquet(path: Path) -> Any:
    if not path.is_file():
        raise ReadError(f"{path} does not exist. Expected a Parquet file. Check the path")
    from importlib import import_module  # noqa: PLC0415 - only Parquet needs these

    for module, function in _PARQUET_READERS.items():
        try:
            read = getattr(import_module(module), function)
        except ImportError:
            continue
        try:
            return read(path)
        except Exception as error:  # every library has its own errors for a broken file
            reason = " ".join(str(error).split())
            raise ReadError(f"{path} cannot be read as Parquet: {reason}. Check the file") from error
    raise ReadError(f"{path} is a Parquet file, and reading it needs pyarrow or polars: pip install pyarrow")
