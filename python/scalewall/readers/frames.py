"""Tables of pandas, polars and pyarrow, through narwhals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from scalewall.readers.table import Table, unreadable

if TYPE_CHECKING:
    import narwhals as nw

    from scalewall.readers.table import Cells


def parse(source: object, name: str) -> Table | None:
    """Return the table of a data frame, or None if this is none that narwhals knows."""
    import narwhals as nw  # noqa: PLC0415 - `import scalewall` brings NumPy alone

    try:
        frame: Any = nw.from_native(_with_index(source), pass_through=True)
    except Exception as error:  # every library has its own errors for a broken frame
        raise unreadable(name, f"this {type(source).__name__} cannot be read ({error})") from error
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    if not isinstance(frame, nw.DataFrame):
        return None
    names = tuple(str(column) for column in frame.columns)
    rows = len(frame)
    if rows == 0 or not names:
        raise unreadable(name, f"has {rows} rows and {len(names)} columns. Expected one row a run")
    seconds: set[int] = set()
    columns: list[Cells] = []
    for index, column in enumerate(frame.iter_columns()):
        cells, timed = _cells(column)
        columns.append(cells)
        if timed:
            seconds.add(index)
    line = np.arange(1, rows + 1, dtype=np.int64)
    return Table(name, names, tuple(columns), line, seconds=frozenset(seconds))


def _with_index(source: Any) -> Any:
    """Return a frame of pandas with its named index as columns: `groupby("threads").mean()` keeps n there."""
    named = {name for name in getattr(getattr(source, "index", None), "names", ()) if name is not None}
    if not named or not hasattr(source, "reset_index") or named & set(source.columns):
        return source
    return source.reset_index()


def _cells(series: nw.Series[Any]) -> tuple[Cells, bool]:
    """Return the cells of a column, None where it is empty, and whether they are durations in seconds."""
    import narwhals as nw  # noqa: PLC0415

    timed = series.dtype == nw.Duration
    if timed:
        series = series.dt.total_nanoseconds().cast(nw.Float64) / 1e9
    missing = series.is_null()
    numeric = timed or series.dtype.is_numeric()
    if numeric and not missing.any():
        return series.cast(nw.Float64).to_numpy().astype(np.float64), timed
    values = (series.cast(nw.Float64) if numeric else series).to_list()
    absent = missing.to_list()
    return [None if gone else value for value, gone in zip(values, absent, strict=True)], timed
