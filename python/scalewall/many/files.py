"""Columns of fits to a file: Parquet, or CSV where nothing else is installed."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any

import numpy as np

from scalewall._errors import ChoiceError, ReadError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import numpy.typing as npt

    Columns = Mapping[str, npt.NDArray[np.generic]]

PARQUET = frozenset({".parquet", ".pq"})
NAMED = "expected a name that ends in .parquet or .csv"


def checked(path: Path) -> Path:
    """Return the path, or raise `ChoiceError` or `ReadError` where nothing can be written there."""
    if path.suffix.lower() not in PARQUET | {".csv"}:
        raise ChoiceError(f"{path} - is neither Parquet nor CSV - {NAMED} - rename it")
    if not path.parent.is_dir():
        raise ReadError(f"{path} cannot be written: there is no directory {path.parent}. Make it first")
    if path.suffix.lower() in PARQUET:
        _parquet_writer()
    return path


def save(columns: Columns, path: Path) -> None:
    """Write columns to a file whose ending says how."""
    write = _parquet_writer() if path.suffix.lower() in PARQUET else _write_csv
    try:
        write(columns, path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ReadError(f"{path} cannot be written: {reason}. Name another file") from error


def _parquet_writer() -> Any:
    """Return what writes Parquet with what is installed."""
    from importlib.util import find_spec  # noqa: PLC0415 - only Parquet needs these

    if find_spec("pyarrow") is not None:
        return _by_pyarrow
    if find_spec("polars") is not None:
        return _by_polars
    raise ChoiceError(
        "Parquet files need pyarrow or polars: pip install pyarrow, or name a file that ends in .csv"
    )


def _by_pyarrow(columns: Columns, path: Path) -> None:
    import pyarrow as pa  # noqa: PLC0415
    from pyarrow import parquet  # noqa: PLC0415

    # A number that does not apply is missing, not NaN, to whoever reads the file.
    arrays = {name: pa.array(column, from_pandas=True) for name, column in columns.items()}
    parquet.write_table(pa.table(arrays), path)


def _by_polars(columns: Columns, path: Path) -> None:
    import polars as pl  # noqa: PLC0415

    pl.DataFrame(dict(columns), nan_to_null=True, strict=False).write_parquet(path)


def _write_csv(columns: Columns, path: Path) -> None:
    cells = [_cells(column) for column in columns.values()]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*cells, strict=True))


def _cells(column: npt.NDArray[np.generic]) -> list[object]:
    filled: npt.NDArray[np.generic] = column
    if column.dtype.kind == "f":
        filled = column.astype(np.object_)
        filled[np.isnan(column.astype(np.float64))] = ""
    cells: list[object] = filled.tolist()
    return cells
