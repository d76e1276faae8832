"""sw.surface against the plain expression in NumPy: every law, quantity, level, store and thread count."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from reference.surface_reference import expression

import scalewall as sw
from scalewall import _core

QUANTITIES = ("speedup", "efficiency", "time", "throughput", "karp_flatt")
BEST = _core.surfaces_machine()[0]
LEVELS = ("baseline", "avx2", "avx512")[: ("baseline", "avx2", "avx512").index(BEST) + 1]

FRACTIONS = np.concatenate(
    [
        [0.0, 1.0, 1 - 2.0**-53, 2.0**-53, 1.1e-16, 5e-324, 1e-300, 1e-120, 0.5, 0.95],
        np.random.default_rng(1).random(27),
    ]
)
WORKERS = np.concatenate(
    [
        [1.0, np.nextafter(1.0, 2), 2, 3, 49, 1e18, 1e100, 1.7e308],
        2.0 ** np.arange(1, 60, 7) - 1,
        1 + np.random.default_rng(2).exponential(1e3, 1500),
    ]
)
SMALL = np.linspace(0, 0.1, 37)
CASES: list[tuple[str, dict[str, Any], str]] = [
    ("amdahl", {"p": FRACTIONS}, "strong"),
    ("amdahl", {"serial": FRACTIONS}, "strong"),
    ("gustafson", {"p": FRACTIONS}, "strong"),
    ("gustafson", {"serial": FRACTIONS}, "strong"),
    ("sun_ni", {"p": FRACTIONS, "growth": 1.5}, "strong"),
    ("sun_ni", {"serial": FRACTIONS, "growth": np.sqrt(WORKERS)}, "strong"),
    ("usl", {"sigma": SMALL, "kappa": 1e-4}, "strong"),
    ("usl", {"sigma": 0.02, "kappa": SMALL / 100}, "strong"),
    ("usl_log", {"sigma": SMALL, "kappa": SMALL / 10}, "strong"),
    *(
        (law, {"serial": 0.01, "compute": 1 + SMALL, "latency": latency, "transfer": 0.02}, scaling)
        for law in ("ring", "tree")
        for scaling in ("strong", "weak")
        for latency in (5e-6, SMALL)
    ),
    ("ring", {"compute": 6.4, "latency": 5e-6, "transfer": SMALL}, "strong"),
]
IDS = [f"{law}-{'-'.join(args)}-{scaling}-{index}" for index, (law, args, scaling) in enumerate(CASES)]


def same_bits(a: Any, b: Any) -> None:
    """Equal bit by bit; one NaN is as good as another."""
    assert a.dtype == b.dtype
    assert a.shape == b.shape
    kind = np.uint64 if a.dtype == np.float64 else np.uint32
    wrong = (np.ascontiguousarray(a).view(kind) != np.ascontiguousarray(b).view(kind)) & ~(
        np.isnan(a) & np.isnan(b)
    )
    assert not wrong.any(), (np.argwhere(wrong)[:3], a[wrong][:3], b[wrong][:3])


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize(("law", "args", "scaling"), CASES, ids=IDS)
def test_every_level_store_and_thread_count_gives_the_bits_of_the_expression(
    law: str, args: dict[str, Any], scaling: Any, quantity: Any, dtype: Any
) -> None:
    n = WORKERS if dtype is np.float64 else np.minimum(WORKERS, 3e38)
    if "growth" in args and np.ndim(args["growth"]):
        args = {**args, "growth": np.sqrt(n)}
    if law == "sun_ni":
        n = np.minimum(n, 1e20)
        if np.ndim(args["growth"]):
            args = {**args, "growth": np.sqrt(n)}
    scale = 3.7 if quantity == "time" else None
    with np.errstate(all="ignore"):
        expected = expression(law, quantity, args, n, scaling=scaling, scale=scale, dtype=dtype)
        for level in LEVELS:
            for store in ("plain", "streaming"):
                for threads in (1, 2, 5):
                    got = sw.surface(
                        law, **args, n=n, scaling=scaling, quantity=quantity, scale=scale, dtype=dtype,
                        level=level, store=store, threads=threads,
                    )  # fmt: skip
                    same_bits(got, expected)


@pytest.mark.parametrize("quantity", ["time", "throughput"])
def test_the_scale_goes_by_row(quantity: Any) -> None:
    scale = np.array([1.0, 3.0, 1e-3])
    for law, args in (("amdahl", {"p": [0.1, 0.5, 0.9]}), ("usl", {"sigma": 0.1, "kappa": 0.01})):
        got = sw.surface(law, n=[1, 2, 64], scale=scale, quantity=quantity, **args)
        same_bits(got, expression(law, quantity, args, [1, 2, 64], scale=scale))


@settings(max_examples=60, deadline=None)
@given(
    p=hnp.arrays(np.float64, st.integers(1, 5), elements=st.floats(0, 1)),
    n=hnp.arrays(np.float64, st.integers(1, 40), elements=st.floats(1, 1e18)),
    dtype=st.sampled_from([np.float64, np.float32]),
)
def test_any_fraction_and_count(p: Any, n: Any, dtype: Any) -> None:
    for law in ("amdahl", "gustafson"):
        for order in ("p", "serial"):
            for quantity in QUANTITIES:
                got = sw.surface(law, **{order: p}, n=n, quantity=quantity, dtype=dtype)  # type: ignore[arg-type]
                same_bits(got, expression(law, quantity, {order: p}, n, dtype=dtype))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_division_made_of_multiplications_holds_on_hard_mantissas(dtype: Any) -> None:
    """Quotients next to a rounding boundary, and mantissas of all ones."""
    rng = np.random.default_rng(3)
    info = np.finfo(dtype)
    near = [dtype(1) + k * info.eps for k in range(1, 40)] + [dtype(2) - k * info.eps for k in range(1, 40)]
    n = np.concatenate([near, (1 + rng.random(4000)) * 2.0 ** rng.integers(0, 30, 4000)]).astype(dtype)
    p = np.concatenate(
        [
            1 - info.epsneg * np.arange(1, 20),
            info.epsneg * np.arange(1, 20),
            0.5 + info.epsneg * np.arange(20),
            rng.random(60),
        ]
    ).astype(dtype)
    got = sw.surface("amdahl", p=p, n=n, quantity="time", dtype=dtype)
    same_bits(got, expression("amdahl", "time", {"p": p}, n, dtype=dtype))
    got = sw.surface("amdahl", p=p, n=n, dtype=dtype)
    same_bits(got, expression("amdahl", "speedup", {"p": p}, n, dtype=dtype))


def test_any_stride_byte_order_and_shape_of_the_inputs() -> None:
    p, n = np.linspace(0, 1, 11), np.arange(1.0, 24.0)
    expected = sw.surface("amdahl", p=p, n=n)
    assert expected.shape == (11, 23)
    wide = np.repeat(n, 3)[::3]
    for p2, n2 in (
        (p.astype(">f8"), n.astype(">i4")),
        (p[::-1][::-1], wide),
        (p[:, None], n[None, :]),
        (list(p), tuple(n)),
        (p.reshape(11, 1)[::1], np.asfortranarray(n[None])),
    ):
        same_bits(sw.surface("amdahl", p=p2, n=n2), expected)
    same_bits(sw.surface("amdahl", p=0.5, n=8), np.array([[1 / (0.5 + 0.5 / 8)]]))


@pytest.mark.parametrize("shape", [(0, 5), (5, 0), (1, 1), (1, 5000), (3000, 1), (7, 1025), (257, 63)])
def test_thin_empty_and_odd_grids(shape: tuple[int, int]) -> None:
    p, n = np.linspace(0, 1, shape[0]), np.linspace(1, 9, shape[1])
    for store in ("plain", "streaming"):
        same_bits(
            sw.surface("amdahl", p=p, n=n, store=store),
            expression("amdahl", "speedup", {"p": p}, n).reshape(shape),
        )


def test_out_is_written_and_returned() -> None:
    p, n = np.linspace(0, 1, 5), np.linspace(1, 9, 7)
    out = np.full((5, 7), np.nan)
    assert sw.surface("usl", sigma=p, kappa=0.1, n=n, out=out) is out
    same_bits(out, expression("usl", "speedup", {"sigma": p, "kappa": 0.1}, n))
    buffer = np.empty(5 * 7 * 8 + 8, dtype=np.uint8)[8:].view(np.float64).reshape(5, 7)
    same_bits(sw.surface("usl", sigma=p, kappa=0.1, n=n, out=buffer, store="streaming"), out)


def test_what_is_wrong_with_out_is_said() -> None:
    p, n = np.linspace(0, 1, 4), np.linspace(1, 9, 6)
    locked = np.empty((4, 6))
    locked.flags.writeable = False
    shared = np.empty((4, 6))
    for out, error, text in (
        (np.empty((6, 4)), sw.ShapeError, r"out has shape \(6, 4\): expected \(4, 6\)"),
        (np.empty((4, 6), dtype=np.float32), TypeError, "out has dtype <f4: expected native float64"),
        (np.empty((4, 6), dtype=">f8"), TypeError, "expected native float64"),
        (np.empty((6, 4)).T, ValueError, "out is not C-contiguous"),
        (locked, ValueError, "out is read-only"),
        ([1.0], TypeError, "out is a list"),
    ):
        with pytest.raises(error, match=text):
            sw.surface("amdahl", p=p, n=n, out=out)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="out shares memory with an input"):
        sw.surface("amdahl", p=shared[:, 0], n=n, out=shared)


@pytest.mark.parametrize(
    ("law", "args", "error", "text"),
    [
        ("amdal", {"p": 0.5}, sw.ChoiceError, "law is 'amdal': expected one of amdahl"),
        ("amdahl", {}, TypeError, "takes either p"),
        ("amdahl", {"p": 0.5, "serial": 0.5}, TypeError, "takes either p"),
        ("amdahl", {"p": 0.5, "kappa": 0.5}, TypeError, "kappa not used"),
        ("usl", {"sigma": 0.5}, TypeError, "kappa missing"),
        ("amdahl", {"p": [0.5, 1.5]}, sw.DomainError, r"p\[1\] is 1.5: expected a fraction from 0 to 1"),
        ("amdahl", {"p": [0.5, np.nan]}, sw.DomainError, r"p\[1\] is NaN"),
        ("amdahl", {"serial": -0.1}, sw.DomainError, "serial is -0.1"),
        ("usl", {"sigma": 0.1, "kappa": -1}, sw.DomainError, "kappa is -1"),
        ("usl", {"sigma": [0.1, 0.2], "kappa": [1, 2, 3]}, sw.ShapeError, "length"),
        ("amdahl", {"p": "0.5"}, TypeError, "p has dtype <U3: expected real numbers"),
        ("amdahl", {"p": np.ones((2, 2))}, sw.ShapeError, r"p has shape \(2, 2\)"),
        (
            "amdahl",
            {"p": 0.5, "n": [1, 0.5]},
            sw.DomainError,
            r"n\[1\] is 0.5: expected a finite worker count",
        ),
        ("usl_log", {"sigma": 0.5, "kappa": 0, "n": [1, np.inf]}, sw.DomainError, r"n\[1\] is inf"),
        ("amdahl", {"p": 0.5, "threads": 0}, sw.ThreadError, "threads is 0"),
        ("amdahl", {"p": 0.5, "threads": "two"}, sw.ThreadError, "threads is 'two'"),
        ("amdahl", {"p": 0.5, "dtype": int}, TypeError, "dtype is int64: expected float64 or float32"),
        ("amdahl", {"p": 0.5, "quantity": "cost"}, sw.ChoiceError, "quantity is 'cost'"),
        ("amdahl", {"p": 0.5, "scale": 2}, TypeError, "scale is for time and throughput"),
        ("amdahl", {"p": 0.5, "level": "sse9"}, sw.ChoiceError, "level is"),
        ("sun_ni", {"p": 0.5, "growth": [1, 2, 3]}, sw.ShapeError, "growth has length 3"),
        ("ring", {"compute": 0, "latency": 0, "transfer": 0}, sw.DomainError, "more than 0 seconds"),
    ],
)
def test_a_wrong_argument_is_named(law: str, args: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        sw.surface(law, **{"n": [1, 2], **args})


def test_a_grid_too_large_for_memory_names_its_size_and_scan() -> None:
    with pytest.raises(
        MemoryError, match=r"1000000 x 1000000 grid needs 8000.0 GB and .* free: ask scalewall.scan"
    ) as info:
        sw.surface("amdahl", p=np.linspace(0, 1, 1_000_000), n=np.linspace(1, 9, 1_000_000))
    assert isinstance(info.value, sw.GridMemoryError)


def test_the_known_example_of_each_law() -> None:
    """Values of the literature, at forty digits elsewhere."""

    def one(law: str, **args: Any) -> float:
        return float(sw.surface(law, **args)[0, 0])

    assert one("amdahl", serial=0.05, n=64) == pytest.approx(15.4217, rel=1e-5)
    assert one("gustafson", serial=0.05, n=64) == pytest.approx(60.85)
    assert one("sun_ni", serial=0.05, n=64, growth=1.5) == pytest.approx(63.5882, rel=1e-6)
    assert one("usl", sigma=0.02, kappa=1e-4, n=64) == pytest.approx(24.0312, rel=1e-5)
    step = {"serial": 0.01, "compute": 6.4, "latency": 5e-6, "transfer": 0.02}
    assert one("ring", n=64, **step) == pytest.approx(42.7319, rel=1e-5)
    time = one("ring", n=64, quantity="time", scale=6.41, **step)
    assert time == pytest.approx(0.150005, rel=1e-5)
    tree = {"serial": 0, "compute": 1e-9, "latency": 5e-6, "transfer": 0.02}
    assert one("tree", n=1024, quantity="time", scale=1e-9, **tree) == pytest.approx(0.0458569, rel=1e-5)


@pytest.mark.parametrize(("law", "args", "scaling"), CASES, ids=IDS)
def test_karp_flatt_is_the_quotient_of_its_definition(law: str, args: dict[str, Any], scaling: Any) -> None:
    n = np.array([2.0, 3, 17, 1000])
    if "growth" in args and np.ndim(args["growth"]):
        args = {**args, "growth": np.sqrt(n)}
    speedup = sw.surface(law, **args, n=n, scaling=scaling)
    e = sw.surface(law, **args, n=n, scaling=scaling, quantity="karp_flatt")
    np.testing.assert_allclose(e, (1 / speedup - 1 / n) / (1 - 1 / n), rtol=1e-9, atol=2e-13)
