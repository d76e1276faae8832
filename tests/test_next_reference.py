"""What to measure next, against the same steps on the curves of the readable reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pytest
from reference import forecast_reference as reference

from scalewall import _core

if TYPE_CHECKING:
    from collections.abc import Callable

Array = npt.NDArray[np.float64]

LAWS: dict[str, Callable[[Array], Array]] = {
    "amdahl": lambda n: 0.03 + 0.97 / n,
    "usl": lambda n: 0.02 + 0.98 / n + 4e-4 * (n - 1),
    "power": lambda n: n**-0.85,
    "saturation": lambda n: 0.01 + 0.99 / np.minimum(n, 20),
}
CANDIDATES = [(2.0, 1.0), (2.0, 3.0), (4.0, 3.0), (1.0, 3.0)]


def width(n: Array, y: Array, pure: tuple[float, float, float], top: float, level: float = 0.95) -> float:
    """Log width of T(2 top)/T(top) from the reference's atoms and weights."""
    curves, prior, _ = reference.atoms(n, [top, 2 * top])
    weights, _, _ = reference.weights(n, y, curves, prior, *pure)
    logs = curves[:, -1] - curves[:, -2]
    order = np.argsort(logs, kind="stable")
    reached = np.cumsum(weights[order])
    tail = (1 - level) / 2
    low, mid, high = (logs[order][int((reached < x).sum())] for x in (tail, 0.5, 1 - tail))
    bend = reference.stats.norm.ppf(1 - tail) * 0.05 * max(np.log(2 * top / n[-1]), 0.0)
    return float(mid + np.hypot(high - mid, bend) - max(mid - np.hypot(mid - low, bend), -np.log(2)))


def expected(
    n: Array, y: Array, runs: Array, pure: tuple[float, float], laws: list[list[float]]
) -> list[float]:
    """Shares left after each candidate: the middle over the laws, by refitting everything."""
    ss_pure, df_pure = pure
    top, today = n[-1], width(n, y, (ss_pure, df_pure, float(runs.mean())), n[-1])
    shares = []
    for factor, added in CANDIDATES:
        widths = []
        for law in laws:
            value = law[int(np.log2(factor))]
            if factor == 1:
                counts, means = n, y.copy()
                means[-1] = (runs[-1] * y[-1] + added * value) / (runs[-1] + added)
                free = added
            else:
                counts, means = np.append(n, factor * top), np.append(y, value)
                free = added - 1
            variance = ss_pure / df_pure if df_pure else 0.0
            more = df_pure + free if df_pure else 0.0
            mean_runs = (runs.sum() + added) / len(counts)
            widths.append(width(counts, means, (variance * more, more, float(mean_runs)), top))
        shares.append(float(np.median(widths)) / today)
    return shares


@pytest.mark.parametrize("number_of_laws", [1, 2, 3, 4])
@pytest.mark.parametrize(("repeats", "scatter"), [(1, 0.02), (3, 0.005), (3, 0.05), (5, 0.15)])
@pytest.mark.parametrize(
    "counts", [[1, 2, 4, 8, 16], [1, 2, 4, 8, 16, 32, 64, 128], [3, 5, 12, 20, 36, 50], [4, 8, 16, 24]]
)
def test_shares_agree(counts: list[float], repeats: int, scatter: float, number_of_laws: int) -> None:
    rng = np.random.default_rng(len(counts) * 100 + repeats)
    n = np.array(counts, dtype=float)
    truth = list(LAWS.values())[rng.integers(4)]
    logs = np.log(truth(n))[:, None] + scatter * rng.standard_normal((len(n), repeats))
    y = logs.mean(axis=1)
    runs = np.full(len(n), float(repeats))
    runs[-1] += 2  # unequal repeats
    ss_pure, df_pure = float(((logs - y[:, None]) ** 2).sum()), float(len(n) * (repeats - 1))
    laws = []
    for law in list(LAWS.values())[:number_of_laws]:
        scale = float((y - np.log(law(n))).mean())
        laws.append([scale + float(np.log(law(n[-1] * factor))) for factor in (1, 2, 4)])
    got = _core.curves_next(n, y, runs, ss_pure, df_pure, laws, None, 0.95)
    assert got is not None
    assert [(m["n"] / n[-1], m["repeats"]) for m in got] == CANDIDATES
    shares = expected(n, y, runs, (ss_pure, df_pure), laws)
    assert [m["shrinks_to"] for m in got] == pytest.approx(shares, abs=1e-9)


@pytest.mark.parametrize(
    ("cap", "left"), [(16.0, [3]), (32.0, [0, 1, 3]), (63.0, [0, 1, 3]), (64.0, [0, 1, 2, 3])]
)
def test_candidates_stay_within_the_cap(cap: float, left: list[int]) -> None:
    n = np.exp2(np.arange(5, dtype=np.float64))
    y = np.log(LAWS["amdahl"](n))
    laws = [np.log(LAWS["amdahl"](np.array([16.0, 32.0, 64.0]))).tolist()]
    got = _core.curves_next(n, y, np.ones(5), 0.0, 0.0, laws, cap, 0.95)
    assert got is not None
    assert [(m["n"] / 16, m["repeats"]) for m in got] == [CANDIDATES[i] for i in left]


def test_there_is_nothing_to_say_without_laws_or_under_four_counts() -> None:
    n = np.exp2(np.arange(5, dtype=np.float64))
    assert _core.curves_next(n, -np.log(n), np.ones(5), 0.0, 0.0, [], None, 0.95) == []
    laws = [[0.0, 0.0, 0.0]]
    assert _core.curves_next(n[:3], -np.log(n[:3]), np.ones(3), 0.0, 0.0, laws, None, 0.95) is None
