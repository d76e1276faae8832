"""Fits made by hand, so that words and screens are tested apart from the numbers of the core."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from scalewall.results import (
    Count,
    Doubling,
    Estimate,
    ForecastPoint,
    Interval,
    LawFit,
    Measurement,
    Note,
    SerialFraction,
    WeakGrowth,
)

if TYPE_CHECKING:
    from scalewall.fitting import Fit
    from scalewall.runs import Runs

LAWS = ("amdahl", "usl", "usl_log", "power", "saturation")


class Sample(SimpleNamespace):
    """Stands for a `Fit`: the attributes that words and screens read."""

    def knee(self, efficiency: float = 0.5) -> Interval | None:
        del efficiency
        return cast("Interval | None", self.knee_at)

    def law_fit(self, law: str) -> LawFit:
        return cast("LawFit", next(fit for fit in self.laws if fit.law == law))

    def law_time(self, law: str, n: Any) -> Any:
        # Every law but the falling ones goes on gaining; these two turn.
        turns = law in self.turning
        return np.array([1.0, 1.2 if turns else 0.9]) * np.ones(len(n))


def runs(**changes: Any) -> Runs:
    base: dict[str, Any] = {
        "unit": "processors",
        "unit_one": "processor",
        "quantity": "time",
        "work": None,
        "kind": "strong",
        "source": "raytracer.csv",
        "serial_share": None,
        "n": np.array([1.0, 2.0]),
        "time": np.array([2.0, 1.1]),
        "value": np.array([2.0, 1.1]),
    }
    return cast("Runs", SimpleNamespace(**(base | changes)))


def laws(*kept: str, intervals: dict[str, dict[str, Interval]] | None = None) -> tuple[LawFit, ...]:
    return tuple(
        LawFit(law, {}, (intervals or {}).get(law, {}), 1.0, 0.1, 0.02, 3.0, kept=law in kept) for law in LAWS
    )


def count(n: float, time: float, speedup: float, used: int = 1) -> Count:
    return Count(n, time, used, speedup, speedup / n, None)


def point(n: float, time: tuple[float, float], speedup: tuple[float, float]) -> ForecastPoint:
    efficiency = Estimate(None, speedup[0] / n, speedup[1] / n)
    return ForecastPoint(n, Estimate(None, *time), Estimate(None, *speedup), efficiency)


def sample(**changes: Any) -> Fit:
    """Return the ray tracer of the design: six counts up to 20 processors, three shapes kept."""
    table = [(1, 50.0, 0.986), (4, 12.82, 3.845), (8, 7.692, 6.41), (12, 5.882, 8.38), (16, 5.263, 9.37)]
    base: dict[str, Any] = {
        "runs": runs(),
        "options": SimpleNamespace(efficiency=0.5),
        "kind": "strong",
        "counts": (*(count(*row) for row in table), count(20, 5.0, 9.86)),
        "laws": laws("usl", "usl_log", "saturation"),
        "law": "usl",
        "turning": ("usl",),
        "insisted": None,
        "refusal": None,
        "serial_fraction": SerialFraction(0.02, 0.0, 0.063, "T(1)"),
        "ceiling": Interval(8.1, 21.0),
        "peak_n": Interval(10.4, math.inf),
        "knee_at": Interval(16.2, 23.4),
        "doubling": Doubling(20, 40, "cannot tell", Interval(0.752, 1.32), 1.0, Interval(0.85, 1.1)),
        "forecasts": (point(40, (3.4, 7.0), (7.0, 14.3)),),
        "next": Measurement(40, 1, 0.229),
        "candidates": (
            Measurement(40, 1, 0.229),
            Measurement(40, 3, 0.17),
            Measurement(80, 3, 0.123),
            Measurement(20, 3, 0.94),
        ),
        "weak": None,
        "notes": (
            Note("laws_kept", "Three shapes of curve fit (contention + coherency, tree, saturation)."),
            Note("scatter_from_misfit", "One run per count: scatter is judged from the misfit."),
        ),
        "rejected": (),
        "flagged": (),
        "level": 0.95,
        "gain": 0.1,
        "cap": None,
        "misfit": 0.023,
    }
    return cast("Fit", Sample(**(base | changes)))


def doubling(
    answer: str, low: float, high: float, start: float = 32, inner: Interval | None = None
) -> Doubling:
    return Doubling(start, 2 * start, answer, Interval(low, high), math.sqrt(low * high), inner)


def yes() -> Fit:
    """Return a fit whose answer is yes, with nothing in the way."""
    table = [(1, 358.0, 1.0), (2, 197.0, 1.81), (4, 107.0, 3.34), (8, 56.9, 6.27), (16, 30.9, 11.55)]
    return sample(
        runs=runs(unit="cores", unit_one="core"),
        counts=(*(count(*row) for row in table), count(32, 17.2, 20.8), count(64, 9.61, 37.1)),
        laws=laws("power"),
        law="power",
        serial_fraction=None,
        ceiling=Interval(120.0, math.inf),
        peak_n=Interval(math.inf, math.inf),
        knee_at=Interval(152.3, math.inf),
        doubling=doubling("yes", 0.54, 0.551, 64),
        forecasts=(point(128, (4.93, 5.33), (67.0, 72.4)),),
        next=None,
        candidates=(),
        notes=(Note("one_law_kept", "One shape of curve (power law) fits; three others are ruled out."),),
    )


def no() -> Fit:
    """Return a fit of 32 counts whose answer is no: beyond the peak it gets slower."""
    n = np.arange(1.0, 33.0)
    speedup = n / (1 + 0.0205 * (n - 1) + 0.00089 * n * (n - 1))
    kappa = {"usl": {"kappa": Interval(0.00081, 0.001)}}
    return sample(
        runs=runs(unit="threads", unit_one="thread", quantity="rate"),
        counts=tuple(count(float(k), 10.5 / float(s), float(s)) for k, s in zip(n, speedup, strict=True)),
        laws=laws("usl", intervals=kappa),
        serial_fraction=SerialFraction(0.0205, 0.016, 0.025, "T(1)"),
        ceiling=Interval(12.4, 13.0),
        peak_n=Interval(31.2, 35.4),
        knee_at=Interval(23.4, 24.6),
        doubling=doubling("no", 1.11, 1.22),
        forecasts=(point(64, (0.9, 1.04), (10.1, 11.6)),),
        next=None,
        candidates=(),
        notes=(),
    )


def weak() -> Fit:
    """Return weak scaling up to 2048 nodes."""
    table = [(1, 1.0, 6), (4, 0.97, 6), (16, 0.944, 4), (64, 0.87, 6), (256, 0.834, 4), (1024, 0.81, 4)]
    rows = [Count(n, 1 / e, used, e * n, e, None) for n, e, used in table]
    ahead = ((4096.0, Interval(0.75, 0.79)), (8192.0, Interval(0.73, 0.78)))
    growth = Estimate(0.02, 0.021, 0.026)
    return sample(
        runs=runs(unit="nodes", unit_one="node", kind="weak"),
        kind="weak",
        counts=(*rows, Count(2048, 1.266, 3, 1618.0, 0.79, None)),
        serial_fraction=None,
        ceiling=None,
        peak_n=None,
        knee_at=None,
        doubling=Doubling(2048, 4096, "not answered", Interval(0.9, 1.1), 1.0, None),
        forecasts=(),
        weak=WeakGrowth(0.79, growth, growth, Interval(0.021, 0.026), ahead),
        next=None,
        candidates=(),
        notes=(),
    )
