"""Plans, budgets, reasons to stop, names, and which runs were short of processors."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import scalewall as sw
from scalewall.measurement import budget, counts, naming, stopping
from scalewall.measurement.plan import Plan
from scalewall.measurement.stopping import Limits
from scalewall.readers import shortage

COUNTS = (1, 2, 4, 8, 16)


def runs(rounds: int, scatter: float, f: float = 0.1, seed: int = 1) -> sw.Runs:
    rng = np.random.default_rng(seed)
    n = np.tile(np.array(COUNTS, dtype=float), rounds)
    time = 10 * (f + (1 - f) / n) * np.exp(rng.normal(0, scatter, n.size))
    return sw.Runs(n, time=time, round=np.repeat(np.arange(1, rounds + 1), len(COUNTS)), kind="strong")


def test_every_round_has_every_count_once_in_an_order_of_its_own() -> None:
    plan = Plan(COUNTS, seed=3)
    orders = [plan.order(k) for k in range(-3, 9)]
    assert all(sorted(order) == list(COUNTS) for order in orders)
    assert len(set(orders)) > 6


def test_an_order_depends_on_seed_and_round_only() -> None:
    assert Plan(COUNTS, seed=3).order(5) == Plan(COUNTS, seed=3).order(5)
    assert any(Plan(COUNTS, seed=3).order(k) != Plan(COUNTS, seed=4).order(k) for k in range(4))


def test_over_many_rounds_every_count_comes_first_equally_often() -> None:
    firsts = [Plan(COUNTS, seed=7).order(k)[0] for k in range(1, 1001)]
    counted = [firsts.count(n) for n in COUNTS]
    assert stats.chisquare(counted).pvalue > 1e-3


@pytest.mark.parametrize("counts", [(), (0, 1), (1, 1)])
def test_a_plan_without_sense_is_refused(counts: tuple[int, ...]) -> None:
    with pytest.raises(sw.ScalewallError):
        Plan(counts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("90", 90),
        ("60s", 60),
        ("60 s", 60),
        ("24min", 1440),
        ("1h30m", 5400),
        ("500 ms", 0.5),
        ("2 hours", 7200),
    ],
)
def test_lengths_of_time(text: str, expected: float) -> None:
    assert budget.seconds("--budget", text) == pytest.approx(expected)


@pytest.mark.parametrize("given", ["", "soon", "-1", "0", "1 parsec", "1h x", math.inf, -2.0])
def test_what_is_no_length_of_time_is_named(given: str | float) -> None:
    with pytest.raises(sw.DomainError, match="--budget"):
        budget.seconds("--budget", given)


def test_explicit_rounds_are_run_in_full_whatever_is_known() -> None:
    limits = Limits(rounds=9, until=0.9)
    assert limits.after_round(runs(8, 1e-4), 8, 1.0) is None
    stop = limits.after_round(runs(9, 1e-4), 9, 1.0)
    assert stop is not None
    assert stop.reason == "rounds"


def test_narrow_times_end_it_but_not_before_the_third_round() -> None:
    limits = Limits(most=8, until=0.02)
    assert limits.after_round(runs(2, 1e-4), 2, 1.0) is None
    stop = limits.after_round(runs(3, 1e-4), 3, 1.0)
    assert stop is not None
    assert stop.reason == "until"


def test_the_half_width_is_that_of_student() -> None:
    logs = np.log([1.0, 1.03, 0.98, 1.01])
    low, high = stats.t.interval(0.95, 3, logs.mean(), logs.std(ddof=1) / 2)
    assert stopping.half_width(logs) == pytest.approx((high - low) / 2)


def test_one_noisy_count_keeps_it_going() -> None:
    calm = runs(3, 1e-4)
    time = calm.time.copy()
    time[calm.n == 8] *= [1.0, 1.3, 0.8]
    noisy = sw.Runs(calm.n, time=time, round=calm.round, kind="strong")
    assert stopping.narrow(calm, 0.02)
    assert not stopping.narrow(noisy, 0.02)


@pytest.mark.parametrize("scatter", [0.03, 0.1])
@pytest.mark.parametrize("rounds", [2, 4])
def test_what_another_round_is_said_to_leave_is_what_it_leaves(scatter: float, rounds: int) -> None:
    said = [stopping.another_round(runs(rounds, scatter, seed=seed)) for seed in range(20)]

    def widths(rounds: int, first: int) -> list[float]:
        found = (stopping.width(sw.fit(runs(rounds, scatter, seed=first + k))) for k in range(60))
        return [width for width in found if width is not None]

    left = np.median(widths(rounds + 1, 300)) / np.median(widths(rounds, 100))
    assert np.median([share for share in said if share is not None]) == pytest.approx(left, abs=0.08)


def test_a_curve_that_misses_by_more_than_scatter_keeps_missing() -> None:
    missed = np.array([0.05, -0.05, 0.05, -0.05])
    repeats = np.full(4, 3.0)
    assert stopping._left(missed, repeats, 1e-6) == pytest.approx(1.0, abs=1e-3)
    # All of it is scatter: a mean of four runs scatters by the root of 3/4 of that of three.
    variance = 3.0 * float(missed @ missed) / 2
    assert stopping._left(missed, repeats, variance) == pytest.approx(math.sqrt(3 / 4))


def test_a_round_that_would_hardly_narrow_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = Limits(until=1e-6)
    for left, reason in ((0.89, None), (0.91, "gain"), (None, None)):
        monkeypatch.setattr(stopping, "another_round", lambda runs, left=left: left)
        stop = limits.after_round(runs(3, 0.05), 3, 1.0)
        assert (None if stop is None else stop.reason) == reason


def test_the_budget_ends_it_before_a_round_that_would_not_fit() -> None:
    limits = Limits(budget_s=10.0, until=1e-9)
    assert limits.after_round(runs(2, 0.05), 2, 6.0) is None  # 9 s after three
    stop = limits.after_round(runs(2, 0.05), 2, 7.0)  # 10.5 s after three
    assert stop is not None
    assert (stop.reason, stop.text) == ("budget", "another round would not fit into the 10 s given.")
    inside = limits.before_run(11.0, 0)
    assert inside is not None
    assert inside.text == "the 10 s given are spent in the first round."
    assert limits.before_run(9.0, 0) is None


def test_two_counts_stop_by_their_times_or_their_budget() -> None:
    two = sw.Runs([1, 2] * 3, time=[2.0, 1.1] * 3, round=[1, 1, 2, 2, 3, 3], kind="strong")
    assert stopping.another_round(two) is None
    assert stopping.narrow(two, 0.02)


@pytest.mark.parametrize(
    ("words", "env", "expected"),
    [
        (["./lu", "--threads", "{n}"], {}, "threads"),
        (["./lu", "--threads={n}"], {}, "threads"),
        (["./lu"], {"OMP_NUM_THREADS": "{n}"}, "threads"),
        (["mpiexec", "-n", "{n}", "./lu"], {}, "ranks"),
        (["srun", "-n", "{n}", "./lu"], {}, "ranks"),
        (["torchrun", "--nproc-per-node", "{n}", "train.py"], {}, "procs"),
        (["./lu", "-t", "{n}"], {}, "threads"),
        (["./lu", "{n}"], {}, "workers"),
    ],
)
def test_what_a_command_counts(words: list[str], env: dict[str, str], expected: str) -> None:
    assert naming.unit(words, env)[0] == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["./lu", "--threads", "{n}", "6000"], "lu"),
        (["mpiexec", "-n", "{n}", "/opt/app/solver.x", "in.dat"], "solver"),
        (["python3", "bench.py", "{n}"], "bench"),
        (["python", "-c", "{n}"], "measured"),
    ],
)
def test_files_are_named_after_the_program(words: list[str], expected: str) -> None:
    assert naming.stem(words) == expected


def usage(u: dict[int, float], *, timed: float = 1.0, preempted: float = 0.0) -> shortage.Usage:
    n = np.array(list(u), dtype=float)
    cpu = np.array(list(u.values()))
    return shortage.Usage(n, np.ones(n.size), np.full(n.size, timed), cpu, preempted * cpu)


def test_counts_beyond_the_capacity_that_used_all_of_it_are_set_aside() -> None:
    found = shortage.find(usage({1: 1.0, 2: 1.95, 4: 1.98, 8: 1.99}), 2.0)
    assert found.rows.tolist() == [False, False, True, True]


def test_a_quota_of_two_and_a_half_ends_at_two() -> None:
    found = shortage.find(usage({1: 1.0, 2: 2.0, 3: 2.4, 4: 2.5}), 2.5, 2.5)
    assert found.rows.tolist() == [False, False, True, True]


def test_a_program_that_sleeps_keeps_every_count() -> None:
    assert not shortage.find(usage({1: 0.02, 4: 0.05, 16: 0.1}), 2.0).rows.any()
    # Its start-up computes: beside little sleep that is most of the wall time.
    assert not shortage.find(usage({1: 0.4, 8: 0.9, 16: 0.9}, timed=0.1), 1.0).rows.any()


def test_a_program_that_waits_for_a_lock_keeps_every_count() -> None:
    assert not shortage.find(usage({1: 1.0, 2: 1.0, 4: 1.0, 8: 1.0}), 4.0).rows.any()


def test_workers_that_push_one_another_off_are_short_also_with_serial_phases() -> None:
    half_serial = {1: 1.0, 2: 1.33, 4: 1.33}
    assert not shortage.find(usage(half_serial), 2.0).rows.any()
    assert shortage.find(usage(half_serial, preempted=200.0), 2.0).rows.tolist() == [False, False, True]


def test_a_machine_that_others_fill_is_small_but_one_worker_always_stays() -> None:
    # The trial got a third of a processor because others compute; so did every run.
    found = shortage.find(usage({1: 0.3, 2: 0.3, 4: 0.35}), 0.33)
    assert found.rows.tolist() == [False, True, True]


def test_a_run_that_got_more_than_the_trial_found_corrects_it() -> None:
    found = shortage.find(usage({1: 1.0, 2: 1.95, 4: 3.9}), 1.0)
    assert found.capacity == 3.9
    assert not found.rows.any()


def test_a_count_is_set_aside_as_a_whole_and_every_larger_one_with_it() -> None:
    n = np.array([1.0, 1, 4, 4, 4, 8, 8])
    cpu = np.array([1.0, 1.0, 1.9, 1.2, 1.9, 1.4, 1.4])
    found = shortage.find(shortage.Usage(n, np.ones(7), np.ones(7), cpu, np.zeros(7)), 2.0)
    assert found.rows.tolist() == [False, False, True, True, True, True, True]


def test_start_up_beside_the_timed_part_shows_nothing() -> None:
    # All of the processor time fits into the seconds that were not timed.
    n = np.array([1.0, 4.0, 16.0])
    part = shortage.Usage(
        n, np.array([0.9, 0.6, 0.5]), np.array([0.5, 0.2, 0.1]), np.full(3, 0.3), np.full(3, 99.0)
    )
    assert not shortage.find(part, 0.4).rows.any()


def test_unknown_processor_time_sets_nothing_aside() -> None:
    assert not shortage.find(usage({1: math.nan, 64: math.nan}), 2.0).rows.any()
    assert not shortage.find(usage({1: 1.0, 64: 2.0}), None).rows.any()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,2,4,8", (1, 2, 4, 8)),
        (" 4 , 2,4", (4, 2)),
        ("1:64:x2", (1, 2, 4, 8, 16, 32, 64)),
        ("1:100:x2,3", (1, 2, 4, 8, 16, 32, 64, 3)),
    ],
)
def test_counts_are_lists_and_ranges(text: str, expected: tuple[int, ...]) -> None:
    assert counts.parse("-n", text) == expected


@pytest.mark.parametrize("text", ["", "0", "-1", "1.5", "a", "1:10:x1.5", "1,,2", "1e400"])
def test_what_is_no_count_is_named(text: str) -> None:
    with pytest.raises(sw.DomainError, match=r"^-n is "):
        counts.parse("-n", text)
