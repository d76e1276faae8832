"""Reductions whose elements are spread over the ranks of a communicator."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from scalewall import _core
from scalewall.distributed import clocks
from scalewall.distributed.communicator import agreed, checked, gathered
from scalewall.distributed.ledgers import Part, together
from scalewall.ledger import from_record
from scalewall.measured import Measured, integer_of

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt
    from mpi4py.MPI import Intracomm

    from scalewall.measured import Vector

    How = tuple[int, str, int, list[int]]
    Vectors = tuple[Vector, ...]
    Prepared = tuple[Vectors, How]
    Whole = float | int | Measured[float | int]
    Words = npt.NDArray[Any]

V = TypeVar("V")


def _reduced(
    comm: Any,
    prepare: Callable[[], Prepared],
    asked: str,
    own: Callable[[Vectors, How], tuple[Any, Any]],
    exchange: Callable[[Intracomm, Vectors, Words], V],
) -> V | Measured[V]:
    """Let every rank do its own part, exchange what came of it; the value, or value and ledger."""
    comm = checked(comm)

    def said() -> tuple[Prepared, str]:
        vectors, how = prepare()
        return (vectors, how), f"{asked} of {vectors[0].dtype}, measure={how[2] > 0}"

    vectors, how = agreed(comm, said)
    compared = clocks.compare(comm) if how[2] else None
    if compared is not None:
        comm.Barrier()
    begin = time.monotonic_ns()
    words, record = own(vectors, how)
    handed = time.monotonic_ns()
    value = exchange(comm, vectors, words)
    done = time.monotonic_ns()
    if compared is None:
        return value
    part = Part(from_record(record, sum(vector.nbytes for vector in vectors)), begin, handed, done)
    return Measured(value, together(comm, part, compared))


def _state(comm: Intracomm, words: Words, *, exact: bool) -> Words:
    """Return the state over all ranks: added by MPI where that is exact, else one after another."""
    if not exact:
        return gathered(comm, words).ravel()
    from mpi4py import MPI  # noqa: PLC0415 - an extra

    comm.Allreduce(MPI.IN_PLACE, words, op=MPI.SUM)
    return words


def _words(answer: tuple[list[int], Any]) -> tuple[Words, Any]:
    return np.array(answer[0], dtype=np.int64), answer[1]


def sum_(comm: Any, prepare: Callable[[], Prepared], method: str) -> Whole:
    """Sum all elements of all ranks."""

    def own(vectors: Vectors, how: How) -> tuple[Words, Any]:
        return _words(_core.reduction_sum_state(vectors[0], method, how))

    return _reduced(comm, prepare, f"a sum by {method}", own, _total(method))


def dot(comm: Any, prepare: Callable[[], Prepared], method: str) -> Whole:
    """Sum the products of all elements of all ranks."""

    def own(vectors: Vectors, how: How) -> tuple[Words, Any]:
        return _words(_core.reduction_dot_state(vectors[0], vectors[1], method, how))

    return _reduced(comm, prepare, f"a dot product by {method}", own, _total(method))


def _total(method: str) -> Callable[[Intracomm, Vectors, Words], float | int]:
    def exchange(comm: Intracomm, vectors: Vectors, words: Words) -> float | int:
        if vectors[0].dtype.kind == "f":
            return _core.reduction_merged_sum(_state(comm, words, exact=method == "exact"), method, False)
        return integer_of(_core.reduction_merged_integers(_state(comm, words, exact=True))[0])

    return exchange


def norm2(comm: Any, prepare: Callable[[], Prepared], method: str) -> float | Measured[float]:
    """Take the root of the sum of the squares of all ranks: of the dot product with itself."""

    def own(vectors: Vectors, how: How) -> tuple[Words, Any]:
        return _words(_core.reduction_dot_state(vectors[0], vectors[0], method, how))

    def exchange(comm: Intracomm, vectors: Vectors, words: Words) -> float:
        if vectors[0].dtype.kind == "f":
            return _core.reduction_merged_sum(_state(comm, words, exact=method == "exact"), method, True)
        return _core.reduction_merged_integers(_state(comm, words, exact=True))[1]

    return _reduced(comm, prepare, f"a norm by {method}", own, exchange)


def mean_var(
    comm: Any, prepare: Callable[[], Prepared], ddof: float
) -> tuple[float, float] | Measured[tuple[float, float]]:
    """Compute mean and variance of all elements of all ranks."""

    def own(vectors: Vectors, how: How) -> tuple[Words, Any]:
        return _words(_core.reduction_moments_state(vectors[0], how))

    def exchange(comm: Intracomm, _: Vectors, words: Words) -> tuple[float, float]:
        return _core.reduction_merged_moments(_state(comm, words, exact=False), ddof)

    return _reduced(comm, prepare, f"mean and variance with ddof {ddof}", own, exchange)


def minmax(comm: Any, prepare: Callable[[], Prepared]) -> Any:
    """Find the smallest and the largest element of all ranks: the range of their ranges."""

    def own(vectors: Vectors, how: How) -> tuple[Any, Any]:
        if vectors[0].size:
            return _core.reduction_minmax(vectors[0], how)
        # No range, but a ledger like that of the others.
        return (0, 0), _core.reduction_sum_state(vectors[0], "exact", how)[1]

    def exchange(comm: Intracomm, vectors: Vectors, words: Any) -> Any:
        (vector,) = vectors
        there = gathered(comm, np.array([vector.size], dtype=np.int64))[:, 0] > 0
        ranges = gathered(comm, np.array(words, dtype=vector.dtype))[there].ravel()
        return _core.reduction_minmax(ranges, (1, "tree", 0, []))[0]

    return _reduced(comm, prepare, "a range", own, exchange)
