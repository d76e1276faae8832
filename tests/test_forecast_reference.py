"""The weighted curves of the core against their readable reference, on the reference's own grid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pytest
from reference import forecast_reference as reference

from scalewall import _core

if TYPE_CHECKING:
    from collections.abc import Iterator

Array = npt.NDArray[np.float64]

# The names of the reference's families in the project.
NAMES = {"usl": "usl", "log": "usl_log", "pow": "power", "knee": "saturation", "amdahl": "amdahl"}
AGREEMENT = 1e-9  # in the logarithm of every bound

COUNTS = {
    "powers to 8": [1, 2, 4, 8],
    "powers to 16": [1, 2, 4, 8, 16],
    "powers to 128": [1, 2, 4, 8, 16, 32, 64, 128],
    "powers to 512": [2.0**k for k in range(10)],
    "every count to 6": [1, 2, 3, 4, 5, 6],
    "no power of two": [1, 3, 5, 10, 12, 20, 36],
    "one is missing": [4, 8, 16, 32, 64],
    "one is missing, irregular": [3, 7, 12, 48, 96, 100],
    "raytracer": [1, 4, 8, 12, 16, 20],
    "huge": [1, 1e3, 1e6, 1e9, 1e12, 2.0**53],
}


def truth(n: Array, shape: int) -> Array:
    """Thirteen scaling curves, the last five of no family on the grid."""
    shapes: list[Array] = [
        1 / n,
        1 / n + 0.02 * (1 - 1 / n),
        1 / n + 0.1 * (1 - 1 / n),
        1 / n + 0.02 * (1 - 1 / n) + 5e-4 * (n - 1),
        1 / n + 0.01 * (n - 1) + 0.05 * (1 - 1 / n),
        1 / n + 0.03 * np.log2(np.maximum(n, 1)),
        n**-0.7,
        0.02 + 0.98 / np.minimum(n, 6),
        n**-0.9 + 0.002 * n**0.5,
        1 / n + 1e-5 * n**2,
        1 / n + 0.02 * np.sqrt(np.maximum(n - 1, 0)),
        np.where(n > 10, 1.3, 1.0) / n + 0.01,
        n**-1.08 + 0.01,
    ]
    return shapes[shape]


def tables() -> Iterator[Any]:
    """Two hundred tables of runs, every design with every truth."""
    rng = np.random.default_rng(20261201)
    designs = list(COUNTS)
    for i in range(200):
        design = designs[i % len(designs)]
        n = np.array(COUNTS[design], dtype=float)
        scatter = rng.choice([0.01, 0.02, 0.03, 0.05, 0.10])
        offset = rng.choice([0.0, 0.02])
        equal = np.full(len(n), rng.choice([1, 3, 5]))
        runs = rng.integers(1, 6, size=len(n)) if i % 4 == 3 else equal
        curve = np.log(truth(n, i % 13) * 10 ** rng.uniform(-3, 4)) + offset * rng.standard_normal(len(n))
        counts = np.repeat(n, runs)
        logs = np.repeat(curve, runs) + scatter * rng.standard_normal(len(counts))
        if i % 5 == 0:
            logs[rng.integers(len(logs))] += np.log(rng.uniform(1.2, 2))
        yield pytest.param(counts, np.exp(logs), id=f"{i} {design}")


def means(counts: Array, times: Array) -> tuple[Array, Array, Array, float, float]:
    """What both sides start from: the means of the logs and the pure error."""
    n = np.unique(counts)
    groups = [np.log(times[counts == value]) for value in n]
    y = np.array([group.mean() for group in groups])
    runs = np.array([float(len(group)) for group in groups])
    ss_pure = float(sum(((group - group.mean()) ** 2).sum() for group in groups))
    return n, y, runs, ss_pure, float(len(counts) - len(n))


def bounds(value: dict[str, float]) -> Array:
    return np.log([value["low"], value["mid"], value["high"]])


def quantiles(logs: Array, weights: Array, level: float) -> list[float]:
    """The rule of the reference: the first sorted value whose cumulative weight reaches the level."""
    order = np.argsort(logs, kind="stable")
    reached = np.cumsum(weights[order])
    tail = (1 - level) / 2
    return [float(logs[order][min(int((reached < x).sum()), len(logs) - 1)]) for x in (tail, 0.5, 1 - tail)]


@pytest.mark.parametrize(("counts", "times"), list(tables()))
def test_bounds_and_family_weights_agree(counts: Array, times: Array) -> None:
    n, y, runs, ss_pure, df_pure = means(counts, times)
    targets = n[-1] * np.array([1, 1.5, 2, 4, 16])
    expected = reference.forecast(list(zip(counts, times, strict=True)), targets)
    got = _core.curves_forecast(n, y, runs, ss_pure, df_pure, targets, 0.95)
    assert got is not None
    assert got["noise"] == pytest.approx(expected["noise_sd"], rel=1e-11)
    assert got["df"] == pytest.approx(expected["df"], rel=1e-13)
    for theirs, ours in NAMES.items():
        assert got["families"][ours] == pytest.approx(expected["families"][theirs], abs=1e-11)
    for forecast, curve, measured in zip(
        got["forecasts"], expected["curve"], expected["measured"], strict=True
    ):
        assert bounds(forecast["time_ratio"]) == pytest.approx(np.log(curve), abs=AGREEMENT)
        assert bounds(forecast["measured_time_ratio"]) == pytest.approx(np.log(measured), abs=AGREEMENT)


@pytest.mark.parametrize("level", [0.5, 0.8, 0.99])
def test_other_levels_agree(level: float) -> None:
    n = np.array([1.0, 2, 4, 8, 16, 32])
    times = truth(n, 4) * np.exp(0.02 * np.sin(7 * n))
    expected = reference.forecast(list(zip(n, times, strict=True)), [64.0], level=level)
    got = _core.curves_forecast(n, np.log(times), np.ones(6), 0.0, 0.0, np.array([64.0]), level)
    assert got is not None
    forecast = got["forecasts"][0]
    assert bounds(forecast["time_ratio"]) == pytest.approx(np.log(expected["curve"][0]), abs=AGREEMENT)
    assert bounds(forecast["measured_time_ratio"]) == pytest.approx(
        np.log(expected["measured"][0]), abs=AGREEMENT
    )


@pytest.mark.parametrize("design", ["powers to 16", "one is missing", "raytracer"])
@pytest.mark.parametrize("factor", [0.5, 1.0, 2.0, 8.0])
def test_speedup_is_the_same_weights_on_the_curves_from_one_worker(design: str, factor: float) -> None:
    n = np.array(COUNTS[design], dtype=float)
    y = np.log(truth(n, 3)) + 0.02 * np.cos(3 * n)
    target = n[-1] * factor
    curves, prior, _ = reference.atoms(n, [1.0, target])
    weights, noise, df = reference.weights(n, y, curves, prior)
    low, mid, high = quantiles(curves[:, -2] - curves[:, -1], weights, 0.95)
    got = _core.curves_forecast(n, y, np.ones(len(n)), 0.0, 0.0, np.array([target]), 0.95)
    assert got is not None
    beyond = max(np.log(factor), 0.0)
    noisy = reference.stats.t.ppf(0.975, df) * reference.PHI * noise
    for name, bend, extra in (("speedup", 0.05, 0.0), ("measured_speedup", 0.10, noisy)):
        squares = (reference.stats.norm.ppf(0.975) * bend * beyond) ** 2 + extra**2
        expected = [
            mid - np.sqrt((mid - low) ** 2 + squares),
            mid,
            min(mid + np.sqrt((high - mid) ** 2 + squares), np.log(target) + extra),
        ]
        assert bounds(got["forecasts"][0][name]) == pytest.approx(expected, abs=AGREEMENT)


@pytest.mark.parametrize(
    ("n", "without_log"),
    [([0.5, 1.0, 1.5, 2.0], True), ([0.1, 0.2, 0.4, 0.8], True), ([0.5, 1.0, 2.5, 4.0, 9.0], False)],
)
def test_fractional_loads_drop_the_curves_that_the_logarithm_makes_negative(
    n: list[float], without_log: bool
) -> None:
    counts = np.array(n)
    y = np.log(truth(counts, 1)) + 0.01 * np.cos(5 * counts)
    target = 2 * n[-1]
    with np.errstate(all="ignore"):
        curves, prior, family = reference.atoms(counts, [target])
    kept = family != "log" if without_log else np.isfinite(curves).all(axis=1)
    assert not kept.all()
    weights, _, _ = reference.weights(counts, y, curves[kept], prior[kept])
    low, mid, high = quantiles(curves[kept, -1], weights, 0.95)
    bend = reference.stats.norm.ppf(0.975) * 0.05 * np.log(2)
    expected = [
        max(mid - np.hypot(mid - low, bend), -np.log(2)),
        mid,
        mid + np.hypot(high - mid, bend),
    ]
    got = _core.curves_forecast(counts, y, np.ones(len(n)), 0.0, 0.0, np.array([target]), 0.95)
    assert got is not None
    assert bounds(got["forecasts"][0]["time_ratio"]) == pytest.approx(expected, abs=AGREEMENT)
    assert (got["families"]["usl_log"] == 0.0) == without_log
    assert sum(got["families"].values()) == pytest.approx(1.0, abs=1e-12)


def test_three_counts_are_not_forecast() -> None:
    n = np.array([1.0, 2.0, 4.0])
    assert _core.curves_forecast(n, -np.log(n), np.ones(3), 0.0, 0.0, np.array([8.0]), 0.95) is None


def test_reruns_have_the_same_bits() -> None:
    n = np.array(COUNTS["no power of two"], dtype=float)
    y = np.log(truth(n, 5))
    first, second = (
        _core.curves_forecast(n, y, np.ones(len(n)), 0.0, 0.0, n[-1:] * 2, 0.95) for _ in range(2)
    )
    assert first == second
