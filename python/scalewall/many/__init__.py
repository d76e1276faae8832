"""Fits by the million: every trace of a long table, with intervals, answer and notes, one row each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from scalewall import _core, _progress, _threads
from scalewall._errors import FitsInterrupted
from scalewall.fitting import FitOptions
from scalewall.many.fits import Fits
from scalewall.many.traces import Columns, traces_of
from scalewall.rows import checked_min

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from scalewall.fitting import IntervalKind, Law, Residuals


def fit_many(
    table: Any,
    *,
    by: str | Sequence[str] | None = None,
    offsets: npt.ArrayLike | None = None,
    kind: str | None = None,
    n: str | None = None,
    time: str | None = None,
    throughput: str | None = None,
    work: str | None = None,
    round: str | None = None,  # noqa: A002 - the word of the field, as in the column name
    unit: str | tuple[str, str] | None = None,
    min_n: float = 1.0,
    law: Law | None = None,
    residuals: Residuals = "log",
    interval: IntervalKind = "region",
    bounds: bool = True,
    level: float = 0.95,
    gain: float = 0.1,
    cap: float | None = None,
    at: Sequence[float] = (),
    efficiency: float = 0.5,
    confirm: bool = False,
    threads: _threads.Threads = "auto",
    progress: bool | _progress.Progress | None = None,
) -> Fits:
    """Fit every trace of a long table: laws, intervals, doubling answer and notes, one row a trace.

    A trace is the runs that share a key. Each is fitted exactly as `fit` does it, on its own, by the same
    routine; what is kept are columns of numbers and codes, and `Fits.row` gives the whole `Fit` of a trace.

    Parameters
    ----------
    table : data frame, path, dict or other table
        One row a run: a table of pandas, polars or pyarrow, a path of a CSV or Parquet file, a dict of
        arrays, or anything else that `read` takes.
    by : str or sequence of str
        Column or columns whose values tell the traces apart; rows need not be sorted. Traces come in the
        order of their first rows.
    offsets : array_like of int, optional
        In place of `by`: trace i has the rows offsets[i] to offsets[i + 1].
    kind : {"strong", "weak", "throughput"}, optional
        Kind of scaling of all traces; without it each decides by its own work or times.
    n, time, throughput, work, round : str, optional
        Column that plays this role, found by name as `read` does where it is not given. Other columns are
        not looked at, phase times (serial, one_worker) among them.
    unit : str or (str, str), optional
        What is counted, where the column name does not say.
    min_n : float, default 1
        Smallest count that is let in.
    law, residuals, interval, bounds, level, gain, cap, at, efficiency, confirm
        As for `fit`.
    threads : int or {"auto", "serial"}, default "auto"
        Threads used by this call only. The result is the same for every number.
    progress : bool or callable, optional
        True writes a line on standard error; a callable is given the share done, from 0 to 1.

    Returns
    -------
    Fits
        One row a trace, none dropped: where there is no answer, `status` and `reason` say why.

    Raises
    ------
    ChoiceError, DomainError, ColumnError, ReadError
        If an option is not allowed, or the table has no such column. A bad trace raises nothing.
    FitsInterrupted
        After Ctrl-C, a `KeyboardInterrupt`; its `result` holds what was done until then.

    Notes
    -----
    Threads take traces sixteen at a time from a common counter. Memory beyond input and result is one trace a
    thread, and the order of the rows where they are not sorted by key.

    Examples
    --------
    >>> import scalewall as sw
    >>> runs = {
    ...     "job": ["a"] * 5 + ["b"] * 5,
    ...     "n": [1, 2, 4, 8, 16] * 2,
    ...     "time": [100.0, 52.0, 28.0, 16.1, 10.2, 100.0, 70.0, 55.0, 47.5, 43.8],
    ... }
    >>> fits = sw.fit_many(runs, by="job", kind="strong")
    >>> fits.doubling.tolist()
    ['yes', 'no']
    """
    options = FitOptions(
        law, residuals, interval, bounds, level, gain, cap, tuple(map(float, at)), efficiency, confirm
    )
    workers, report = _threads.resolve(threads), _progress.reporter(progress)
    columns = Columns(n=n, time=time, throughput=throughput, work=work, round=round)
    traces = traces_of(
        table, by=by, offsets=offsets, columns=columns, kind=kind, unit=unit, min_n=checked_min(min_n)
    )
    fits = Fits.empty(traces, options)
    try:
        _core.many_analyse(
            traces.columns,
            quantity=traces.quantity,
            kind=traces.kind or "unknown",
            min_n=traces.min_n,
            asked=options.asked(),
            threads=workers,
            progress=report,
            filled=fits.sheets(),
        )
    except KeyboardInterrupt as stop:
        done = int(np.count_nonzero(fits.status != "not reached"))
        raise FitsInterrupted(f"ended after {done} of {len(fits)} traces", fits) from stop
    if report is not None:
        report(1.0)
    return fits


__all__ = ["Fits", "fit_many"]
