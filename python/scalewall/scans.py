"""Questions about grids too large to store, answered as the stored grid would answer them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from scalewall import _core, _progress, _threads
from scalewall._errors import ChoiceError
from scalewall._grids import Array, Prepared, Quantity, Scaling, Term, prepare, vector

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

Ask: TypeAlias = Literal[
    "max", "argmax", "min", "argmin", "count", "share", "first", "last", "quantiles", "histogram", "contours"
]
Method: TypeAlias = Literal["auto", "grid", "brute"]

ASKS = (
    "max",
    "argmax",
    "min",
    "argmin",
    "count",
    "share",
    "first",
    "last",
    "quantiles",
    "histogram",
    "contours",
)


@dataclass(frozen=True)
class Answer:
    """Base of what a scan answers."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python objects."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {
            name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in values.items()
        }


@dataclass(frozen=True)
class Cells(Answer):
    """One cell a row, or one of the whole grid: column, worker count, value; -1 and NaN for none.

    `row` is the row of the one cell, or None where every row has its own.
    """

    index: Any
    n: Any
    value: Any
    row: int | None = None


@dataclass(frozen=True)
class Counts(Answer):
    """Cells at or above a level, and their share of the row or of the grid."""

    count: Any
    share: Any


@dataclass(frozen=True)
class Quantiles(Answer):
    """Quantiles by row, shape (rows, len(q)), or of the grid, shape (len(q),)."""

    q: Array
    value: Array


@dataclass(frozen=True)
class Histogram(Answer):
    """Cells between edges; the last bin holds its upper edge, as in NumPy."""

    edges: Array
    count: Array


@dataclass(frozen=True)
class Contour(Answer):
    """Points where rows cross a level: `n` lies between two neighbouring columns, by a straight line."""

    level: float
    row: Array
    n: Array


@dataclass(frozen=True)
class _Question:
    """A grid and how to ask it."""

    grid: Prepared
    how: tuple[int, str, bool]
    report: _progress.Progress | None

    def at_least(self, levels: Array) -> tuple[Array, Array, Array]:
        levels = np.ascontiguousarray(levels, dtype=self.grid.n.dtype)
        return _core.surfaces_at_least(self.grid.core, levels, self.how, self.report)

    def extremes(self, *, largest: bool) -> tuple[Array, Array]:
        return _core.surfaces_extremes(self.grid.core, largest, self.how, self.report)

    def cells(self, columns: Array) -> Cells:
        values = _core.surfaces_cells(self.grid.core, columns, self.how)
        return Cells(columns, self.workers(columns), values)

    def workers(self, columns: Array) -> Array:
        n = self.grid.n.astype(np.float64)
        if not len(n):
            return np.full(len(columns), np.nan)
        return np.where(columns >= 0, n[columns], np.nan)


def scan(
    law: str | Sequence[Term],
    *,
    n: npt.ArrayLike,
    ask: Ask = "max",
    at: npt.ArrayLike | None = None,
    q: npt.ArrayLike | None = None,
    bins: npt.ArrayLike | None = None,
    overall: bool = False,
    method: Method = "auto",
    p: npt.ArrayLike | None = None,
    serial: npt.ArrayLike | None = None,
    sigma: npt.ArrayLike | None = None,
    kappa: npt.ArrayLike | None = None,
    growth: object = None,
    compute: npt.ArrayLike | None = None,
    latency: npt.ArrayLike | None = None,
    transfer: npt.ArrayLike | None = None,
    scaling: Scaling = "strong",
    quantity: Quantity = "speedup",
    scale: npt.ArrayLike | None = None,
    dtype: npt.DTypeLike = np.float64,
    threads: _threads.Threads = "auto",
    progress: bool | _progress.Progress | None = None,
    level: str = "auto",
) -> Any:
    """Ask a question about a grid without storing it.

    The grid is that of `surface` with the same arguments; every answer is what the stored grid
    would give, bit by bit, with ties going to the first cell.

    Parameters
    ----------
    law, n, p, serial, sigma, kappa, growth, compute, latency, transfer, scaling, quantity, scale, dtype
        As for `surface`.
    ask : str
        "max" or "argmax", "min" or "argmin": the extreme of every row. "count", "share": cells at or
        above `at`. "first", "last": the first and the last cell of every row at or above `at`; the
        last one of an efficiency is the knee. "quantiles": `q` of every row. "histogram": cells in
        `bins`. "contours": where rows cross each of the levels `at`.
    at : float or array_like
        Level; one a row for "count", "share", "first" and "last"; the levels of "contours".
    q : array_like of float
        Quantiles, 0 to 1, between two cells by a straight line, as in NumPy.
    bins : array_like of float
        Edges of the bins, ascending.
    overall : bool
        One answer for the whole grid instead of one a row.
    method : {"auto", "grid", "brute"}
        "grid" visits every column, deciding blocks of columns by a bound where that is certain;
        "brute" evaluates every cell; "auto" takes the fastest way. The answers are the same.
    threads, progress, level
        As for `surface`.

    Returns
    -------
    Cells, Counts, Quantiles, Histogram or tuple of Contour
        `Cells` has `index`, `n` and `value`.

    Raises
    ------
    ChoiceError, DomainError, ShapeError, TypeError
        As `surface`, and where the question lacks its level, quantiles or bins.

    Notes
    -----
    The extra memory is a few megabytes, whatever the grid.

    Examples
    --------
    >>> import numpy as np, scalewall as sw
    >>> best = sw.scan("usl", sigma=[0.02, 0.1], kappa=1e-4, n=np.arange(1, 1001))
    >>> best.n.tolist()
    [99.0, 95.0]
    >>> knee = sw.scan("amdahl", serial=0.05, n=np.arange(1, 101), quantity="efficiency", ask="last", at=0.5)
    >>> knee.n.tolist()
    [21.0]
    """
    arguments: dict[str, object] = {
        "p": p,
        "serial": serial,
        "sigma": sigma,
        "kappa": kappa,
        "growth": growth,
        "compute": compute,
        "latency": latency,
        "transfer": transfer,
    }
    if ask not in ASKS:
        raise ChoiceError(f"ask is {ask!r}: expected one of {', '.join(ASKS)}")
    if method not in ("auto", "grid", "brute"):
        raise ChoiceError(f"method is {method!r}: expected 'auto', 'grid' or 'brute'")
    _check_question(ask, at, q, bins)
    grid = prepare(law, arguments, n, quantity=quantity, scaling=scaling, scale=scale, dtype=dtype)
    report = _progress.reporter(progress)
    question = _Question(grid, (_threads.resolve(threads), level, method != "brute"), report)
    answer = _ANSWERS[ask](question, {"at": at, "q": q, "bins": bins}, overall)
    if report is not None:
        report(1.0)
    return answer


def _check_question(ask: str, at: object, q: object, bins: object) -> None:
    needed = {"quantiles": "q", "histogram": "bins"}.get(ask, "at" if ask not in ASKS[:4] else None)
    given = {"at": at, "q": q, "bins": bins}
    for name, value in given.items():
        if name == needed and value is None:
            raise TypeError(f"{name} is missing: ask={ask!r} needs it")
        if name != needed and value is not None:
            raise TypeError(f"{name} is given: ask={ask!r} does not use it")


def _levels(question: _Question, at: object, name: str = "at") -> Array:
    levels = vector(name, at, question.grid.n.dtype, 0)
    if np.isnan(levels).any():
        raise ChoiceError(f"{name} holds NaN: expected numbers")
    return levels


def _extreme(question: _Question, largest: bool, overall: bool) -> Cells:
    columns, values = question.extremes(largest=largest)
    if not overall:
        return Cells(columns, question.workers(columns), values)
    if not len(values) or columns[0] < 0:
        return Cells(-1, float("nan"), float("nan"), -1)
    row = int(np.argmax(values) if largest else np.argmin(values))
    return _one(question, row, columns, values)


def _one(question: _Question, row: int, columns: Array, values: Array) -> Cells:
    return Cells(int(columns[row]), float(question.workers(columns)[row]), float(values[row]), row)


def _count(question: _Question, given: dict[str, Any], overall: bool) -> Counts:
    counts, _, _ = question.at_least(_levels(question, given["at"]))
    rows, columns = question.grid.shape
    if overall:
        total = int(counts.sum())
        return Counts(total, total / (rows * columns) if rows * columns else float("nan"))
    return Counts(counts, counts / columns if columns else np.full(rows, np.nan))


def _edge(question: _Question, given: dict[str, Any], overall: bool, which: int) -> Cells:
    columns = question.at_least(_levels(question, given["at"]))[which]
    cells = question.cells(columns)
    if not overall:
        return cells
    rows = np.flatnonzero(columns >= 0)
    if not len(rows):
        return Cells(-1, float("nan"), float("nan"), -1)
    return _one(question, int(rows[0] if which == 1 else rows[-1]), columns, cells.value)


def _key(values: Array) -> Array:
    """Integers in the order of the floats."""
    bits = values.view(np.int64 if values.dtype == np.float64 else np.int32).astype(np.int64)
    flip = np.int64(0x7FFF_FFFF_FFFF_FFFF if values.dtype == np.float64 else 0x7FFF_FFFF)
    return np.where(bits < 0, -1 - (bits & flip), bits)


def _value(keys: Array, dtype: np.dtype[Any]) -> Array:
    wide = dtype == np.float64
    flip = np.int64(0x7FFF_FFFF_FFFF_FFFF if wide else 0x7FFF_FFFF)
    low = np.int64(-(2**63) if wide else -(2**31))
    bits = np.where(keys < 0, (-1 - keys) | low, keys & flip)
    return bits.astype(np.int64 if wide else np.int32).view(dtype)


def _smallest(question: _Question, rank: int, bounds: tuple[Array, Array], overall: bool) -> Array:
    """Return the value of a rank, counted from the smallest, by halving the floats between two values."""
    dtype = question.grid.n.dtype
    rows, columns = question.grid.shape
    low, high = (_key(bound.astype(dtype)) for bound in bounds)
    wanted = (rows * columns if overall else columns) - rank
    while (low < high).any():
        # Halves without overflow: the keys may lie on both sides of zero.
        middle = low // 2 + high // 2 + (low % 2 + high % 2 + 1) // 2
        counts, _, _ = question.at_least(_value(middle, dtype))
        enough = (counts.sum(keepdims=True) if overall else counts) >= wanted
        low, high = np.where(enough, middle, low), np.where(enough, high, middle - 1)
    return _value(low, dtype)


def _quantiles(question: _Question, given: dict[str, Any], overall: bool) -> Quantiles:
    q = vector("q", given["q"], np.float64, 0)
    if not ((q >= 0) & (q <= 1)).all():
        raise ChoiceError("q holds a value outside 0 to 1: expected quantiles from 0 to 1")
    rows, columns = question.grid.shape
    least, most = (question.extremes(largest=largest)[1] for largest in (False, True))
    cells = rows * columns if overall else columns
    if not cells:
        return Quantiles(q, np.full((len(q),) if overall else (rows, len(q)), np.nan))
    bounds = (least.min(keepdims=True), most.max(keepdims=True)) if overall else (least, most)
    places = (cells - 1) * q
    below = np.floor(places).astype(np.int64)
    ranks = np.unique(np.concatenate([below, np.minimum(below + 1, cells - 1)]))
    found = np.stack([_smallest(question, int(rank), bounds, overall) for rank in ranks], axis=1)
    lower = found[:, np.searchsorted(ranks, below)].astype(np.float64)
    upper = found[:, np.searchsorted(ranks, np.minimum(below + 1, cells - 1))].astype(np.float64)
    part = places - below
    step = upper - lower
    # From the nearer end, so that the line meets both ends exactly.
    value = np.where(part >= 0.5, upper - step * (1 - part), lower + step * part)
    return Quantiles(q, value[0] if overall else value)


def _histogram(question: _Question, given: dict[str, Any], overall: bool) -> Histogram:
    edges = _levels(question, given["bins"], "bins")
    if len(edges) < 2 or not (np.diff(edges) > 0).all():
        raise ChoiceError(
            "bins is not ascending, or too short: expected at least two edges, each above the last"
        )
    # The last bin holds its upper edge.
    levels = edges.copy()
    levels[-1] = np.nextafter(edges[-1], np.asarray(np.inf, dtype=edges.dtype))
    above = np.stack([question.at_least(level.reshape(1))[0] for level in levels], axis=1)
    count = above[:, :-1] - above[:, 1:]
    return Histogram(edges, count.sum(axis=0) if overall else count)


def _contours(question: _Question, given: dict[str, Any], overall: bool) -> tuple[Contour, ...]:  # noqa: ARG001
    return tuple(_contour(question, float(level)) for level in _levels(question, given["at"]))


def _contour(question: _Question, level: float) -> Contour:
    row, column, before, after = _core.surfaces_crossings(
        question.grid.core, level, question.how, question.report
    )
    n = question.grid.n.astype(np.float64)
    start, stop = n[column - 1], n[column]
    return Contour(level, row, start + (level - before) / (after - before) * (stop - start))


_ANSWERS: dict[str, Callable[[_Question, dict[str, Any], bool], Any]] = {
    "max": lambda question, _, overall: _extreme(question, True, overall),
    "argmax": lambda question, _, overall: _extreme(question, True, overall),
    "min": lambda question, _, overall: _extreme(question, False, overall),
    "argmin": lambda question, _, overall: _extreme(question, False, overall),
    "count": _count,
    "share": _count,
    "first": lambda question, given, overall: _edge(question, given, overall, 1),
    "last": lambda question, given, overall: _edge(question, given, overall, 2),
    "quantiles": _quantiles,
    "histogram": _histogram,
    "contours": _contours,
}
