"""Inputs that lead other tools astray: what must be said, and what must not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pytest

from scalewall import DomainError, _core

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Array = npt.NDArray[np.float64]


def analyse(n: Sequence[float] | Array, time: Sequence[float] | Array, **options: Any) -> dict[str, Any]:
    options.setdefault("kind", "strong")
    return _core.fitting_analyse(np.asarray(n, float), np.asarray(time, float), **options).to_dict()


def runs(
    time: Callable[[Array], Array],
    counts: Sequence[float],
    repeats: int = 3,
    scatter: float = 0.02,
    seed: int = 3,
) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    n = np.repeat(np.asarray(counts, float), repeats)
    return n, time(n) * np.exp(scatter * rng.standard_normal(n.size))


def amdahl(sigma: float) -> Callable[[Array], Array]:
    return lambda n: sigma + (1 - sigma) / n


def codes(found: dict[str, Any]) -> set[str]:
    return {note["code"] for note in found["notes"]}


def values(found: dict[str, Any], code: str) -> dict[str, Any]:
    return dict(next(note["values"] for note in found["notes"] if note["code"] == code))


def kept(found: dict[str, Any]) -> set[str]:
    return {law["law"] for law in found["laws"] if law["kept"]}


def test_superlinear_runs_have_no_serial_share_and_no_ceiling() -> None:
    n, time = runs(lambda n: n**-1.08, [1, 2, 4, 8, 16], scatter=0.01)
    found = analyse(n, time)
    assert found["law"] == "amdahl"
    assert found["serial_fraction"]["value"] == 0.0
    assert found["ceiling"]["high"] == np.inf
    assert "superlinear" in codes(found)
    assert {"law": "amdahl", "param": "sigma", "value": 0.0} in [
        note["values"] for note in found["notes"] if note["code"] == "at_bound"
    ]
    assert found["doubling"]["time_ratio"]["low"] >= 0.5 * (1 - 1e-12)


def test_a_negative_karp_flatt_number_stays_negative() -> None:
    found = analyse([1, 4], [100, 24])
    assert found["status"] == "two counts"
    share = found["counts"][1]["karp_flatt"]
    assert share["value"] == pytest.approx((24 / 100 - 1 / 4) / (1 - 1 / 4), rel=1e-12)
    assert share["value"] < 0
    assert "superlinear" in codes(found)
    assert found["ceiling"] is None
    insisted = analyse([1, 4], [100, 24], law="amdahl")
    assert insisted["laws"][0]["params"] == {"sigma": 0.0}


def test_without_a_one_worker_run_its_time_is_fitted() -> None:
    n, time = runs(amdahl(0.05), [4, 8, 16, 32, 64], scatter=0.01)
    found = analyse(n, time)
    assert "extrapolated_t1" in codes(found)
    assert found["serial_fraction"]["low"] <= 0.05 <= found["serial_fraction"]["high"]
    assert found["ceiling"]["low"] <= 20 <= found["ceiling"]["high"]
    assert found["ceiling"]["high"] < 30
    assert found["counts"][0]["speedup"] == pytest.approx(1 / (0.05 + 0.95 / 4), rel=0.1)


def test_one_count_says_how_much_runs_scatter_and_nothing_else() -> None:
    found = analyse([8, 8, 8], [1.0, 1.02, 0.99])
    assert found["status"] == "one count"
    assert found["scatter"] == pytest.approx(np.std(np.log([1, 1.02, 0.99]), ddof=1), rel=1e-12)
    assert [found[key] for key in ("law", "ceiling", "peak_n", "knee", "serial_fraction")] == [None] * 5
    assert found["doubling"]["answer"] == "not answered"
    assert kept(found) == set()


def test_two_counts_give_the_number_of_the_pair_and_no_ceiling() -> None:
    found = analyse([1, 8], [100, 20])
    share = found["counts"][1]["karp_flatt"]
    assert share["value"] == pytest.approx(0.6 / 7, rel=1e-12)
    assert share["high"] == np.inf
    assert found["ceiling"] is None
    repeated = analyse([1, 1, 1, 8, 8, 8], [100, 101, 99, 20, 20.2, 19.9])["counts"][1]["karp_flatt"]
    assert repeated["low"] < 0.6 / 7 < repeated["high"] < 0.1


def test_three_counts_without_repeats_have_no_interval() -> None:
    found = analyse(*runs(amdahl(0.05), [1, 2, 4], 1))
    assert found["status"] == "too few repeats"
    assert "interval_not_available" in codes(found)
    assert found["ceiling"] is None
    assert found["next"]["repeats"] == 3


def test_three_counts_with_repeats_have_regions_but_no_yes_or_no() -> None:
    answers = set()
    for seed in range(12):
        found = analyse(*runs(amdahl(0.01 if seed % 2 else 0.4), [1, 2, 4], 5, 0.005, seed))
        assert found["status"] == "three counts"
        assert "three_counts" in codes(found)
        assert found["ceiling"]["high"] > found["ceiling"]["low"]
        assert "saturation" not in kept(found)
        answers.add(found["doubling"]["answer"])
    assert answers <= {"leaning yes", "leaning no", "cannot tell"}
    assert "leaning yes" in answers


def test_rates_passed_as_times_are_not_answered() -> None:
    found = analyse([1, 2, 4, 8, 16], [1, 1.90, 3.48, 5.93, 9.14])
    assert found["doubling"]["answer"] == "not answered"
    assert values(found, "time_does_not_fall")["ratio"] == pytest.approx(9.14)
    confirmed = analyse([1, 2, 4, 8, 16], [1, 1.90, 3.48, 5.93, 9.14], confirm=True)
    assert confirmed["doubling"]["answer"] == "cannot tell"
    assert values(confirmed, "time_does_not_fall")["confirmed"] == "yes"


def test_weak_times_are_not_answered_as_fixed_work() -> None:
    counts = [1, 2, 4, 8, 16, 32]
    time = 1 + 0.02 * np.log2(counts)
    found = analyse(counts, time)
    assert found["doubling"]["answer"] == "not answered"
    assert found["weak"] is None
    reading = values(found, "time_does_not_fall")
    assert reading["weak_efficiency"] == pytest.approx(1 / 1.1, rel=1e-9)
    assert reading["weak_log_growth"] == pytest.approx(0.02, rel=1e-6)
    weak = analyse(counts, time, kind="weak")
    assert weak["weak"]["efficiency_at_max"] == pytest.approx(1 / 1.1, rel=1e-9)
    assert weak["weak"]["log_growth"]["value"] == pytest.approx(0.02, rel=1e-6)
    assert [weak[key] for key in ("serial_fraction", "ceiling", "peak_n")] == [None] * 3
    assert weak["doubling"]["answer"] == "not answered"
    assert weak["counts"][-1]["efficiency"] == pytest.approx(1 / 1.1, rel=1e-9)
    assert weak["counts"][-1]["time"] == pytest.approx(1.1, rel=1e-12)


def test_retrograde_runs_keep_the_law_that_falls() -> None:
    n, time = runs(lambda n: (1 + 0.05 * (n - 1) + 0.01 * n * (n - 1)) / n, [1, 2, 4, 8, 16, 32])
    found = analyse(n, time)
    assert kept(found) == {"usl"}
    assert found["ceiling"]["low"] > 3.9
    assert found["ceiling"]["high"] < 4.6
    assert found["peak_n"]["low"] < np.sqrt(0.95 / 0.01) < found["peak_n"]["high"]
    assert found["doubling"]["answer"] == "no"
    assert "one_law_kept" in codes(found)
    assert values(found, "karp_flatt")["reading"] == "rises"


@pytest.mark.parametrize("bad", [0.0, -1.0, np.nan, np.inf])
def test_values_that_are_no_time_are_refused_by_the_core(bad: float) -> None:
    with pytest.raises(DomainError, match=r"time\[1\]"):
        analyse([1, 2, 4, 8], [1, bad, 0.3, 0.2])
    with pytest.raises(DomainError, match=r"n\[2\]"):
        analyse([1, 2, bad, 8], [1, 0.5, 0.3, 0.2])


def test_times_that_jump_suggest_a_mistake_of_units() -> None:
    found = analyse([1, 8], [2.0, 310.0])
    assert values(found, "units_suspect")["ratio"] == pytest.approx(155)
    assert "units_suspect" not in codes(analyse([1, 8], [2.0, 8.0]))


def test_a_slow_first_run_is_set_aside_and_said() -> None:
    n, time = runs(amdahl(0.05), [1, 2, 4, 8, 16], 5, seed=2)
    time[0] = 1.8
    found = analyse(n, time)
    assert [(run["row"], run["first"]) for run in found["flagged"]] == [(0, True)]
    assert found["flagged"][0]["deviation"] > 10
    assert values(found, "first_run_slow")["n"] == [1.0]
    assert values(found, "runs_flagged")["clean_tables"] == [0.08, 0.13]
    assert found["counts"][0]["runs"] == 4


def test_counts_need_not_be_whole() -> None:
    found = analyse([1, 1.5, 2, 3, 4.5], [1.0, 0.69, 0.53, 0.37, 0.27])
    assert found["status"] == "full"
    assert [count["n"] for count in found["counts"]] == [1, 1.5, 2, 3, 4.5]
    assert found["serial_fraction"]["low"] <= 0.05 <= found["serial_fraction"]["high"]


def test_huge_counts_do_not_overflow() -> None:
    counts = [1.0, 1e3, 1e6, 1e9, 1e12, 2.0**53]
    found = analyse(counts, 1e-4 + (1 - 1e-4) / np.array(counts))
    assert found["law"] == "amdahl"
    assert found["serial_fraction"]["value"] == pytest.approx(1e-4, rel=1e-9)
    assert found["counts"][1]["karp_flatt"]["value"] == pytest.approx(1e-4, rel=1e-6)


def test_repeats_are_averaged_as_logarithms_never_as_speedups() -> None:
    found = analyse([1, 1, 8, 8], [10, 10, 1, 4])
    assert found["counts"][1]["time"] == pytest.approx(2.0, rel=1e-12)
    assert found["counts"][1]["speedup"] == pytest.approx(5.0, rel=1e-12)


def test_a_step_is_called_a_lack_of_fit() -> None:
    step = lambda n: 0.01 + 0.99 / n * np.where(n <= 8, 1.0, 1.6)  # noqa: E731
    found = analyse(*runs(step, [1, 2, 4, 6, 8, 10, 12, 16], 5, 0.01))
    assert found["lack_of_fit"]["p"] < 1e-6
    assert found["lack_of_fit"]["f"] > 100
    assert "lack_of_fit" in codes(found)
    smooth = analyse(*runs(amdahl(0.01), [1, 2, 4, 6, 8, 10, 12, 16], 5, 0.01))
    assert "lack_of_fit" not in codes(smooth)


def test_saturation_is_kept_and_ends_the_gain() -> None:
    n, time = runs(lambda n: 0.01 + 0.99 / np.minimum(n, 6), [1, 2, 3, 4, 6, 8, 12, 16])
    found = analyse(n, time)
    assert found["law"] == "saturation"
    assert found["ceiling"]["low"] > 5.4
    assert found["ceiling"]["high"] < 6.05
    alone = analyse(n, time, law="saturation")["doubling"]
    assert alone["time_ratio"] == {"low": 1.0, "mid": 1.0, "high": 1.0}
    ratio = found["doubling"]["time_ratio"]
    assert ratio["low"] < 1.0 < ratio["high"]
    assert found["doubling"]["answer"] == "no"


def test_nearly_linear_runs_have_a_lower_bound_only() -> None:
    found = analyse(*runs(amdahl(0.002), [1, 2, 4, 8, 16]))
    assert found["ceiling"]["high"] == np.inf
    assert 16 < found["ceiling"]["low"] <= 64
    assert found["ceiling"]["low"] >= max(count["speedup"] for count in found["counts"])


def test_a_lower_bound_is_never_less_than_the_best_speedup_measured() -> None:
    found = analyse([1, 2, 3, 4], [1, 0.7, 0.3, 0.4])
    assert found["ceiling"]["high"] == np.inf
    assert found["ceiling"]["low"] == pytest.approx(max(count["speedup"] for count in found["counts"]))


def test_a_clear_yes_and_a_clear_no() -> None:
    for seed in range(5):
        yes = analyse(*runs(amdahl(0.02), [1, 2, 4, 8, 16], 3, 0.01, seed))
        assert yes["doubling"]["answer"] == "yes"
        assert yes["next"] is None
        retrograde = lambda n: 0.05 * (1 - 1 / n) + 1 / n + 0.01 * (n - 1)  # noqa: E731
        no = analyse(*runs(retrograde, [1, 2, 4, 8, 16, 32], 3, 0.01, seed))
        assert no["doubling"]["answer"] == "no"


def test_a_rate_may_fall_and_is_answered() -> None:
    load = np.array([1, 2, 4, 8, 16, 32.0])
    rate = load / (1 + 0.05 * (load - 1) + 0.01 * load * (load - 1)) * 1000
    found = analyse(load, 1 / rate, kind="throughput")
    assert found["doubling"]["answer"] == "no"
    assert "time_does_not_fall" not in codes(analyse(load, np.linspace(1, 2, 6), kind="throughput"))


def test_steep_curves_fit_no_shape() -> None:
    # Every other count hits a lock: no smooth curve describes that.
    time = [1.0, 3.0, 0.4, 2.0, 0.2, 1.5]
    found = analyse([1, 2, 4, 8, 16, 32], time, confirm=True)
    assert found["misfit"] > 0.25
    assert "no_shape_fits" in codes(found)


def test_an_unknown_kind_states_only_what_needs_no_reading() -> None:
    n, time = runs(amdahl(0.05), [1, 2, 4, 8, 16])
    found = analyse(n, time, kind="unknown")
    assert "kind_unknown" in codes(found)
    assert found["doubling"]["answer"] == "not answered"
    assert found["scatter"] > 0
    assert [found[key] for key in ("law", "ceiling", "families", "serial_fraction")] == [None] * 4
    insisted = analyse(n, time, kind="unknown", law="amdahl")
    assert insisted["serial_fraction"]["value"] == pytest.approx(0.05, rel=0.2)
    assert insisted["doubling"]["answer"] == "not answered"
