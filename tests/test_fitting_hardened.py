"""What no fit may say, whatever the table: a NaN, an interval beside its value, the unit of time."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import scalewall as sw

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scalewall.fitting import Law

LAWS: tuple[Law | None, ...] = (None, "amdahl", "usl", "usl_log", "power", "saturation", "usl_log_schwartz")

# The same tables on every machine.
steady = settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)

COUNTS = st.one_of(
    st.integers(1, 7).map(lambda k: [2.0**i for i in range(k)]),
    st.lists(st.integers(1, 200).map(float), min_size=1, max_size=6, unique=True),
    st.lists(st.floats(0.2, 20).map(lambda x: round(x, 3)), min_size=1, max_size=6, unique=True),
)


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[float], list[float]]:
    """Times between superlinear and far worse than one worker, in any unit, with repeats or without."""
    counts = np.array(sorted(draw(COUNTS)))
    slope, kappa = draw(st.floats(-1.3, 1.8)), draw(st.sampled_from([0.0, 0.01, 0.3]))
    times = (counts**slope + kappa * np.maximum(counts - 1, 0)) * draw(st.sampled_from([1e-6, 1.0, 3600.0]))
    runs = np.repeat(counts, draw(st.sampled_from([1, 2, 3])))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    scatter = draw(st.sampled_from([0.0, 0.02, 0.3])) * rng.standard_normal(runs.size)
    return runs.tolist(), (np.interp(runs, counts, times) * np.exp(scatter)).tolist()


OPTIONS = st.fixed_dictionaries(
    {
        "law": st.sampled_from(LAWS),
        "residuals": st.sampled_from(["log", "time", "throughput"]),
        "interval": st.sampled_from(["region", "wald"]),
        "bounds": st.booleans(),
        "level": st.sampled_from([0.81, 0.95, 0.999999]),
        "confirm": st.booleans(),
    }
)
KINDS = st.sampled_from(["strong", "strong", "weak", "throughput"])


def fit(n: Iterable[float], time: Iterable[float], kind: Any = "strong", **asked: Any) -> sw.Fit:
    quantity = {"throughput": [1 / t for t in time]} if kind == "throughput" else {"time": list(time)}
    columns: dict[str, Any] = {"n": list(n), **quantity}
    return sw.fit(sw.Runs(**columns, kind=kind, min_n=0), **asked)


def leaves(found: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every value of a nested record with the names that lead to it."""
    if isinstance(found, dict):
        for name, value in found.items():
            yield from leaves(value, f"{path}.{name}")
    elif isinstance(found, list | tuple):
        for i, value in enumerate(found):
            yield from leaves(value, f"{path}[{i}]")
    else:
        yield path, found


def records(found: Any) -> Iterator[dict[str, Any]]:
    """Every record of a nested record that has two ends."""
    if isinstance(found, dict):
        if "low" in found and "high" in found:
            yield found
        for value in found.values():
            yield from records(value)
    elif isinstance(found, list):
        for value in found:
            yield from records(value)


def in_order(*values: float | None) -> bool:
    known = [value for value in values if value is not None]
    return all(one <= other for one, other in itertools.pairwise(known))


@steady
@given(tables(), KINDS, OPTIONS)
def test_every_number_is_one_and_lies_within_its_interval(table: Any, kind: str, asked: Any) -> None:
    counts, times = table
    found = fit(counts, times, kind, **asked)
    core = found._analysis.to_dict()
    for path, value in (*leaves(core), *leaves(found.to_dict())):
        assert not (isinstance(value, float) and math.isnan(value)), path
    for record in records({key: value for key, value in core.items() if key != "notes"}):
        middle = record.get("value", record.get("mid"))
        assert in_order(record["low"], middle, record["high"]), record
    for law in core["laws"]:
        for name, value in law["params"].items():
            if name in law["intervals"]:
                interval = law["intervals"][name]
                assert interval["low"] <= value <= interval["high"], (law["law"], name)
    inner, outer = core["doubling"]["inner"], core["doubling"]["time_ratio"]
    assert inner is None or outer["low"] <= inner["low"] <= inner["high"] <= outer["high"]
    for entry in core["forecast"]:
        assert all(entry[name]["low"] >= 0 for name in ("time", "speedup", "efficiency"))
    assert core["ceiling"] is None or core["ceiling"]["low"] >= 1
    if core["forecast"]:
        top = max(counts)
        ahead = found.predict([top, 2 * top, 100 * top])
        for columns in (ahead.time, ahead.speedup, ahead.efficiency):
            assert (columns >= 0).all()
            assert (columns[:, 1] <= columns[:, 0]).all()
            assert (columns[:, 0] <= columns[:, 2]).all()
    if not asked["bounds"] and asked["level"] > 0.99:
        # At such a level regions without bounds are so large that curves with two knees lie between slices.
        return
    knees = [knee for knee in map(found.knee, (0.9, 0.75, 0.5, 0.25)) if knee is not None]
    for lower, higher in itertools.pairwise(knees):
        assert lower.low <= higher.low * (1 + 1e-6)
        assert lower.high <= higher.high * (1 + 1e-6)


@steady
@given(tables(), KINDS, OPTIONS, st.sampled_from([0.25, 1 / 3, 1e9, 1e14]))
def test_the_unit_of_time_is_in_the_times_alone(table: Any, kind: str, asked: Any, unit: float) -> None:
    # Without bounds the best curve may lie in a flat valley, where rounding moves it along.
    counts, times = table
    asked = asked | {"bounds": True}
    one, other = (
        dict(leaves(fit(counts, [t * u for t in times], kind, **asked)._analysis.to_dict()))
        for u in (1.0, unit)
    )
    assert one.keys() == other.keys()
    for path, value in one.items():
        scale = unit_of(path, asked["residuals"], unit)
        if scale is None or not isinstance(value, float):
            assert scale is None or value == other[path], path
        else:
            # What further runs would leave is a quotient of two searches that end within their tolerance.
            close = 1e-2 if path.endswith("shrinks_to") else 1e-4
            assert other[path] / scale == pytest.approx(value, rel=close, abs=1e-9), path


def unit_of(path: str, residuals: str, unit: float) -> float | None:
    """How the value at a path changes with the unit of time; None where rounding is all there is of it."""
    name = path.rsplit(".", 1)[-1]
    if name in {"sse", "deviation", "f", "p", "misfit", "scatter", "noise"}:
        return None
    rate = name == "rate_one" or ".rate_one" in path
    if rate and residuals == "throughput":
        return 1 / unit
    if path.startswith(".notes") and name != "time_one":
        return 1.0
    timed = name in {"time", "time_one", "time_base"} or ".time_one" in path or ".time." in path
    return unit if timed else 1.0


@pytest.mark.parametrize("law", ["usl", "usl_log", "amdahl"])
def test_one_count_has_no_share_that_did_not_shrink(law: Law) -> None:
    assert fit([3.6], [87.0], law=law).counts[0].karp_flatt is None


def test_the_estimate_lies_in_its_region_where_loads_below_one_part_it() -> None:
    found = fit(
        [0.2965, 5.3249, 6.2938, 11.645, 18.884],
        [120.33, 18217.3, 24872.4, 73096.4, 168270.4],
        law="usl_log",
    )
    # By brute force: sigma = 0 and kappa = 1.914311 are the least squares, and every sigma is allowed.
    assert found.params["sigma"] == 0
    assert found.params["kappa"] == pytest.approx(1.914311, rel=1e-6)
    assert found.conf_int()["sigma"] == sw.Interval(0, 1)
    ratio = found.doubling.time_ratio
    assert found.doubling.mid is not None
    assert ratio.low <= found.doubling.mid <= ratio.high


def test_without_bounds_a_parameter_without_an_interval_may_be_anything() -> None:
    found = fit([1, 2, 4], [10, 3.77, 3.63], law="usl", residuals="throughput", bounds=False)
    # Three points and three numbers: the curve goes through them.
    assert found.params["sigma"] == pytest.approx(-0.6426667, rel=1e-6)
    assert found.conf_int()["sigma"] == sw.Interval(-math.inf, math.inf)
    assert found.serial_fraction is not None
    assert found.serial_fraction.low == -math.inf
    assert "no_degrees_of_freedom" in {note.code for note in found.notes}
    assert found.summary()
    assert found.verdict().sentence
    assert found._repr_html_()


def test_a_curve_that_falls_to_zero_is_fitted_within_the_bounds_and_says_so() -> None:
    counts = 2.0 ** np.arange(12)
    found = fit(counts, counts**1.085, law="usl_log", residuals="time", bounds=False)
    bounded = fit(counts, counts**1.085, law="usl_log", residuals="time")
    assert found.params == bounded.params
    [note] = [note for note in found.notes if note.code == "runs_off"]
    assert "fitted within the bounds" in note.text
    assert "runs_off" not in {note.code for note in bounded.notes}


@pytest.mark.parametrize("unit", [1.0, 1e9, 1e14, 1 / 3])
def test_laws_that_fit_alike_go_by_their_order(unit: float) -> None:
    times = [unit * t for t in (2, 0.5, 2, 0.5, 2)]
    found = fit([1, 2, 4, 8, 16], times, residuals="throughput")
    assert found.law == "usl"
    assert found.ceiling is not None
    assert found.ceiling.low == pytest.approx(2.3400289, rel=1e-6)


@pytest.mark.parametrize("unit", [0.25, 1 / 3, 1e9])
def test_repeats_without_scatter_on_an_exact_law_do_not_hang_on_rounding(unit: float) -> None:
    counts = np.repeat([1.0, 2, 3, 18], 3)
    one, other = fit(counts, 1 / counts), fit(counts, unit / counts)
    assert other.doubling.time_ratio.high == pytest.approx(one.doubling.time_ratio.high, rel=1e-9)


@pytest.mark.parametrize("counts", [[1, 1e5, 1e10, 1e15], [1, 2, 3, 4, 4e5], [1, 1e4, 1e8, 1e9]])
@pytest.mark.parametrize("slope", [-1.0, -0.4, 0.3, 1.0])
def test_a_forecast_and_the_doubling_agree_over_large_jumps(counts: list[float], slope: float) -> None:
    found = fit(counts, np.array(counts) ** slope, level=0.999999, confirm=True)
    ratio, last = found.doubling.time_ratio, found.counts[-1]
    ahead = found.predict(2 * last.n).time[0] / last.time
    assert ahead.tolist() == pytest.approx([found.doubling.mid, ratio.low, ratio.high], rel=1e-9)
