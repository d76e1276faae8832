"""Between the reductions and the core: vectors in, values and ledgers out; how fast memory is read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

import numpy as np

from scalewall import _core, _threads
from scalewall._errors import ShapeError
from scalewall.ledger import Ledger, from_record

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from scalewall.results import SerialFraction

Vector: TypeAlias = "np.ndarray[tuple[int], np.dtype[Any]]"
V = TypeVar("V")

SPLIT_FROM = 10_000_000
"""Elements from which a measured call also reads the threads' own clocks: a few system calls per worker."""

_FLOATS = (np.dtype(np.float64), np.dtype(np.float32))


@dataclass(frozen=True)
class Measured(Generic[V]):
    """A value, and where the time went that computing it took."""

    value: V
    ledger: Ledger

    @property
    def serial_fraction(self) -> SerialFraction:
        """The serial share of the work, from this one run."""
        return self.ledger.serial_fraction

    def summary(self) -> str:
        """Return value and ledger as plain text."""
        return f"{self.value}\n{self.ledger.summary()}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python, ready for JSON."""
        return {"value": self.value, "ledger": self.ledger.to_dict()}


_limits: dict[tuple[int, int], float] = {}


def read_limit(nbytes: int, *, threads: _threads.Threads = "auto", cpus: tuple[int, ...] = ()) -> float:
    """Measure how fast this machine reads so many bytes when it does nothing else, in GB/s.

    Parameters
    ----------
    nbytes : int
        Size of what is read: memory and each cache have limits of their own.
    threads : int or {"auto", "serial"}, default "auto"
        Threads that read.
    cpus : tuple of int, optional
        The processor of each thread.

    Returns
    -------
    float
        The best of three passes after a first.
    """
    data = np.ones(max(1, nbytes // 8))
    how = (_threads.resolve(threads), "tree", 1, list(cpus))
    records = [_core.reduction_read(data, how)[1] for _ in range(4)]
    return max(data.nbytes / float(record[0]["wall_ns"]) for record in records[1:] if record is not None)


def _known_limit(ledger: Ledger) -> float | None:
    """Return the limit for as many workers and a size of the same power of two, measured once a process."""
    if ledger.nbytes < 1 << 16:
        return None
    key = (ledger.workers, ledger.nbytes.bit_length())
    if key not in _limits:
        _limits[key] = read_limit(ledger.nbytes, threads=ledger.workers)
    return _limits[key]


def vector_of(name: str, x: npt.ArrayLike, *, flat: bool = True) -> Vector:
    """Return a one-dimensional view that the core can read, copied only where it must be."""
    array = np.asarray(x)
    if array.size == 0 and array.dtype == np.float64:
        array = array.astype(np.float64)
    if array.dtype == np.bool_:
        array = array.view(np.uint8)
    if not (array.dtype in _FLOATS or array.dtype.newbyteorder("=") in _FLOATS or array.dtype.kind in "iu"):
        raise TypeError(
            f"{name} has elements of type {array.dtype}: expected float64, float32 or integers; "
            f"convert them, for example with {name}.astype(float)"
        )
    if array.ndim != 1:
        if not flat:
            raise ShapeError(f"{name} has {array.ndim} dimensions: expected one; use {name}.ravel()")
        array = array.ravel(order="K")
    if not (array.flags.aligned and array.dtype.isnative):
        array = array.astype(array.dtype.newbyteorder("="))
    # Equal types of different names (long and long long) share the code that the core knows.
    return array.view(np.dtype(array.dtype.str))


def how_of(
    vector: Vector, threads: _threads.Threads, combine: str, measure: bool, split: bool | None
) -> tuple[int, str, int, list[int]]:
    """Return how the core is to run it: threads, combine, what is measured, processors."""
    wanted = vector.size >= SPLIT_FROM if split is None else split
    return (_threads.resolve(threads), combine, (2 if wanted else 1) if measure else 0, [])


def prepared(
    given: dict[str, npt.ArrayLike],
    threads: _threads.Threads,
    combine: str,
    measure: bool,
    split: bool | None,
) -> tuple[tuple[Vector, ...], tuple[int, str, int, list[int]]]:
    """Return the vectors of a reduction, two of them one-dimensional and of one type, and how to run it."""
    vectors = [vector_of(name, x, flat=len(given) == 1) for name, x in given.items()]
    if len({vector.dtype for vector in vectors}) > 1:
        common = np.result_type(*vectors)
        vectors = [
            vector_of(name, vector.astype(common)) for name, vector in zip(given, vectors, strict=True)
        ]
    return tuple(vectors), how_of(vectors[0], threads, combine, measure, split)


def itself(value: Any) -> Any:
    """Return a value as the core gave it."""
    return value


def integer_of(parts: tuple[int, int]) -> int:
    """Return the Python int of two halves."""
    return (parts[0] << 64) + parts[1]


def whole_of(vector: Vector) -> Callable[[Any], Any]:
    """Return what makes a value of what the core answers for elements of this type."""
    return itself if vector.dtype.kind == "f" else integer_of


def answer_of(
    answer: tuple[Any, Any],
    whole: Callable[[Any], Any],
    *vectors: Vector,
) -> Any:
    """Return the value, or value and ledger where the core recorded one."""
    value, record = answer
    if record is None:
        return whole(value)
    ledger = from_record(record, sum(vector.nbytes for vector in vectors))
    return Measured(whole(value), replace(ledger, read_limit_gb_s=_known_limit(ledger)))
