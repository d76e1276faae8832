"""The fit as plain Python: the object of schema "scalewall.fit/1", and a data frame of its counts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from scalewall.refusals import REFUSAL_CODES
from scalewall.wording.care import remarks

if TYPE_CHECKING:
    from scalewall.fitting import Fit
    from scalewall.results import Estimate, Interval, Measurement

SCHEMA = "scalewall.fit/1"


def fit_object(fit: Fit) -> dict[str, Any]:
    """Return the fit as plain Python, ready for JSON.

    Every key is always there. A whole object that is None does not apply; None inside an interval is
    infinite. NaN never occurs.
    """
    doubling = fit.doubling
    knee = fit.knee(fit.options.efficiency)
    fraction = fit.serial_fraction
    return {
        "schema": SCHEMA,
        "kind": fit.kind,
        "n": [_whole(count.n) for count in fit.counts],
        "law": fit.law,
        "laws": [
            {"name": law.law, "params": {k: _finite(v) for k, v in law.params.items()}, "kept": law.kept}
            for law in fit.laws
        ],
        "serial_fraction": None
        if fraction is None
        else {
            "value": _finite(fraction.value),
            "low": _finite(fraction.low),
            "high": _finite(fraction.high),
            "of": fraction.of,
        },
        "ceiling": _interval(fit.ceiling),
        "peak_n": _interval(fit.peak_n),
        "doubling": {
            "from": _whole(doubling.start),
            "to": _whole(doubling.to),
            "answer": doubling.answer,
            "time_ratio": _interval(doubling.time_ratio),
        },
        "knee": None if knee is None else {"efficiency": fit.options.efficiency, **_bounds(knee)},
        "forecast": [
            {
                "n": _whole(point.n),
                "time": _estimate(point.time),
                "speedup": _estimate(point.speedup),
                "efficiency": _estimate(point.efficiency),
            }
            for point in fit.forecasts
        ],
        "next": _measurement(fit.next),
        "efficiency": [{"n": _whole(count.n), "value": _finite(count.efficiency)} for count in fit.counts],
        "notes": [*(note.text for note in fit.notes if note.code in REFUSAL_CODES), *remarks(fit)],
        "rejected": [{"line": row.line, "reason": row.reason} for row in fit.rejected],
        "flagged": [
            {"line": run.line, "n": _whole(run.n), "value": run.value, "deviation": _finite(run.deviation)}
            for run in fit.flagged
        ],
    }


def fit_frame(fit: Fit) -> Any:
    """Return one row a worker count as a pandas DataFrame."""
    try:
        import pandas as pd  # noqa: PLC0415 - optional, and slow to import
    except ImportError as error:
        raise ImportError("to_dataframe() needs pandas: pip install pandas") from error
    return pd.DataFrame(
        {
            "n": [count.n for count in fit.counts],
            "time": [count.time for count in fit.counts],
            "runs": [count.runs for count in fit.counts],
            "speedup": [count.speedup for count in fit.counts],
            "efficiency": [count.efficiency for count in fit.counts],
            "karp_flatt": [None if c.karp_flatt is None else c.karp_flatt.value for c in fit.counts],
        }
    )


def _whole(value: float) -> int | float:
    return int(value) if value == math.floor(value) and abs(value) < 2**53 else value


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else value


def _bounds(interval: Interval) -> dict[str, float | None]:
    return {"low": _finite(interval.low), "high": _finite(interval.high)}


def _interval(interval: Interval | None) -> dict[str, float | None] | None:
    return None if interval is None else _bounds(interval)


def _estimate(estimate: Estimate) -> dict[str, float | None]:
    return {
        "value": _finite(estimate.value),
        "low": _finite(estimate.low),
        "high": _finite(estimate.high),
    }


def _measurement(step: Measurement | None) -> dict[str, Any] | None:
    if step is None:
        return None
    return {"n": _whole(step.n), "repeats": step.repeats, "shrinks_to": _finite(step.shrinks_to)}
