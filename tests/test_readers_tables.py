"""JSON, JSON Lines, Python objects and data frames: what is written is read, and odd rows are listed."""

from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scalewall._errors import ReadError
from scalewall.readers import read

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

COLUMNS = st.lists(
    st.tuples(
        st.floats(1, 2.0**53, allow_subnormal=False),
        st.floats(1e-30, 1e30, allow_subnormal=False),
        st.integers(0, 1000),
        st.text(
            st.characters(categories=("L", "N", "P"), exclude_characters="\ufeff"), min_size=1, max_size=8
        ),
    ),
    min_size=2,
    max_size=25,
).map(
    lambda rows: dict(
        zip(("ranks", "elapsed", "round", "host"), map(list, zip(*rows, strict=True)), strict=True)
    )
)


def records(columns: dict[str, list[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


SHAPES: dict[str, Callable[[dict[str, list[Any]]], Any]] = {
    "dict": dict,
    "list of dicts": records,
    "list of lists": lambda c: [list(c), *map(list, zip(*c.values(), strict=True))],
    "list of tuples": lambda c: [tuple(c), *zip(*c.values(), strict=True)],
    "dict of arrays": lambda c: {
        name: np.array(column, dtype=object if name == "host" else None) for name, column in c.items()
    },
    "json list of objects": lambda c: json.dumps(records(c), indent=1),
    "json object of lists": lambda c: json.dumps(c, indent=1),
    "json around a list": lambda c: json.dumps(
        {"meta": {"machine": "x"}, "date": "today", "runs": records(c)}, indent=1
    ),
    "json around an object": lambda c: json.dumps({"result": {"runs": c}}, indent=1),
    "json lines": lambda c: "".join(json.dumps(row) + "\n" for row in records(c)),
    "pandas": pd.DataFrame,
    "pandas with an index": lambda c: pd.DataFrame(c).set_index("host", drop=False),
    "polars": pl.DataFrame,
    "polars lazy": pl.LazyFrame,
    "pyarrow": pa.table,
}


@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=30)
@given(columns=COLUMNS)
def test_what_is_written_is_read(shape: str, columns: dict[str, list[Any]]) -> None:
    runs = read(SHAPES[shape](columns))
    assert runs.n.tolist() == columns["ranks"]
    assert runs.time.tolist() == columns["elapsed"]
    assert runs.round is not None
    assert runs.round.tolist() == columns["round"]
    assert runs.extra["host"].tolist() == columns["host"]
    first = 2 if shape in {"list of lists", "list of tuples"} else 1
    assert runs.line.tolist() == list(range(first, len(columns["host"]) + first))
    assert runs.unit == "ranks"
    assert not runs.rejected


def test_files_by_their_ending(tmp_path: Path) -> None:
    rows = [{"n": 1, "time": 2.0}, {"n": 2, "time": 1.0}]
    for name, text in (
        ("a.json", json.dumps(rows)),
        ("a.jsonl", "\n".join(map(json.dumps, rows))),
        ("a.ndjson", "\n".join(map(json.dumps, rows))),
        ("lines.json", "\n".join(map(json.dumps, rows))),
        ("a.txt", "# runs\nn time\n1 2\n2 1\n"),
        ("a.dat", "n\ttime\n1\t2\n2\t1\n"),
        ("a.out", json.dumps(rows)),
    ):
        (tmp_path / name).write_text(text)
        runs = read(tmp_path / name)
        assert runs.time.tolist() == [2, 1], name
        assert runs.source == name


def test_json_rows_with_gaps_and_odd_values() -> None:
    runs = read(
        '[{"n": 1, "time": 4}, {"n": 2}, {"n": "4", "time": "2.5"}, {"n": true, "time": 1},'
        '{"n": 8, "time": [1]},'
        '{"n": 8, "time": null}, 7, {"n": 8, "time": NaN}, {"n": 8, "time": "12,4", "host": "x"}]',
        name="r.json",
    )
    assert runs.n.tolist() == [1, 4]
    assert [(row.line, row.reason) for row in runs.rejected] == [
        (2, 'r.json row 2, column "time": empty'),
        (4, 'r.json row 4, column "n": true is not a number'),
        (5, 'r.json row 5, column "time": a list or an object is not a number'),
        (6, 'r.json row 6, column "time": empty'),
        (7, 'r.json row 7: "7" where an object is expected'),
        (8, 'r.json row 8, column "time": "nan" is not a number'),
        (9, 'r.json row 9, column "time": "12,4" is not a number. Write 12.4'),
    ]


def test_json_lines_with_a_broken_line_keep_the_rest() -> None:
    runs = read('# record\n{"n": 1, "time": 4}\n\n{"n": 2, "ti\n{"n": 4, "time": 1}\n')
    assert runs.line.tolist() == [2, 5]
    (row,) = runs.rejected
    assert row.line == 4
    assert "is no JSON" in row.reason


def test_json_lines_are_taken_one_by_one() -> None:
    runs = read('{"n": 1, "time": 4}\n{"n": 2, "time": 2}, {"n": 4, "time": 1}\n{"n": 8, "time": 1}\n')
    assert runs.line.tolist() == [1, 3]
    assert [row.line for row in runs.rejected] == [2]
    twice = read('{"n": 1, "time": 4}\n{"n": 2, "time": 2, "time": 3}\n')
    assert [row.line for row in twice.rejected] == [2]
    assert 'key "time" stands twice' in twice.rejected[0].reason


def test_json_says_where_it_found_the_rows() -> None:
    runs = read(
        '{"context": {"cpus": 8}, "benchmarks": [{"threads": 1, "time": 4}, {"threads": 2, "time": 2}]}'
    )
    note = next(note for note in runs.notes if note.code == "rows_inside")
    assert note.text == 'Rows are taken from "benchmarks"; beside it stand "context".'


def test_objects_inside_rows_are_columns_of_their_own() -> None:
    runs = read([{"p": {"threads": 1}, "time": 4}, {"p": {"threads": 2}, "time": 2}], n="p.threads")
    assert runs.n.tolist() == [1, 2]
    assert runs.unit == "threads"


def test_one_value_beside_lists_holds_for_every_row() -> None:
    runs = read({"n": [1, 2], "time": [4.0, 2.0], "host": "x"})
    assert runs.extra["host"].tolist() == ["x", "x"]


def test_one_object_is_one_run() -> None:
    runs = read('{"n": 4, "time": 2.5}\n')
    assert (runs.n.tolist(), runs.time.tolist()) == ([4], [2.5])


def test_arrays() -> None:
    plain = read(np.array([[1, 4.0], [2, 2.0]]), time=2)
    assert (plain.n.tolist(), plain.time.tolist()) == ([1, 2], [4, 2])
    table = np.array([(1, 4.0), (2, 2.0)], dtype=[("n", int), ("time_ms", float)])
    assert read(table).time.tolist() == [0.004, 0.002]
    assert read([[1, 4.0], [2, 2.0]], n=1, time=2).line.tolist() == [1, 2]


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_frames_with_gaps_durations_and_other_types(make: Callable[[dict[str, Any]], Any]) -> None:
    gaps = read(
        make({"n": [1, 2, 4], "time": [4.0, None, 1.0], "k": [1, None, 3], "ok": [True, False, True]})
    )
    assert [(row.line, row.reason) for row in gaps.rejected] == [(2, 'row 2, column "time": empty')]
    np.testing.assert_array_equal(gaps.extra["k"], [1, 3])
    assert gaps.extra["ok"].tolist() == [True, True]
    seconds = [dt.timedelta(seconds=1.5), dt.timedelta(milliseconds=750)]
    # A duration carries its unit: the one in the name does not count again.
    assert read(make({"n": [1, 2], "wall_ms": seconds})).time.tolist() == [1.5, 0.75]
    assert read(make({"n": [1, 2], "time": [Decimal("1.5"), Decimal("0.75")]})).time.tolist() == [1.5, 0.75]
    assert read(make({"n": ["1", "2"], "time": ["1.5", "0,75"]})).rejected[0].reason.endswith("Write 0.75")
    day = [dt.date(2024, 5, 1)] * 2
    assert (
        read(make({"n": [1, 2], "time": [2, 1], "day": day}))
        .extra["day"]
        .tolist()[0]
        .startswith("2024-05-01")
    )


def test_pandas_columns_that_are_no_text_and_categories() -> None:
    frame = pd.DataFrame({0: [1, 2], 1: [4.0, 2.0]})
    assert read(frame, n="0", time="1").time.tolist() == [4, 2]
    kinds = pd.DataFrame({"n": [1, 2], "time": [4.0, 2.0], "host": pd.Categorical(["a", "b"])})
    assert read(kinds).extra["host"].tolist() == ["a", "b"]


def test_pandas_round_trip_through_csv() -> None:
    frame = pd.DataFrame({"threads": [1, 2, 4], "time": [4.0, 2.1, 1.2], "host": ["a", "b", "c"]})
    runs = read(frame.to_csv())
    assert runs.n.tolist() == [1, 2, 4]
    assert list(runs.extra) == ["host"]
    assert read(runs.to_dataframe(), n="n", time="time").time.tolist() == runs.time.tolist()


def test_frames_without_rows_or_with_names_twice() -> None:
    with pytest.raises(ReadError, match="has 0 rows and 2 columns"):
        read(pl.DataFrame({"n": [], "time": []}))
    with pytest.raises(ReadError, match="cannot be read"):
        read(pd.DataFrame([[1, 2, 3]], columns=["n", "time", "time"]))


def test_a_named_index_of_pandas_is_a_column() -> None:
    frame = pd.DataFrame({"threads": [1, 1, 2, 4], "time": [10.0, 12.0, 6.0, 4.0]})
    runs = read(frame.groupby("threads").mean())
    assert runs.n.tolist() == [1, 2, 4]
    assert runs.time.tolist() == [11.0, 6.0, 4.0]
    assert runs.unit == "threads"
