"""Do the intervals hold what they promise? A fixed-seed simulation over twenty cells.

A cell is a true curve and a design (counts, repeats, noise); three hundred tables are drawn in each. An
interval that is always wide would cover too: so the widths are held against those of the references.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from reference import fit_reference, forecast_reference
from worlds import DESIGNS, WELL, Design, Truth, table

from scalewall import _core

CELLS = [(WELL[i % 8], DESIGNS[(i * 5 + i // 8 * 3) % 16]) for i in range(20)]
TABLES = 300
COMPARED = 10  # tables of a cell on which the references run: they take a hundred times as long
WORTHWHILE = 1 / 1.1


@dataclass
class Cell:
    """What became of the tables of one cell, as shares."""

    ratio: float = 0.0
    ceiling: float = 0.0
    wrong: float = 0.0
    withheld: float = 0.0
    widths: list[tuple[float, float, float, float]] = field(default_factory=list)


def simulate(truth: Truth, design: Design, seed: int) -> Cell:
    rng = np.random.default_rng(seed)
    largest = design.counts[-1]
    ratio = float(truth.time(np.array(2.0 * largest)) / truth.time(np.array(largest)))
    cell = Cell()
    for i in range(TABLES):
        n, time = table(truth, design, rng)
        found = _core.fitting_analyse(n, time, kind="strong", confirm=True).to_dict()
        curve, ceiling, answer = (
            found["doubling"]["time_ratio"],
            found["ceiling"],
            found["doubling"]["answer"],
        )
        cell.ratio += curve["low"] <= ratio <= curve["high"]
        cell.ceiling += ceiling["low"] <= truth.ceiling * (1 + 1e-12) and truth.ceiling <= ceiling["high"] * (
            1 + 1e-12
        )
        cell.wrong += answer == ("no" if ratio <= WORTHWHILE else "yes")
        cell.withheld += answer not in ("yes", "no")
        if i < COMPARED:
            used = np.ones(n.size, bool)
            used[[run["row"] for run in found["flagged"]]] = False
            forecast = forecast_reference.forecast(list(zip(n[used], time[used], strict=True)))["curve"][0]
            fit = fit_reference.analyse(list(zip(n, time, strict=True)))["ceiling"]
            cell.widths.append(
                (
                    np.log(curve["high"] / curve["low"]),
                    np.log(forecast[2] / forecast[0]),
                    np.log(ceiling["high"] / ceiling["low"]),
                    np.log(fit[1] / fit[0]),
                )
            )
    for share in ("ratio", "ceiling", "wrong", "withheld"):
        setattr(cell, share, getattr(cell, share) / TABLES)
    return cell


@pytest.fixture(scope="module")
def cells() -> list[Cell]:
    found = [simulate(truth, design, 100 + i) for i, (truth, design) in enumerate(CELLS)]
    print(f"\n{len(found)} cells of {TABLES} tables     mean   worst cell")
    for share, label, worst in (
        ("ratio", "2x forecast holds the truth", min),
        ("ceiling", "ceiling holds the truth", min),
        ("wrong", "wrong yes or no", max),
        ("withheld", "neither yes nor no", max),
    ):
        print(f"{label:28s} {mean(found, share):.3f}   {worst(getattr(cell, share) for cell in found):.3f}")
    return found


def mean(cells: list[Cell], share: str) -> float:
    return float(np.mean([getattr(cell, share) for cell in cells]))


def test_intervals_hold_the_truth_as_often_as_they_say(cells: list[Cell]) -> None:
    assert mean(cells, "ratio") >= 0.94
    assert mean(cells, "ceiling") >= 0.94
    assert min(min(cell.ratio, cell.ceiling) for cell in cells) >= 0.85


def test_a_stated_answer_is_right(cells: list[Cell]) -> None:
    assert mean(cells, "wrong") <= 0.005
    assert max(cell.wrong for cell in cells) <= 0.02


def test_an_answer_is_given(cells: list[Cell]) -> None:
    # "Leaning" counts as withheld: only yes and no are answers.
    assert mean(cells, "withheld") <= 0.50


def test_intervals_are_no_wider_than_those_of_the_references(cells: list[Cell]) -> None:
    widths = np.array([width for cell in cells for width in cell.widths])
    ours, theirs = np.median(widths[:, :2], axis=0)
    assert ours <= 1.05 * theirs
    bounded = np.isfinite(widths[:, 3])
    assert bounded.sum() > 60
    ours, theirs = np.median(widths[bounded, 2:], axis=0)
    assert ours <= 1.05 * theirs
