"""Delimited text: every delimiter, header or none, comments, encodings, odd rows; and large tables."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scalewall._errors import ChoiceError, ColumnError, ReadError
from scalewall.readers import read

if TYPE_CHECKING:
    from pathlib import Path

ROWS = st.lists(
    st.tuples(
        st.floats(1, 1e6, allow_subnormal=False),
        st.floats(1e-9, 1e9, allow_subnormal=False),
        st.text(st.characters(categories=("L", "N", "P", "Zs"), exclude_characters="\ufeff"), max_size=8),
    ),
    min_size=1,
    max_size=30,
)


def codahale() -> str:
    return "1,65\n18,996\n36,1652\n72,1853\n108,1829\n144,1775\n216,1702\n"


@given(
    ROWS, st.sampled_from([",", ";", "\t", "|", ":"]), st.sampled_from(["\n", "\r\n", "\r"]), st.booleans()
)
def test_what_is_written_is_read(
    rows: list[tuple[float, float, str]], delimiter: str, end: str, quoted: bool
) -> None:
    text = io.StringIO(newline="")
    writer = csv.writer(
        text,
        delimiter=delimiter,
        lineterminator=end,
        quoting=csv.QUOTE_NONNUMERIC if quoted else csv.QUOTE_MINIMAL,
    )
    writer.writerow(["host", "threads", "wall_s"])
    writer.writerows((f"h{name}", n, time) for n, time, name in rows)
    runs = read(text.getvalue(), delimiter=delimiter)
    assert runs.n.tolist() == [row[0] for row in rows]
    assert runs.time.tolist() == [row[1] for row in rows]
    assert runs.extra["host"].tolist() == [f"h{row[2]}".strip() for row in rows]
    assert runs.line.tolist() == list(range(2, len(rows) + 2))
    assert not runs.rejected


@given(ROWS, st.sampled_from([",", ";", "\t", "|", " ", "   "]))
def test_the_delimiter_is_found(rows: list[tuple[float, float, str]], delimiter: str) -> None:
    lines = [
        delimiter.join(map(str, row)) for row in [("n", "time", "round"), *((n, t, 1) for n, t, _ in rows)]
    ]
    runs = read("\n".join(lines) + "\n")
    assert runs.n.tolist() == [row[0] for row in rows]
    assert runs.time.tolist() == [row[1] for row in rows]
    assert runs.round is not None
    assert set(runs.round.tolist()) == {1}


def test_a_text_without_header_keeps_its_first_row() -> None:
    runs = read(codahale(), throughput="2", kind="throughput")
    assert runs.n.tolist() == [1, 18, 36, 72, 108, 144, 216]
    assert runs.value.tolist() == [65, 996, 1652, 1853, 1829, 1775, 1702]
    assert runs.line.tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert runs.quantity == "rate"
    assert runs.unit == "workers"
    assert read(codahale(), time=2).time.tolist() == runs.value.tolist()
    assert read(codahale(), n=2, time=1).n.tolist() == runs.value.tolist()


def test_a_text_without_header_does_not_say_what_its_columns_are() -> None:
    with pytest.raises(ColumnError) as error:
        read(codahale(), name="example.csv")
    assert str(error.value) == (
        "example.csv: there is no header, and 2 columns of numbers do not say which is a time or a rate. "
        "Say --time 2 or --throughput 2 (column 1 is then the worker count), "
        "or write a header line like n,time"
    )
    with pytest.raises(ColumnError, match="Say --n 1 --time 2 or --n 1 --throughput 2"):
        read("1,2,3\n2,1,3\n")
    with pytest.raises(ColumnError, match="2 of 3 columns could be the worker count"):
        read("1,2,3\n2,1,3\n", time=2)
    with pytest.raises(
        ColumnError, match=r'no column "time"\. Expected a column number from 1 to 2\. Say --time 2'
    ):
        read("1,2\n2,1\n", time="time")
    with pytest.raises(ColumnError, match="one column and no header"):
        read("1\n2\n")


def test_header_can_be_forced() -> None:
    runs = read("1,2\n2,10\n4,5\n", header=True, n=1, time=2)
    assert runs.n.tolist() == [2, 4]
    assert runs.columns["n"] == "1"
    none = read("n,time\n2,10\n4,5\n", header=False, n=1, time=2)
    assert none.n.tolist() == [2, 4]
    assert none.rejected[0].line == 1


def test_comments_and_blank_lines_keep_the_line_numbers() -> None:
    runs = read("# machine: x\n\n% more\nn,time\n1,10\n\n# middle\n// other\n2,0\n4,3\n\n")
    assert runs.line.tolist() == [5, 10]
    assert [row.line for row in runs.rejected] == [9]


def test_a_comment_above_the_rows_can_be_the_header() -> None:
    runs = read("# measured on Monday\n# nodes  wall_ms\n1 2000\n2 1100\n")
    assert runs.unit == "nodes"
    assert runs.time.tolist() == [2.0, 1.1]
    (note,) = [note for note in runs.notes if note.code == "header_from_comment"]
    assert "row 2" in note.text


@pytest.mark.parametrize(
    ("header", "factor"),
    [
        ("time", 1.0),
        ("time_s", 1.0),
        ("seconds", 1.0),
        ("time_ms", 1e-3),
        ("wall_us", 1e-6),
        ("wall_µs", 1e-6),
        ("elapsed_min", 60.0),
        ("duration_ns", 1e-9),
        ("runtime_hours", 3600.0),
        ("time (ms)", 1e-3),
        ("Wall Time [us]", 1e-6),
        ("time/ms", 1e-3),
        ("time in ms", 1e-3),
        ("elapsedMs", 1e-3),
        ("WALL_MS", 1e-3),
        ("milliseconds", 1e-3),
        ("times_ms", 1e-3),
    ],
)
def test_units_of_time_in_the_header(header: str, factor: float) -> None:
    runs = read(f"n,{header}\n1,250\n2,125\n")
    np.testing.assert_allclose(runs.time, np.array([250, 125]) * factor, rtol=1e-15)
    assert runs.value.tolist() == [250, 125]
    assert runs.columns["time"] == header


def test_a_unit_that_is_not_known_is_said() -> None:
    runs = read("n,time [cycles]\n1,250\n2,125\n")
    assert runs.time.tolist() == [250, 125]
    assert '"cycles" is not known' in next(note.text for note in runs.notes if note.code == "unit_unknown")


def test_time_min_is_minutes_alone_and_the_least_beside_others() -> None:
    alone = read("n,time_min\n1,4\n2,2\n")
    assert alone.time.tolist() == [240, 120]
    assert "minutes" in [note.code for note in alone.notes]
    beside = read("n,time_min,time_max\n1,4,5\n2,2,3\n")
    assert beside.time.tolist() == [4, 2]
    assert "minimum" in [note.code for note in beside.notes]


def test_units_in_every_cell_are_used() -> None:
    runs = read("n,time\n1,2000 ms\n4,520ms\n8,3.1e2 msec\n16,\n")
    np.testing.assert_allclose(runs.time, [2.0, 0.52, 0.310], rtol=1e-15)
    assert [row.line for row in runs.rejected] == [5]
    # A unit in the cell says more than one in the header.
    np.testing.assert_allclose(read("n,time_ms\n1,2 s\n2,1 s\n").time, [2.0, 1.0])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ('row 3 is "310 ms"', 'row 2 is "2.0", without a unit'),
        ('row 2 is "2.0 s"', 'row 3 is "310 ms"'),
    ],
)
def test_mixed_units_are_one_clear_error(first: str, second: str) -> None:
    cell = "2.0" if "without" in second else "2.0 s"
    with pytest.raises(ReadError) as error:
        read(f"n,time\n1,{cell}\n8,310 ms\n", name="runs.csv")
    assert str(error.value) == (
        f'runs.csv: column "time" mixes units: {first} and {second}. Expected the same unit in every row, '
        'or none. Write one unit in every row, or in the header alone ("time_ms")'
    )


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("12,4", '"12,4" is not a number. Write 12.4'),
        ("1,234", '"1,234" is not a number. Write 1234 or 1.234'),
        ("1,234,567", '"1,234,567" is not a number. Write 1234567'),
        ("1,234.5", '"1,234.5" is not a number. Write 1234.5'),
        ("1.234,5", '"1.234,5" is not a number. Write 1234.5'),
        ("1.234.567", '"1.234.567" is not a number. Write 1234567'),
        ("1 234.5", '"1 234.5" is not a number. Write 1234.5'),
        ("1'234", '"1\'234" is not a number. Write 1234'),
        ("1_234", '"1_234" is not a number. Write 1234'),
        ("n/a", '"n/a" is not a number'),
        ("-", '"-" is not a number'),
        ("", "empty"),
        ("  ", "empty"),
        ("nan", '"nan" is not a number'),
        ("inf", '"inf" is not a finite number'),
        ("-Infinity", '"-Infinity" is not a finite number'),
        ("1e999", '"1e999" is not a finite number'),
        ("0x10", '"0x10" is not a number'),
        ("٣", '"٣" is not a number'),
        ("0:01:30", '"0:01:30" is not a number. Write 90 (seconds)'),
        ("1-00:00:01.5", '"1-00:00:01.5" is not a number. Write 86401.5 (seconds)'),
        ("1:30.5", '"1:30.5" is not a number. Write seconds'),
        ("310 MB/s", '"310 MB/s" is not a number. Write 310, and what it counts in the header'),
        ("0", "0 is not a time. Times must be above 0"),
        ("-2.5", "-2.5 is not a time. Times must be above 0"),
    ],
)
def test_what_is_no_number_is_left_out_in_words(cell: str, said: str) -> None:
    runs = read(f'n;time\n1;10\n2;"{cell}"\n4;3\n', name="runs.csv")
    assert [(row.line, row.reason) for row in runs.rejected] == [
        (3, f'runs.csv row 3, column "time": {said}')
    ]
    assert runs.n.tolist() == [1, 4]


def test_a_long_cell_is_shortened() -> None:
    (row,) = read(f"n,time\n1,{'a' * 500}\n2,3\n").rejected
    assert len(row.reason) < 100
    assert "aaa..." in row.reason


def test_counts_that_are_no_numbers() -> None:
    runs = read('n,time\n"4 threads",1\n1e17,1\n0.5,1\n2,1\n', name="r.csv")
    assert [row.reason for row in runs.rejected] == [
        'r.csv row 2, column "n": "4 threads" is not a number. Write 4, and what it counts in the header',
        'r.csv row 3, column "n": 1e+17 workers. Counts above 2^53 are not exact',
        'r.csv row 4, column "n": 0.5 workers. Counts start at 1',
    ]


def test_ragged_rows_are_listed_with_both_widths() -> None:
    runs = read("n,time,host\n1,10,a\n2,5\n4,3,b,c\n8,2,d,,\n16,1,5,e\n", name="runs.csv")
    wide = "4 cells where 3 are expected."
    advice = "is too much: put cells that hold the delimiter in quotes, and write decimals with a point"
    assert [row.line for row in runs.rejected] == [3, 4, 6]
    narrow = "Write every cell, or leave it empty between two delimiters"
    assert [row.reason for row in runs.rejected] == [
        f"runs.csv row 3: 2 cells where 3 are expected. {narrow}",
        f'runs.csv row 4: {wide} "c" {advice}',
        f'runs.csv row 6: {wide} "e" {advice}',
    ]
    (row,) = read("n time\n1 2\n2 1 3\n").rejected
    assert row.reason.endswith("in quotes")
    assert runs.line.tolist() == [2, 5]


def test_a_header_that_fits_no_row() -> None:
    with pytest.raises(
        ReadError, match=r"r\.csv: the header has 1 cell and no row has as many \(row 2 has 2\)"
    ):
        read("my benchmark\nn,time\n1,2\n", name="r.csv")


def test_an_unnamed_index_column_is_no_column() -> None:
    runs = read(",threads,throughput\n0,1,10\n1,2,19\n")
    assert runs.n.tolist() == [1, 2]
    assert not runs.extra
    trailing = read("threads,throughput,\n1,10,\n2,19,\n")
    assert not trailing.extra


def test_extra_columns_are_kept_as_numbers_or_text() -> None:
    runs = read("n,time,host,cells,gap,gap\n1,2, a ,5,,x\n2,1,b,,7,\n")
    assert runs.extra["host"].tolist() == ["a", "b"]
    np.testing.assert_array_equal(runs.extra["cells"], [5, np.nan])
    np.testing.assert_array_equal(runs.extra["gap"], [np.nan, 7])
    assert runs.extra["gap (column 6)"].tolist() == ["x", ""]


def test_codes_with_leading_zeros_stay_text() -> None:
    runs = read("n,time,job,size\n1,2,007,0\n2,1,010,0.5\n")
    assert runs.extra["job"].tolist() == ["007", "010"]
    assert runs.extra["size"].tolist() == [0, 0.5]


def test_quotes_hold_delimiters_and_line_breaks() -> None:
    runs = read('n,time,host\n1,2,"a,\nb"\n2,1,"say ""x"""\n4,0,c\n')
    assert runs.extra["host"].tolist() == ["a,\nb", 'say "x"']
    assert runs.line.tolist() == [2, 4]
    assert runs.rejected[0].line == 5


def test_a_quote_that_is_never_closed() -> None:
    with pytest.raises(ReadError, match=r"r\.csv: row 3: a quote is opened and never closed"):
        read('n,time\n1,2\n2,"1\n4,1\n', name="r.csv")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_encodings_with_a_mark(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "runs.csv"
    path.write_text("n,time_µs,host\n1,250,é\n2,125,ü\n", encoding=encoding)
    for source in (path, str(path), path.read_bytes()):
        runs = read(source)
        np.testing.assert_allclose(runs.time, [250e-6, 125e-6])
        assert runs.extra["host"].tolist() == ["é", "ü"]


def test_open_files_are_read_and_named(tmp_path: Path) -> None:
    path = tmp_path / "runs.csv"
    path.write_text("n,time\n1,2\n2,1\n")
    with path.open() as text, path.open("rb") as binary:
        assert read(text).source == "runs.csv"
        assert read(binary).source == "runs.csv"
    assert read(io.StringIO("n,time\n1,2\n2,1\n")).time.tolist() == [2, 1]
    assert read(path, name="mine").source == "mine"


def test_delimiter_argument() -> None:
    assert read("n~time\n1~2\n2~1\n", delimiter="~").time.tolist() == [2, 1]
    assert read("n   time\n1 \t 2\n2 1\n", delimiter="whitespace").time.tolist() == [2, 1]
    with pytest.raises(ChoiceError, match="delimiter - is '::'"):
        read("n::time\n", delimiter="::")


def test_a_semicolon_table_with_decimal_commas_is_not_split_at_the_commas() -> None:
    runs = read("n;time\n1;12,5\n2;6.25\n4;3,1\n")
    assert runs.time.tolist() == [6.25]
    assert [row.reason.split("Write ")[1] for row in runs.rejected] == ["12.5", "3.1"]


def test_a_large_table_is_read_whole() -> None:
    n = np.tile([1, 2, 4, 8], 50_000)
    text = "n,time,host\n" + "\n".join(f"{count},{80 / count},node{count}" for count in n)
    runs = read(text)
    assert len(runs) == n.size
    np.testing.assert_array_equal(runs.n, n)
    np.testing.assert_array_equal(runs.time, 80 / n)
    assert runs.line[-1] == n.size + 1


@pytest.mark.parametrize("sign", ["~", ":", "^", "&", "!", "*"])
def test_unusual_delimiters_are_found(sign: str, tmp_path: Path) -> None:
    path = tmp_path / "runs.txt"
    path.write_text("".join(f"{a}{sign}{b}\n" for a, b in [("threads", "time"), (1, 9.5), (2, 5), (4, 3)]))
    runs = read(path)
    assert runs.n.tolist() == [1, 2, 4]
    assert runs.time.tolist() == [9.5, 5.0, 3.0]
