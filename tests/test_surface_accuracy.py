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


def true_value(law: str, quantity: str, row: dict[str, float], n: float) -> Any:
    n = mpmath.mpf(n)
    if "sigma" in row:
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
            truth = true_value(law, quantity, row, float(COUNTS[j]))
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
