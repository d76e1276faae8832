"""Sentences of the screen held against the numbers that they speak of."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import scalewall as sw
from scalewall.report.measured import measured
from scalewall.wording import note_text

if TYPE_CHECKING:
    from scalewall.fitting import Law

N = (1, 2, 4, 8, 16)


def notes(fit: sw.Fit) -> str:
    return " ".join(fit.to_dict()["notes"])


def test_scatter_is_that_of_the_runs_that_are_used() -> None:
    rng = np.random.default_rng(7)
    time = 10.0 * np.exp(0.001 * rng.standard_normal(20))
    time[0] *= 1.3
    fit = sw.fit(sw.Runs([64] * 20, time=time))
    assert [run.line for run in fit.flagged] == [1]
    percent = 100 * np.log(time[1:]).std(ddof=1)
    assert f"scatter by {percent:.3f} %" in notes(fit)


def test_repeats_that_agree_are_not_one_run_per_count() -> None:
    fit = sw.fit(sw.Runs(np.repeat(N, 3), time=np.full(15, 5.0), kind="weak"))
    assert "One run per count" not in notes(fit)


def test_rounding_is_no_scatter_and_no_serial_share() -> None:
    exact = sw.fit(sw.Runs(N, time=100.0 * (0.05 + 0.95 / np.array(N)), kind="strong"))
    assert "scatter is judged from the misfit, under 0.00010 %." in notes(exact)
    linear = sw.fit(sw.Runs(np.repeat(N, 3), time=100.0 / np.repeat(N, 3), kind="strong"))
    assert "0.000 at 2, 0.000 at 4, 0.000 at 8 and 0.000 at 16" in notes(linear)


def test_shapes_do_not_fit_where_none_does() -> None:
    fit = sw.fit(sw.Runs(N, time=100.0 / np.array(N) ** 1.2, kind="strong"))
    assert "No shape of curve fits" in notes(fit)
    assert "shapes of curve fit" not in notes(fit)
    assert "The ranges span the four least bad shapes (contention + coherency, tree, power law" in notes(fit)


def test_estimates_that_agree_do_not_depend_on_the_way() -> None:
    runs = sw.Runs(np.repeat(N, 2), time=100.0 / np.repeat(N, 2) ** 0.9, kind="strong")
    agree = note_text("estimators_differ", {"log": 0.0318, "time": 0.0314, "medians": 0.0312}, runs)
    assert agree.startswith(
        "Amdahl's serial share is 0.031–0.032 whichever way it is estimated (from medians"
    )
    differ = note_text("estimators_differ", {"log": 0.145, "time": 0.139, "medians": 0.12}, runs)
    assert differ.startswith("Amdahl's serial share depends on the way it is estimated: 0.120–0.145 (from ")


@pytest.mark.parametrize(
    ("column", "seconds"), [("rate_per_day", 86400.0), ("rate_per_hour", 3600.0), ("throughput", 1.0)]
)
def test_a_rate_reads_as_it_stands_in_the_table(column: str, seconds: float) -> None:
    rate = np.array([1.04, 2.01, 3.88, 7.05, 11.9])
    fit = sw.fit(sw.read({"nodes": list(N), column: rate.tolist()}, throughput=column, kind="strong"))
    shown = measured(fit)
    assert [shown.value(count) for count in fit.counts] == ["1.04", "2.01", "3.88", "7.05", "11.9"]
    assert 1 / fit.counts[0].time == pytest.approx(1.04 / seconds)


def test_a_rate_per_node_reads_as_the_rate_of_all_nodes() -> None:
    fit = sw.fit(sw.read({"nodes": list(N), "fom_per_node": [10.0, 9.0, 8.0, 7.0, 6.0]}, kind="strong"))
    assert [measured(fit).value(count) for count in fit.counts] == ["10.0", "18.0", "32.0", "56.0", "96.0"]


def test_times_of_the_reading_are_named_as_what_they_are() -> None:
    one = sw.Runs(N, time=[2452.4, 1300.0, 700.0, 400.0, 250.0])
    assert "but the time falls from 2450 s on 1 to 250 s on 16 workers" in one.notes[0].text
    several = sw.Runs(np.repeat(N, 3), time=[96, 96, 130, 50, 51, 52, 30, 30, 31, 22, 23, 25, 20, 20, 21])
    assert "but the median time falls from 96.0 s on 1 to 20.0 s on 16 workers" in several.notes[0].text


def test_a_constant_time_takes_as_long() -> None:
    assert "16 workers take as long as 1." in sw.Runs(N, time=[5.0] * 5).kind_reason
    assert "16 workers take 1.25 times as long as 1." in sw.Runs(N, time=[4.0, 4, 4, 4, 5.0]).kind_reason


def test_one_worker_is_one() -> None:
    fit = sw.fit(sw.Runs(N, time=10.0 * np.array(N), kind="strong"), confirm=True)
    assert any(line.endswith(" 1 worker") for line in fit.summary().splitlines() if "peak" in line)
    assert " 1 workers" not in fit.summary()


def test_work_is_offered_for_rates_too() -> None:
    rows = {"nodes": list(N), "rate": [10.0, 19.0, 37.0, 70.0, 130.0], "cells": [5000.0 * n for n in N]}
    assert ("work grows with the count", "--scaling weak --work cells") in sw.read(rows).readings


@pytest.mark.parametrize("law", ["amdahl", "usl", "usl_log", "power", "saturation"])
@pytest.mark.parametrize("count", [2, 3])
def test_few_points_give_a_screen_and_a_page_with_any_law(law: Law, count: int) -> None:
    n = np.array([1.0, 1e6, 2e6])[:count]
    fit = sw.fit(sw.Runs(n, time=[100.0, 1.0, 0.9][:count], kind="strong"), law=law)
    assert fit.refusal is None
    lines = fit.summary().splitlines()
    assert max(map(len, lines)) <= 80
    assert "nan" not in " ".join(lines).lower().split()
    assert fit._repr_html_()
    assert fit.to_dict()["doubling"]["answer"] not in {"yes", "no"}


@pytest.mark.parametrize(
    ("n", "values", "kind", "law"),
    [
        ([1, 1, 24, 24], {"throughput": [5.0, 5.0, 1.5, 1.5]}, "weak", "usl"),
        ([8, 8, 100_000, 100_000], {"time": [8.0, 4.0, 12.0, 122.0]}, "weak", "usl_log"),
        ([3, 3, 3, 4, 4, 4], {"throughput": [9.0, 7.0, 6.0, 11.0, 15.0, 9.0]}, "weak", "amdahl"),
        ([3, 100], {"throughput": [9.0, 70.0]}, "throughput", "usl"),
        ([1, 100, 1_000_000_000], {"throughput": [9.0, 700.0, 7e10]}, "throughput", "amdahl"),
    ],
)
def test_ranges_without_an_end_break_nothing(
    n: list[float], values: dict[str, Any], kind: str, law: Law
) -> None:
    fit = sw.fit(sw.Runs(n, kind=kind, **values), law=law)
    assert json.dumps(fit.to_dict(), allow_nan=False)
    assert max(map(len, fit.summary().splitlines())) <= 80
    assert fit._repr_html_()


def test_a_run_far_from_repeats_that_agree_is_plain_json() -> None:
    time = [100.0, 100, 100, 100, 250, 50, 50, 50, 26, 26, 26, 14, 14, 14]
    fit = sw.fit(sw.Runs([1] * 5 + [2] * 3 + [4] * 3 + [8] * 3, time=time, kind="strong"))
    assert json.dumps(fit.to_dict(), allow_nan=False)


def test_a_page_without_an_end_of_the_ranges_has_no_slider() -> None:
    n, rates = [1, 1, 32, 32, 32, 48, 48], [0.048, 0.033, 0.049, 0.03, 0.052, 0.044, 0.048]
    runs = sw.Runs(n, throughput=rates, kind="throughput")
    fit = sw.fit(runs, interval="wald", bounds=False, cap=4, at=[2, 1e12], level=0.999999)
    assert fit._repr_html_()
