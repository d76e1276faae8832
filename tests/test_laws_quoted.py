"""Figures that everybody quotes, figures that published tools get wrong, and exact limits."""

from typing import Any

import numpy as np
import pytest

import scalewall as sw
from scalewall import laws

CISCO: Any = {"sigma": 0.02671594548, "kappa": 7.690939104e-4, "rate": 995.6487881}


def test_amdahl_at_95_percent() -> None:
    speedup = laws.amdahl_speedup([10, 100, 1000], p=0.95)
    assert speedup.round(1).tolist() == [6.9, 16.8, 19.6]
    assert laws.amdahl_ceiling(p=0.95) == pytest.approx(20, rel=1e-15)
    assert (laws.amdahl_speedup(np.logspace(0, 18, 1000), p=0.95) <= 20.000000000000004).all()
    assert laws.amdahl_speedup(1e6, p=0.95) < 20


def test_amdahl_at_90_percent_never_passes_ten() -> None:
    assert laws.amdahl_ceiling(serial=0.1) == 10
    assert laws.amdahl_speedup(1e6, p=0.9) < 10
    with pytest.raises(sw.DomainError, match="ceiling"):
        laws.amdahl_workers(speedup=10.1, p=0.9)


def test_gustafson_at_5_percent_on_64() -> None:
    assert laws.gustafson_speedup(64, serial=0.05) == pytest.approx(60.85, rel=1e-15)


def test_serial_fraction_of_speedup_three_on_four() -> None:
    assert laws.karp_flatt(4, speedup=3) == pytest.approx(1 / 9, rel=1e-15)


def test_two_runs_say_this_much() -> None:
    # 359.3 s on one, 129 s on eight workers.
    assert laws.karp_flatt(8, speedup=359.3 / 129) == pytest.approx(0.267, abs=5e-4)


@pytest.mark.parametrize(
    ("throughput", "n"), [(955, 0.9580694526), (11048, 19.92390292), (12201, 29.5690361)]
)
@pytest.mark.filterwarnings("ignore::scalewall.BelowOneWorkerWarning")
def test_cisco_load_at_throughput_is_not_the_kappa_zero_case(throughput: float, n: float) -> None:
    assert laws.usl_workers(throughput=throughput, **CISCO) == pytest.approx(n, rel=1e-9)
    assert laws.usl_response_at(throughput=throughput, **CISCO) == pytest.approx(n / throughput, rel=1e-9)


@pytest.mark.parametrize(
    ("response", "throughput"), [(0.03, 5923.280164), (0.04, 5213.113406), (0.05, 4712.293781)]
)
def test_cisco_throughput_at_response_has_the_right_sign(response: float, throughput: float) -> None:
    assert laws.usl_throughput_at(response=response, **CISCO) == pytest.approx(throughput, rel=1e-9)


def test_both_branches_meet_the_same_throughput() -> None:
    rising = laws.usl_workers(throughput=12201, **CISCO)
    falling = laws.usl_workers(throughput=12201, branch="falling", **CISCO)
    peak = laws.usl_peak(sigma=CISCO["sigma"], kappa=CISCO["kappa"])
    assert rising < peak < falling
    assert laws.usl_throughput([rising, falling], **CISCO) == pytest.approx(12201, rel=1e-12)
    slow = laws.usl_response_at(throughput=12201, branch="falling", **CISCO)
    assert slow == pytest.approx(falling / 12201, rel=1e-12)


def test_load_at_response_time() -> None:
    # The first ten runs of the same set, N(R = .0012) and the others as recomputed in the data's table.
    n = np.array([1.0, 7.230628773, 20.25106898, 29.88889453])
    response = laws.usl_response(n, **CISCO)
    assert laws.usl_workers(response=response, **CISCO) == pytest.approx(n, rel=1e-12)


def test_overhead_parts_add_up_to_the_curve() -> None:
    # SPEC SDM91 at 200 workers: parts with kappa (n-1)/2 add up to .0430, the curve says .0534.
    n = np.array([1.0, 18, 36, 72, 108, 144, 216, 200])
    parts = laws.usl_overhead(n, sigma=0.02772985648, kappa=1.04369e-4)
    total = parts.ideal + parts.contention + parts.coherency
    np.testing.assert_allclose(
        total, 1 / laws.usl_speedup(n, sigma=0.02772985648, kappa=1.04369e-4), rtol=1e-14
    )
    assert np.asarray(total)[-1] == pytest.approx(0.0534, abs=5e-5)


def test_contention_and_coherency_are_compared_at_n() -> None:
    # sigma > kappa says nothing: at the crossover, 266 for SPEC SDM91, both cost the same.
    n = laws.usl_crossover(sigma=0.02772985648, kappa=1.04369e-4)
    assert n == pytest.approx(266, abs=1)
    parts = laws.usl_overhead(n, sigma=0.02772985648, kappa=1.04369e-4)
    assert parts.contention == pytest.approx(
        np.asarray(parts.coherency) * (n - 1) / n / ((n - 1) / n), rel=1e-12
    )


def test_a_law_without_coherency_is_limited_by_contention() -> None:
    assert laws.usl_ceiling(sigma=1, kappa=0) == 1
    assert laws.usl_peak(sigma=1, kappa=0) == np.inf
    assert laws.usl_ceiling(sigma=0.05, kappa=1e-30) == pytest.approx(20, rel=1e-12)


HUGE = [1.0, 2.0, 3.0, 49.0, 1e3, 2.0**53 - 1, 2.0**53 + 2, 1e15 / 3, 1e18]


@pytest.mark.parametrize("n", HUGE)
def test_limits_are_exact(n: float) -> None:
    for law in (laws.amdahl_speedup, laws.gustafson_speedup):
        assert law(n, serial=0) == n
        assert law(n, p=1) == n
        assert law(n, serial=1) == 1
    for growth in (1.0, 7.0, n):
        assert laws.sun_ni_speedup(n, serial=0, growth=growth) == n
        assert laws.sun_ni_speedup(n, serial=1, growth=growth) == 1
    assert laws.usl_speedup(n, sigma=0, kappa=0) == n
    assert laws.usl_speedup(n, sigma=1, kappa=0) == 1
    assert laws.usl_log_speedup(n, sigma=0, kappa=0) == n
    assert laws.usl_log_speedup(n, sigma=1, kappa=0) == 1


@pytest.mark.parametrize("share", [0.0, 1e-300, 1e-17, 0.05, 0.1, 1 / 3, 0.7, 1 - 2**-53, 1.0])
def test_one_worker_is_exact(share: float) -> None:
    assert laws.amdahl_speedup(1, serial=share) == 1
    assert laws.amdahl_speedup(1, p=share) == 1
    assert laws.gustafson_speedup(1, serial=share) == 1
    assert laws.sun_ni_speedup(1, serial=share, exponent=1.5) == 1
    assert laws.usl_speedup(1, sigma=share, kappa=0.3) == 1
    assert laws.usl_log_speedup(1, sigma=share, kappa=0.3) == 1


def test_parallel_fraction_next_to_one_keeps_its_ceiling() -> None:
    assert laws.amdahl_ceiling(p=1 - 2**-53) == 2.0**53
    assert laws.amdahl_speedup(1e18, p=1 - 2**-53) == pytest.approx(1e18 / (1 + 1e18 * 2**-53), rel=1e-15)


def test_a_tree_costs_exactly_one_step_a_level() -> None:
    n = 2.0 ** np.arange(60)
    assert (laws.isoefficiency_tree_overhead(n, step=1) == n * np.arange(60)).all()


def test_an_inverse_below_one_worker_says_so() -> None:
    with pytest.warns(sw.BelowOneWorkerWarning, match=r"usl_workers answers 0\.958"):
        laws.usl_workers(throughput=955, **CISCO)
    with pytest.warns(sw.BelowOneWorkerWarning, match="amdahl_workers answers"):
        laws.amdahl_workers(speedup=np.array([2.0, 0.5]), serial=0.1)
    with pytest.warns(sw.BelowOneWorkerWarning, match="gustafson_workers answers") as caught:
        laws.gustafson_workers(speedup=[[2.0, 0.5]], serial=0.1)
    assert len(caught) == 1
