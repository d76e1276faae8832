"""Comparing two sets of runs: intervals by SciPy, coverage by simulation, verdicts on known changes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import scalewall as sw
from scalewall.measurement import comparison
from scalewall.measurement.comparison import Bounds

COUNTS = np.array([1.0, 2, 4, 8, 16])


def runs(f: float, *, scatter: float = 0.01, rounds: int = 4, seed: int = 1) -> sw.Runs:
    rng = np.random.default_rng(seed)
    n = np.tile(COUNTS, rounds)
    time = 10 * (f + (1 - f) / n) * np.exp(rng.normal(0, scatter, n.size))
    return sw.Runs(n, time=time, round=np.repeat(np.arange(1, rounds + 1), COUNTS.size), kind="strong")


@pytest.mark.parametrize("df", [1.0, 1.5, 2.0, 3.7, 8.0, 21.3])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_quantiles_are_those_of_student(level: float, df: float) -> None:
    expected = stats.t.ppf((1 + level) / 2, df)
    tolerance = 1e-9 if df == int(df) else 0.04
    assert comparison.quantile(level, df) == pytest.approx(expected, rel=tolerance)


def test_times_are_compared_by_welch() -> None:
    a, b = runs(0.1, seed=2), runs(0.2, scatter=0.03, seed=3)
    found = sw.compare(a, b, at=8)
    logs = [np.log(r.time[r.n == 8]) for r in (b, a)]
    expected = stats.ttest_ind(*logs, equal_var=False).confidence_interval(0.95)
    assert math.log1p(found.change.low) == pytest.approx(expected.low, rel=0.02)
    assert math.log1p(found.change.high) == pytest.approx(expected.high, rel=0.02)
    assert found.answer == "worse"


def test_a_difference_of_symmetric_intervals_adds_their_squares() -> None:
    found = comparison.difference(Bounds(0.1, 0.07, 0.13), Bounds(0.3, 0.26, 0.34))
    assert found == pytest.approx((0.2, 0.15, 0.25))


def test_a_larger_serial_fraction_is_worse_and_a_smaller_one_better() -> None:
    assert sw.compare(runs(0.05), runs(0.15, seed=9)).answer == "worse"
    assert sw.compare(runs(0.15), runs(0.05, seed=9)).answer == "better"


def test_the_tolerance_is_what_is_accepted() -> None:
    a, b = runs(0.05), runs(0.08, seed=9)
    assert sw.compare(a, b, tolerance=0.01).worse
    assert sw.compare(a, b, tolerance=0.1).answer == "no worse"
    assert sw.compare(a, b, at=16, tolerance=0.05).worse
    assert sw.compare(a, b, at=16, tolerance=2.0).answer == "no worse"


def test_the_interval_of_the_change_holds_the_truth() -> None:
    inside = alarms = 0
    for seed in range(60):
        found = sw.compare(
            runs(0.05, scatter=0.02, seed=2 * seed), runs(0.08, scatter=0.02, seed=2 * seed + 1)
        )
        inside += found.change.low <= 0.03 <= found.change.high
        same = sw.compare(runs(0.05, scatter=0.02, seed=2 * seed), runs(0.05, scatter=0.02, seed=7000 + seed))
        alarms += same.worse
    assert inside >= 55  # 95 % of 60 is 57; fewer than 55 has a chance of under one in twenty
    assert alarms <= 4


def test_what_cannot_be_compared_is_refused_with_what_to_do() -> None:
    a = runs(0.05)
    with pytest.raises(sw.DomainError, match=r"before has no run there. It has runs at 1, 2, 4, 8, 16"):
        sw.compare(a, a, at=3)
    with pytest.raises(sw.InsufficientDataError, match="has one run at 4"):
        sw.compare(runs(0.05, rounds=1), a, at=4)
    two = sw.Runs([1, 2, 1, 2], time=[2.0, 1.1, 2.01, 1.1], kind="strong")
    with pytest.raises(sw.InsufficientDataError, match=r"^before: no serial fraction .* --at"):
        sw.compare(two, a)
    with pytest.raises(sw.DomainError, match="tolerance is -1"):
        sw.compare(a, a, tolerance=-1)


def test_words_fit_on_the_screen_and_the_object_is_plain() -> None:
    for found in (sw.compare(runs(0.05), runs(0.15)), sw.compare(runs(0.05), runs(0.05, seed=4), at=16)):
        assert max(map(len, found.summary().splitlines())) <= 80
        plain = found.to_dict()
        assert plain["schema"] == "scalewall.compare/1"
        assert plain["change"]["low"] <= plain["change"]["value"] <= plain["change"]["high"]
