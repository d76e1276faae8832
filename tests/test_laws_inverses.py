"""Inverses there and back, and the identities between the laws, on generated values."""

import warnings
from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from mpmath import mp, mpf

import scalewall as sw
from scalewall import laws

UNIT = 2.0**-53
fractions = st.one_of(st.floats(1e-9, 1 - 1e-9), st.floats(-18, -1e-6).map(lambda e: 10**e))
counts = st.one_of(st.floats(1, 1000), st.floats(0, 15).map(lambda e: 10**e))
kappas = st.floats(-15, -1).map(lambda e: 10**e)
Curve = Callable[[float], float]
Branch = Literal["rising", "falling"]
Design = Literal["symmetric", "asymmetric", "dynamic"]


@pytest.fixture(autouse=True)
def fractional_loads_allowed() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sw.BelowOneWorkerWarning)
        yield


def there_and_back(n: float, curve: Curve, slope: float, inverse: Curve) -> None:
    """n to S to n within ten times the condition number of the inverse times 2^-53."""
    value = curve(n)
    assume(slope != 0 and value > 0)
    condition = max(abs(value / (n * slope)), 1.0)
    assume(condition * UNIT * 10 < 0.01)
    assert abs(inverse(value) - n) <= 10 * condition * UNIT * n


def back_and_there(value: float, inverse: Curve, curve: Curve) -> None:
    """S to n to S to 1e-12."""
    n = inverse(value)
    assume(np.isfinite(n) and n < 1e18)
    assert curve(n) == pytest.approx(value, rel=1e-12)


@given(n=counts, f=fractions)
def test_amdahl_round_trips(n: float, f: float) -> None:
    def curve(n: float) -> float:
        return laws.amdahl_speedup(n, serial=f, min_n=0)

    def inverse(s: float) -> float:
        return laws.amdahl_workers(speedup=s, serial=f)

    assume(curve(n) < (1 - 1e-15) / f)
    there_and_back(n, curve, laws.amdahl_slope(n, serial=f), inverse)


@given(share=st.floats(1e-6, 0.999999), f=fractions, below=st.booleans())
def test_amdahl_speedup_round_trips(share: float, f: float, below: bool) -> None:
    speedup = share if below else 1 + share * (1 / f - 1) * 0.999
    back_and_there(
        speedup,
        lambda s: laws.amdahl_workers(speedup=s, serial=f),
        lambda n: laws.amdahl_speedup(n, serial=f, min_n=0),
    )


@given(n=counts, f=fractions)
def test_amdahl_efficiency_round_trips(n: float, f: float) -> None:
    def curve(n: float) -> float:
        return laws.amdahl_efficiency(n, serial=f)

    def inverse(e: float) -> float:
        return laws.amdahl_workers(efficiency=e, serial=f)

    there_and_back(n, curve, f * curve(n) ** 2, inverse)
    back_and_there(curve(n), inverse, curve)


@given(n=counts, s=fractions)
def test_gustafson_round_trips(n: float, s: float) -> None:
    def curve(n: float) -> float:
        return laws.gustafson_speedup(n, serial=s)

    def inverse(speedup: float) -> float:
        return laws.gustafson_workers(speedup=speedup, serial=s)

    there_and_back(n, curve, 1 - s, inverse)
    back_and_there(curve(n), inverse, lambda n: laws.gustafson_speedup(n, serial=s, min_n=0))
    efficiency = laws.gustafson_efficiency(n, serial=s)
    assume(efficiency > (1 - s) * (1 + 1e-6))
    there_and_back(
        n,
        lambda n: laws.gustafson_efficiency(n, serial=s),
        s / n**2,
        lambda e: laws.gustafson_workers(efficiency=e, serial=s),
    )


@given(n=counts, f=fractions, exponent=st.sampled_from([0.0, 0.5, 1.0, 1.3, 1.5, 2.0]))
def test_sun_ni_round_trips(n: float, f: float, exponent: float) -> None:
    def curve(n: float) -> float:
        return laws.sun_ni_speedup(n, serial=f, exponent=exponent)

    def inverse(s: float) -> float:
        return laws.sun_ni_workers(speedup=s, serial=f, exponent=exponent)

    speedup = curve(n)
    assume(speedup >= 1 and (exponent > 0 or speedup < (1 - 1e-9) / f))
    back_and_there(speedup, inverse, curve)
    slope = laws.sun_ni_slope(n, serial=f, exponent=exponent)
    condition = speedup / (n * slope)
    assume(condition < 1e9)
    assert inverse(speedup) == pytest.approx(n, rel=1e-14 * condition + 1e-13)
    if exponent <= 1:
        efficiency = laws.sun_ni_efficiency(n, serial=f, exponent=exponent)
        # The efficiency of G = n levels off: only where it still falls has it one n.
        assume(efficiency < 1 - 1e-6 and (exponent < 1 or efficiency > 1 - f * 0.999))
        back = laws.sun_ni_workers(efficiency=efficiency, serial=f, exponent=exponent)
        assert laws.sun_ni_efficiency(back, serial=f, exponent=exponent) == pytest.approx(
            efficiency, rel=1e-12
        )


@given(n=counts, sigma=fractions, kappa=kappas)
def test_usl_round_trips_on_both_branches(n: float, sigma: float, kappa: float) -> None:
    branch: Branch = "rising" if laws.usl_slope(n, sigma=sigma, kappa=kappa) >= 0 else "falling"

    def curve(n: float) -> float:
        return laws.usl_speedup(n, sigma=sigma, kappa=kappa, min_n=0)

    def inverse(s: float) -> float:
        return laws.usl_workers(speedup=s, sigma=sigma, kappa=kappa, branch=branch)

    there_and_back(n, curve, laws.usl_slope(n, sigma=sigma, kappa=kappa), inverse)
    back_and_there(curve(n), inverse, curve)


@given(share=st.floats(1e-6, 1), sigma=fractions, kappa=kappas)
def test_usl_speedup_round_trips(share: float, sigma: float, kappa: float) -> None:
    speedup = share * laws.usl_ceiling(sigma=sigma, kappa=kappa)
    for branch in ("rising", "falling"):
        back_and_there(
            speedup,
            lambda s: laws.usl_workers(speedup=s, sigma=sigma, kappa=kappa, branch=branch),  # noqa: B023
            lambda n: laws.usl_speedup(n, sigma=sigma, kappa=kappa, min_n=0),
        )


@given(n=counts, sigma=fractions, kappa=kappas, rate=st.floats(1e-3, 1e6))
def test_usl_efficiency_and_response_round_trip(n: float, sigma: float, kappa: float, rate: float) -> None:
    efficiency = laws.usl_efficiency(n, sigma=sigma, kappa=kappa)
    slope = (sigma + kappa * (2 * n - 1)) * efficiency**2
    there_and_back(
        n,
        lambda n: laws.usl_efficiency(n, sigma=sigma, kappa=kappa),
        slope,
        lambda e: laws.usl_workers(efficiency=e, sigma=sigma, kappa=kappa),
    )
    there_and_back(
        n,
        lambda n: laws.usl_response(n, sigma=sigma, kappa=kappa, rate=rate),
        slope / efficiency**2 / rate,
        lambda r: laws.usl_workers(response=r, sigma=sigma, kappa=kappa, rate=rate),
    )


@given(n=counts, sigma=fractions, kappa=kappas)
def test_usl_log_round_trips_on_both_branches(n: float, sigma: float, kappa: float) -> None:
    peak = laws.usl_log_peak(sigma=sigma, kappa=kappa)
    branch: Branch = "rising" if n <= peak else "falling"

    def curve(n: float) -> float:
        return laws.usl_log_speedup(n, sigma=sigma, kappa=kappa)

    def inverse(s: float) -> float:
        return laws.usl_log_workers(speedup=s, sigma=sigma, kappa=kappa, branch=branch)

    assume(curve(n) >= 1 or branch == "falling")
    back_and_there(curve(n), inverse, curve)
    there_and_back(n, curve, laws.usl_log_slope(n, sigma=sigma, kappa=kappa), inverse)
    efficiency = laws.usl_log_efficiency(n, sigma=sigma, kappa=kappa)
    slope = (sigma + kappa * (np.log2(n) + 1 / np.log(2))) * efficiency**2
    there_and_back(
        n,
        lambda n: laws.usl_log_efficiency(n, sigma=sigma, kappa=kappa),
        slope,
        lambda e: laws.usl_log_workers(efficiency=e, sigma=sigma, kappa=kappa),
    )


@given(
    n=st.floats(1, 1e9),
    share=st.floats(0, 1),
    f=fractions,
    design=st.sampled_from(["symmetric", "asymmetric", "dynamic"]),
)
def test_hill_marty_cores_give_the_speedup(n: float, share: float, f: float, design: Design) -> None:
    r = 1 + (n - 1) * share
    speedup = laws.hill_marty_speedup(n, r=r, serial=f, design=design)
    assume(speedup < laws.hill_marty_ceiling(r=r, serial=f) * (1 - 1e-6))
    back = laws.hill_marty_cores(speedup=speedup, r=r, serial=f, design=design)
    assert laws.hill_marty_speedup(back, r=r, serial=f, design=design) == pytest.approx(speedup, rel=1e-12)


@given(n=counts, work=st.floats(1e-3, 1e9), share=st.floats(0, 0.999))
def test_work_span_workers_keep_the_time(n: float, work: float, share: float) -> None:
    time = laws.work_span_upper(n, work=work, span=work * share)
    assume(time > work * share * (1 + 1e-9))
    back = laws.work_span_workers(time=time, work=work, span=work * share)
    assert laws.work_span_upper(max(back, 1.0), work=work, span=work * share) == pytest.approx(
        time, rel=1e-12
    )


@given(n=counts, efficiency=st.floats(1e-6, 1 - 1e-6), step=st.floats(1e-6, 1e6))
def test_isoefficiency_round_trips(n: float, efficiency: float, step: float) -> None:
    overhead = laws.isoefficiency_tree_overhead(n, step=step)
    work = laws.isoefficiency_work(overhead=overhead, efficiency=efficiency)
    assume(work > 1e-290)
    assert laws.isoefficiency_efficiency(work=work, overhead=overhead) == pytest.approx(efficiency, rel=1e-12)
    assert laws.isoefficiency_overhead(work=work, efficiency=efficiency) == pytest.approx(overhead, rel=1e-12)
    back = laws.isoefficiency_tree_workers(work=work, efficiency=efficiency, step=step)
    assert back == pytest.approx(n, rel=1e-12)


@given(n=counts, s=fractions)
def test_amdahl_and_gustafson_describe_one_run(n: float, s: float) -> None:
    f = laws.serial_fraction(n, gustafson=s, to="amdahl")
    assert laws.amdahl_speedup(n, serial=f) == pytest.approx(laws.gustafson_speedup(n, serial=s), rel=1e-12)


@given(n=st.floats(1.001, 1e6), f=st.floats(1e-6, 1))
def test_three_serial_fractions_convert_both_ways(n: float, f: float) -> None:
    s = laws.serial_fraction(n, amdahl=f, to="gustafson")
    x = laws.serial_fraction(n, amdahl=f, to="trace")
    assert x == pytest.approx(1 - laws.amdahl_efficiency(n, serial=f), rel=1e-9)
    assert laws.serial_fraction(n, gustafson=s, to="trace") == pytest.approx(x, rel=1e-12)
    assert laws.serial_fraction(n, trace=x, to="gustafson") == pytest.approx(s, rel=1e-12)
    assert laws.serial_fraction(n, amdahl=f, to="amdahl") == f
    # 1 - x is what is left of the efficiency: the way back loses as many digits as it does.
    lost = 1e-15 * max(1 / (1 - x), n if s > 0.5 else 1.0)
    assert laws.serial_fraction(n, trace=x, to="amdahl") == pytest.approx(f, rel=1e-12 + 10 * lost)
    assert laws.serial_fraction(n, gustafson=s, to="amdahl") == pytest.approx(f, rel=1e-12 + 10 * lost)


@given(n=st.floats(1.01, 1e6), f=fractions)
def test_karp_flatt_finds_the_serial_fraction_of_amdahl(n: float, f: float) -> None:
    speedup = laws.amdahl_speedup(n, serial=f)
    with mp.workdps(40):
        expected = float((1 / mpf(speedup) - 1 / mpf(n)) / (1 - 1 / mpf(n)))
    assert laws.karp_flatt(n, speedup=speedup) == pytest.approx(expected, rel=1e-14, abs=1e-300)


@given(f=fractions, kappa=kappas, n=st.lists(counts, min_size=2, max_size=8, unique=True))
def test_monotone(f: float, kappa: float, n: list[float]) -> None:
    ordered = np.sort(n)
    # Neighbouring doubles may round to the same value: never the wrong way by more than that.
    slack = 1 + 4 * UNIT
    for speedup in (laws.amdahl_speedup(ordered, serial=f), laws.gustafson_speedup(ordered, serial=f)):
        assert (speedup[1:] * slack >= speedup[:-1]).all()
    for efficiency in (
        laws.amdahl_efficiency(ordered, serial=f),
        laws.usl_efficiency(ordered, sigma=f, kappa=kappa),
        laws.usl_log_efficiency(ordered, sigma=f, kappa=kappa),
    ):
        assert (efficiency[1:] <= efficiency[:-1] * slack).all()
    assert (
        laws.usl_speedup(ordered, sigma=f, kappa=kappa) <= laws.amdahl_speedup(ordered, serial=f) * slack
    ).all()


@given(f=fractions, efficiency=st.floats(1e-3, 0.999))
def test_the_knee_is_the_last_n_with_the_efficiency(f: float, efficiency: float) -> None:
    n = laws.amdahl_knee(serial=f, efficiency=efficiency)
    assert n == laws.amdahl_workers(serial=f, efficiency=efficiency)
    assert laws.amdahl_efficiency(n * (1 - 1e-9) + 1e-9, serial=f) >= efficiency * (1 - 1e-12)
    assert laws.amdahl_efficiency(n * (1 + 1e-6) + 1e-6 / f, serial=f) < efficiency
    assert laws.usl_knee(sigma=f, kappa=0, efficiency=efficiency) == pytest.approx(n, rel=1e-12)
    assert laws.usl_log_knee(sigma=f, kappa=0, efficiency=efficiency) == n
    assert laws.sun_ni_knee(serial=f, exponent=0, efficiency=efficiency) == n


def test_knee_is_at_half_the_efficiency_unless_said() -> None:
    assert laws.amdahl_knee(serial=0.05) == laws.amdahl_knee(serial=0.05, efficiency=0.5)
    assert laws.usl_knee(sigma=0.05, kappa=0.01) == laws.usl_workers(efficiency=0.5, sigma=0.05, kappa=0.01)
    assert laws.gustafson_knee(serial=0.75) == 3
    assert laws.gustafson_knee(serial=0.4) == np.inf
    assert laws.amdahl_knee(serial=0) == np.inf
    assert laws.sun_ni_knee(serial=0.3, exponent=1) == np.inf
    assert laws.sun_ni_knee(serial=0.75, exponent=1) == pytest.approx(3, rel=1e-12)
