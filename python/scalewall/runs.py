"""Measured runs: how many workers, how long it took, and what else varied."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np

from scalewall import kinds, phase_ledger, rows, splits
from scalewall._errors import ChoiceError, ColumnError
from scalewall.results import Note, Rejected
from scalewall.workers import count_text, unit_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import numpy.typing as npt
    import pandas as pd

    from scalewall.phase_ledger import PhaseLedger

    FloatArray = npt.NDArray[np.float64]
    IntArray = npt.NDArray[np.int64]
    AnyArray = npt.NDArray[np.generic]

_Scalar = TypeVar("_Scalar", bound=np.generic)

ROLES = ("n", "time", "throughput", "work", "round", "serial", "one_worker")
BASE_CASE = "same program on one worker"


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Runs:
    """A table of measured runs, one row a run; repeats are rows.

    Rows that cannot be used are left out and listed in `rejected`, each with its line and the reason.
    All arrays are read-only and hold the usable rows in the order of the source.

    Parameters
    ----------
    n : array_like of float, shape (k,)
        Worker counts, dimensionless, each >= `min_n` and at most 2^53.
    time : array_like of float, shape (k,), optional
        Wall time of each run, seconds. Give this or `throughput`.
    throughput : array_like of float, shape (k,), optional
        Rate of each run, all workers together, work per second.
    work : array_like of float, shape (k,), optional
        Work done by each run. The same at every count (within 5 %): strong scaling; in proportion to `n`:
        weak scaling. Rows that disagree with three quarters of the others are left out and listed.
    round : array_like of int, shape (k,), optional
        Round in which a run was measured; NaN or a negative number where there is none.
    kind : {"strong", "weak", "throughput"}, optional
        Kind of scaling. Without it the work decides, or a clear fall of the time; else the kind is "unknown".
    unit : str or (str, str), optional
        What is counted: a plural ("GPUs"), or plural and singular.
    extra : mapping of str to array_like, optional
        Further columns, one value a run.
    serial : array_like of float, shape (k,), optional
        Measured seconds of the serial phase of each run; NaN where it was not measured.
    one_worker : array_like of float, shape (k,), optional
        Seconds that the same (grown) problem takes one worker; NaN where it was not measured.
    base_case : str
        What a speedup is measured against.
    min_n : float, default 1
        Smallest count that is let in; less than 1 lets fractional load in.
    keep_rows : iterable of int
        Lines of rows that the work column would leave out and that are put back.
    source : str
        Name of the source, for messages.
    line : array_like of int, shape (k,), optional
        Line of each run in its source; 1, 2, ... if not given.
    value : array_like of float, shape (k,), optional
        The numbers as given, where they differ from `time` or `throughput` (another unit, a rate per worker).
    columns : mapping of str to str, optional
        Name of the column that each role ("n", "time", "throughput", "work", ...) was read from.
    rejected : iterable of Rejected
        Rows that a reader has left out already.
    notes : iterable of Note
        What a reader has to say.
    faults : mapping of int to str, optional
        Rows (by index) that a reader could not use, with the reason; their numbers are not looked at.
    environment : mapping of str to object, optional
        Record of the machine that the runs were timed on, where scalewall timed them itself.

    Attributes
    ----------
    n, time, value : ndarray of float64
        Counts; seconds (of a rate: 1/rate, work/rate where a work column stands, n/rate for weak scaling
        without one); the numbers as given.
    work, round, serial, one_worker, serial_share : ndarray or None
        As given; `serial_share` is the share (0..1) that the program's own instrumentation claims.
    line : ndarray of int64
        Line of each row in its source.
    kind, kind_reason, readings : str, str, tuple
        "strong", "weak", "throughput" or "unknown"; how that was decided; the readings that are left
        open, each with the flag that chooses it.
    quantity : {"time", "rate"}
        What was measured.
    unit, unit_one : str
        Plural and singular of what is counted.
    extra : mapping of str to ndarray
        Columns without a role.
    environment : mapping
        Record of the machine, where scalewall timed the runs itself; else empty.
    rejected, notes : tuple
        Rows left out; things the reader of a result must know.

    Raises
    ------
    ShapeError
        If lengths differ or an argument is not 1-D.
    ChoiceError
        If `kind` is not one of the three, if not exactly one of `time` and `throughput` is given, or if a
        load curve is asked of times.
    DomainError
        If `min_n` is negative or not finite.

    Notes
    -----
    An unknown kind is no error here: it is a state that a fit reports.

    Examples
    --------
    >>> import scalewall as sw
    >>> runs = sw.Runs([1, 2, 4], time=[10.0, 5.4, float("nan")])
    >>> len(runs), runs.kind, runs.rejected[0].reason
    (2, 'strong', 'row 3, column "time": "nan" is not a number')
    """

    n: FloatArray
    time: FloatArray
    value: FloatArray
    work: FloatArray | None
    round: IntArray | None
    line: IntArray
    kind: kinds.Kind
    kind_reason: str
    readings: kinds.Readings
    quantity: Literal["time", "rate"]
    unit: str
    unit_one: str
    extra: Mapping[str, AnyArray]
    serial: FloatArray | None
    one_worker: FloatArray | None
    serial_share: FloatArray | None
    rejected: tuple[Rejected, ...]
    notes: tuple[Note, ...]
    source: str
    base_case: str
    columns: Mapping[str, str]
    environment: Mapping[str, Any]
    keep_rows: tuple[int, ...]
    # Every row as given, before anything was left out: groups decide again from these.
    _every: rows.Rows
    _min_n: float
    _given: tuple[kinds.Kind | None, tuple[Rejected, ...], tuple[Note, ...]]

    def __init__(
        self,
        n: npt.ArrayLike,
        *,
        time: npt.ArrayLike | None = None,
        throughput: npt.ArrayLike | None = None,
        work: npt.ArrayLike | None = None,
        round: npt.ArrayLike | None = None,  # noqa: A002 - the word of the field, as in the column name
        kind: str | None = None,
        unit: str | tuple[str, str] | None = None,
        extra: Mapping[str, npt.ArrayLike] | None = None,
        serial: npt.ArrayLike | None = None,
        one_worker: npt.ArrayLike | None = None,
        base_case: str = BASE_CASE,
        min_n: float = 1.0,
        keep_rows: Iterable[int] = (),
        source: str = "",
        line: npt.ArrayLike | None = None,
        value: npt.ArrayLike | None = None,
        columns: Mapping[str, str] | None = None,
        rejected: Iterable[Rejected] = (),
        notes: Iterable[Note] = (),
        faults: Mapping[int, str] | None = None,
        environment: Mapping[str, Any] | None = None,
    ) -> None:
        given = kinds.checked_kind(kind)
        quantity, measured = rows.measured_of(time, throughput)
        if given == "throughput" and quantity == "time":
            raise ChoiceError(_load_curve_of_times(source, (columns or {}).get("time", "time")))
        min_n = rows.checked_min(min_n)
        every = rows.Rows(
            n=rows.numbers("n", n),
            measured=measured,
            value=measured if value is None else rows.numbers("value", value),
            work=rows.optional("work", work),
            round=rows.optional("round", round),
            serial=rows.optional("serial", serial),
            one_worker=rows.optional("one_worker", one_worker),
            line=np.empty(0, dtype=np.int64),
            extra={name: np.array(column) for name, column in (extra or {}).items()},
            faults=dict(faults or {}),
        )
        lines = np.arange(1, every.n.size + 1) if line is None else np.array(line)
        object.__setattr__(every, "line", lines.astype(np.int64))
        every.check_lengths(quantity)

        set_ = object.__setattr__
        names = MappingProxyType({role: role for role in ROLES} | dict(columns or {}))
        plural, one = _unit(unit, names["n"])
        set_(self, "unit", plural)
        set_(self, "unit_one", one)
        set_(self, "columns", names)
        set_(self, "quantity", quantity)
        set_(self, "source", source)
        set_(self, "base_case", base_case)
        set_(self, "environment", MappingProxyType(dict(environment or {})))
        set_(self, "keep_rows", tuple(sorted({int(row) for row in keep_rows})))
        set_(self, "_every", every)
        set_(self, "_min_n", min_n)
        set_(self, "_given", (given, tuple(rejected), tuple(notes)))
        self._settle()

    def _settle(self) -> None:
        """Check the rows, decide the kind, and set the fields that hang on both."""
        every, names = self._every, self.columns
        faults = rows.Faults(self.source, every.line, every.faults)
        notes = list(self._given[2])
        below = rows.check_counts(faults, every.n, names["n"], self.unit, self._min_n)
        if below:
            text = (
                f"{below} {'row has' if below == 1 else 'rows have'} a count between 0 and {self._min_n:g}: "
                "left out. --min-n 0 lets fractional load in."
            )
            notes.append(Note("counts_below_one", text))
        words = ("a time", "Times") if self.quantity == "time" else ("a rate", "Rates")
        column = names["time" if self.quantity == "time" else "throughput"]
        rows.check_positive(faults, every.measured, every.value, column, words)
        if every.work is not None:
            amount = ("an amount of work", "Amounts")
            rows.check_positive(faults, every.work, every.work, names["work"], amount)
        for role, array in (("serial", every.serial), ("one_worker", every.one_worker)):
            if array is not None:
                rows.check_optional(faults, array, names[role], "a time")
        rounds = None if every.round is None else rows.rounds_of(faults, every.round, names["round"])

        usable = faults.usable(every.n.size)
        left_out = [Rejected(int(every.line[row]), reason) for row, reason in faults.reasons.items()]

        index = np.flatnonzero(usable)
        decision = kinds.decide(
            kinds.Question(
                n=every.n[index],
                value=every.measured[index],
                quantity=self.quantity,
                work=None if every.work is None else every.work[index],
                given=self._given[0],
                unit=self.unit,
                unit_one=self.unit_one,
                names=names,
                extra={name: array[index] for name, array in every.extra.items()},
            )
        )
        for row, reason in decision.rejected.items():
            number = int(every.line[index[row]])
            if number not in self.keep_rows:
                usable[index[row]] = False
                text = f"row {number}, {reason}. Put it back with --keep-row {number}"
                left_out.append(Rejected(number, text))
        notes.extend(decision.notes)
        notes.extend(self._kept_notes(decision.rejected, index, faults))
        self._fill(np.flatnonzero(usable), rounds, decision, (*self._given[1], *left_out), notes)

    def _fill(
        self,
        index: npt.NDArray[np.intp],
        rounds: IntArray | None,
        decision: kinds.Decision,
        left_out: tuple[Rejected, ...],
        notes: list[Note],
    ) -> None:
        every, set_ = self._every, object.__setattr__
        n, measured = every.n[index], every.measured[index]
        work = None if every.work is None else every.work[index]
        set_(self, "n", _frozen(n))
        set_(self, "value", _frozen(every.value[index]))
        set_(self, "time", _frozen(rows.time_of(n, measured, work, self.quantity, decision.kind)))
        set_(self, "work", None if work is None else _frozen(work))
        set_(self, "round", None if rounds is None else _frozen(rounds[index]))
        set_(self, "line", _frozen(every.line[index]))
        set_(self, "serial", None if every.serial is None else _frozen(every.serial[index]))
        set_(self, "one_worker", None if every.one_worker is None else _frozen(every.one_worker[index]))
        extra = {name: _frozen(array[index]) for name, array in every.extra.items()}
        set_(self, "extra", MappingProxyType(extra))
        share, share_notes = splits.serial_share(extra)
        set_(self, "serial_share", None if share is None else _frozen(share))
        set_(self, "kind", decision.kind)
        set_(self, "kind_reason", decision.reason)
        set_(self, "readings", decision.readings)
        notes.extend(share_notes)
        # What a harness records beside a run (preemptions, order) tells no problems apart.
        notes.extend(splits.mixed_problems(n, measured, {} if self.environment else extra))
        set_(self, "notes", tuple(notes))
        set_(self, "rejected", tuple(sorted(left_out, key=lambda row: row.line)))

    def _kept_notes(
        self, doubted: Mapping[int, str], usable: npt.NDArray[np.intp], faults: rows.Faults
    ) -> Iterator[Note]:
        """Say of each row the caller wants to keep why it had been left out, or why it cannot be put back."""
        every = self._every
        reasons = {int(every.line[usable[row]]): reason for row, reason in doubted.items()}
        broken = {int(every.line[row]): reason for row, reason in faults.reasons.items()}
        broken |= {row.line: row.reason for row in self._given[1]}
        for number in self.keep_rows:
            if number in reasons:
                yield Note("row_kept", f"row {number}, {reasons[number]}. Kept because you said so.")
            elif number in broken:
                yield Note("row_cannot_be_kept", f"row {number} cannot be put back: {broken[number]}")
            elif not bool(np.any(every.line == number)):
                yield Note("row_unknown", f"--keep-row {number}: the table has no row {number}.")

    def groups(self, column: str) -> dict[str, Runs]:
        """Split the runs by a column: one `Runs` for each value, in the order of first appearance.

        Every group decides its own kind and which of its rows are left out.

        Parameters
        ----------
        column : str
            Name of a kept column, or of the work or round column; case is ignored.

        Returns
        -------
        dict of str to Runs
            Keys are the values as text.

        Raises
        ------
        ColumnError
            If there is no such column.
        """
        labels = [rows.label(value) for value in self._column(column).tolist()]
        members: dict[str, list[int]] = {}
        for row, label in enumerate(labels):
            members.setdefault(label, []).append(row)
        return {
            label: Runs(**self._arguments(self._every.part(np.array(index))))
            for label, index in members.items()
        }

    def with_kind(self, kind: str) -> Runs:
        """Return the same runs read as `kind`: "strong", "weak" or "throughput".

        Raises
        ------
        ChoiceError
            If `kind` is not one of the three, or if a load curve is asked of times.
        """
        return Runs(**self._arguments(self._every) | {"kind": kind})

    def without(self, lines: Iterable[int]) -> Runs:
        """Return the runs, of the same kind, without those of some lines of the source."""
        gone = np.isin(self._every.line, list(lines))
        if not gone.any():
            return self
        given = {"kind": None if self.kind == "unknown" else self.kind}
        return Runs(**self._arguments(self._every.part(np.flatnonzero(~gone))) | given)

    def __reduce__(self) -> tuple[object, tuple[dict[str, Any]]]:
        """Rebuild from the rows as given, so that copies and other processes decide alike."""
        return _rebuilt, (self._arguments(self._every) | {"keep_rows": self.keep_rows},)

    def _arguments(self, part: rows.Rows) -> dict[str, Any]:
        given, rejected, notes = self._given
        return {
            "n": part.n,
            "time" if self.quantity == "time" else "throughput": part.measured,
            "work": part.work,
            "round": part.round,
            "kind": given,
            "unit": (self.unit, self.unit_one),
            "extra": part.extra,
            "serial": part.serial,
            "one_worker": part.one_worker,
            "base_case": self.base_case,
            "min_n": self._min_n,
            "keep_rows": [row for row in self.keep_rows if bool(np.any(part.line == row))],
            "source": self.source,
            "line": part.line,
            "value": part.value,
            "columns": dict(self.columns),
            "rejected": rejected,
            "notes": notes,
            "faults": part.faults,
            "environment": dict(self.environment),
        }

    def _column(self, column: str) -> AnyArray:
        every = self._every
        known: dict[str, AnyArray] = dict(every.extra)
        if every.work is not None:
            known[self.columns["work"]] = every.work
        if every.round is not None:
            known[self.columns["round"]] = every.round
        if column in known:
            return known[column]
        for name, values in known.items():
            if name.lower() == column.lower():
                return values
        listed = ", ".join(f'"{name}"' for name in known) or "none"
        where = f"{self.source}: " if self.source else ""
        raise ColumnError(f'{where}no column "{column}" to split by. Columns that can: {listed}')

    @property
    def ledger(self) -> PhaseLedger | None:
        """Where the worker-seconds went by the phases that a measured function named; None without phases."""
        return phase_ledger.of(self.n, self.time, self.extra)

    def __len__(self) -> int:
        """Return the number of usable runs."""
        return int(self.n.size)

    def __repr__(self) -> str:
        """Say in one line what was measured."""
        counts = np.unique(self.n)
        span = "no usable row"
        if counts.size:
            ends = dict.fromkeys((count_text(counts[0]), count_text(counts[-1])))
            span = f"{' to '.join(ends)} {self.unit}"
        left = f", {len(self.rejected)} left out" if self.rejected else ""
        name = f", {self.source}" if self.source else ""
        size = f"{_many(len(self), 'run')} at {_many(counts.size, 'count')}"
        return f"Runs({size}, {span}, {self.quantity}, {self.kind}{left}{name})"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python: numbers, text, lists, None where there is no value."""
        return {
            "source": self.source,
            "kind": self.kind,
            "kind_reason": self.kind_reason,
            "readings": [{"reading": text, "flag": flag} for text, flag in self.readings],
            "quantity": self.quantity,
            "unit": self.unit,
            "base_case": self.base_case,
            "columns": dict(self.columns),
            "line": self.line.tolist(),
            "n": self.n.tolist(),
            "time": self.time.tolist(),
            "value": self.value.tolist(),
            "work": rows.plain(self.work),
            "round": None if self.round is None else [None if r < 0 else r for r in self.round.tolist()],
            "serial": rows.plain(self.serial),
            "one_worker": rows.plain(self.one_worker),
            "serial_share": rows.plain(self.serial_share),
            "extra": {name: rows.plain(array) for name, array in self.extra.items()},
            "environment": dict(self.environment),
            "rejected": [{"line": row.line, "reason": row.reason} for row in self.rejected],
            "notes": [{"code": note.code, "text": note.text} for note in self.notes],
        }

    def to_dataframe(self) -> pd.DataFrame:
        """Return the usable runs as a pandas DataFrame, one row a run.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        try:
            import pandas as pd  # noqa: PLC0415 - pandas is optional
        except ImportError as error:
            raise ImportError(
                "to_dataframe needs pandas, which is not installed: pip install pandas, or use to_dict()"
            ) from error
        data: dict[str, AnyArray] = {"line": self.line, "n": self.n, "time": self.time, "value": self.value}
        for name in ("work", "round", "serial", "one_worker"):
            array = getattr(self, name)
            if array is not None:
                data[name] = array
        for name, column in self.extra.items():
            data[name if name not in data else f"{name} (column)"] = column
        return pd.DataFrame({name: array.copy() for name, array in data.items()})


def _load_curve_of_times(source: str, column: str) -> str:
    where = f"{source}, " if source else ""
    return (
        f'{where}column "{column}": a load curve needs a rate, and this is read as a time. '
        f"Say --throughput {kinds.quoted(column)} if it is a rate, "
        "or --scaling strong if it is the time of fixed work"
    )


def _unit(unit: str | tuple[str, str] | None, column: str) -> tuple[str, str]:
    if unit is None:
        return unit_of(column)
    if isinstance(unit, str):
        found = unit_of(unit)
        return found if found[0].lower() == unit.lower() else (unit, unit.removesuffix("s"))
    return unit


def _frozen(array: npt.NDArray[_Scalar]) -> npt.NDArray[_Scalar]:
    copy = array.copy()
    copy.setflags(write=False)
    return copy


def _rebuilt(arguments: dict[str, Any]) -> Runs:
    return Runs(**arguments)


def _many(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
