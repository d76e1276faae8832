"""The backtest on real series holds what docs/backtest.md says: measured values are the oracle."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT.parent / "shared" / "data" / "corpus"


def command() -> Any:
    spec = importlib.util.spec_from_file_location("backtest", ROOT / "benchmarks" / "backtest.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.shared
@pytest.mark.skipif(not (CORPUS / "corpus.csv").is_file(), reason=f"there is no {CORPUS}/corpus.csv")
def test_the_left_out_count_lies_inside_as_often_as_stated(monkeypatch: pytest.MonkeyPatch) -> None:
    backtest = command()
    # The reference and curve_fit take a hundred times as long; here the product alone is judged.
    alone = {"regions": backtest.ours, "amdahl": backtest.ours, "usl": backtest.ours}
    for name, procedure in alone.items():
        monkeypatch.setattr(backtest, name, procedure)
    judged = [(s, rows) for s in backtest.load(CORPUS, {"strong"}) if (rows := backtest.judged(s, 1))]
    assert len(judged) == 302
    row = next(line for line in backtest.table(judged) if line.startswith("| scalewall.fit |"))
    inside, _, width, score, answered, right = row.split("|")[2:8]
    assert float(inside.strip(" %")) >= 95.0
    assert float(width) <= 2.0
    assert float(score) <= 1.55
    given, asked = map(int, re.findall(r"\d+", answered)[:2])
    assert given >= 0.4 * asked
    assert int(re.findall(r"\d+", right)[0]) >= 0.95 * given


def test_scores_are_those_of_the_literature() -> None:
    backtest = command()
    # Interval 1 to e, level 95 %: width 1, and 2/0.05 times the distance outside (Gneiting and Raftery 2007).
    forecast = backtest.Forecast(1.0, float(np.e), "yes")
    for truth, score, inside in (
        (np.exp(0.5), 1.0, True),
        (np.exp(1.1), 5.0, False),
        (np.exp(-0.1), 5.0, False),
    ):
        marks = backtest.scored(forecast, float(truth), "no")
        assert marks["score"] == pytest.approx(score)
        assert bool(marks["inside"]) is inside
        assert marks["answer"] == "wrong"


def test_a_group_counts_as_at_most_ten_series() -> None:
    backtest = command()
    series = [
        backtest.Series(str(i), "strong", "time_s", np.ones(1), np.ones(1), "", str(i >= 3))
        for i in range(43)
    ]
    good = {"inside": True, "below": False, "width": 2.0, "score": 1.0, "answer": None}
    rows = [dict.fromkeys(backtest.PROCEDURES, good | {"inside": i >= 3}) for i in range(43)]
    line = list(backtest.table(list(zip(series, rows, strict=True))))[2]
    assert f"| {10 / 13:.1%} |" in line
