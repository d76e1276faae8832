"""Values and derivatives against mpmath at 50 digits."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from mpmath import mp, mpf

from scalewall import laws

RNG = np.random.default_rng(20260131)
COUNT = 60
N = np.concatenate([[1.0, 2.0, 3.0], RNG.uniform(1, 300, 27), 10 ** RNG.uniform(0, 18, COUNT - 30)])
SERIAL = np.concatenate([[0.0, 1.0], RNG.uniform(0, 1, 28), 10 ** RNG.uniform(-18, 0, COUNT - 30)])
KAPPA = np.concatenate([[0.0], 10 ** RNG.uniform(-18, 0, COUNT - 1)])
RATE = 10 ** RNG.uniform(-3, 6, COUNT)
EXPONENT = RNG.choice([0.0, 0.5, 1.0, 1.5, 1.25], COUNT)
ANY_EXPONENT = np.where(RNG.random(COUNT) < 0.3, EXPONENT, RNG.uniform(0, 3, COUNT))
R = 1 + (N - 1) * RNG.uniform(0, 1, COUNT)

Term = Callable[..., Any]


def log2(x: Any) -> Any:
    return mp.log(x) / mp.log(2)


def usl(n: Any, a: Any, b: Any) -> Any:
    return n / (1 + a * (n - 1) + b * n * (n - 1))


def usl_log(n: Any, a: Any, b: Any) -> Any:
    return 1 / (a + (1 - a) / n + b * log2(n))


def sun_ni(n: Any, f: Any, g: Any) -> Any:
    return (f + (1 - f) * n**g) / (f + (1 - f) * n**g / n)


def symmetric(n: Any, r: Any, s: Any) -> Any:
    return 1 / (s / mp.sqrt(r) + (1 - s) * r / (mp.sqrt(r) * n))


def asymmetric(n: Any, r: Any, s: Any) -> Any:
    return 1 / (s / mp.sqrt(r) + (1 - s) / (mp.sqrt(r) + n - r))


def dynamic(n: Any, r: Any, s: Any) -> Any:
    return 1 / (s / mp.sqrt(r) + (1 - s) / n)


def amdahl(n: Any, f: Any) -> Any:
    return 1 / (f + (1 - f) / n)


def along_n(term: Term) -> Term:
    """The derivative in the first argument by a central difference at 50 digits."""

    def derivative(n: Any, *rest: Any) -> Any:
        h = mpf(10) ** -20 * n
        return (term(n + h, *rest) - term(n - h, *rest)) / (2 * h)

    return derivative


VALUES: dict[str, tuple[Any, Term, tuple[Any, ...]]] = {
    "amdahl_speedup": (lambda n, f: laws.amdahl_speedup(n, serial=f), amdahl, (N, SERIAL)),
    "amdahl_speedup p": (
        lambda n, p: laws.amdahl_speedup(n, p=p), lambda n, p: amdahl(n, 1 - p), (N, SERIAL)),
    "amdahl_efficiency": (
        lambda n, f: laws.amdahl_efficiency(n, serial=f), lambda n, f: amdahl(n, f) / n, (N, SERIAL)),
    "amdahl_slope": (lambda n, f: laws.amdahl_slope(n, serial=f), along_n(amdahl), (N, SERIAL)),
    "amdahl_sensitivity": (
        lambda n, f: laws.amdahl_sensitivity(n, serial=f),
        lambda n, f: along_n(lambda f, n: amdahl(n, f))(f, n), (N[2:], SERIAL[2:])),
    "gustafson_speedup": (
        lambda n, s: laws.gustafson_speedup(n, serial=s), lambda n, s: n - s * (n - 1), (N, SERIAL)),
    "gustafson_efficiency": (
        lambda n, s: laws.gustafson_efficiency(n, serial=s), lambda n, s: 1 - s * (n - 1) / n, (N, SERIAL)),
    "gustafson_slope": (lambda n, s: laws.gustafson_slope(n, serial=s), lambda n, s: 1 - s, (N, SERIAL)),
    "sun_ni_speedup": (
        lambda n, f, g: laws.sun_ni_speedup(n, serial=f, exponent=g), sun_ni, (N, SERIAL, ANY_EXPONENT)),
    "sun_ni_efficiency": (
        lambda n, f, g: laws.sun_ni_efficiency(n, serial=f, growth=n**g),
        lambda n, f, g: sun_ni(n, f, g) / n, (N, SERIAL, EXPONENT)),
    "sun_ni_slope": (
        lambda n, f, g: laws.sun_ni_slope(n, serial=f, exponent=g),
        along_n(sun_ni), (N, SERIAL, ANY_EXPONENT)),
    "sun_ni_slope growth": (
        lambda n, f, g: laws.sun_ni_slope(n, serial=f, exponent=g, growth=n**g),
        along_n(sun_ni), (N, SERIAL, EXPONENT)),
    "usl_speedup": (lambda n, a, b: laws.usl_speedup(n, sigma=a, kappa=b), usl, (N, SERIAL, KAPPA)),
    "usl_efficiency": (
        lambda n, a, b: laws.usl_efficiency(n, sigma=a, kappa=b),
        lambda n, a, b: usl(n, a, b) / n, (N, SERIAL, KAPPA)),
    "usl_throughput": (
        lambda n, a, b, x: laws.usl_throughput(n, sigma=a, kappa=b, rate=x),
        lambda n, a, b, x: x * usl(n, a, b), (N, SERIAL, KAPPA, RATE)),
    "usl_response": (
        lambda n, a, b, x: laws.usl_response(n, sigma=a, kappa=b, rate=x),
        lambda n, a, b, x: n / (x * usl(n, a, b)), (N, SERIAL, KAPPA, RATE)),
    "usl_log_speedup": (
        lambda n, a, b: laws.usl_log_speedup(n, sigma=a, kappa=b), usl_log, (N, SERIAL, KAPPA)),
    "usl_log_efficiency": (
        lambda n, a, b: laws.usl_log_efficiency(n, sigma=a, kappa=b),
        lambda n, a, b: usl_log(n, a, b) / n, (N, SERIAL, KAPPA)),
    "hill_marty symmetric": (
        lambda n, r, s: laws.hill_marty_speedup(n, r=r, serial=s), symmetric, (N, R, SERIAL)),
    "hill_marty asymmetric": (
        lambda n, r, s: laws.hill_marty_speedup(n, r=r, serial=s, design="asymmetric"),
        asymmetric, (N, R, SERIAL)),
    "hill_marty dynamic": (
        lambda n, r, s: laws.hill_marty_speedup(n, r=r, serial=s, design="dynamic"), dynamic, (N, R, SERIAL)),
    "hill_marty_slope symmetric": (
        lambda n, r, s: laws.hill_marty_slope(n, r=r, serial=s), along_n(symmetric), (N, R, SERIAL)),
    "hill_marty_slope asymmetric": (
        lambda n, r, s: laws.hill_marty_slope(n, r=r, serial=s, design="asymmetric"),
        along_n(asymmetric), (N, R, SERIAL)),
    "hill_marty_slope dynamic": (
        lambda n, r, s: laws.hill_marty_slope(n, r=r, serial=s, design="dynamic"),
        along_n(dynamic), (N, R, SERIAL)),
    "work_span_upper": (
        lambda n, w, f: laws.work_span_upper(n, work=w, span=f * w),
        lambda n, w, f: w / n + mpf(float(f) * float(w)) * (1 - 1 / n), (N, RATE, SERIAL)),
    "work_span_slope": (
        lambda n, w, f: laws.work_span_slope(n, work=w, span=f * w / 2),
        lambda n, w, f: -(w - mpf(float(f) * float(w) / 2)) / n**2, (N, RATE, SERIAL)),
    "karp_flatt_speedup": (
        lambda n, f, o: laws.karp_flatt_speedup(n, serial=f, overhead=o),
        lambda n, f, o: 1 / (f + (1 - f) / n + o), (N, SERIAL, KAPPA)),
    "karp_flatt_slope": (
        lambda n, s: laws.karp_flatt_slope(n, speedup=s),
        lambda n, s: along_n(lambda s, n: (1 / s - 1 / n) / (1 - 1 / n))(s, n), (N[1:], N[:-1])),
    "karp_flatt_trend": (
        lambda n, f, o: laws.karp_flatt_trend(n, serial=f, overhead=o),
        lambda n, f, o: f + o * n / (n - 1), (N[1:], SERIAL[1:], KAPPA[1:])),
    "isoefficiency_efficiency": (
        lambda w, o: laws.isoefficiency_efficiency(work=w, overhead=o),
        lambda w, o: w / (w + o), (RATE, KAPPA)),
    "isoefficiency_slope": (
        lambda w, o: laws.isoefficiency_slope(work=w, overhead=o),
        lambda w, o: o / (w + o) ** 2, (RATE, KAPPA)),
    "isoefficiency_tree_overhead": (
        lambda n, c: laws.isoefficiency_tree_overhead(n, step=c), lambda n, c: c * n * log2(n), (N, RATE)),
    "gustafson of amdahl": (
        lambda n, f: laws.serial_fraction(n, amdahl=f, to="gustafson"),
        lambda n, f: f * n / (1 - f + f * n), (N, SERIAL)),
    "amdahl of gustafson": (
        lambda n, s: laws.serial_fraction(n, gustafson=s, to="amdahl"),
        lambda n, s: s / (s + (1 - s) * n), (N, SERIAL)),
    "trace of amdahl": (
        lambda n, f: laws.serial_fraction(n, amdahl=f, to="trace"),
        lambda n, f: 1 - amdahl(n, f) / n, (N, SERIAL)),
    "trace of gustafson": (
        lambda n, s: laws.serial_fraction(n, gustafson=s, to="trace"),
        lambda n, s: s * (n - 1) / n, (N, SERIAL)),
}  # fmt: skip


@pytest.mark.parametrize("name", VALUES)
def test_value(name: str) -> None:
    function, term, columns = VALUES[name]
    # The n**g handed in by two of the cases carries a rounding of its own.
    tolerance = 2e-14 if "slope" in name or "sun_ni" in name else 2e-15
    with mp.workdps(50):
        expected = np.array([float(term(*map(mpf, map(float, row)))) for row in zip(*columns, strict=True)])
    answers = function(*columns)
    np.testing.assert_allclose(answers, expected, rtol=tolerance, atol=0)
    one_by_one = [function(*map(float, row)) for row in zip(*columns, strict=True)]
    assert answers.tolist() == one_by_one


@pytest.mark.parametrize(
    ("slope", "curve", "peak"),
    [(laws.usl_slope, usl, laws.usl_peak), (laws.usl_log_slope, usl_log, laws.usl_log_peak)],
)
def test_slope_changes_sign_at_the_peak(slope: Any, curve: Term, peak: Any) -> None:
    sigma, kappa = SERIAL[30:], KAPPA[30:]
    n = N[30:]
    with mp.workdps(50):
        columns = zip(n, sigma, kappa, strict=True)
        expected = np.array([float(along_n(curve)(*map(mpf, map(float, row)))) for row in columns])
    # Two terms of opposite sign meet near the peak: the error is relative to the larger.
    scale = (1 - sigma + kappa * n * (n if curve is usl else 1 / np.log(2))) * (
        np.asarray([float(curve(*row)) for row in zip(n, sigma, kappa, strict=True)]) / n
    ) ** 2
    assert (np.abs(slope(n, sigma=sigma, kappa=kappa) - expected) <= 2e-14 * scale).all()
    top = peak(sigma=0.02, kappa=1e-4)
    assert slope(top * 0.999, sigma=0.02, kappa=1e-4) > 0 > slope(top * 1.001, sigma=0.02, kappa=1e-4)


def test_log2_is_within_one_unit_in_the_last_place() -> None:
    # kappa = 1, sigma = 0 at efficiency: 1/E - 1 = n log2 n; the tree overhead shows log2 itself.
    x = np.concatenate([1 + 10 ** RNG.uniform(-16, 0, 2000), 10 ** RNG.uniform(0, 300, 2000)])
    x = x[x > 1]
    step = 1 / x
    product = laws.isoefficiency_tree_overhead(x, step=step)
    with mp.workdps(50):
        expected = np.array([float(mpf(s) * mpf(v) * log2(mpf(v))) for s, v in zip(step, x, strict=True)])
    assert (np.abs(product - expected) <= 3 * np.spacing(expected)).all()


def test_asymmetric_best_is_where_the_derivative_vanishes() -> None:
    n = np.array([2.0, 16, 256, 1e6, 1e12])
    for serial in (1e-9, 1e-3, 0.025, 0.3, 0.9):
        best = laws.hill_marty_best_r(n, serial=serial, design="asymmetric")
        for count, r in zip(n, best, strict=True):
            with mp.workdps(40):
                s, top = mpf(serial), mpf(count)
                bend = mp.diff(lambda x, s=s, top=top: asymmetric(top, x, s), mpf(float(r)))
                if r == 1:
                    assert bend <= 0
                elif r == count:
                    assert bend >= 0
                else:
                    root = mp.findroot(
                        lambda x, s=s, top=top: (1 - s) * (2 * x - 1) * x**2 - s * (x + top - x**2) ** 2,
                        mp.sqrt(mpf(float(r))),
                    )
                    assert float(r) == pytest.approx(float(root**2), rel=1e-13)


def test_ceilings_and_peaks() -> None:
    sigma, kappa = SERIAL[2:], KAPPA[2:]
    with mp.workdps(50):
        for a, b in zip(sigma, kappa, strict=True):
            s, k = mpf(float(a)), mpf(float(b))
            peak = max(mp.sqrt((1 - s) / k), mpf(1))
            tree = max((1 - s) * mp.log(2) / k, mpf(1))
            assert laws.usl_peak(sigma=a, kappa=b) == pytest.approx(float(peak), rel=1e-15)
            assert laws.usl_ceiling(sigma=a, kappa=b) == pytest.approx(float(usl(peak, s, k)), rel=2e-15)
            assert laws.usl_log_peak(sigma=a, kappa=b) == pytest.approx(float(tree), rel=1e-15)
            assert laws.usl_log_ceiling(sigma=a, kappa=b) == pytest.approx(
                float(usl_log(tree, s, k)), rel=2e-15
            )
