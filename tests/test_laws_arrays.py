"""What goes in and what comes out: broadcasting, layouts, `out=`, and refusals."""

import inspect
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scalewall as sw
from scalewall import laws

N = np.array([1.0, 2, 4, 8, 16, 32])
S = np.array([0.0, 0.05, 1.0])


def numpy_amdahl(n: Any, f: Any) -> npt.NDArray[np.float64]:
    n, f = np.asarray(n, float), np.asarray(f, float)
    return np.asarray(n / (f * n + (1 - f)))


@pytest.mark.parametrize(
    "n",
    [
        N.tolist(),
        tuple(N.tolist()),
        N.astype(np.float32),
        N.astype(np.int16),
        N.astype(np.uint64),
        N.astype(">f8"),
        N[::-1],
        N[::2],
        np.repeat(N, 2)[::2],
        N.reshape(2, 3),
        np.asfortranarray(N.reshape(2, 3)),
        N.reshape(2, 3).T,
        np.frombuffer(b"\0" + N.tobytes(), np.uint8)[1:].view(np.float64),
        N[:0],
        np.empty((0, 3)),
        range(1, 5),
    ],
    ids=lambda n: f"{type(n).__name__}-{getattr(n, 'dtype', '')}-{getattr(n, 'strides', '')}",
)
def test_any_layout_gives_the_same_values(n: Any) -> None:
    answer = laws.amdahl_speedup(n, serial=0.05)
    assert isinstance(answer, np.ndarray)
    assert answer.dtype == np.float64
    expected = numpy_amdahl(n, 0.05)
    assert answer.shape == expected.shape
    np.testing.assert_array_equal(answer, expected)


@pytest.mark.parametrize("n", [8, 8.0, np.float64(8), np.float32(8), np.int64(8), np.array(8.0), np.array(8)])
def test_numbers_give_a_float(n: Any) -> None:
    answer = laws.amdahl_speedup(n, serial=0.05)
    assert type(answer) is float
    assert answer == 8 / (0.05 * 8 + 0.95)


@pytest.mark.parametrize(
    ("n", "serial"),
    [
        (N, S[:, None]),
        (N[:, None], S),
        (3.0, S),
        (N, np.array(0.5)),
        (N[:3], S),
        (N, S[1:2]),
        (N[:1], S),
        (N[None, :3], S[:, None]),
        ([1, 2], [[0.1]]),
    ],
)
def test_parameters_broadcast(n: Any, serial: Any) -> None:
    expected = numpy_amdahl(n, serial)
    np.testing.assert_array_equal(laws.amdahl_speedup(n, serial=serial), expected)
    np.testing.assert_allclose(laws.amdahl_speedup(n, p=1 - np.asarray(serial, float)), expected, rtol=1e-15)
    out = np.empty(expected.shape)
    assert laws.amdahl_speedup(n, serial=serial, out=out) is out
    np.testing.assert_array_equal(out, expected)


@given(st.lists(st.floats(1, 1e18), min_size=1, max_size=700))
def test_arrays_and_scalars_agree_bit_for_bit(values: list[float]) -> None:
    n = np.array(values)
    sigma = np.linspace(0, 1, n.size)
    one_by_one = [laws.usl_log_speedup(x, sigma=0.02, kappa=1e-4) for x in values]
    assert laws.usl_log_speedup(n, sigma=0.02, kappa=1e-4).tolist() == one_by_one
    pairs = zip(values, sigma.tolist(), strict=True)
    assert laws.usl_speedup(n, sigma=sigma, kappa=1e-4).tolist() == [
        laws.usl_speedup(x, sigma=s, kappa=1e-4) for x, s in pairs
    ]


def test_a_large_array_is_the_same_as_its_pieces() -> None:
    n = np.linspace(1, 1e6, 100_003)
    whole = laws.usl_speedup(n, sigma=0.01, kappa=1e-6)
    pieces = np.concatenate(
        [laws.usl_speedup(part, sigma=0.01, kappa=1e-6) for part in np.split(n, [7, 5000])]
    )
    np.testing.assert_array_equal(whole, pieces)


def test_out_is_filled_and_returned() -> None:
    out = np.full(N.size, np.nan)
    assert laws.amdahl_speedup(N, serial=0.05, out=out) is out
    np.testing.assert_array_equal(out, numpy_amdahl(N, 0.05))
    strided = np.full(2 * N.size, -1.0)
    assert laws.amdahl_speedup(N, serial=0.05, out=strided[::2]).base is strided
    np.testing.assert_array_equal(strided[::2], numpy_amdahl(N, 0.05))
    assert (strided[1::2] == -1).all()
    scalar = np.array(0.0)
    assert laws.amdahl_speedup(8, serial=0.05, out=scalar) is scalar
    assert scalar == 8 / (0.05 * 8 + 0.95)


def test_out_may_be_an_argument() -> None:
    n = N.copy()
    assert laws.amdahl_speedup(n, serial=0.05, out=n) is n
    np.testing.assert_array_equal(n, numpy_amdahl(N, 0.05))
    shifted = np.concatenate([N, [64.0]])
    laws.amdahl_speedup(shifted[:-1], serial=0.05, out=shifted[1:])
    np.testing.assert_array_equal(shifted[1:], numpy_amdahl(N, 0.05))


def test_threads_share_their_arrays() -> None:
    n = np.linspace(1, 1e6, 200_000)
    out = np.empty_like(n)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: laws.usl_speedup(n, sigma=0.01, kappa=1e-6, out=out), range(24)))
        # Reads memory that others are filling: any value may come, an endless loop may not.
        list(
            pool.map(
                lambda i: laws.amdahl_speedup(
                    out if i % 2 else n, serial=0.1, min_n=0, out=None if i % 2 else out
                ),
                range(24),
            )
        )
    assert all(answer is out for answer in answers)
    np.testing.assert_array_equal(
        laws.usl_speedup(n, sigma=0.01, kappa=1e-6, out=out), n / (0.99 + n * (0.01 + 1e-6 * (n - 1)))
    )


def test_out_of_the_wrong_kind_is_refused() -> None:
    with pytest.raises(sw.ShapeError, match=r"out has shape \(3,\): expected \(6,\)"):
        laws.amdahl_speedup(N, serial=0.05, out=np.empty(3))
    with pytest.raises(TypeError, match="array of float32: expected an ndarray of float64"):
        laws.amdahl_speedup(N, serial=0.05, out=np.empty(6, np.float32))
    with pytest.raises(TypeError, match="out is list"):
        laws.amdahl_speedup(N, serial=0.05, out=[0.0] * 6)  # type: ignore[call-overload]
    frozen = np.empty(6)
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        laws.amdahl_speedup(N, serial=0.05, out=frozen)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("8", "n is str"),
        (None, "n is NoneType"),
        (1j, "n is complex"),
        (True, "n is bool"),
        ([True, False], "expected real numbers"),
        ([None, 2.0], "expected real numbers"),
        ([[1.0], [1.0, 2.0]], "regular array"),
        (np.ma.masked_array([1.0, 2.0], [True, False]), "masked array"),
        (np.array(["2026-01-01"], "M8[D]"), "expected real numbers"),
    ],
)
def test_what_is_not_a_real_number_is_a_type_error(value: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        laws.amdahl_speedup(value, serial=0.05)


def test_shapes_that_do_not_broadcast() -> None:
    with pytest.raises(sw.ShapeError, match=r"n \(6,\), serial \(3,\): the shapes do not broadcast"):
        laws.amdahl_speedup(N, serial=S)


BAD_N = [0.0, -1.0, 0.5, 1 - 2**-53, np.nan, np.inf, -np.inf, 10**400, -(10**400)]


@pytest.mark.parametrize("n", BAD_N)
@pytest.mark.parametrize("law", [laws.amdahl_speedup, laws.gustafson_efficiency, laws.amdahl_slope])
def test_worker_counts_outside_the_domain(law: Any, n: float) -> None:
    with pytest.raises(
        sw.DomainError, match=r"^n is .*: expected a finite worker count of at least 1$"
    ) as caught:
        law(n, serial=0.05)
    assert isinstance(caught.value, ValueError)
    assert (caught.value.argument, caught.value.index) == ("n", None)


@pytest.mark.parametrize("name", ["serial", "p"])
@pytest.mark.parametrize("value", [-1e-300, 1 + 2**-52, np.nan, np.inf, -np.inf])
def test_fractions_outside_the_domain(name: str, value: float) -> None:
    law: Any = laws.amdahl_speedup
    with pytest.raises(sw.DomainError, match=rf"^{name} is .* fraction from 0 to 1$"):
        law(8, **{name: value})
    with pytest.raises(sw.DomainError, match=rf"^{name}\[1\] is .* fraction from 0 to 1$"):
        law(8, **{name: np.array([0.5, value])})
    with pytest.raises(sw.DomainError, match=rf"^{name}\[1\] is "):
        laws.amdahl_ceiling(**{name: np.array([0.5, value])})


@pytest.mark.parametrize("bad", [0, 3, 127, 128, 300])
def test_the_error_names_the_first_offender(bad: int) -> None:
    n = np.linspace(1, 50, 301)
    n[bad:] = np.nan
    with pytest.raises(sw.DomainError, match=rf"^n\[{bad}\] is nan|^n\[{bad}\] is NaN") as caught:
        laws.amdahl_speedup(n, serial=0.05)
    assert caught.value.index == bad
    with pytest.raises(sw.DomainError, match=rf"^n\[{bad}\] "):
        laws.amdahl_speedup(n, serial=np.linspace(0, 1, 301))
    with pytest.raises(sw.DomainError, match=rf"^n\[{bad}, 0\] "):
        laws.amdahl_speedup(n[:, None], serial=[[0.1, 0.2]])


def test_the_error_index_is_that_of_the_argument_as_given() -> None:
    n = np.ones((2, 3))
    n[1, 2] = 0
    with pytest.raises(sw.DomainError, match=r"^n\[1, 2\] is 0\.0: expected") as caught:
        laws.amdahl_speedup(n, serial=0.05)
    assert caught.value.index == (1, 2)
    assert caught.value.value == 0
    with pytest.raises(sw.DomainError, match=r"^serial\[2\] is 2\.0: expected"):
        laws.amdahl_speedup(np.ones((4, 3)), serial=[0.1, 0.2, 2.0])
    with pytest.raises(sw.DomainError, match=r"^serial is 2\.0: expected"):
        laws.amdahl_speedup(np.ones((4, 3)), serial=np.array(2.0))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: laws.amdahl_workers(speedup=[2, 30], serial=0.05),
            r"speedup\[1\] is 30\.0: .*below the ceiling",
        ),
        (lambda: laws.amdahl_workers(speedup=20, serial=0.05), "below the ceiling"),
        (lambda: laws.amdahl_workers(speedup=5, serial=[0.1, 0.5]), r"^speedup is 5\.0"),
        (lambda: laws.amdahl_workers(efficiency=1.5, serial=0.05), "an efficiency below"),
        (lambda: laws.gustafson_workers(speedup=2, serial=1), "1 where serial is 1"),
        (lambda: laws.gustafson_workers(speedup=0.01, serial=0.5), "above serial"),
        (lambda: laws.gustafson_workers(efficiency=2, serial=0), "at most 1"),
        (lambda: laws.sun_ni_workers(speedup=21, serial=0.05, exponent=0), "below the ceiling"),
        (lambda: laws.sun_ni_workers(efficiency=0.5, serial=0.05, exponent=1.5), r"exponent is 1\.5"),
        (lambda: laws.usl_speedup(2, sigma=-0.1, kappa=0), r"sigma is -0\.1: expected a number from 0 to 1"),
        (lambda: laws.usl_speedup(2, sigma=0.1, kappa=-1e-9), "kappa is -1e-9: expected a finite number"),
        (lambda: laws.usl_workers(speedup=26, sigma=0.02, kappa=1e-4), "below the ceiling"),
        (lambda: laws.usl_workers(throughput=26, sigma=0.02, kappa=1e-4, rate=1), "below the ceiling"),
        (lambda: laws.usl_workers(speedup=2, sigma=0.1, kappa=0, branch="falling"), "kappa is 0"),
        (lambda: laws.usl_workers(efficiency=3, sigma=0.1, kappa=0.01), "an efficiency that some n"),
        (
            lambda: laws.usl_workers(response=0.01, sigma=0.1, kappa=0.01, rate=1),
            "a response time that some n",
        ),
        (lambda: laws.usl_log_workers(speedup=40, sigma=0.01, kappa=0.002), "below the ceiling"),
        (lambda: laws.usl_log_workers(speedup=0.5, sigma=0.01, kappa=0.002), "at least 1"),
        (lambda: laws.usl_log_workers(speedup=2, sigma=0.1, kappa=0, branch="falling"), "kappa is 0"),
        (lambda: laws.hill_marty_speedup(16, r=32, serial=0.1), "at most n base cores"),
        (lambda: laws.hill_marty_cores(speedup=100, r=16, serial=0.1), "below the ceiling"),
        (lambda: laws.karp_flatt(1, speedup=1), "worker count above 1"),
        (lambda: laws.work_span_upper(4, work=1, span=2), "span is 2.*part of it"),
        (lambda: laws.work_span_workers(time=1, work=10, span=2), "above the span"),
        (lambda: laws.isoefficiency_work(overhead=1, efficiency=1), "below 1"),
        (lambda: laws.serial_fraction(4, trace=0.9, to="amdahl"), "slower than one"),
        (lambda: laws.amdahl_speedup(2, serial=0.1, min_n=-1), "min_n is -1"),
        (lambda: laws.amdahl_speedup(0.1, serial=0.1, min_n=0.2), "at least min_n"),
        (lambda: laws.amdahl_speedup(0, serial=0.1, min_n=0), "above 0"),
    ],
)
def test_impossible_together(call: Any, message: str) -> None:
    with pytest.raises(sw.DomainError, match=message):
        call()


def test_options_that_do_not_exist() -> None:
    with pytest.raises(sw.ChoiceError, match='branch is "up": expected "rising" or "falling"'):
        laws.usl_workers(speedup=2, sigma=0.1, kappa=0.1, branch="up")  # type: ignore[call-overload]
    with pytest.raises(sw.ChoiceError, match="design is"):
        laws.hill_marty_speedup(4, r=2, serial=0.1, design="round")  # type: ignore[call-overload]
    with pytest.raises(sw.ChoiceError, match="to is"):
        laws.serial_fraction(4, amdahl=0.1, to="p")  # type: ignore[call-overload]


@pytest.mark.parametrize(
    "call",
    [
        lambda: laws.amdahl_speedup(2),
        lambda: laws.amdahl_speedup(2, serial=0.1, p=0.9),
        lambda: laws.amdahl_workers(serial=0.1),
        lambda: laws.amdahl_workers(serial=0.1, speedup=2, efficiency=0.5),
        lambda: laws.sun_ni_speedup(2, serial=0.1),
        lambda: laws.usl_workers(throughput=2, sigma=0.1, kappa=0.1),
        lambda: laws.usl_workers(speedup=2, sigma=0.1, kappa=0.1, rate=3),
        lambda: laws.serial_fraction(2, to="amdahl"),
    ],
)
def test_exactly_one_of_the_names(call: Any) -> None:
    with pytest.raises(TypeError, match="exactly one"):
        call()


def test_options_survive_the_general_path() -> None:
    n = [[4.0, 16.0]]
    for design in ("symmetric", "asymmetric", "dynamic"):
        expected = [laws.hill_marty_speedup(x, r=4, serial=0.1, design=design) for x in n[0]]
        assert laws.hill_marty_speedup(n, r=4, serial=0.1, design=design).tolist() == [expected]
    falling = laws.usl_workers(speedup=[[20.0]], sigma=0.02, kappa=1e-4, branch="falling")
    assert falling.tolist() == [[laws.usl_workers(speedup=20.0, sigma=0.02, kappa=1e-4, branch="falling")]]
    assert laws.usl_speedup([0.5], sigma=0.02, kappa=1e-4, min_n=0.19).tolist() == [
        laws.usl_speedup(0.5, sigma=0.02, kappa=1e-4, min_n=0.19)
    ]
    assert laws.serial_fraction([64.0], gustafson=0.05, to="amdahl").shape == (1,)


@pytest.mark.parametrize("name", laws.__all__)
def test_every_law_is_documented_and_takes_out(name: str) -> None:
    law = getattr(laws, name)
    assert law.__doc__
    if name in {"UslOverhead", "usl_overhead"}:
        return
    parameters = inspect.signature(law).parameters
    assert parameters["out"].default is None
    for parameter in parameters.values():
        assert parameter.kind is (
            parameter.POSITIONAL_OR_KEYWORD if parameter.name == "n" else parameter.KEYWORD_ONLY
        )
        assert parameter.name in law.__doc__
    for section in ("Parameters", "Returns", "Raises", "Notes", "References", "Examples"):
        assert f"\n{section}\n{'-' * len(section)}\n" in inspect.cleandoc(law.__doc__)


def test_sun_ni_where_the_work_grows_beyond_every_number() -> None:
    # G = n^20 is 1e360 here: the serial work is nothing beside it, and S = n.
    assert laws.sun_ni_speedup(1e18, serial=0.05, exponent=20) == 1e18
    assert laws.sun_ni_efficiency(1e18, serial=0.05, exponent=20) == 1
    assert laws.sun_ni_slope(1e18, serial=0.05, exponent=20) == 1
    assert laws.sun_ni_workers(speedup=1e18, serial=0.05, exponent=20) == pytest.approx(1e18, rel=1e-12)
    assert laws.sun_ni_speedup(1e18, serial=1, exponent=20) == 1
    assert laws.sun_ni_efficiency(1e18, serial=1, exponent=20) == 1e-18
    assert laws.sun_ni_slope(1e18, serial=1, exponent=1e300) == 0


@pytest.mark.parametrize("n", [1.0, 2.0, 64.0, 1e18, 1e300])
@pytest.mark.parametrize("kappa", [1e-300, 1.0, 1e154, 1.7e308])
def test_the_slope_of_a_tree_is_a_number_however_steep(n: float, kappa: float) -> None:
    slope = laws.usl_log_slope(n, sigma=0.02, kappa=kappa)
    assert not np.isnan(slope)
    assert slope <= 1
