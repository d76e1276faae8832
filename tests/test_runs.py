"""Runs: what is kept, what is left out and in which words, and what the time of a run is."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scalewall._errors import ChoiceError, ColumnError, DomainError, ShapeError
from scalewall.results import Note, Rejected
from scalewall.runs import Runs

NAN = float("nan")
INF = float("inf")


def test_arrays_are_copies_and_read_only() -> None:
    n, time = np.array([1.0, 2.0]), np.array([2.0, 1.0])
    runs = Runs(n, time=time, extra={"host": np.array(["a", "b"])})
    n[0], time[0] = 7.0, 7.0
    assert runs.n.tolist() == [1.0, 2.0]
    assert runs.time.tolist() == [2.0, 1.0]
    for array in (runs.n, runs.time, runs.value, runs.line, runs.extra["host"]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = array[1]
    with pytest.raises(dataclasses.FrozenInstanceError):
        runs.kind = "weak"  # type: ignore[misc]
    with pytest.raises(TypeError):
        runs.extra["new"] = n  # type: ignore[index]


@pytest.mark.parametrize(
    ("time", "reason"),
    [
        (0.0, 'row 2, column "time": 0 is not a time. Times must be above 0'),
        (1e-304, 'row 2, column "time": 1e-304 is not a time. Times must lie between 1e-100 and 1e+100'),
        (-1.0, 'row 2, column "time": -1 is not a time. Times must be above 0'),
        (-0.25, 'row 2, column "time": -0.25 is not a time. Times must be above 0'),
        (NAN, 'row 2, column "time": "nan" is not a number'),
        (INF, 'row 2, column "time": "inf" is not a time'),
        (-INF, 'row 2, column "time": "-inf" is not a time'),
    ],
)
def test_a_time_that_is_none_is_left_out_with_its_line_and_value(time: float, reason: str) -> None:
    runs = Runs([1, 2, 4], time=[10.0, time, 3.0])
    assert runs.rejected == (Rejected(2, reason),)
    assert runs.n.tolist() == [1.0, 4.0]
    assert runs.time.tolist() == [10.0, 3.0]
    assert runs.line.tolist() == [1, 3]


@pytest.mark.parametrize(
    ("n", "reason"),
    [
        (0.5, 'runs.csv row 2, column "gpus": 0.5 GPUs. Counts start at 1'),
        (0.0, 'runs.csv row 2, column "gpus": 0 GPUs. Counts start at 1'),
        (-3.0, 'runs.csv row 2, column "gpus": -3 GPUs. Counts start at 1'),
        (2.0**54, 'runs.csv row 2, column "gpus": 1.80144e+16 GPUs. Counts above 2^53 are not exact'),
        (NAN, 'runs.csv row 2, column "gpus": "nan" is not a number'),
        (INF, 'runs.csv row 2, column "gpus": "inf" is not a number'),
    ],
)
def test_a_count_that_is_none_is_left_out(n: float, reason: str) -> None:
    runs = Runs([1, n, 4], time=[10.0, 5.0, 3.0], source="runs.csv", columns={"n": "gpus"})
    assert [row.reason for row in runs.rejected] == [reason]


def test_the_largest_exact_count_and_fractions_above_one_are_let_in() -> None:
    runs = Runs([1.0, 1.5, 4.5, 2.0**53], time=[4.0, 3.0, 2.0, 1.0])
    assert runs.n.tolist() == [1.0, 1.5, 4.5, 2.0**53]
    assert not runs.rejected


def test_min_n_lets_fractional_load_in_but_never_zero() -> None:
    refused = Runs([0.2, 0.5, 1.0, 2.0], throughput=[1, 2, 3, 4])
    assert [row.line for row in refused.rejected] == [1, 2]
    (note,) = refused.notes
    assert note.code == "counts_below_one"
    assert "2 rows" in note.text
    runs = Runs([0.0, 0.2, 0.5, 1.0], throughput=[1, 2, 3, 4], min_n=0)
    assert runs.n.tolist() == [0.2, 0.5, 1.0]
    assert runs.rejected[0].reason == 'row 1, column "n": 0 workers. Counts must be above 0'
    assert Runs([0.2, 0.5], throughput=[1, 2], min_n=0.5).rejected[0].reason.endswith("Counts start at 0.5")
    with pytest.raises(DomainError, match="min_n"):
        Runs([1], time=[1], min_n=-1)


def test_two_faults_in_one_row_are_one_row_with_both_reasons() -> None:
    runs = Runs([1, 0.5], time=[1.0, 0.0])
    assert len(runs.rejected) == 1
    assert "0.5 workers" in runs.rejected[0].reason
    assert "0 is not a time" in runs.rejected[0].reason


def test_all_rows_left_out_is_a_state_and_no_error() -> None:
    runs = Runs([1, 2], time=[NAN, 0])
    assert len(runs) == 0
    assert runs.kind == "unknown"
    assert [row.line for row in runs.rejected] == [1, 2]
    assert "no usable row" in repr(runs)


@given(
    st.lists(
        st.tuples(
            st.one_of(st.floats(), st.integers(1, 64).map(float)),
            st.one_of(st.floats(), st.floats(1e-3, 1e3)),
        ),
        min_size=1,
        max_size=40,
    )
)
def test_no_row_is_ever_lost(table: list[tuple[float, float]]) -> None:
    n, time = (np.array(column) for column in zip(*table, strict=True))
    runs = Runs(n, time=time)
    lines = sorted([*runs.line.tolist(), *(row.line for row in runs.rejected)])
    assert lines == list(range(1, len(table) + 1))
    good = (n >= 1) & (n <= 2.0**53) & (time >= 1e-100) & (time <= 1e100)
    assert runs.line.tolist() == (np.flatnonzero(good) + 1).tolist()
    assert runs.time.tolist() == time[good].tolist()


def test_time_of_a_rate() -> None:
    n, rate = np.array([1.0, 2.0, 4.0]), np.array([10.0, 18.0, 30.0])
    assert np.array_equal(Runs(n, throughput=rate, kind="strong").time, 1 / rate)
    assert np.array_equal(Runs(n, throughput=rate, kind="throughput").time, 1 / rate)
    assert np.array_equal(Runs(n, throughput=rate).time, 1 / rate)
    assert np.array_equal(Runs(n, throughput=rate, kind="weak").time, n / rate)
    work = np.array([100.0, 200.0, 400.0])
    weak = Runs(n, throughput=rate, work=work)
    assert weak.kind == "weak"
    assert np.array_equal(weak.time, work / rate)
    assert np.array_equal(Runs(n, throughput=rate, work=[7, 7, 7]).time, 7 / rate)
    assert np.array_equal(Runs(n, throughput=rate, work=work, kind="throughput").time, 1 / rate)
    assert np.array_equal(weak.value, rate)
    assert weak.quantity == "rate"


def test_rounds_are_whole_numbers_and_minus_one_where_absent() -> None:
    runs = Runs([1, 1, 2, 2], time=[4, 4, 2, 2], round=[1, NAN, -5, 1.5])
    assert runs.round is not None
    assert runs.round.tolist() == [1, -1, -1]
    assert runs.round.dtype == np.int64
    assert runs.rejected[0].reason == 'row 4, column "round": 1.5 is not a round. Rounds are whole numbers'
    assert runs.to_dict()["round"] == [1, None, None]


def test_serial_seconds_and_one_worker_times_are_carried() -> None:
    runs = Runs([1, 2, 4], time=[4, 3, 2], serial=[1, NAN, 1], one_worker=[4, 8, INF])
    assert runs.serial is not None
    assert runs.one_worker is not None
    assert runs.serial[0] == 1
    assert np.isnan(runs.serial[1])
    assert runs.one_worker.tolist() == [4.0, 8.0]
    assert runs.rejected[0].line == 3
    assert runs.to_dict()["serial"] == [1.0, None]


@pytest.mark.parametrize(
    ("name", "values", "share"),
    [
        ("instrumented_serial_pct", [NAN, 2.0, 50.0], [NAN, 0.02, 0.5]),
        ("serial percent", [1, 2, 3], [0.01, 0.02, 0.03]),
        ("Serial Share", [0.1, 0.2, 0.3], [0.1, 0.2, 0.3]),
        ("serialFraction", [0.1, 0.2, 0.3], [0.1, 0.2, 0.3]),
        ("serial (%)", [10, 20, 30], [0.1, 0.2, 0.3]),
        ("serial_s", [10, 20, 30], None),
        ("parallel_pct", [10, 20, 30], None),
    ],
)
def test_serial_share_of_the_instrumentation(
    name: str, values: list[float], share: list[float] | None
) -> None:
    runs = Runs([1, 2, 4], time=[4, 3, 2], extra={name: values})
    if share is None:
        assert runs.serial_share is None
        return
    assert runs.serial_share is not None
    np.testing.assert_allclose(runs.serial_share, share, rtol=1e-15)
    np.testing.assert_array_equal(runs.extra[name], values)


def test_a_serial_share_outside_its_range_is_said_and_not_used() -> None:
    runs = Runs([1, 2], time=[4, 3], extra={"serial_fraction": [2.0, 3.0]})
    assert runs.serial_share is None
    assert "serial_share_unusable" in [note.code for note in runs.notes]
    two = Runs([1, 2], time=[4, 3], extra={"serial_fraction": [0.2, 0.3], "serial_pct": [20, 30]})
    assert two.serial_share is None
    assert "serial_share_unusable" in [note.code for note in two.notes]


@pytest.mark.parametrize(
    ("column", "unit", "one"),
    [
        ("processors", "processors", "processor"),
        ("Threads", "threads", "thread"),
        ("n", "workers", "worker"),
        ("workers", "workers", "worker"),
        ("processes", "processes", "process"),
        ("procs", "procs", "proc"),
        ("cpus", "CPUs", "CPU"),
        ("gpu", "GPUs", "GPU"),
        ("num_gpus", "GPUs", "GPU"),
        ("nthreads", "threads", "thread"),
        ("numThreads", "threads", "thread"),
        ("pes_per_numa", "PEs", "PE"),
        ("nodes", "nodes", "node"),
        ("whatever", "workers", "worker"),
    ],
)
def test_words_for_what_is_counted(column: str, unit: str, one: str) -> None:
    runs = Runs([1, 2], time=[2, 1], columns={"n": column})
    assert (runs.unit, runs.unit_one) == (unit, one)


def test_the_caller_names_the_unit() -> None:
    assert Runs([1], time=[1], unit="gpus").unit == "GPUs"
    lanes = Runs([1], time=[1], unit="lanes")
    assert (lanes.unit, lanes.unit_one) == ("lanes", "lane")
    boxes = Runs([1], time=[1], unit=("boxes", "box"))
    assert (boxes.unit, boxes.unit_one) == ("boxes", "box")


def test_groups_split_by_a_kept_column_and_decide_again() -> None:
    runs = Runs(
        [1, 2, 4, 1, 2, 4, 4],
        time=[8, 4, 2, 5, 5, 5, NAN],
        extra={"Code": ["a", "a", "a", "b", "b", "b", "b"], "cores": [1.0, 1.0, 1.0, 2.5, 2.5, 2.5, 2.5]},
        columns={"n": "nodes"},
        source="runs.csv",
    )
    groups = runs.groups("code")
    assert list(groups) == ["a", "b"]
    assert [group.kind for group in groups.values()] == ["strong", "unknown"]
    assert groups["a"].line.tolist() == [1, 2, 3]
    assert not groups["a"].rejected
    assert [row.line for row in groups["b"].rejected] == [7]
    assert groups["b"].unit == "nodes"
    assert list(runs.groups("cores")) == ["1", "2.5"]
    with pytest.raises(ColumnError, match=r'runs\.csv: no column "host" to split by.*"Code", "cores"'):
        runs.groups("host")


def test_groups_by_work_bring_back_rows_that_the_whole_table_leaves_out() -> None:
    n = [1, 2, 4, 8] * 5 + [1, 2]
    work = [100] * 20 + [7, 7]
    time = [8.0, 4.0, 2.0, 1.0] * 5 + [1.0, 0.5]
    runs = Runs(n, time=time, work=work)
    assert [row.line for row in runs.rejected] == [21, 22]
    groups = runs.groups("work")
    assert list(groups) == ["100", "7"]
    assert groups["7"].line.tolist() == [21, 22]
    assert not groups["7"].rejected


def test_to_dict_is_plain_python() -> None:
    runs = Runs(
        [1, 2, 4],
        time=[4, 2, NAN],
        extra={"host": np.array(["a", None, "c"], dtype=object), "x": [1.0, NAN, 2.0], "k": [1, 2, 3]},
        notes=[Note("code", "text")],
    )

    def check(value: Any) -> None:
        assert type(value) in {dict, list, str, int, float, bool, type(None)}
        if isinstance(value, float):
            assert np.isfinite(value)
        for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            check(inner)

    found = runs.to_dict()
    check(found)
    assert found["extra"] == {"host": ["a", None], "x": [1.0, None], "k": [1, 2]}
    assert found["rejected"] == [{"line": 3, "reason": 'row 3, column "time": "nan" is not a number'}]
    assert {"code": "code", "text": "text"} in found["notes"]


def test_to_dataframe() -> None:
    runs = Runs([1, 2], time=[4, 2], work=[1, 1], extra={"host": ["a", "b"], "n": [5, 6]})
    frame = runs.to_dataframe()
    assert list(frame.columns) == ["line", "n", "time", "value", "work", "host", "n (column)"]
    assert frame["n"].tolist() == [1.0, 2.0]
    frame.loc[0, "n"] = 9.0
    assert runs.n[0] == 1.0


def test_to_dataframe_without_pandas_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas, or use to_dict"):
        Runs([1], time=[1]).to_dataframe()


def test_copies_and_pickles_hold_everything() -> None:
    runs = Runs(
        [1, 2, 4, 0], time=[4, 2, 1, 1], extra={"host": ["a", "b", "c", "d"]}, keep_rows=[9], unit="gpus"
    )
    for other in (pickle.loads(pickle.dumps(runs)), copy.deepcopy(runs)):
        assert other.to_dict() == runs.to_dict()
        assert list(other.groups("host")) == list(runs.groups("host"))


def test_repr_says_what_was_measured() -> None:
    runs = Runs([1, 1, 64], time=[4, 4, 0.1], source="runs.csv", columns={"n": "gpus"})
    assert repr(runs) == "Runs(3 runs at 2 counts, 1 to 64 GPUs, time, strong, runs.csv)"
    assert repr(Runs([8], time=[4])) == "Runs(1 run at 1 count, 8 workers, time, unknown)"


def test_arguments_that_do_not_fit() -> None:
    with pytest.raises(ShapeError, match="time - has 2 values - expected 3"):
        Runs([1, 2, 4], time=[1, 2])
    with pytest.raises(ShapeError, match="n - has 2 dimensions"):
        Runs([[1, 2]], time=[1, 2])
    with pytest.raises(ShapeError, match=r'extra\["host"\] - has 1 values'):
        Runs([1, 2], time=[1, 2], extra={"host": ["a"]})
    with pytest.raises(ChoiceError, match="both are given"):
        Runs([1, 2], time=[1, 2], throughput=[1, 2])
    with pytest.raises(ChoiceError, match="neither is given"):
        Runs([1, 2])
    with pytest.raises(TypeError, match="time - holds something that is no number"):
        Runs([1, 2], time=["fast", "slow"])
