"""`scalewall surface`: answers, arrays, figures, and what is said about wrong input."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

import scalewall as sw
from scalewall.cli import run
from scalewall.plotting import surface as figures

if TYPE_CHECKING:
    from pathlib import Path


def test_ask_prints_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(
        ["surface", "--law", "amdahl", "--serial", "0.05", "--n", "1:100:100", "--quantity", "efficiency",
         "--ask", "last", "--at", "0.5", "--json"]
    )  # fmt: skip
    assert code == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["schema"] == "scalewall.surface/1"
    assert facts["answer"]["n"] == [21.0]


def test_contours_and_missing_cells_are_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run(["surface", "--p", "0.5,0.9", "--n", "1:64:x2", "--ask", "contours", "--at", "2,4", "--json"])
        == 0
    )
    two, four = json.loads(capsys.readouterr().out)["answer"]
    assert (two["level"], two["row"], four["row"]) == (2.0, [1], [1])
    assert run(["surface", "--p", "0.5", "--n", "1:64:x2", "--ask", "last", "--at", "4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["answer"]["n"] == [None]


def test_npy_holds_the_surface(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "grid.npy"
    assert (
        run(
            [
                "surface",
                "--law",
                "usl",
                "--sigma",
                "0:0.1:5",
                "--kappa",
                "1e-4",
                "--n",
                "1:64:x2",
                "--npy",
                str(path),
            ]
        )
        == 0
    )
    assert f"wrote {path}" in capsys.readouterr().out
    expected = sw.surface("usl", sigma=np.linspace(0, 0.1, 5), kappa=1e-4, n=2.0 ** np.arange(7))
    np.testing.assert_array_equal(np.load(path), expected)


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--law", "amdahl", "--p", "0:1:1000", "--n", "1:1e6:log1000"],
        ["--law", "usl", "--sigma", "1e-4:0.3:log40", "--kappa", "1e-5", "--n", "1:1024:log50"],
        [
            "--law",
            "ring",
            "--compute",
            "1",
            "--latency",
            "1e-7:1e-3:log30",
            "--transfer",
            "0.01",
            "--n",
            "1:4096:log40",
        ],
    ],
)
def test_a_figure_is_drawn(options: list[str], tmp_path: Path) -> None:
    path = tmp_path / "surface.svg"
    assert run(["surface", *options, "--plot", str(path)]) == 0
    again = tmp_path / "again.svg"
    run(["surface", *options, "--plot", str(again)])
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("law", ["amdahl", "usl"])
def test_a_figure_names_its_lines(law: str) -> None:
    rows = np.geomspace(1e-4, 0.5, 60)
    args = {"serial": rows} if law == "amdahl" else {"sigma": rows, "kappa": np.array([1e-6])}
    axes = figures.build(law, np.geomspace(1, 4096, 70), args).axes[0]
    words = [text.get_text() for text in axes.texts]
    assert "half the workers wasted" in words
    assert ("95 % parallel: never 20 times as fast" in words) == (law == "amdahl")
    assert "16x" in words
    assert axes.get_xscale() == "log"
    assert [tick.get_text() for tick in axes.get_xticklabels()][:2] == ["1", "4"]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--n", "1:2"], '--n is "1:2"'),
        (["--law", "amdal", "--p", "0.5"], "law is 'amdal'"),
        (["--law", "usl", "--sigma", "0.5"], "kappa missing"),
        (["--ask", "count"], "at is missing"),
        (["--p", "0.5", "--n", "4", "--plot", "x.png"], "at least two worker counts"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(
    options: list[str], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["surface", *options]) == 2
    error = capsys.readouterr().err
    assert text in error
    assert error.count("\n") <= 2
