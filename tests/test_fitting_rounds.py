"""Repeats and rounds: unequal numbers of runs, drift, and what cannot be told apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from scalewall import _core

Array = npt.NDArray[np.float64]

COUNTS = np.array([1.0, 2, 4, 8, 16])


def campaign(
    rounds: int, drift: Array, scatter: float = 0.01, seed: int = 1
) -> tuple[Array, Array, npt.NDArray[np.int64]]:
    """Every count once in every round; `drift` is the log offset of each round."""
    rng = np.random.default_rng(seed)
    n = np.tile(COUNTS, rounds)
    round_of = np.repeat(np.arange(rounds), COUNTS.size)
    log = np.log(0.03 + 0.97 / n) + drift[round_of] + scatter * rng.standard_normal(n.size)
    return n, np.exp(log), round_of


def analyse(n: Array, time: Array, round_of: Any = None, **options: Any) -> dict[str, Any]:
    return _core.fitting_analyse(n, time, round=round_of, kind="strong", **options).to_dict()


def codes(found: dict[str, Any]) -> set[str]:
    return {note["code"] for note in found["notes"]}


def test_drift_between_rounds_is_removed() -> None:
    drift = np.array([0.0, 0.05, 0.1, 0.15, 0.2])
    n, time, round_of = campaign(5, drift)
    plain, removed = analyse(n, time), analyse(n, time, round_of)
    assert removed["rounds"] == {"removed": True, "reason": None}
    assert plain["scatter"] > 0.05
    assert removed["scatter"] < 0.015
    narrow, wide = removed["ceiling"], plain["ceiling"]
    assert narrow["high"] / narrow["low"] < wide["high"] / wide["low"]
    assert narrow["low"] <= 1 / 0.03 <= narrow["high"]
    note = next(note for note in removed["notes"] if note["code"] == "rounds_removed")
    assert note["values"]["spread"] == pytest.approx(np.std(drift, ddof=1), rel=0.1)


def test_complete_rounds_lose_their_mean_and_as_many_degrees_of_freedom() -> None:
    n, time, round_of = campaign(3, np.array([0.0, 0.1, -0.1]), 0.001)
    found = analyse(n, time, round_of)
    y = np.log(time).reshape(3, 5)
    centred = y - y.mean(1, keepdims=True) + y.mean()
    assert [count["time"] for count in found["counts"]] == pytest.approx(np.exp(centred.mean(0)), rel=1e-12)
    pure = np.sum((centred - centred.mean(0)) ** 2) / (4 * 2)
    assert found["scatter"] == pytest.approx(np.sqrt(pure), rel=1e-10)


def test_unequal_rounds_are_solved_by_least_squares() -> None:
    n, time, round_of = campaign(4, np.array([0.0, 0.1, -0.1, 0.05]), 0.002)
    some = np.array([i for i in range(20) if i not in {3, 4, 9, 15, 16}])
    n, time, round_of = n[some], time[some], round_of[some]
    found = analyse(n, time, round_of)
    design = np.zeros((len(some), 9))
    design[np.arange(len(some)), np.searchsorted(COUNTS, n)] = 1
    design[np.arange(len(some)), 5 + round_of] = 1
    beta, *_ = np.linalg.lstsq(design, np.log(time), rcond=None)
    rest = np.log(time) - design @ beta
    assert found["scatter"] == pytest.approx(np.sqrt(rest @ rest / (len(some) - 5 - 3)), rel=1e-9)
    counts = np.log([count["time"] for count in found["counts"]])
    assert counts - counts[0] == pytest.approx(beta[:5] - beta[0], abs=1e-12)
    assert [count["runs"] for count in found["counts"]] == [int(np.sum(n == c)) for c in COUNTS]


@pytest.mark.parametrize(
    ("round_of", "reason"),
    [
        ([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3], "blocked"),
        ([0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, -1], "incomplete"),
        ([5] * 12, "one round"),
    ],
)
def test_rounds_that_cannot_be_removed_are_said(round_of: list[int], reason: str) -> None:
    n = np.repeat(COUNTS[:4], 3)
    time = (0.03 + 0.97 / n) * np.tile([1.0, 1.01, 0.99], 4)
    found = analyse(n, time, np.array(round_of))
    assert found["rounds"] == {"removed": False, "reason": reason}
    assert "rounds_blocked" in codes(found)
    untouched = analyse(n, time)
    assert found["ceiling"] == untouched["ceiling"]
    assert untouched["rounds"] == {"removed": False, "reason": None}


def test_an_outlier_in_a_round_is_flagged_alone() -> None:
    n, time, round_of = campaign(4, np.array([0.0, 0.3, -0.3, 0.1]), 0.005, seed=4)
    time[7] *= 1.7
    found = analyse(n, time, round_of)
    assert [run["row"] for run in found["flagged"]] == [7]
    # Without the rounds the drift hides it.
    assert 7 not in [run["row"] for run in analyse(n, time)["flagged"]]


def test_unequal_repeats_weigh_by_their_number() -> None:
    """Amdahl's law by weighted least squares on the means, and the F > 1 rule with all repeats."""
    n = np.array([1.0] * 5 + [2.0] + [4.0] * 3 + [8.0] * 2 + [16.0])
    rng = np.random.default_rng(3)
    time = (0.05 + 0.95 / n) * np.exp(0.02 * rng.standard_normal(n.size))
    found = analyse(n, time, law="amdahl")
    used = np.ones(n.size, bool)
    used[[run["row"] for run in found["flagged"]]] = False
    counts, y = np.unique(n), np.log(time)
    weight = np.array([np.sum(used & (n == c)) for c in counts], float)
    mean = np.array([y[used & (n == c)].mean() for c in counts])

    def sse(sigma: float) -> float:
        rest = mean - np.log(1 / counts + sigma * (1 - 1 / counts))
        return float(np.sum(weight * (rest - np.sum(weight * rest) / weight.sum()) ** 2))

    grid = np.linspace(0.03, 0.07, 40001)
    values = np.array([sse(s) for s in grid])
    law = found["laws"][0]
    assert law["params"]["sigma"] == pytest.approx(grid[values.argmin()], abs=2e-6)
    assert law["sse"] == pytest.approx(values.min(), rel=1e-6)
    pure = sum(np.sum((y[used & (n == c)] - y[used & (n == c)].mean()) ** 2) for c in counts)
    df_pure = weight.sum() - 5
    pooled = law["sse"] / 3 <= pure / df_pure
    expected = (law["sse"] + pure) / (3 + df_pure) if pooled else law["sse"] / 3
    assert law["noise"] == pytest.approx(np.sqrt(expected), rel=1e-9)
    assert law["df"] == (3 + df_pure if pooled else 3)


def test_estimators_that_differ_are_listed() -> None:
    n = np.repeat(COUNTS, 5)
    time = (0.14 + 0.86 / n) * np.exp(0.1 * np.random.default_rng(2).standard_normal(n.size))
    found = analyse(n, time)
    values = next(note["values"] for note in found["notes"] if note["code"] == "estimators_differ")
    used = np.ones(n.size, bool)
    used[[run["row"] for run in found["flagged"]]] = False
    design = np.stack([np.ones(n.size), 1 / n], 1)[used]
    a, b = np.linalg.lstsq(design, time[used], rcond=None)[0]
    assert values["time"] == pytest.approx(a / (a + b), rel=1e-8)
    assert values["log"] == pytest.approx(found["laws"][0]["params"]["sigma"], rel=1e-9)
    quiet = analyse(n, (0.14 + 0.86 / n) * np.tile([1.0, 1.01, 0.99, 1.0, 1.0], 5))
    assert "estimators_differ" not in codes(quiet)
