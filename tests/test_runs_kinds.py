"""Which kind of scaling a table shows, why, and what is said where nothing decides."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scalewall._errors import ChoiceError
from scalewall.runs import Runs

N = np.array([1.0, 2.0, 4.0, 8.0, 16.0])
FLAT = np.array([1.0, 1.02, 1.04, 1.06, 1.10])


def codes(runs: Runs) -> list[str]:
    return [note.code for note in runs.notes]


def test_the_caller_decides() -> None:
    for kind in ("strong", "weak", "throughput"):
        assert Runs(N, throughput=N, kind=kind).kind == kind
    assert Runs(N, throughput=N, kind="strong").kind_reason == "as the caller says"
    with pytest.raises(ChoiceError, match='kind - "robust" is not a kind of scaling'):
        Runs(N, time=1 / N, kind="robust")


def test_a_load_curve_of_times_is_an_error_with_the_flags() -> None:
    with pytest.raises(
        ChoiceError, match=r'runs\.csv, column "wall_s": .*--throughput wall_s .*--scaling strong'
    ):
        Runs(N, time=1 / N, kind="throughput", columns={"time": "wall_s"}, source="runs.csv")


def test_constant_work_is_strong_and_proportional_work_is_weak() -> None:
    strong = Runs(N, time=FLAT, work=np.full(5, 300.0), columns={"work": "cells"})
    assert strong.kind == "strong"
    assert strong.kind_reason == 'column "cells" is the same at every count'
    weak = Runs(N, time=1 / N, work=300.0 * N, columns={"n": "nodes"})
    assert weak.kind == "weak"
    assert weak.kind_reason == 'column "work" grows in proportion to the nodes'
    assert not strong.notes
    assert not weak.notes


@given(
    st.lists(st.integers(0, 10), min_size=4, max_size=12, unique=True),
    st.floats(1e-3, 1e9),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_work_within_the_tolerance_decides(powers: list[int], size: float, weak: bool, seed: int) -> None:
    n = 2.0 ** np.array(powers)
    # A median moves with the draw: two rows within 2.4 % of the true size are within 5 % of it.
    jitter = 1.0 + np.random.default_rng(seed).uniform(-0.024, 0.024, n.size)
    runs = Runs(n, time=np.ones(n.size), work=size * jitter * (n if weak else 1.0))
    assert runs.kind == ("weak" if weak else "strong")
    assert not runs.rejected
    assert np.array_equal(runs.time, np.ones(n.size))


def test_work_that_varies_within_the_tolerance_is_said_and_not_corrected() -> None:
    work = 300.0 * N * np.array([1.0, 1.007, 1.0, 1.0, 1.0])
    runs = Runs(N, time=FLAT, work=work, columns={"n": "nodes", "work": "particles"})
    assert codes(runs) == ["work_varies"]
    assert "0.7 %" in runs.notes[0].text
    assert "work per node" in runs.notes[0].text
    assert runs.time.tolist() == FLAT.tolist()


def test_rows_whose_work_does_not_belong_are_left_out_in_words() -> None:
    n = [128, 1, 2, 4, 8]
    particles = [836857.4 * 128, 251916000.0, 251916000.0 * 2, 251916000.0 * 4, 251916000.0 * 8]
    columns = {"n": "nodes", "work": "particles"}
    runs = Runs(
        n, time=np.ones(5), work=particles, columns=columns, line=[2, 3, 4, 5, 6], source="sparta.csv"
    )
    assert runs.kind == "weak"
    (row,) = runs.rejected
    assert row.line == 2
    assert row.reason == (
        "row 2, 128 nodes: 836 857 particles per node where the others have 251 916 000. "
        "Put it back with --keep-row 2"
    )
    kept = Runs(n, time=np.ones(5), work=particles, columns=columns, line=[2, 3, 4, 5, 6], keep_rows=[2])
    assert not kept.rejected
    assert len(kept) == 5
    assert codes(kept) == ["row_kept"]


def test_a_row_of_one_worker_is_said_in_the_singular() -> None:
    runs = Runs([1, 2, 4, 8, 16], time=np.ones(5), work=[5, 200, 400, 800, 1600], columns={"n": "nodes"})
    assert runs.rejected[0].reason.startswith("row 1, 1 node: 5 work per node where the others have 100.")
    same = Runs([1, 2, 4, 8, 16], time=1 / N, work=[5, 200, 200, 200, 200])
    assert same.kind == "strong"
    assert same.rejected[0].reason.startswith("row 1, 1 worker: 5 work where the others have 200.")


def test_a_row_that_holds_no_number_cannot_be_put_back() -> None:
    runs = Runs(N, time=[1, 0, 1, 1, 1], work=N, keep_rows=[2, 77])
    assert codes(runs) == ["row_cannot_be_kept", "row_unknown"]
    assert "0 is not a time" in runs.notes[0].text
    assert "no row 77" in runs.notes[1].text


def test_work_that_neither_stays_nor_grows_in_proportion_decides_nothing() -> None:
    runs = Runs(N, time=1 / N, work=N**0.5)
    assert runs.kind == "unknown"
    assert (
        'Column "work" is neither the same at every count nor in proportion to the workers'
        in runs.kind_reason
    )
    assert [flag for _, flag in runs.readings] == ["--scaling strong", "--scaling weak"]
    assert not runs.rejected
    rates = Runs(N, throughput=N, work=N**0.5)
    assert [flag for _, flag in rates.readings] == [
        "--scaling strong",
        "--scaling weak",
        "--scaling throughput",
    ]


def test_several_problems_in_one_table_are_offered_as_groups() -> None:
    n, work = np.tile(N, 4), np.repeat([10.0, 100.0, 1000.0, 10000.0], 5)
    runs = Runs(n, time=work / n, work=work, columns={"work": "cells"})
    assert runs.kind == "unknown"
    assert ("4 problems of different size in one table", "--by cells") in runs.readings
    assert {group.kind for group in runs.groups("cells").values()} == {"strong"}


def test_the_caller_against_the_work_column_is_said() -> None:
    runs = Runs(N, time=1 / N, work=300 * N, kind="strong")
    assert runs.kind == "strong"
    assert codes(runs) == ["work_disagrees"]
    assert not runs.rejected


def test_one_count_decides_nothing() -> None:
    runs = Runs([8, 8, 8], time=[1, 1.02, 0.99], work=[5, 5, 5], columns={"n": "gpus"})
    assert runs.kind == "unknown"
    assert "One count only (8 GPUs)" in runs.kind_reason
    assert "One count only (8 GPUs)" in Runs([8, 8], time=[1, 1.02], columns={"n": "gpus"}).kind_reason


@pytest.mark.parametrize(
    "time",
    [
        1 / N,
        [10, 9, 8.5, 8.8, 8.9],  # ends at 0.89 of the start
        [10, 4, 6, 9, 14],  # falls, then turns up
    ],
)
def test_a_clear_fall_is_read_as_strong_and_said(time: list[float]) -> None:
    runs = Runs(N, time=time, columns={"n": "gpus"})
    assert runs.kind == "strong"
    (note,) = runs.notes
    assert note.code == "read_as_strong"
    assert "on 1 to" in note.text
    assert "GPUs" in note.text
    assert "--scaling weak" in note.text


@pytest.mark.parametrize("time", [FLAT, [10, 9.5, 9.3, 9.2, 9.1], [1.0, 1.9, 3.48, 5.93, 9.14]])
def test_a_time_that_does_not_fall_decides_nothing(time: list[float]) -> None:
    runs = Runs(N, time=time, columns={"n": "nodes", "time": "wall s"})
    assert runs.kind == "unknown"
    assert runs.readings == (
        ("the work grew with the nodes", "--scaling weak"),
        ("the column is a rate, not a time", "--throughput 'wall s'"),
        ("it really does not scale", "--scaling strong --confirm"),
    )
    assert not runs.notes


def test_reason_of_a_time_that_does_not_fall() -> None:
    runs = Runs([1, 64, 2048], time=[10.0, 11.5, 12.7], columns={"n": "nodes"})
    assert runs.kind_reason == (
        "The time does not fall: 2048 nodes take 1.27 times as long as 1. "
        "Read as fixed work, this would be a program that never scales."
    )
    assert Runs(N, time=[10, 9.5, 9.3, 9.2, 9.1]).kind_reason.startswith(
        "The time hardly falls: 16 workers take 91 %"
    )


def test_a_kept_column_in_proportion_is_offered_as_the_work() -> None:
    extra = {"ranks": 112 * N, "particles": 2.5e8 * N, "steps": np.full(5, 6866.0)}
    runs = Runs(N, time=FLAT, extra=extra, columns={"n": "nodes"})
    assert runs.readings[0] == ("the work grew with the nodes", "--scaling weak --work particles")


def test_times_in_different_units_are_named_as_a_reading() -> None:
    runs = Runs([1, 8], time=[2.0, 310.0])
    assert runs.kind == "unknown"
    assert (
        "rows differ in their units (times differ 155-fold)",
        "write every row in one unit",
    ) in runs.readings
    assert len(Runs(N, time=FLAT).readings) == 3


def test_a_rate_without_work_has_three_readings() -> None:
    runs = Runs(N, throughput=N)
    assert runs.kind == "unknown"
    assert runs.kind_reason == ("A rate and no work column: three readings fit, and the tool does not guess.")
    assert runs.readings == (
        ("same total work at every count", "--scaling strong"),
        ("work grows with the count", "--scaling weak"),
        ("load on one machine (clients, users)", "--scaling throughput"),
    )


@given(st.permutations(range(12)))
def test_the_order_of_rows_decides_nothing(order: list[int]) -> None:
    n = np.repeat([1.0, 2.0, 4.0, 8.0], 3)
    time = np.array([9, 10, 11, 5, 6, 5.5, 3, 3.1, 3.2, 2.2, 2.3, 2.1])
    runs = Runs(n[order], time=time[order])
    assert (runs.kind, runs.kind_reason) == ("strong", "the time falls clearly with the count")


def test_mixed_problems_are_noticed_but_repeats_are_not() -> None:
    n = np.tile(N, 6)
    size = np.repeat([1.0, 10.0, 100.0], 10)
    noise = np.random.default_rng(5).lognormal(0.0, 0.3, 30)
    mixed = Runs(n, time=size / n, extra={"cells": size})
    assert "split_suggested" in codes(mixed)
    assert "--by cells" in next(note.text for note in mixed.notes if note.code == "split_suggested")
    runs = Runs(n, time=noise / n, extra={"run": np.repeat(np.arange(6.0), 5)})
    assert "split_suggested" not in codes(runs)
