"""What can be asked of a fit: one law, other residuals, Wald intervals, no bounds, levels, targets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy import optimize, stats

from scalewall import ChoiceError, DomainError, InsufficientDataError, ShapeError, _core

if TYPE_CHECKING:
    from collections.abc import Callable

Array = npt.NDArray[np.float64]

COUNTS = np.repeat([1.0, 2, 4, 8, 16, 32], 3)


def times(sigma: float = 0.03, kappa: float = 5e-4, scatter: float = 0.02, seed: int = 7) -> Array:
    rng = np.random.default_rng(seed)
    curve = 1 / COUNTS + sigma * (1 - 1 / COUNTS) + kappa * (COUNTS - 1)
    return 40 * curve * np.exp(scatter * rng.standard_normal(COUNTS.size))


def analyse(**options: Any) -> dict[str, Any]:
    options.setdefault("kind", "strong")
    return _core.fitting_analyse(COUNTS, times(), **options).to_dict()


def law_of(found: dict[str, Any], name: str) -> dict[str, Any]:
    return dict(next(law for law in found["laws"] if law["law"] == name))


def share(n: Array, sigma: float, kappa: float) -> Array:
    return 1 / n + sigma * (1 - 1 / n) + kappa * (n - 1)


SCALES: dict[str, Callable[..., Array]] = {
    "log": lambda n, t1, s, k: np.log(t1 * share(n, s, k)),
    "time": lambda n, t1, s, k: t1 * share(n, s, k),
    "throughput": lambda n, x1, s, k: x1 / share(n, s, k),
}
OBSERVED: dict[str, Callable[[Array], Array]] = {
    "log": np.log,
    "time": lambda t: t,
    "throughput": lambda t: 1 / t,
}


@pytest.mark.parametrize("residuals", SCALES)
def test_the_minimum_and_the_wald_intervals_are_those_of_scipy(residuals: str) -> None:
    found = law_of(analyse(law="usl", residuals=residuals, interval="wald", bounded=False), "usl")
    y = OBSERVED[residuals](times())
    start = [1 / 40 if residuals == "throughput" else 40, 0.03, 5e-4]
    popt, covariance = optimize.curve_fit(
        SCALES[residuals], COUNTS, y, start, xtol=1e-15, ftol=1e-15, gtol=1e-15
    )
    assert found["params"]["sigma"] == pytest.approx(popt[1], rel=1e-6)
    assert found["params"]["kappa"] == pytest.approx(popt[2], rel=1e-6)
    one = found["time_one"] if residuals != "throughput" else 1 / found["time_one"]
    assert one == pytest.approx(popt[0], rel=1e-7)
    error = np.sqrt(np.diag(covariance))
    half = stats.t.ppf(0.975, COUNTS.size - 3) * error
    names = ["rate_one" if residuals == "throughput" else "time_one", "sigma", "kappa"]
    for name, value, se, width in zip(names, popt, error, half, strict=True):
        assert found["errors"][name] == pytest.approx(se, rel=1e-4)
        interval = found["intervals"][name]
        assert (interval["low"], interval["high"]) == pytest.approx((value - width, value + width), rel=1e-4)


def test_one_law_answers_everything_alone() -> None:
    found = analyse(law="amdahl")
    sigma = law_of(found, "amdahl")["intervals"]["sigma"]
    assert found["law"] == "amdahl"
    assert (found["serial_fraction"]["low"], found["serial_fraction"]["high"]) == (
        sigma["low"],
        sigma["high"],
    )
    assert found["ceiling"] == pytest.approx({"low": 1 / sigma["high"], "high": 1 / sigma["low"]})
    ratio = found["doubling"]["time_ratio"]
    ends = [(s + (1 - s) / 64) / (s + (1 - s) / 32) for s in (sigma["low"], sigma["high"])]
    assert (ratio["low"], ratio["high"]) == pytest.approx(ends, rel=1e-9)
    inner = found["doubling"]["inner"]
    assert ratio["low"] < inner["low"] < ratio["mid"] < inner["high"] < ratio["high"]
    knee = found["knee"]
    assert (knee["low"], knee["high"]) == pytest.approx((1 + 1 / sigma["high"], 1 + 1 / sigma["low"]))


def test_a_law_the_data_rule_out_is_fitted_and_said() -> None:
    found = _core.fitting_analyse(
        COUNTS, share(COUNTS, 0.05, 0.01) * np.tile([1.01, 0.99, 1.0], 6), kind="strong", law="amdahl"
    ).to_dict()
    assert found["law"] == "amdahl"
    assert not law_of(found, "amdahl")["kept"]
    assert "insisted_law_not_kept" in {note["code"] for note in found["notes"]}


@pytest.mark.parametrize("law", ["amdahl", "usl", "usl_log", "power", "saturation", "usl_log_schwartz"])
@pytest.mark.parametrize("counts", [1, 2, 3])
def test_with_a_law_a_fit_is_always_made(law: str, counts: int) -> None:
    n = np.array([1.0, 2, 4])[:counts]
    found = _core.fitting_analyse(n, np.array([10.0, 5.4, 3.0])[:counts], kind="strong", law=law).to_dict()
    assert found["law"] == law
    assert law_of(found, law)["params"]
    parameters = len(law_of(found, law)["params"]) + 1
    if counts <= parameters:
        best = max(count["speedup"] for count in found["counts"])
        assert found["ceiling"] == pytest.approx({"low": max(best, 1.0), "high": np.inf})
        assert "no_degrees_of_freedom" in {note["code"] for note in found["notes"]}
        if law != "power":
            serial = found["serial_fraction"]
            assert (serial["low"], serial["high"]) == (0.0, 1.0)
        assert found["doubling"]["answer"] in {"cannot tell", "not answered"}


def test_parameters_may_leave_their_bounds_where_that_is_asked() -> None:
    time = COUNTS**-1.05 * np.tile([1.01, 0.99, 1.0], 6)
    bounded = _core.fitting_analyse(COUNTS, time, kind="strong", law="amdahl").to_dict()
    free = _core.fitting_analyse(COUNTS, time, kind="strong", law="amdahl", bounded=False).to_dict()
    assert law_of(bounded, "amdahl")["params"]["sigma"] == 0.0
    assert law_of(free, "amdahl")["params"]["sigma"] < 0
    assert law_of(free, "amdahl")["sse"] < law_of(bounded, "amdahl")["sse"]
    free = _core.fitting_analyse(COUNTS, time, kind="strong", law="usl", bounded=False).to_dict()
    assert law_of(free, "usl")["intervals"]["sigma"]["low"] < law_of(free, "usl")["params"]["sigma"] < 0


def test_a_higher_level_is_wider_everywhere() -> None:
    narrow, wide = analyse(level=0.8), analyse(level=0.99)
    for key in ("ceiling", "peak_n", "knee", "serial_fraction"):
        assert wide[key]["low"] <= narrow[key]["low"]
        assert wide[key]["high"] >= narrow[key]["high"]
    assert wide["doubling"]["time_ratio"]["low"] < narrow["doubling"]["time_ratio"]["low"]
    assert narrow["doubling"]["inner"] is None
    for name in ("usl", "usl_log", "power"):
        for parameter, interval in law_of(narrow, name)["intervals"].items():
            wider = law_of(wide, name)["intervals"][parameter]
            assert wider["low"] <= interval["low"] <= interval["high"] <= wider["high"]


def test_the_gain_decides_the_answer() -> None:
    assert analyse(gain=0.001)["doubling"]["answer"] != "no"
    assert analyse(gain=0.9)["doubling"]["answer"] == "no"


def test_targets_are_forecast_and_the_horizon_is_said() -> None:
    targets = np.array([48.0, 64, 256])
    analysis = _core.fitting_analyse(COUNTS, times(), kind="strong", targets=targets)
    found = analysis.to_dict()
    assert [point["n"] for point in found["forecast"]] == [48, 64, 256]
    note = next(note for note in found["notes"] if note["code"] == "horizon_crossed")
    assert (note["values"]["horizon"], note["values"]["targets"]) == (128, [256])
    measured = analysis.forecast(targets)
    assert [point["time"]["high"] for point in found["forecast"]] == measured["time"][:, 2].tolist()


@pytest.mark.parametrize("law", [None, "usl"])
def test_later_questions_agree_with_the_report(law: str | None) -> None:
    analysis = _core.fitting_analyse(COUNTS, times(), kind="strong", law=law)
    found = analysis.to_dict()
    ratio = found["doubling"]["time_ratio"]
    assert analysis.time_ratio(32.0, 64.0) == (ratio["low"], ratio["mid"], ratio["high"])
    assert analysis.knee(0.5) == (found["knee"]["low"], found["knee"]["high"])
    assert analysis.knee(0.9)[0] < found["knee"]["low"]  # type: ignore[index]
    n = np.array([1.0, 4, 32, 64, 100])
    curve, measured = analysis.predict(n), analysis.forecast(n)
    for name in ("time", "speedup", "efficiency"):
        value, low, high = curve[name].T
        assert np.all((low <= value * (1 + 1e-12)) & (value <= high * (1 + 1e-12)))
        assert np.all(
            (measured[name][:, 1] <= low * (1 + 1e-12)) & (measured[name][:, 2] >= high * (1 - 1e-12))
        )
    assert curve["efficiency"] * n[:, None] == pytest.approx(curve["speedup"], rel=1e-12)
    assert curve["speedup"][0] == pytest.approx(1.0, rel=1e-12)
    fitted = law_of(found, "usl")
    expected = fitted["time_one"] * share(n, **fitted["params"])
    assert analysis.law_time("usl", n) == pytest.approx(expected, rel=1e-12)


def test_the_time_of_an_insisted_law_is_the_profile_interval() -> None:
    """T(64) of the universal law: all values for which some curve stays within the threshold."""
    analysis = _core.fitting_analyse(COUNTS, times(), kind="strong", law="usl")
    fitted = law_of(analysis.to_dict(), "usl")
    y = np.log(times()).reshape(6, 3).mean(1)
    n = COUNTS[::3]
    threshold = fitted["sse"] + fitted["noise"] ** 2 * stats.f.ppf(0.95, 1, fitted["df"])

    def sse(theta: Array) -> float:
        return float(3 * np.sum((y - theta[0] - np.log(share(n, theta[1], theta[2] * 1e-3))) ** 2))

    within = optimize.NonlinearConstraint(lambda theta: 1e3 * (threshold - sse(theta)), 0, np.inf)
    start = np.array([np.log(fitted["time_one"]), fitted["params"]["sigma"], 1e3 * fitted["params"]["kappa"]])

    def end(sign: float) -> float:
        def log_time(theta: Array) -> float:
            return sign * float(theta[0] + np.log(share(np.array(64.0), theta[1], theta[2] * 1e-3)))

        found = optimize.minimize(
            log_time,
            start,
            method="SLSQP",
            constraints=[within],
            bounds=optimize.Bounds(np.array([-np.inf, 0, 0]), np.array([np.inf, 1, np.inf])),
            options={"ftol": 1e-14, "maxiter": 500},
        )
        return float(np.exp(sign * found.fun))

    _, low, high = analysis.predict(np.array([64.0]))["time"][0]
    assert (low, high) == pytest.approx((end(1), end(-1)), rel=2e-4)


def test_the_cap_limits_what_is_asked_for() -> None:
    noisy = times(scatter=0.08)
    free = _core.fitting_analyse(COUNTS, noisy, kind="strong").to_dict()
    capped = _core.fitting_analyse(COUNTS, noisy, kind="strong", cap=32.0).to_dict()
    assert {m["n"] for m in free["candidates"]} == {32, 64, 128}
    assert {m["n"] for m in capped["candidates"]} == {32}
    insisted = _core.fitting_analyse(COUNTS, noisy, kind="strong", law="usl_log").to_dict()
    left = [m["shrinks_to"] for m in insisted["candidates"]]
    assert left[2] < left[1] < left[0] < left[3] < 1


def test_the_same_rows_give_the_same_bits() -> None:
    assert analyse() == analyse()


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"kind": "fast"}, ChoiceError),
        ({"law": "gustafson"}, ChoiceError),
        ({"residuals": "absolute"}, ChoiceError),
        ({"interval": "bootstrap"}, ChoiceError),
        ({"level": 95.0}, DomainError),
        ({"gain": 0.0}, DomainError),
        ({"efficiency": 1.0}, DomainError),
        ({"cap": -1.0}, DomainError),
        ({"targets": np.array([64.0, np.nan])}, DomainError),
    ],
)
def test_an_option_outside_its_domain_is_an_error(options: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        analyse(**options)


def test_columns_must_fit_together() -> None:
    with pytest.raises(ShapeError, match="time has length 1"):
        _core.fitting_analyse(np.ones(2), np.ones(1), kind="strong")
    with pytest.raises(ShapeError, match="round has length 1"):
        _core.fitting_analyse(np.ones(2), np.ones(2), round=np.zeros(1, np.int64), kind="strong")
    with pytest.raises(InsufficientDataError):
        _core.fitting_analyse(np.ones(0), np.ones(0), kind="strong")
