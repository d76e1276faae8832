"""Errors in units of the last place against mpmath, exact and not, over random and nasty cells."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest

import scalewall as sw
from scalewall import _core

BEST = _core.surfaces_machine()[0]
LEVELS = ("baseline", "avx2", "avx512")[: ("baseline", "avx2", "avx512").index(BEST) + 1]
RNG = np.random.default_rng(11)
FRACTIONS = np.concatenate(
    [[0, 1, 1 - 2.0**-53, 2.0**-53, 1e-300], RNG.random(15), 1 - 10.0 ** -RNG.uniform(1, 12, 12)]
)
COUNTS = np.concatenate([[1, 2, 3, 49, 1e18], 1 + RNG.exponential(1e3, 60), 10 ** RNG.uniform(0, 9, 63)])
SIGMA = np.concatenate([[0, 1], 10.0 ** -RNG.uniform(0, 9, 14)])
KAPPA = np.concatenate([[0, 1e-12], 10.0 ** -RNG.uniform(1, 12, 14)])


# Seconds of a step: nothing serial, no latency, everything latency, transfers longer than the work.
STEPS = {
    "serial": np.array([0, 1, 0, 1e-3, 1e-12, 2.0**-53]),
    "compute": np.array([1, 1e-300, 1e3, 1, 1e6, 1 - 2.0**-53]),
    "latency": np.array([0, 1, 1e-6, 1e-12, 1e-3, 1e-9]),
    "transfer": np.array([0, 1e-12, 1, 10, 1e-6, 0]),
}
GROWTH = 1.5


def step_time(law: str, row: dict[str, float], n: Any, *, weak: bool) -> Any:
    serial, compute, latency, transfer = (mpmath.mpf(row[name]) for name in STEPS)
    work = serial + compute / (1 if weak else n)
    if n == 1:
        return work
    if law == "ring":
        return work + 2 * (n - 1) * latency + 2 * (n - 1) / n * transfer
    height = mpmath.ceil(mpmath.log(n, 2))
    # The height of the tree is a whole number: exact next to powers of two, where a logarithm is not.
    while mpmath.mpf(2) ** (height - 1) >= n:
        height -= 1
    pipelined = 2 * transfer + 4 * height * latency + 2 * mpmath.sqrt(8 * height * latency * transfer)
    return work + ((latency + transfer) * (2 + 4 * height) if 2 * height * transfer < latency else pipelined)


def true_value(law: str, quantity: str, row: dict[str, float], n: float, *, weak: bool = False) -> Any:
    n = mpmath.mpf(n)
    if "compute" in row:
        one = mpmath.mpf(row["serial"]) + mpmath.mpf(row["compute"])
        time = step_time(law, row, n, weak=weak) / one
        speedup = n / time if weak else 1 / time
        return {"speedup": speedup, "efficiency": speedup / n, "time": time}[quantity]
    if law == "sun_ni":
        f, work = mpmath.mpf(row["serial"]), n ** mpmath.mpf(GROWTH)
        speedup = (f + (1 - f) * work) / (f + (1 - f) * work / n)
        return {"speedup": speedup, "efficiency": speedup / n, "time": 1 / speedup}[quantity]
    if law == "usl_log":
        sigma, kappa = mpmath.mpf(row["sigma"]), mpmath.mpf(row["kappa"])
        time = (1 + sigma * (n - 1) + kappa * n * mpmath.log(n, 2)) / n
    elif "sigma" in row:
        sigma, kappa = mpmath.mpf(row["sigma"]), mpmath.mpf(row["kappa"])
        time = (1 + sigma * (n - 1) + kappa * n * (n - 1)) / n
    else:
        f = mpmath.mpf(row["serial"]) if "serial" in row else 1 - mpmath.mpf(row["p"])
        time = f + (1 - f) / n if law == "amdahl" else 1 / (f + (1 - f) * n)
    return {"speedup": 1 / time, "efficiency": 1 / (time * n), "time": time}[quantity]


def largest_error(law: str, quantity: str, rows: dict[str, Any], **how: Any) -> float:
    got = sw.surface(law, **rows, n=COUNTS, quantity=quantity, **how)  # type: ignore[arg-type]
    worst = 0.0
    with mpmath.workprec(300):
        for i, j in np.ndindex(got.shape):
            row = {name: float(values[i]) for name, values in rows.items()}
            weak = how.get("scaling") == "weak"
            truth = true_value(law, quantity, row, float(COUNTS[j]), weak=weak)
            unit = float(np.spacing(np.float64(abs(float(truth)))))
            worst = max(worst, float(abs(mpmath.mpf(float(got[i, j])) - truth) / unit))
    return worst


# The plain formula's own error, and what `exact=False` may add to it.
@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(
    ("law", "quantity", "rows", "limit"),
    [
        ("amdahl", "speedup", {"p": FRACTIONS}, 2.5),
        ("amdahl", "speedup", {"serial": FRACTIONS}, 2.5),
        ("amdahl", "efficiency", {"p": FRACTIONS}, 2.5),
        ("amdahl", "time", {"p": FRACTIONS}, 2.5),
        ("gustafson", "speedup", {"p": FRACTIONS}, 2.5),
        ("gustafson", "efficiency", {"serial": FRACTIONS}, 2.5),
        ("gustafson", "time", {"p": FRACTIONS}, 2.5),
        ("usl", "speedup", {"sigma": SIGMA, "kappa": KAPPA}, 2.5),
        ("usl", "efficiency", {"sigma": SIGMA, "kappa": KAPPA}, 2.5),
    ],
)
def test_the_error_stays_within_the_promise(
    law: str, quantity: str, rows: dict[str, Any], limit: float, exact: bool
) -> None:
    for level in LEVELS:
        for store in ("plain", "streaming"):
            error = largest_error(law, quantity, rows, level=level, store=store, exact=exact)
            assert error <= limit, (level, store, error)


# Longer sums round more often; the logarithm and the power are NumPy's.
@pytest.mark.parametrize(
    ("law", "rows", "more", "limit"),
    [
        ("sun_ni", {"serial": FRACTIONS}, {"growth": GROWTH}, 4.0),
        ("usl_log", {"sigma": SIGMA, "kappa": KAPPA}, {}, 3.0),
        ("ring", STEPS, {}, 3.0),
        ("ring", STEPS, {"scaling": "weak"}, 3.0),
        ("tree", STEPS, {}, 3.5),
        ("tree", STEPS, {"scaling": "weak"}, 3.5),
    ],
    ids=["sun_ni", "usl_log", "ring", "ring-weak", "tree", "tree-weak"],
)
@pytest.mark.parametrize("quantity", ["speedup", "efficiency", "time"])
def test_the_error_of_longer_sums(
    law: str, rows: dict[str, Any], more: dict[str, Any], limit: float, quantity: str
) -> None:
    exact = sw.surface(law, **rows, **more, n=COUNTS, quantity=quantity)  # type: ignore[arg-type]
    error = largest_error(law, quantity, rows, **more)
    assert error <= limit
    for level in LEVELS:
        other = sw.surface(law, **rows, **more, n=COUNTS, quantity=quantity, exact=False, level=level)  # type: ignore[arg-type]
        np.testing.assert_array_equal(other, exact)


@pytest.mark.parametrize("level", LEVELS)
def test_denominators_that_cannot_be_paired_are_divided_one_by_one(level: str) -> None:
    """The product of two of these leaves the range of a float, and so would the cells."""
    n = np.geomspace(1e200, 1e300, 200)
    p = np.linspace(0, 1, 16)
    got = sw.surface("amdahl", p=p, n=n, quantity="efficiency", exact=False, level=level)
    np.testing.assert_allclose(got, 1 / (p[:, None] + (1 - p)[:, None] * n), rtol=1e-15)
    single = sw.surface("amdahl", p=p, n=np.geomspace(1e20, 1e37, 200), quantity="efficiency", exact=False,
                        level=level, dtype=np.float32)  # fmt: skip
    assert np.isfinite(single).all()
    assert (single > 0).all()
