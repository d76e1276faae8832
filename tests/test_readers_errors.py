"""Sources that are no table of runs: one clear error each, with file, expectation and what to do."""

from __future__ import annotations

import gzip
import io
import re
from typing import TYPE_CHECKING

import numpy as np
import pytest

from scalewall._errors import ReadError
from scalewall.readers import read

if TYPE_CHECKING:
    from pathlib import Path

EXPECTED = "Expected a table of runs: CSV, TSV, JSON or JSON Lines"


def message(source: object, **options: object) -> str:
    with pytest.raises(ReadError) as error:
        read(source, **options)  # type: ignore[arg-type]
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize("content", ["", "  \n\n \t\n"])
def test_empty(tmp_path: Path, content: str) -> None:
    path = tmp_path / "runs.csv"
    path.write_text(content)
    assert message(path) == f"runs.csv: is empty. {EXPECTED}. Check that the program wrote its results"
    assert message(io.StringIO(content)).startswith("stream: is empty.")


def test_only_comments_or_only_a_header() -> None:
    assert "r.csv: holds only comments" in message("# n,time\n# 1,2\n", name="r.csv")
    assert "r.csv: has a header and no rows" in message("n,time\n", name="r.csv")


def test_a_file_that_does_not_exist(tmp_path: Path) -> None:
    (tmp_path / "runs.csv").write_text("n,time\n")
    said = message(tmp_path / "run.csv")
    assert f"{tmp_path / 'run.csv'} does not exist." in said
    assert '"runs.csv" is there' in said
    assert "There is no directory" in message(tmp_path / "nowhere" / "x.csv")


def test_a_directory(tmp_path: Path) -> None:
    assert message(tmp_path) == f"{tmp_path} is a directory. {EXPECTED}. Name a file in it"


def test_a_name_that_no_file_can_have() -> None:
    assert "Check the path" in message("n,time;" * 100)
    assert "cannot be read" in message("a\0b")


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"PK\x03\x04rest", "an Excel workbook (xlsx) or another zip archive"),
        (b"PAR1rest", "a Parquet file"),
        (b"ARROW1rest", "an Arrow (Feather) file"),
        (gzip.compress(b"n,time\n1,2\n"), "a gzip archive"),
        (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
        (b"\x93NUMPY\x01", "a NumPy file"),
        (b"%PDF-1.7", "a PDF document"),
        (b"\x7fELF\x02", "a program"),
    ],
)
def test_files_of_other_kinds_are_named(tmp_path: Path, content: bytes, what: str) -> None:
    path = tmp_path / "runs.csv"
    path.write_bytes(content)
    assert message(path).startswith(f"runs.csv: this is {what}, no text. {EXPECTED}. To use it, ")


def test_binary_and_text_in_another_encoding() -> None:
    assert "holds NUL bytes" in message(b"n,time\n1,2\n\0\0\n")
    assert "row 3" in message(b"n,time\n1,2\n\0\0\n")
    assert "binary file" in message(b"\xfe\x00\xfd\x01\x80")
    assert message("n,time_µs\n1,2\n".encode("latin-1")) == (
        f"bytes: row 1: byte 0xb5 is no UTF-8 text. {EXPECTED}, in UTF-8. Save the file as UTF-8"
    )


def test_a_huge_line() -> None:
    said = message("n,time\n1," + "9" * 2_000_000 + "\n", name="r.csv")
    assert said.startswith("r.csv: row 2 has 2000002 signs. Expected one run a row")


def test_text_in_every_row_of_a_column() -> None:
    assert message("n,time\n1,fast\n2,slow\n", name="r.csv") == (
        'r.csv: column "time" holds no number in any of 2 rows (row 2: "fast" is not a number). '
        "Expected the time in every row. Write numbers, or say --time COLUMN"
    )
    assert "Expected the worker count in every row" in message("n,time\na,1\nb,2\n")
    assert "--work COLUMN" in message("n,time,w\n1,2,a\n2,1,b\n", work="w")
    assert "(row 2: empty)" in message("n,time\n1,\n2,\n")


def test_a_work_column_of_text_that_nobody_asked_for_is_kept() -> None:
    runs = read("n,time,work\n1,2,dgemm\n2,1,dgemm\n")
    assert runs.work is None
    assert runs.extra["work"].tolist() == ["dgemm", "dgemm"]
    assert "work_not_numbers" in [note.code for note in runs.notes]


def test_sources_of_no_known_type() -> None:
    for source in (5, None, object(), 3.5):
        assert re.match(r"source - is of type \w+ - expected a path", message(source))

    class Odd:
        def read(self) -> int:
            return 5

    assert "read() gave int" in message(Odd())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"n": [1, 2], "time": [2, 1}', "row 1, sign 28: this is no JSON"),
        ("[]", "holds an empty list"),
        ("{}", "holds an empty object"),
        ("[1, 2, 3]", "row 1 is '1'"),
        ('"text"', "r.json"),
        ("5", "holds one int"),
        ('{"n": [1, 2], "time": [2]}', 'columns differ in length: "n" has 2, "time" has 1'),
        ('{"a": [{"n": 1}], "b": [{"n": 2}]}', 'holds several tables: "a", "b"'),
        ('[{"n": 1, "time": 2, "time": 3}]', 'key "time" stands twice'),
        ("[" * 100_000, "nested too deep"),
        ('{"n": [], "time": []}', "without rows"),
    ],
)
def test_json_that_is_no_table(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "r.json"
    path.write_text(text)
    found = message(path)
    assert found.startswith("r.json: ")
    assert said in found


def test_json_lines_without_a_single_good_one(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text("{bad\nworse}\n")
    assert message(path).startswith('r.jsonl row 1: "{bad" is no JSON (')


def test_arrays_of_other_shapes() -> None:
    assert "array of shape (3,)" in message(np.ones(3))
    assert "array of shape (0, 2)" in message(np.ones((0, 2)))
    assert "2 dimensions" in message({"n": np.ones((2, 2)), "time": [1, 2]})
