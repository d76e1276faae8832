"""Ledgers add up to the last nanosecond, and their rows move where the time goes."""

from __future__ import annotations

import os
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scalewall as sw
from scalewall import _core
from scalewall.campaign import Campaign, known_program, measure_reduction, rotated, run_campaign
from scalewall.conditions import Conditions
from scalewall.ledger import WORDS, Ledger, from_record
from scalewall.machine import Counters
from scalewall.reconciliation import TERMS, reconcile

LEAVES = ("setup", "wake", "compute", "imbalance", "join", "combine", "unaccounted")
SPLIT_LEAVES = (
    "setup",
    "wake",
    "on_cpu",
    "preempted",
    "blocked",
    "imbalance",
    "join",
    "combine",
    "unaccounted",
)


@pytest.mark.parametrize("threads", [1, 2, 3, 4])
@pytest.mark.parametrize("size", [0, 1, 3, 10_000, 300_000])
@pytest.mark.parametrize("combine", ["tree", "order"])
@pytest.mark.parametrize("split", [False, True])
def test_rows_add_up_in_every_run(threads: int, size: int, combine: Any, split: bool) -> None:
    x = np.ones(size)
    for method in ("exact", "compensated", "pairwise"):
        ledger = sw.parallel_sum(
            x,
            threads=threads,
            method=method,
            combine=combine,
            measure=True,
            split=split,
        ).ledger
        assert tuple(ledger.rows) == (SPLIT_LEAVES if split else LEAVES)
        assert sum(ledger.rows.values()) == ledger.workers * ledger.wall_ns
        assert ledger.workers == threads
        assert all(ns >= 0 for name, ns in ledger.rows.items() if name != "unaccounted")
        assert all(isinstance(ns, int) for ns in ledger.rows.values())


def test_the_split_comes_by_itself_with_ten_million_elements() -> None:
    assert "on_cpu" in sw.parallel_sum(np.ones(10_000_000), threads=1, measure=True).ledger.rows
    assert "compute" in sw.parallel_sum(np.ones(9_999_999), threads=1, measure=True).ledger.rows


def test_bytes_and_rates_stand_beside_it() -> None:
    x = np.ones(1_000_000)
    measured = sw.parallel_dot(x, x, threads=1, measure=True)
    ledger = measured.ledger
    assert ledger.nbytes == 16_000_000
    assert ledger.gb_s is not None
    assert ledger.gb_s == pytest.approx(16_000_000 / ledger.wall_ns)
    assert ledger.read_limit_gb_s is not None
    assert ledger.read_limit_gb_s > 0.1
    assert ledger.read_share == pytest.approx(ledger.gb_s / ledger.read_limit_gb_s)
    assert "read limit" in measured.summary()
    assert measured.to_dict()["ledger"]["rows"] == ledger.rows
    assert set(WORDS) >= set(ledger.rows)


def test_too_short_is_said_and_not_guessed() -> None:
    measured = sw.parallel_sum(np.ones(1000), threads=1, measure=True)
    assert measured.ledger.too_short
    assert measured.ledger.f_work is None
    assert measured.ledger.gustafson is None
    assert measured.serial_fraction.value is None
    assert "too short" in measured.serial_fraction.of
    assert "too short" in measured.summary()


def ledger_of(rows: dict[str, int], workers: int, serial: int = 10, parallel: int = 90) -> Ledger:
    return Ledger(workers, sum(rows.values()) // workers, rows, serial, parallel)


def test_rows_that_do_not_add_up_are_refused() -> None:
    with pytest.raises(AssertionError, match="expected 2 x 100"):
        Ledger(2, 100, {"setup": 199}, 1, 1)


def test_a_known_ledger_gives_known_numbers() -> None:
    rows = dict(zip(LEAVES, (200_000, 20_000, 1_500_000, 100_000, 30_000, 100_000, 50_000), strict=True))
    ledger = ledger_of(rows, 2, serial=150_000, parallel=1_500_000)
    assert ledger.wall_ns == 1_000_000
    assert ledger.f_work == pytest.approx(1 / 11)
    assert ledger.gustafson == pytest.approx(0.15)
    assert ledger.shares["compute"] == pytest.approx(0.75)
    assert ledger.serial_fraction.low == pytest.approx(1 / 11 - 0.0015)
    assert replace(ledger, stamping_ns=10_000).too_short


counts = st.integers(0, 10**9)


@given(
    st.lists(st.tuples(*[counts] * 8), min_size=1, max_size=5),
    st.lists(st.tuples(*[counts] * 8), min_size=1, max_size=5),
    st.integers(2, 16),
)
def test_a_reconciliation_adds_up_exactly(one: list[Any], many: list[Any], workers: int) -> None:
    def build(values: tuple[int, ...], n: int) -> Ledger:
        rows = dict(zip(SPLIT_LEAVES, values, strict=False))
        rows["unaccounted"] = 1 - sum(rows.values()) % n
        rows["unaccounted"] += -sum(rows.values()) % n + n
        return ledger_of(rows, n)

    found = reconcile([build(values, 1) for values in one], [build(values, workers) for values in many])
    overhead = workers * found.time - found.time_one
    assert sum(found.terms.values()) == overhead
    assert set(found.terms) <= set(TERMS)
    assert isinstance(found.time, Fraction)
    assert found.karp_flatt == pytest.approx(float(overhead / ((workers - 1) * found.time_one)))
    assert sum(found.efficiency_shares.values()) == pytest.approx(1.0)


def test_a_reconciliation_of_known_ledgers() -> None:
    one = ledger_of(
        {"setup": 40, "wake": 0, "compute": 950, "imbalance": 0, "join": 0, "combine": 10, "unaccounted": 0},
        1,
    )
    many = ledger_of(
        {
            "setup": 80,
            "wake": 20,
            "compute": 1000,
            "imbalance": 60,
            "join": 8,
            "combine": 30,
            "unaccounted": 2,
        },
        2,
    )
    found = reconcile([one], [many])
    assert found.terms == {
        "serial": 50,
        "serial growth": 10,
        "wake": 20,
        "work": 50,
        "imbalance": 60,
        "join": 8,
        "unaccounted": 2,
    }
    assert found.karp_flatt == pytest.approx(0.2)
    assert found.shares["serial"] == pytest.approx(0.05)


def test_processors_rotate_like_a_latin_square() -> None:
    spots = [rotated((3, 5, 7), 2, shift) for shift in range(3)]
    assert spots == [(3, 5), (5, 7), (7, 3)]
    assert rotated((0, 1), 5, 1) == (1, 0, 1, 0, 1)


def test_a_campaign_is_interleaved_and_in_blocks() -> None:
    seen: list[tuple[int, Any]] = []

    def run(workers: int, cpus: Any) -> Ledger:
        seen.append((workers, cpus))
        rows = dict.fromkeys(LEAVES, 0) | {"setup": workers * 100_000, "compute": 900_000}
        rows["imbalance"] = -sum(rows.values()) % workers
        return ledger_of(rows, workers, serial=100_000, parallel=900_000)

    campaign = run_campaign(run, (1, 2, 4), blocks=3, rounds=5, cpus=(0, 1), pause=0.0, probe=False, seed=4)
    assert len(campaign.runs) == 45
    assert [run.block for run in campaign.runs] == sorted(run.block for run in campaign.runs)
    rounds = [[count for count, _ in seen[3:]][i : i + 3] for i in range(0, 45, 3)]
    assert all(sorted(round_) == [1, 2, 4] for round_ in rounds)
    assert len({tuple(round_) for round_ in rounds}) > 1
    assert {cpus for count, cpus in seen if count == 1} == {(0,), (1,)}
    # Serial 0.1 of T(1) = 1 ms; T(n) = 0.1 + 0.9 / n.
    assert campaign.f_work().value == pytest.approx(0.1)
    assert campaign.karp_flatt(4).value == pytest.approx(0.1, abs=1e-5)
    assert campaign.gustafson(4).value == pytest.approx(0.1 / 0.325, abs=1e-5)
    assert campaign.fit().serial_fraction is not None
    assert len(campaign.serial_fractions()) == 8
    with pytest.raises(sw.DomainError, match="expected one of 1, 2, 4"):
        campaign.ledgers(3)


def test_a_campaign_of_one_block_has_no_interval() -> None:
    campaign = run_campaign(known_program(20_000, 800_000), (1,), blocks=1, rounds=2, probe=False)
    with pytest.raises(sw.InsufficientDataError, match="at least two"):
        campaign.f_work()
    with pytest.raises(sw.DomainError, match="at least 1"):
        run_campaign(known_program(1, 1), ())


def test_the_gate_says_why_wall_times_are_not_valid() -> None:
    assert Conditions(0.99, 0.01, 0.0, False).reasons() == ()
    assert Conditions(None, None, None, None).reasons() == ()
    found = Conditions(0.6, 0.3, 0.05, True).reasons()
    assert [word in reason for word, reason in zip(("60%", "30%", "5.0%", "quota"), found, strict=True)] == [
        True
    ] * 4


def test_conditions_are_shares_of_all_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    first = Counters(0, busy_s=500.0, steal_s=10.0, throttled=3, pressure_s=None, own_s=1.0)
    second = Counters(50 * 10**9, busy_s=560.0, steal_s=14.0, throttled=4, pressure_s=None, own_s=21.0)
    found = Conditions.between(first, second, 0.97)
    assert found == Conditions(0.97, external=0.2, steal=0.02, throttled=True)
    nothing = Counters(0, None, None, None, None)
    assert Conditions.between(nothing, nothing, None) == Conditions(None, None, None, None)


def one_cpu(workers: int, rounds: int) -> Campaign:
    cpu = min(os.sched_getaffinity(0))
    return run_campaign(
        known_program(600_000, 5_400_000), (1, workers), blocks=3, rounds=rounds, cpus=(cpu,), probe=False
    )


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="the platform has no affinity")
@pytest.mark.parametrize("workers", [2, 3])
def test_a_processor_too_few_shows_as_time_off_it_and_leaves_f_work_alone(workers: int) -> None:
    campaign = one_cpu(workers, 4)
    ledgers = campaign.ledgers(workers)
    assert all(
        ledger.cpus and {cpu for pair in ledger.cpus for cpu in pair} == {ledger.cpus[0][0]}
        for ledger in ledgers
    )
    # One processor for n workers: they are off it for (n - 1) / n of the parallel time. What other programs
    # take of that processor comes on top, so that only the lower side holds on a machine with company.
    names = ("wake", "on_cpu", "preempted", "blocked", "imbalance")
    parallel = sum(sum(ledger.rows[name] for name in names) for ledger in ledgers)
    off = 1 - sum(ledger.rows["on_cpu"] for ledger in ledgers) / parallel
    assert off > (workers - 1) / workers - 0.05
    alone = campaign.conditions.external is not None and campaign.conditions.external < 0.05
    assert not alone or off < (workers - 1) / workers + 0.05
    assert sum(ledger.rows["preempted"] for ledger in ledgers) > 0
    for count in (1, workers):
        assert campaign.f_work(count).value == pytest.approx(0.1, abs=0.015)


def test_a_measure_reduction_measures_the_reduction() -> None:
    campaign = measure_reduction(np.ones(1_000_000), workers=(1, 2), blocks=2, rounds=2, method="pairwise")
    assert campaign.counts == (1, 2)
    value = campaign.f_work().value
    assert value is not None
    assert 0 <= value < 0.2
    assert (
        sum(campaign.reconcile(2).terms.values())
        == 2 * campaign.reconcile(2).time - campaign.reconcile(2).time_one
    )
    assert "Karp–Flatt" in campaign.summary()
    assert campaign.to_dict()["runs"][0]["workers"] in (1, 2)


def test_time_under_one_lock_is_blocked_and_leaves_f_work_alone() -> None:
    record = _core.reduction_program(0, [3_000_000, 3_000_000], 1.0, [])
    ledger = from_record(record)
    assert ledger.f_work is None or ledger.f_work < 0.02
    with pytest.raises(sw.DomainError, match="locked is 2"):
        _core.reduction_program(0, [1], 2.0, [])
