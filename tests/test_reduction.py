"""Values of the reductions against fsum, exact rational arithmetic and NumPy."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import scalewall as sw

if TYPE_CHECKING:
    from scalewall.reduction import Method

METHODS: tuple[Method, ...] = ("exact", "compensated", "pairwise")
BLOCK = 4096
Array = np.ndarray[Any, np.dtype[Any]]


def exact(values: Array) -> Fraction:
    return sum(map(Fraction, values.tolist()), Fraction(0))


def exact_dot(x: Array, y: Array) -> Fraction:
    return sum((Fraction(a) * Fraction(b) for a, b in zip(x.tolist(), y.tolist(), strict=True)), Fraction(0))


def nearest(value: Fraction) -> float:
    """Round to the nearest double: Python divides integers correctly rounded."""
    try:
        return value.numerator / value.denominator
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def root(square: Fraction) -> float:
    """Round the square root to the nearest double: by integers, 2,400 bits below the unit."""
    scaled = (square.numerator << 4800) // square.denominator
    low = math.isqrt(scaled)
    sticky = Fraction(0) if low * low == scaled else Fraction(1, 2)
    return nearest((low + sticky) / (1 << 2400))


def wild(rng: np.random.Generator, size: int, low: int = -1070, high: int = 1000) -> Array:
    return rng.standard_normal(size) * 2.0 ** rng.integers(low, high, size)


finite = st.floats(allow_nan=False, allow_infinity=False, width=64)


@given(st.lists(finite, max_size=40))
@example([1.7e308, 1.7e308, -1.7e308])
@example([5e-324, -1e-310, 1e300])
@settings(max_examples=300, deadline=None)
def test_exact_sum_is_the_nearest_double(values: list[float]) -> None:
    array = np.array(values, dtype=float)
    assert sw.parallel_sum(array) == nearest(exact(array))


@given(st.lists(st.tuples(finite, finite), max_size=30))
@example([(1e300, 1e300), (-1e300, 1e300), (1e-200, 1e-200)])
@example([(5e-324, 5e-324)] * 3)
@example([(5e-324, 0.5)])
@settings(max_examples=300, deadline=None)
def test_exact_dot_and_norm_round_once(pairs: list[tuple[float, float]]) -> None:
    x = np.array([pair[0] for pair in pairs], dtype=float)
    y = np.array([pair[1] for pair in pairs], dtype=float)
    assert sw.parallel_dot(x, y) == nearest(exact_dot(x, y))
    assert sw.parallel_norm2(x) == root(exact_dot(x, x))


@pytest.mark.parametrize("size", [0, 1, 7, 8, 31, 33, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 17])
def test_exact_at_the_seams_of_blocks(size: int) -> None:
    rng = np.random.default_rng(size)
    for values in (rng.random(size), rng.standard_normal(size), wild(rng, size), wild(rng, size, -40, 40)):
        assert sw.parallel_sum(values) == nearest(exact(values))
        assert sw.parallel_dot(values, values[::-1]) == nearest(exact_dot(values, values[::-1]))
        assert sw.parallel_norm2(values) == root(exact_dot(values, values))


def test_exact_sum_follows_data_that_change_from_block_to_block() -> None:
    rng = np.random.default_rng(5)
    scales = (1.0, 1e-300, 1e300, 0.0, 1e-310, 1e9, 1e8, 5e-324, 1.1e308)
    parts = [rng.uniform(-1.5, 1.5, BLOCK) * scale for scale in scales]
    parts.insert(3, wild(rng, BLOCK))
    values = np.concatenate([*parts, *parts])
    assert sw.parallel_sum(values) == nearest(exact(values))


@pytest.mark.parametrize("digits", [13, 31, 93])
def test_exact_sum_at_a_condition_number(digits: int) -> None:
    rng = np.random.default_rng(digits)
    large = rng.standard_normal(50_000) * 10.0 ** (digits * rng.random(50_000))
    values = np.concatenate([large, -large, [math.pi]])
    rng.shuffle(values)
    assert sw.parallel_sum(values, threads=2) == math.pi == math.fsum(values)


@pytest.mark.slow
def test_exact_sum_of_thirty_million() -> None:
    values = np.random.default_rng(30).standard_normal(30_000_000)
    assert sw.parallel_sum(values, threads=2) == math.fsum(values)


def test_compensated_is_as_good_as_twice_the_precision() -> None:
    rng = np.random.default_rng(3)
    large = rng.standard_normal(100_000) * 1e9
    values = np.concatenate([large, -large, rng.random(1000)])
    rng.shuffle(values)
    assert sw.parallel_sum(values, method="compensated") == pytest.approx(math.fsum(values), rel=1e-12)
    assert sw.parallel_sum(values, method="pairwise") == pytest.approx(math.fsum(values), abs=1e-3)
    x, y = wild(rng, 5000, -20, 20), wild(rng, 5000, -20, 20)
    truth = nearest(exact_dot(x, y))
    assert sw.parallel_dot(x, y, method="compensated") == pytest.approx(truth, rel=1e-15)
    assert sw.parallel_dot(x, y, method="pairwise") == pytest.approx(truth, rel=1e-12)
    assert sw.parallel_norm2(x, method="pairwise") == pytest.approx(np.linalg.norm(x), rel=1e-14)
    assert sw.parallel_norm2(x, method="compensated") == pytest.approx(np.linalg.norm(x), rel=1e-14)


@pytest.mark.parametrize("method", METHODS)
def test_nan_infinity_and_zeros(method: Method) -> None:
    inf, nan = math.inf, math.nan
    cases = (([inf], inf), ([-inf], -inf), ([inf, -inf], nan), ([nan], nan), ([nan, inf], nan))
    for size in (1, 100, BLOCK + 5):
        ones = np.ones(size)
        for specials, expected in cases:
            values = np.concatenate([ones, specials, ones])
            np.testing.assert_equal(sw.parallel_sum(values, method=method), expected)
    assert math.isnan(sw.parallel_dot([inf], [0.0], method=method))
    assert sw.parallel_dot([inf, 1.0], [2.0, 3.0], method=method) == inf
    assert sw.parallel_norm2([-inf, 1.0], method=method) == inf
    assert math.isnan(sw.parallel_norm2([nan, inf], method=method))
    assert sw.parallel_sum([], method=method) == 0.0
    zeros: list[float]
    for zeros in ([-0.0], [-0.0, -0.0], [0.0, -0.0], [1.0, -1.0], []):
        assert math.copysign(1.0, sw.parallel_sum(zeros, method=method)) == 1.0


def test_a_sum_beyond_the_largest_double_is_infinite() -> None:
    assert sw.parallel_sum([1.7e308, 1.7e308]) == math.inf
    assert sw.parallel_sum([-1.7e308] * 3 + [1.7e308]) == -math.inf


def test_float32_is_the_nearest_double_to_the_sum_of_its_values() -> None:
    rng = np.random.default_rng(32)
    values = (rng.standard_normal(10_001) * 2.0 ** rng.integers(-60, 60, 10_001)).astype(np.float32)
    assert sw.parallel_sum(values) == nearest(exact(values))
    tiny = np.full(5000, 1e-45, dtype=np.float32)
    assert sw.parallel_sum(tiny) == 5000 * float(tiny[0])
    assert sw.parallel_dot(values, values) == nearest(exact_dot(values, values))
    assert sw.parallel_norm2(values) == root(exact_dot(values, values))


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "?", "longlong"])
def test_integers_are_exact(dtype: str) -> None:
    rng = np.random.default_rng(8)
    kind = np.dtype(dtype)
    ends = (0, 1) if kind.kind == "b" else (int(np.iinfo(kind).min), int(np.iinfo(kind).max))
    source = np.dtype(np.int64) if kind.kind == "b" else kind
    values = rng.integers(ends[0], ends[1], 9001, dtype=source.type, endpoint=True).astype(kind)
    plain = [int(value) for value in values]
    assert sw.parallel_sum(values) == sum(plain)
    products = sum(a * b for a, b in zip(plain, reversed(plain), strict=True))
    assert sw.parallel_dot(values, values[::-1]) == products
    assert sw.parallel_minmax(values) == (min(plain), max(plain))
    assert sw.parallel_norm2(values) == root(Fraction(sum(value * value for value in plain)))
    full = np.full(70_000, ends[1], dtype=kind)
    assert sw.parallel_sum(full, threads=3) == 70_000 * ends[1]
    assert isinstance(sw.parallel_sum(full), int)


@pytest.mark.parametrize("method", METHODS)
def test_any_stride_gives_what_a_copy_gives(method: Method) -> None:
    base = np.random.default_rng(4).standard_normal(60_000)
    grid = base.reshape(200, 300)
    record = np.zeros(9000, dtype=[("a", "u1"), ("x", "f8")])
    record["x"] = base[:9000]
    views = [
        base[::2],
        base[::-1],
        base[5::-3],
        grid[:, 7],
        grid[3],
        np.broadcast_to(base[3], 5000),
        record["x"],
    ]
    views.append(base.astype(">f8"))
    for view in views:
        copy = np.array(view, dtype=float)
        assert sw.parallel_sum(view, method=method) == sw.parallel_sum(copy, method=method)
        assert sw.parallel_dot(view, view, method=method) == sw.parallel_dot(copy, copy, method=method)
        assert sw.parallel_mean_var(view) == sw.parallel_mean_var(copy)
    assert sw.parallel_sum(grid.T) == math.fsum(base)
    assert sw.parallel_sum(grid[::2, ::3]) == math.fsum(grid[::2, ::3].ravel())


@given(st.lists(st.floats(allow_infinity=True, allow_nan=True), min_size=1, max_size=50))
@settings(max_examples=200, deadline=None)
def test_minmax_is_numpys(values: list[float]) -> None:
    array = np.array(values)
    np.testing.assert_equal(sw.parallel_minmax(array), (float(array.min()), float(array.max())))


@pytest.mark.parametrize("size", [2, 500, 10_000])
def test_minmax_orders_zeros(size: int) -> None:
    zeros = np.zeros(size)
    zeros[size // 2] = -0.0
    low, high = sw.parallel_minmax(zeros)
    assert (math.copysign(1.0, low), math.copysign(1.0, high)) == (-1.0, 1.0)


@pytest.mark.parametrize("offset", [0.0, 1e6, 1e12])
def test_mean_and_variance_do_not_cancel(offset: float) -> None:
    values = offset + np.random.default_rng(6).standard_normal(100_003)
    mean, variance = sw.parallel_mean_var(values, ddof=1, threads=3)
    true_mean = exact(values) / values.size
    squares = sum(((Fraction(value) - true_mean) ** 2 for value in values.tolist()), Fraction(0))
    assert mean == pytest.approx(float(true_mean), rel=4e-16, abs=1e-17)
    assert variance == pytest.approx(float(squares / (values.size - 1)), rel=1e-13)


def test_mean_and_variance_of_few_and_of_what_is_not_finite() -> None:
    assert math.isnan(sw.parallel_mean_var([1.0], ddof=1)[1])
    assert sw.parallel_mean_var(np.arange(5, dtype=np.int8)) == (2.0, 2.0)
    assert all(math.isnan(value) for value in sw.parallel_mean_var([1.0, math.nan]))
    for size in (2, 3 * BLOCK):
        mean, variance = sw.parallel_mean_var(np.full(size, math.inf))
        assert mean == math.inf
        assert math.isnan(variance)


def test_what_cannot_be_reduced_says_so() -> None:
    with pytest.raises(sw.InsufficientDataError, match="x is empty"):
        sw.parallel_minmax([])
    with pytest.raises(sw.InsufficientDataError, match="x is empty"):
        sw.parallel_mean_var([])
    with pytest.raises(TypeError, match="complex128"):
        sw.parallel_sum(np.ones(3, dtype=complex))
    with pytest.raises(TypeError, match="expected float64"):
        sw.parallel_sum(["a"])
    with pytest.raises(sw.ChoiceError, match="method"):
        sw.parallel_sum([1.0], method="fast")  # type: ignore[call-overload]
    with pytest.raises(sw.ChoiceError, match="combine"):
        sw.parallel_sum([1.0], combine="star")  # type: ignore[call-overload]
    with pytest.raises(sw.ShapeError, match="y has length 2"):
        sw.parallel_dot([1.0], [1.0, 2.0])
    with pytest.raises(sw.ShapeError, match="2 dimensions"):
        sw.parallel_dot(np.ones((2, 2)), np.ones((2, 2)))
    with pytest.raises(sw.ThreadError):
        sw.parallel_sum([1.0], threads=0)
