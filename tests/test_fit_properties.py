"""What holds of every fit, whatever the table: generated runs, all laws, residuals and intervals."""

from __future__ import annotations

import copy
import json
import math
import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import scalewall as sw

if TYPE_CHECKING:
    from collections.abc import Callable

    from scalewall.fitting import Law, Residuals

LAWS: tuple[Law | None, ...] = (
    None,
    "amdahl",
    "usl",
    "usl_log",
    "power",
    "saturation",
    "usl_log_schwartz",
)
RESIDUALS: tuple[Residuals, ...] = ("log", "time", "throughput")

# Many cheap tables, the same ones on every machine; a fit takes a millisecond, its page ten.
steady = settings(
    max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.filter_too_much]
)

COUNTS = st.one_of(
    st.sampled_from([2, 3, 4, 5, 6, 8]).map(lambda k: [2.0**i for i in range(k)]),
    st.sampled_from([2, 3, 4, 6]).map(lambda k: [32.0 * 2**i for i in range(k)]),
    st.lists(st.integers(1, 300).map(float), min_size=2, max_size=8, unique=True).map(sorted),
    st.lists(st.floats(0.1, 20), min_size=3, max_size=6, unique_by=lambda x: round(x, 2)).map(sorted),
)


# Times in each regime; a and b lie between 0 and 1.
SHAPES: dict[str, Callable[[Any, float, float], Any]] = {
    "linear": lambda n, a, b: 1 / n,
    "constant": lambda n, a, b: np.ones_like(n),
    "rising": lambda n, a, b: n ** (0.1 + a),
    "amdahl": lambda n, a, b: a + (1 - a) / n,
    "retrograde": lambda n, a, b: a + (1 - a) / n + b * np.maximum(n - 1, 0) / 50,
    "tree": lambda n, a, b: (1 - a) / n + a + b * np.log2(np.maximum(n, 1)) / 10,
    "superlinear": lambda n, a, b: n ** -(1.05 + a),
    "flat end": lambda n, a, b: 1 / np.minimum(n, np.median(n)),
    "up and down": lambda n, a, b: np.where(np.arange(n.size) % 2, 0.5 + a, 2.0),
}


@st.composite
def tables(draw: st.DrawFn, least: int = 2, calmest: float = 0.0) -> dict[str, list[float]]:
    counts = np.array(draw(COUNTS))
    assume(counts.size >= least)
    times = SHAPES[draw(st.sampled_from(sorted(SHAPES)))](
        counts, draw(st.floats(0, 0.9)), draw(st.floats(0, 1))
    )
    times = times * draw(st.sampled_from([1.0, 1e-9, 3600.0, 1e9]))
    repeats = draw(st.one_of(st.just(1), st.just(3), st.just(0)))
    scatter = draw(st.sampled_from([s for s in (0.0, 1e-6, 0.01, 0.05, 0.3) if s >= calmest]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows: dict[str, list[float]] = {"n": [], "time": [], "round": []}
    for n, time in zip(counts.tolist(), times.tolist(), strict=True):
        for number in range(repeats or int(rng.integers(1, 6))):
            rows["n"].append(n)
            rows["time"].append(time * math.exp(scatter * float(rng.standard_normal())))
            rows["round"].append(number)
    if not draw(st.booleans()):
        del rows["round"]
    return rows


def read(rows: dict[str, list[float]], kind: str | None = "strong") -> sw.Runs:
    columns: dict[str, Any] = dict(rows)
    if kind == "throughput":
        columns["throughput"] = [1 / time for time in columns.pop("time")]
    return sw.Runs(**columns, kind=kind, min_n=0)


kinds = st.sampled_from(["strong", "strong", "weak", "throughput", None])
options = st.fixed_dictionaries(
    {
        "law": st.sampled_from(LAWS),
        "residuals": st.sampled_from(RESIDUALS),
        "interval": st.sampled_from(["region", "wald"]),
        "level": st.sampled_from([0.8, 0.95, 0.99]),
        "confirm": st.booleans(),
    }
)


def numbers(found: Any) -> Any:
    if isinstance(found, dict):
        for value in found.values():
            yield from numbers(value)
    elif isinstance(found, (list, tuple)):
        for value in found:
            yield from numbers(value)
    elif isinstance(found, float):
        yield found


@steady
@given(tables(), kinds, options)
def test_a_fit_always_answers_without_nan(rows: dict[str, list[float]], kind: Any, asked: Any) -> None:
    fit = sw.fit(read(rows, kind), **asked)
    plain = fit.to_dict()
    json.dumps(plain, allow_nan=False)
    assert not any(math.isnan(x) for x in numbers([fit.ceiling, fit.peak_n, fit.doublings(), fit.conf_int()]))
    for text in (fit.summary(), str(fit.verdict()), repr(fit), fit._repr_html_()):
        assert " nan" not in text.lower()


@steady
@given(tables(), kinds, options)
def test_intervals_are_in_order(rows: dict[str, list[float]], kind: Any, asked: Any) -> None:
    fit = sw.fit(read(rows, kind), **asked)
    for interval in (fit.ceiling, fit.peak_n, fit.knee(0.75), fit.knee(0.5)):
        assert interval is None or interval.low <= interval.high
    assert fit.ceiling is None or fit.ceiling.low >= 1 - 1e-9
    fraction = fit.serial_fraction
    assert fraction is None or 0 <= fraction.low <= fraction.high <= 1
    ratio = fit.doubling.time_ratio
    assert ratio.low <= ratio.high or math.isnan(ratio.low)
    for point in fit.forecasts:
        for estimate in (point.time, point.speedup, point.efficiency):
            assert 0 <= estimate.low <= estimate.high


@steady
@given(tables(least=4), options)
def test_what_a_fit_says_twice_agrees(rows: dict[str, list[float]], asked: Any) -> None:
    fit = sw.fit(read(rows), **(asked | {"law": None}))
    if not fit.forecasts:
        return
    largest = fit.counts[-1]
    there = fit.predict(2 * largest.n)
    ratio = fit.doubling.time_ratio
    assert there.time[0, 1:].tolist() == pytest.approx([ratio.low * largest.time, ratio.high * largest.time])
    [measured] = fit.forecast(2 * largest.n)
    stated = fit.to_dict()["forecast"][0]
    for name in ("time", "speedup", "efficiency"):
        estimate = getattr(measured, name)
        assert [stated[name]["low"], stated[name]["high"]] == pytest.approx([estimate.low, estimate.high])
        column = getattr(there, name)[0]
        # A value that somebody will measure strays further than the curve.
        assert estimate.low <= column[1] * (1 + 1e-9)
        assert column[2] <= estimate.high * (1 + 1e-9)
    lower, higher = fit.knee(0.75), fit.knee(0.5)
    if lower is not None and higher is not None:
        assert lower.low <= higher.low * (1 + 1e-9)
        assert lower.high <= higher.high * (1 + 1e-9)


@steady
@given(tables(least=4, calmest=0.01), st.sampled_from(RESIDUALS), st.floats(1e-6, 1e6))
def test_the_unit_of_time_changes_nothing_else(
    rows: dict[str, list[float]], residuals: Residuals, unit: float
) -> None:
    scaled = rows | {"time": [time * unit for time in rows["time"]]}
    one, other = (sw.fit(read(table), residuals=residuals).to_dict() for table in (rows, scaled))
    assert one["doubling"]["answer"] == other["doubling"]["answer"]
    assert [law["kept"] for law in one["laws"]] == [law["kept"] for law in other["laws"]]
    # Where two laws fit alike, rounding names the best, and the ceiling is told against its one-worker time.
    for key in ("ceiling", "doubling") if one["law"] == other["law"] else ("doubling",):
        before, after = list(numbers(one[key])), list(numbers(other[key]))
        assert after == pytest.approx(before, rel=2e-3)


@steady
@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(rows: dict[str, list[float]], random: Any) -> None:
    if "round" not in rows:
        # Without rounds the first run of a count is looked at by itself: only whole counts may move.
        order = list(dict.fromkeys(rows["n"]))
        random.shuffle(order)
        places = [i for n in order for i, at in enumerate(rows["n"]) if at == n]
    else:
        places = list(range(len(rows["n"])))
        random.shuffle(places)
    moved = {name: [column[i] for i in places] for name, column in rows.items()}
    one, other = (sw.fit(read(table)).to_dict() for table in (rows, moved))
    assert one["doubling"]["answer"] == other["doubling"]["answer"]
    assert list(numbers(other["ceiling"])) == pytest.approx(list(numbers(one["ceiling"])), rel=1e-6)
    assert list(numbers(other["doubling"])) == pytest.approx(list(numbers(one["doubling"])), rel=1e-6)


@steady
@given(tables(least=4), st.sampled_from(LAWS))
def test_a_higher_level_is_never_narrower(rows: dict[str, list[float]], law: Law | None) -> None:
    narrow, wide = (sw.fit(read(rows), law=law, level=level) for level in (0.8, 0.95))
    inner, outer = narrow.doubling.time_ratio, wide.doubling.time_ratio
    if not math.isnan(inner.low):
        assert outer.low <= inner.low * (1 + 1e-9)
        assert inner.high <= outer.high * (1 + 1e-9)
    for name, interval in narrow.conf_int().items():
        if law is not None:
            within = wide.conf_int()[name]
            assert within.low <= interval.low + 1e-9 * abs(interval.low)
            assert interval.high <= within.high + 1e-9 * abs(within.high)


@steady
@given(tables(), options)
def test_a_fit_survives_pickle_and_copy(rows: dict[str, list[float]], asked: Any) -> None:
    fit = sw.fit(read(rows), **asked)
    plain = fit.to_dict()
    for twin in (pickle.loads(pickle.dumps(fit)), copy.copy(fit), copy.deepcopy(fit)):
        assert twin.to_dict() == plain


def test_two_counts_and_a_law_are_told_and_drawn_with_an_open_end() -> None:
    fit = sw.fit(sw.Runs(n=[1, 2], time=[9.9, 9.7]), law="usl_log")
    assert math.isinf(fit.forecasts[0].efficiency.high)
    assert "forecast" in fit.summary()
    assert fit._repr_html_()


@pytest.mark.parametrize("law", ["usl_log", "usl"])
def test_a_weak_forecast_without_end_is_told(law: Law) -> None:
    runs = sw.Runs(n=[35] * 3 + [172] * 3, time=[1.0] * 3 + [9.4] * 3, kind="weak")
    fit = sw.fit(runs, law=law)
    assert fit.forecasts[0].time.low == 0
    assert fit.summary()
    assert fit._repr_html_()
    assert fit.verdict().sentence


def test_loads_below_one_may_be_asked_about_where_the_runs_have_them() -> None:
    loads = [0.2, 0.5, 0.8, 1.6, 3.1]
    fit = sw.fit(sw.Runs(n=loads, time=[1 / x for x in loads], kind="strong", min_n=0))
    assert fit.predict(0.5).speedup[0, 0] == pytest.approx(0.5, rel=0.05)
    with pytest.raises(sw.DomainError, match=r"^n\[0\] is 0\.0: expected a finite load above 0$"):
        fit.predict(0.0)
    whole = sw.fit(sw.Runs(n=[1, 2, 4, 8], time=[8.0, 4.1, 2.2, 1.3], kind="strong"))
    with pytest.raises(sw.DomainError, match="at least 1") as caught:
        whole.predict([2, 0.5])
    assert (caught.value.argument, caught.value.index, caught.value.value) == ("n", 1, 0.5)
