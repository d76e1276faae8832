"""The result of many fits: columns, one row a trace."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from scalewall import _core
from scalewall._errors import ChoiceError, InsufficientDataError
from scalewall.fitting import Fit, FitOptions, fit_runs
from scalewall.many import files

if TYPE_CHECKING:
    import numpy.typing as npt

    from scalewall.many.traces import Traces

    FloatArray = npt.NDArray[np.float64]
    CodeArray = npt.NDArray[np.uint32]
    TextArray = npt.NDArray[np.object_]

_CODES, _KINDS, _LAWS, _ANSWERS, _STATUSES, _NOTES = _core.many_codes()
_PARAMETERS = ("sigma", "kappa", "q", "limit_n")
_LOW, _HIGH = "_low", "_high"


@dataclass(frozen=True, eq=False, repr=False)
class Fits:
    """What a long table says, trace by trace; made by `fit_many`.

    Columns hold one value a trace, NaN where nothing applies and infinity where a range has no end. The
    names of `columns` are those of `to_dataframe`; the properties give the usual ones by name.

    Attributes
    ----------
    keys : dict of str to ndarray
        The key columns: which trace a row is.
    options : FitOptions
        What was asked of every trace.
    names : tuple of str
        Names of the columns of numbers.
    """

    keys: dict[str, npt.NDArray[np.generic]]
    options: FitOptions
    names: tuple[str, ...]
    _traces: Traces
    _values: FloatArray
    _codes: CodeArray
    _notes: npt.NDArray[np.uint64]

    @classmethod
    def empty(cls, traces: Traces, options: FitOptions) -> Fits:
        """Return columns for these traces, not yet filled."""
        names, count = tuple(_core.many_columns(options.asked())), len(traces)
        values = np.empty((count, len(names)))
        codes = np.zeros((count, len(_CODES)), dtype=np.uint32)
        return cls(traces.groups.keys, options, names, traces, values, codes, np.zeros(count, np.uint64))

    def sheets(self) -> tuple[FloatArray, CodeArray, npt.NDArray[np.uint64]]:
        """Return the columns as the core fills them: flat, row by row."""
        return self._values.reshape(-1), self._codes.reshape(-1), self._notes

    def __len__(self) -> int:
        """Return the number of traces."""
        return len(self._traces)

    def column(self, name: str) -> FloatArray:
        """Return a column of numbers.

        Raises
        ------
        ChoiceError
            If there is no such column.
        """
        if name not in self.names:
            raise ChoiceError(f"column is {name!r}: expected one of {', '.join(self.names)}")
        return self._values[:, self.names.index(name)]

    def _range(self, name: str) -> FloatArray:
        return np.column_stack([self.column(name + _LOW), self.column(name + _HIGH)])

    def _estimate(self, name: str) -> FloatArray:
        return np.column_stack([self.column(name), self.column(name + _LOW), self.column(name + _HIGH)])

    def _code(self, name: str) -> CodeArray:
        return self._codes[:, _CODES.index(name)]

    @property
    def status(self) -> TextArray:
        """What became of each trace: "fitted", or why there is no answer."""
        return _texts([name for name, _ in _STATUSES])[self._code("status")]

    @property
    def reason(self) -> TextArray:
        """Why a trace has no answer, as a sentence; empty where it has one."""
        return _texts([reason for _, reason in _STATUSES])[self._code("status")]

    @property
    def kind(self) -> TextArray:
        """Kind of scaling."""
        return _texts(_KINDS)[self._code("kind")]

    @property
    def law(self) -> TextArray:
        """Best law that is kept, None where no law is."""
        names = _texts(_LAWS)
        names[0] = None
        return names[self._code("law")]

    @property
    def doubling(self) -> TextArray:
        """Answer to whether twice the largest count saves the time asked for."""
        return _texts(_ANSWERS)[self._code("answer")]

    @property
    def runs(self) -> CodeArray:
        """Usable rows."""
        return self._code("runs")

    @property
    def counts(self) -> CodeArray:
        """Distinct worker counts."""
        return self._code("counts")

    @property
    def left_out(self) -> CodeArray:
        """Rows left out before the fit."""
        return self._code("left_out")

    @property
    def flagged(self) -> CodeArray:
        """Runs left out of the fit as outliers."""
        return self._code("flagged")

    @property
    def serial_fraction(self) -> FloatArray:
        """Share of the one-worker time that does not shrink: value, low, high."""
        return self._estimate("serial_fraction")

    @property
    def ceiling(self) -> FloatArray:
        """Largest speedup at any count: low, high."""
        return self._range("ceiling")

    @property
    def peak_n(self) -> FloatArray:
        """Count beyond which more workers are slower: low, high."""
        return self._range("peak_n")

    @property
    def time_ratio(self) -> FloatArray:
        """T(2n) / T(n) at the largest count n: value, low, high."""
        return self._estimate("time_ratio")

    def params(self, law: str) -> dict[str, FloatArray]:
        """Return the parameters of one law: value, low and high of each trace.

        Raises
        ------
        ChoiceError
            If the law was not fitted.
        """
        own = [name for name in _PARAMETERS if f"{law}_{name}" in self.names]
        if not own:
            raise ChoiceError(f"law is {law!r}: expected one of {', '.join(self._laws())}")
        return {name: self._estimate(f"{law}_{name}") for name in own}

    def _laws(self) -> list[str]:
        return [law for law in _LAWS[1:] if f"{law}_time_one" in self.names]

    def kept(self, law: str) -> npt.NDArray[np.bool_]:
        """Return whether each trace allows a law."""
        if law not in self._laws():
            raise ChoiceError(f"law is {law!r}: expected one of {', '.join(self._laws())}")
        return np.asarray((self._code("kept") >> _LAWS.index(law)) % 2, dtype=np.bool_)

    def has_note(self, code: str) -> npt.NDArray[np.bool_]:
        """Return whether each trace has the note of a code."""
        if code not in _NOTES:
            raise ChoiceError(f"code is {code!r}: expected one of {', '.join(_NOTES)}")
        return np.asarray((self._notes >> np.uint64(_NOTES.index(code))) % 2, dtype=np.bool_)

    @property
    def notes(self) -> TextArray:
        """Codes of the notes of each trace, as one text; their sentences are in `row(i).notes`."""
        sets, inverse = np.unique(self._notes, return_inverse=True)
        return _texts([" ".join(_codes_in(bits)) for bits in sets.tolist()])[inverse]

    def index(self, *key: object) -> int:
        """Return the row of a trace by its key: the values of the key columns.

        Raises
        ------
        KeyError
            If there is no such trace.
        """
        same = np.ones(len(self), dtype=np.bool_)
        for column, value in zip(self.keys.values(), key, strict=True):
            same &= column == value
        found = np.flatnonzero(same)
        if not found.size:
            raise KeyError(key[0] if len(key) == 1 else key)
        return int(found[0])

    def rows_of(self, i: int) -> npt.NDArray[np.int64]:
        """Return the rows of the table that belong to a trace, counted from 0."""
        return self._traces.groups.rows(self._place(i))

    def row(self, i: int) -> Fit:
        """Return the whole fit of a trace: what `fit` says of its rows.

        A fit is a pure function of the runs: it is done again, which takes less than a millisecond.

        Raises
        ------
        IndexError
            If there is no such row.
        InsufficientDataError, ReadError
            If the trace has no usable row.
        """
        place = self._place(i)
        if self._traces.groups.rows(place).size == 0:
            raise InsufficientDataError(f"trace {place} has no row: at least one is needed")
        return fit_runs(self._traces.runs(place), self.options)

    def _place(self, i: int) -> int:
        place = operator.index(i)
        if not -len(self) <= place < len(self):
            raise IndexError(f"row {place}: there are {len(self)} traces")
        return place % len(self)

    def to_dict(self) -> dict[str, npt.NDArray[np.generic]]:
        """Return all columns by name: keys, texts, counts, numbers."""
        texts = ("status", "reason", "kind", "law", "doubling", "notes")
        numbers = ("runs", "counts", "left_out", "flagged")
        own = {name: getattr(self, name) for name in (*texts, *numbers)}
        keys = {name if name not in own else f"{name} (key)": key for name, key in self.keys.items()}
        kept = {f"{law}_kept": self.kept(law) for law in self._laws()}
        return keys | own | kept | {name: self.column(name) for name in self.names}

    def to_dataframe(self) -> Any:
        """Return all columns as a pandas DataFrame, one row a trace."""
        try:
            import pandas as pd  # noqa: PLC0415 - optional, and slow to import
        except ImportError as error:
            raise ImportError("to_dataframe() needs pandas: pip install pandas") from error
        return pd.DataFrame(self.to_dict())

    def save(self, path: str | Path) -> None:
        """Write all columns to a file: Parquet where the name ends in .parquet, CSV where in .csv.

        Raises
        ------
        ChoiceError
            If the name has another ending, or nothing that writes Parquet is installed.
        ReadError
            If the file cannot be written.
        """
        files.save(self.to_dict(), files.checked(Path(path)))

    def __repr__(self) -> str:
        names, counts = np.unique(self.status.astype(str), return_counts=True)
        said = ", ".join(f"{count} {name}" for name, count in zip(names, counts, strict=True))
        return f"<Fits of {len(self)} traces: {said or 'none'}>"


def _texts(names: Any) -> TextArray:
    return np.array(list(names), dtype=np.object_)


def _codes_in(bits: int) -> list[str]:
    return [code for place, code in enumerate(_NOTES) if bits >> place & 1]
