"""Reductions over ranks against fsum, exact rational arithmetic and NumPy; every rank checks all of it."""

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from mpi4py import MPI

import scalewall as sw

if TYPE_CHECKING:
    from scalewall.reduction import Method

comm = MPI.COMM_WORLD
METHODS: tuple["Method", ...] = ("exact", "compensated", "pairwise")
rng = np.random.default_rng(7)
wild = rng.standard_normal(5000) * 2.0 ** rng.integers(-900, 900, 5000)
# Condition number beyond 1e90: what cancels lies on different ranks.
wild = np.concatenate([wild, -wild[::-1], [1.0, 2.0**-60]])


def bits(value: float) -> str:
    return np.float64(value).tobytes().hex()


def distributions(x: Any) -> list[Any]:
    """Return what this rank holds: in blocks, in turn, all on the last rank, with a stride."""
    return [
        np.array_split(x, comm.size)[comm.rank],
        x[comm.rank :: comm.size],
        x if comm.rank == comm.size - 1 else x[:0],
        np.array_split(np.repeat(x, 2)[::2], comm.size)[comm.rank],
    ]


for x in (wild, wild[:1], np.zeros(0), np.array([1e308, 1e308, -1e308]), wild.astype(np.float32)[:0]):
    expected = math.fsum(x) if x.size != 3 else 1e308
    for mine in distributions(x):
        assert bits(sw.parallel_sum(mine, comm=comm)) == bits(expected + 0.0)

single = rng.standard_normal(999).astype(np.float32)
y = rng.standard_normal(wild.size)
dot = sum((Fraction(a) * Fraction(b) for a, b in zip(wild.tolist(), y.tolist(), strict=True)), Fraction(0))
squares = sum((Fraction(a) ** 2 for a in y.tolist()), Fraction(0))
big = rng.integers(-(2**63), 2**63 - 1, 999)
for mine, others, few, whole in zip(*(distributions(each) for each in (wild, y, single, big)), strict=True):
    assert sw.parallel_dot(mine, others, comm=comm) == dot.numerator / dot.denominator
    assert sw.parallel_sum(few, comm=comm) == math.fsum(single.tolist())
    norm = sw.parallel_norm2(others, comm=comm)
    assert isinstance(norm, float)
    assert abs(Fraction(norm) ** 2 - squares) <= squares * Fraction(2, 2**53)
    assert norm == sw.parallel_norm2(y)
    assert sw.parallel_sum(whole, comm=comm) == sum(map(int, big))
    assert sw.parallel_dot(whole, whole, comm=comm) == sum(int(v) ** 2 for v in big)
    assert sw.parallel_minmax(whole, comm=comm) == (int(big.min()), int(big.max()))
    assert sw.parallel_minmax(others, comm=comm) == (y.min(), y.max())
    mean, var = sw.parallel_mean_var(others + 1e6, ddof=1, comm=comm)
    np.testing.assert_allclose([mean, var], [np.mean(y + 1e6), np.var(y + 1e6, ddof=1)], rtol=1e-11)
    for method in METHODS[1:]:
        first = sw.parallel_sum(others, method=method, comm=comm)
        assert first == sw.parallel_sum(others, method=method, comm=comm, threads=2)
        np.testing.assert_allclose(first, math.fsum(y), rtol=1e-10)
        np.testing.assert_allclose(sw.parallel_norm2(others, method=method, comm=comm), norm, rtol=1e-12)

# What IEEE says of infinities that meet, and of zeros of both signs.
ends = np.array([math.inf, *[1.0] * 8, -math.inf])
assert math.isnan(sw.parallel_sum(np.array_split(ends, comm.size)[comm.rank], comm=comm))
assert sw.parallel_sum(np.array_split(ends[:-1], comm.size)[comm.rank], comm=comm) == math.inf
low, high = sw.parallel_minmax(np.array([-0.0 if comm.rank == comm.size - 1 else 0.0]), comm=comm)
assert (math.copysign(1, low), math.copysign(1, high)) == (-1.0, 1.0 if comm.size > 1 else -1.0)

# All ranks get the same bits, and all know of an error of one.
for method in METHODS:
    mine = np.array([sw.parallel_sum(distributions(y)[1], method=method, comm=comm)])
    theirs = np.empty((comm.size, 1))
    comm.Allgather(mine, theirs)
    assert (theirs == mine[0]).all()
for call in (sw.parallel_minmax, sw.parallel_mean_var):
    with pytest.raises(sw.InsufficientDataError):
        call(np.zeros(0), comm=comm)
last = comm.rank == comm.size - 1
with pytest.raises(TypeError if last else sw.ScalewallError, match="x has" if last else "cannot take part"):
    sw.parallel_sum(np.array(["a"]) if last else y, comm=comm)
if comm.size > 1:
    with pytest.raises(sw.ScalewallError, match="the same type of elements"):
        sw.parallel_sum(y if comm.rank else single, comm=comm)
if comm.rank == 0:
    print("right")
