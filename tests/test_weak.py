"""Weak scaling against SciPy's least squares, and on published runs."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy import optimize, stats

import scalewall as sw
from scalewall import _core

if TYPE_CHECKING:
    from collections.abc import Callable

Array = npt.NDArray[np.float64]
SPARTA = Path(__file__).resolve().parents[2] / "shared/data/scaling/lanl_sparta_ats3_weak_runs.csv"

SHAPES: dict[str, Callable[[Array], Array]] = {
    "log_growth": np.log2,
    "linear_growth": lambda n: n - 1,
}


def read(counts: Array, times: Array, level: float = 0.95) -> dict[str, Any]:
    """Hand runs over as the time per unit of work, the work being n."""
    n = np.unique(counts)
    groups = [np.log(times[counts == value] / value) for value in n]
    y = np.array([group.mean() for group in groups])
    runs = np.array([float(len(group)) for group in groups])
    ss_pure = float(sum(((group - group.mean()) ** 2).sum() for group in groups))
    got = _core.curves_weak(n, y, runs, ss_pure, float(len(counts) - len(n)), level)
    assert got is not None
    return got


@pytest.mark.parametrize("level", [0.8, 0.95])
@pytest.mark.parametrize("repeats", [1, 3])
@pytest.mark.parametrize("shape", list(SHAPES))
@pytest.mark.parametrize("counts", [[1, 2, 4, 8, 16, 32], [1, 3, 6, 24, 100], [4, 8, 16, 32, 64]])
def test_growth_and_its_interval_agree_with_scipy(
    counts: list[float], shape: str, repeats: int, level: float
) -> None:
    rng = np.random.default_rng(len(counts) + repeats)
    n = np.array(counts, dtype=float)

    def grow(values: Array) -> Array:
        # Growth is counted from the smallest count that was measured.
        return SHAPES[shape](values / n[0])

    x = np.repeat(n, repeats)
    c = 0.3 / grow(n)[-1]
    times = 40 * (1 + c * grow(x)) * np.exp(0.01 * rng.standard_normal(len(x)))
    got = read(x, times, level)[shape]

    means = np.array([np.log(times[x == value]).mean() for value in n])

    def residuals(p: Array) -> Array:
        return np.asarray((means - p[0] - np.log1p(p[1] * grow(n))) * np.sqrt(repeats))

    def sse(value: float) -> float:
        z = means - np.log1p(value * grow(n))
        return float(repeats * ((z - z.mean()) ** 2).sum())

    fitted = optimize.least_squares(residuals, [np.log(40), c], xtol=1e-15, ftol=1e-15, gtol=1e-15)
    assert got["value"] == pytest.approx(fitted.x[1], rel=1e-6)
    misfit, df_misfit = sse(fitted.x[1]), len(n) - 2.0
    pure = sum(((np.log(times[x == value]) - m) ** 2).sum() for value, m in zip(n, means, strict=True))
    df_pure = float(len(x) - len(n))
    variance, df = misfit / df_misfit, df_misfit
    if df_pure and misfit / df_misfit <= pure / df_pure:
        variance, df = (misfit + pure) / (df_misfit + df_pure), df_misfit + df_pure
    threshold = misfit + variance * stats.f.ppf(level, 1, df)
    for end in ("low", "high"):
        assert sse(got[end]) == pytest.approx(threshold, rel=1e-6)


def test_the_efficiency_of_perfectly_fine_weak_scaling() -> None:
    n = np.exp2(np.arange(6, dtype=np.float64))
    got = read(n, 1 + 0.02 * np.arange(6, dtype=np.float64))
    assert got["efficiency_at_max"] == pytest.approx(1 / 1.1)
    assert got["log_growth"]["value"] == pytest.approx(0.02, abs=1e-9)
    assert got["shapes"] == ["log_growth"]


def test_efficiency_beyond_the_data_follows_the_curve_and_never_rises() -> None:
    n = np.exp2(np.arange(7, dtype=np.float64))
    times = 1 + 0.03 * np.log2(n)
    got = read(n, times)
    forecast = _core.curves_forecast(
        n, np.log(times / n), np.ones(7), 0.0, 0.0, np.array([128.0, 256.0]), 0.95
    )
    assert forecast is not None
    at_max = times[0] / times[-1]
    for efficiency, point, factor in zip(got["efficiency"], forecast["forecasts"], (2, 4), strict=True):
        assert efficiency["n"] == 64 * factor
        assert efficiency["high"] <= at_max * (1 + 1e-12)
        for end, other in (("low", "high"), ("mid", "mid"), ("high", "low")):
            grown = factor * point["time_ratio"][other]
            assert efficiency[end] == pytest.approx(at_max / grown, rel=1e-12)


@pytest.mark.shared
@pytest.mark.skipif(not SPARTA.exists(), reason="measured data outside the project: ../shared/data is absent")
def test_sparta_is_79_percent_efficient_on_2048_nodes() -> None:
    with SPARTA.open() as file:
        # The first run has a three-hundredth of the particles of the others.
        rows = list(csv.DictReader(file))[1:]
    counts = np.array([float(row["nodes"]) for row in rows])
    # Time for the particles of one node: the inverse of the rate per node.
    times = 1 / np.array([float(row["fom_per_node"]) for row in rows])
    got = read(counts, times)
    # The publisher's own figure, from the best run of each count, is 79.1 %.
    assert got["efficiency_at_max"] == pytest.approx(0.791, abs=0.01)
    assert got["shapes"] == ["log_growth"]
    growth = got["growth_per_doubling"]
    assert 0.015 < growth["low"] < growth["high"] < 0.027
    at_4096 = got["efficiency"][0]
    assert at_4096["mid"] == pytest.approx(0.77, abs=0.02)
    assert at_4096["high"] == pytest.approx(got["efficiency_at_max"])


def test_without_a_run_on_one_worker_efficiencies_stand_against_the_smallest_count() -> None:
    # LANL AMG, weak scaling, rates on 32 to 2048 nodes; the efficiencies are published beside them.
    nodes = np.array([32.0, 64, 128, 256, 512, 1024, 2048])
    rates = np.array([3.90e9, 5.94e9, 8.39e9, 1.21e10, 2.10e10, 3.98e10, 7.29e10])
    fit = sw.fit(sw.Runs(nodes, throughput=rates, kind="weak", unit="nodes"))
    found = [entry["value"] for entry in fit.to_dict()["efficiency"]]
    assert found == pytest.approx([1, 0.762, 0.538, 0.388, 0.337, 0.319, 0.292], abs=6e-4)
    point = fit.forecasts[0]
    assert point.efficiency.value is not None
    assert point.time.value is not None
    assert point.efficiency.value == pytest.approx(fit.counts[0].time / point.time.value, rel=0.15)
