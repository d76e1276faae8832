"""The sentence that belongs to each code of the core's notes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from scalewall.wording import numbers as say
from scalewall.wording.laws import PARAMETERS, kept_shapes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scalewall.runs import Runs

    Values = Mapping[str, Any]

SHOWN = 8
"""Counts of which e(n) is told; with more, these are spread over all of them."""

MUCH_SCATTER = 0.05
"""Repeats that scatter by this share or more deserve a look at the machine."""


def note_text(code: str, values: Mapping[str, Any], runs: Runs) -> str:
    """Return the sentence of a note.

    Parameters
    ----------
    code : str
        Stable code of the note. An unknown code reads as its own name with its values.
    values : mapping
        Numbers, texts and lists that belong to the code.
    runs : Runs
        The runs, for the names of their workers.
    """
    plain = _PLAIN.get(code)
    if plain is not None:
        return plain.format(units=runs.unit, one=runs.unit_one)
    known, named = _TEXTS.get(code), _NAMING.get(code)
    if known is not None:
        return known(values)
    if named is not None:
        return named(values, runs)
    shown = ", ".join(f"{name} {value}" for name, value in values.items())
    return say.sentence(code.replace("_", " ")) + (f": {shown}." if shown else ".")


_PLAIN = {
    "three_counts": (
        "Three counts leave no point to check the shape of the curve: the ranges stand, a yes or no does not."
    ),
    "two_counts": (
        "Two counts give one number, the share of the 1-{one} time that did not shrink: no curve, no "
        "ceiling, no trend."
    ),
    "no_degrees_of_freedom": (
        "As many free numbers as points: no range can be given. Repeat the runs, or add counts."
    ),
    "rounds_removed": "Rounds differ in speed; by how much a whole round was faster or slower is taken out.",
    "karp_flatt_rises": "e(n) rises with the {units}: overhead that grows, beside any serial work.",
    "karp_flatt_flat": "e(n) is flat: it looks like serial work, or waiting for something all share.",
    "karp_flatt_falls": "e(n) falls: the 1-{one} run may be too fast a yardstick.",
}


def _number(values: Values, *names: str) -> float | None:
    """Return the first of `names` that is there as a finite number."""
    for name in names:
        value = values.get(name)
        if isinstance(value, int | float) and math.isfinite(value):
            return float(value)
    return None


def _numbers(values: Values, name: str) -> list[float]:
    found = values.get(name)
    return [float(v) for v in found if isinstance(v, int | float)] if isinstance(found, list | tuple) else []


def _names(values: Values, name: str) -> list[str]:
    found = values.get(name)
    return [str(v) for v in found if isinstance(v, str)] if isinstance(found, list | tuple) else []


def _on(n: float, runs: Runs) -> str:
    return f"{say.count(n)} {runs.unit_one if n == 1 else runs.unit}"


def _fraction(value: float) -> str:
    """Return a share as a fraction with three digits, as tables of e(n) print it."""
    return f"{value:.3f}" if abs(value) >= 0.0995 or value == 0 else say.digits(value, 3)


def _superlinear(values: Values, runs: Runs) -> str:
    slope = _number(values, "slope")
    size = "" if slope is None else f" ({say.share(1 - 2**slope)} per doubling)"
    return (
        f"Superlinear: the time summed over all {runs.unit} falls as {runs.unit} are added{size}. Look at "
        "caches, at the counts and at the work of each row. The serial share is at its bound 0, and no "
        "forecast is faster than linear."
    )


def _lack_of_fit(values: Values) -> str:
    f = _number(values, "f")
    size = "" if f is None else f" (F = {say.digits(f)})"
    return (
        f"The curve misses the points by more than the repeats scatter{size}: look for a step (socket, node, "
        "hyper-threads). Ranges are widened for it."
    )


def _one_count(values: Values, runs: Runs) -> str:
    n, scatter = _number(values, "n"), _number(values, "scatter", "cv")
    where = "one count" if n is None else _on(n, runs)
    size = "" if scatter is None else f": they scatter by {say.share(scatter)}"
    return f"All runs are on {where}{size}. Nothing about scaling can be said."


def _time_does_not_fall(values: Values) -> str:
    ratio = _number(values, "ratio")
    size = "" if ratio is None else f" ({say.digits(ratio, 3)} times the first at the last count)"
    return (
        f"The time does not fall{size}. Work that grows, a rate column, or a program that never scales would "
        "look like this."
    )


def _units_suspect(values: Values) -> str:
    ratio = _number(values, "ratio")
    size = "much" if ratio is None else f"{say.digits(ratio if ratio >= 1 else 1 / ratio)}-fold"
    return f"The time changes {size} between counts: look whether seconds and milliseconds are mixed."


def _runs_flagged(values: Values) -> str:
    number = _number(values, "count", "runs", "number")
    cut = _number(values, "cut", "threshold") or 3.5
    many = "Runs" if number is None else say.plural(int(number), "run")
    verbs = ("lies", "is") if number == 1 else ("lie", "are")
    return (
        f"{many} {verbs[0]} more than {say.digits(cut)} robust deviations from the middle of the count and "
        f"{verbs[1]} left out. About one clean table in ten loses a run this way."
    )


def _first_run_slow(values: Values, runs: Runs) -> str:
    single = _number(values, "n")
    counts = _numbers(values, "n") or ([] if single is None else [single])
    at = f" on {say.listed(_on(n, runs) for n in counts)}" if counts else ""
    return f"The first run{at} is the slow one: make one run to warm up before those that count."


def _rounds_blocked(values: Values) -> str:
    reason = values.get("reason")
    if reason == "incomplete":
        return "Rounds are incomplete, so what a whole round was faster or slower stays in the runs."
    if reason == "one round":
        return "One round only: a slow minute cannot be told from a slow count."
    return (
        "Counts were measured one after the other: a slow hour cannot be told from a slow count. Mix the "
        "order in rounds."
    )


def _at_bound(values: Values, runs: Runs) -> str:
    law, param = str(values.get("law", "")), str(values.get("param", ""))
    bound = _number(values, "bound", "value") or 0.0
    at = (
        f"{say.sentence(PARAMETERS.get(param, param))} ({param} of {law}) is at its bound {say.digits(bound)}"
    )
    if bound != 0.0:
        return f"{at}: the data push it further than it can go."
    what = {
        "kappa": f"no cost of talk between {runs.unit} is visible",
        "sigma": "no serial share is visible",
    }.get(param, "the data push it further than it can go")
    return f"{at}: {what}."


def _one_law_kept(values: Values) -> str:
    law = str(values.get("law") or "".join(_names(values, "laws")[:1]))
    return _kept([law], values)


def _laws_kept(values: Values) -> str:
    return _kept(_names(values, "laws") or _names(values, "kept"), values)


def _kept(laws: list[str], values: Values) -> str:
    out = _names(values, "dropped")
    number = _number(values, "dropped", "ruled_out")
    return kept_shapes(laws, len(laws) + (len(out) if number is None else int(number)))


def _no_shape_fits(values: Values) -> str:
    misfit = _number(values, "misfit")
    size = "" if misfit is None else f" by {say.share(misfit)}"
    return f"No shape of curve fits: the best misses the points{size}. Read the ranges as a sketch."


def _karp_flatt(values: Values, runs: Runs) -> str:
    counts, shares = _numbers(values, "n"), _numbers(values, "e") or _numbers(values, "values")
    base = _number(values, "base") or 1.0
    what = f"e(n), the share of the {say.count(base)}-{runs.unit_one} time that did not shrink"
    pairs = list(zip(counts, shares, strict=False))
    if not pairs:
        return f"{what}, is listed for every count."
    rest = ""
    if len(pairs) > SHOWN:
        step = (len(pairs) - 1) / (SHOWN - 1)
        rest = f" ({len(pairs)} counts, {SHOWN} shown)"
        pairs = [pairs[round(i * step)] for i in range(SHOWN)]
    told = say.listed(f"{_fraction(e)} at {say.count(n)}" for n, e in pairs)
    return f"{what}: {told}{rest}."


def _scatter_from_misfit(values: Values) -> str:
    misfit = _number(values, "misfit", "noise", "scatter")
    size = "" if misfit is None else f", {say.share(misfit)}"
    return f"One run per count: scatter is judged from the misfit{size}."


def _scatter(values: Values) -> str:
    scatter = _number(values, "scatter", "cv")
    if scatter is None:
        return "Runs at one count scatter."
    much = " That is much: look for other programs, or pin the threads." if scatter >= MUCH_SCATTER else ""
    return f"Runs at one count scatter by {say.share(scatter)}.{much}"


def _estimators_differ(values: Values) -> str:
    ends = _number(values, "low"), _number(values, "high")
    numbers = [
        (key.replace("_", " "), float(value))
        for key, value in values.items()
        if key not in ("low", "high") and isinstance(value, int | float)
    ]
    every = [v for _, v in numbers] + [v for v in ends if v is not None]
    if not every:
        return "The serial share depends on the way it is estimated."
    told = ", ".join(f"{name} {_fraction(v)}" for name, v in numbers)
    return (
        f"The serial share depends on the way it is estimated: {_fraction(min(every))}{say.DASH}"
        f"{_fraction(max(every))}{f' ({told})' if told else ''}."
    )


def _extrapolated_t1(values: Values, runs: Runs) -> str:
    n = _number(values, "n", "smallest", "from")
    start = "" if n is None else f", from {_on(n, runs)} on"
    return (
        f"T(1) is extrapolated: no run on one {runs.unit_one}. Its time is what the curves say{start}; "
        "speedup, efficiency and ceiling lean on it."
    )


def _interval_not_available(values: Values) -> str:
    reason = values.get("reason")
    return f"No range can be given{f': {reason}' if isinstance(reason, str) else ''}."


def _horizon_crossed(values: Values, runs: Runs) -> str:
    single, horizon = _number(values, "n", "target"), _number(values, "horizon")
    told = say.listed(say.count(v) for v in _numbers(values, "n")) or (
        "a count asked for" if single is None else say.count(single)
    )
    limit = "4 times the largest count"
    if horizon is not None:
        limit = f"{_on(horizon, runs)}, {limit}"
    return say.sentence(f"{told} lies beyond {limit}: the forecast there is not to be relied on.")


_TEXTS: dict[str, Callable[[Values], str]] = {
    "lack_of_fit": _lack_of_fit,
    "time_does_not_fall": _time_does_not_fall,
    "units_suspect": _units_suspect,
    "runs_flagged": _runs_flagged,
    "rounds_blocked": _rounds_blocked,
    "one_law_kept": _one_law_kept,
    "laws_kept": _laws_kept,
    "no_shape_fits": _no_shape_fits,
    "scatter_from_misfit": _scatter_from_misfit,
    "scatter": _scatter,
    "estimators_differ": _estimators_differ,
    "interval_not_available": _interval_not_available,
}
"""Codes whose sentence comes from the values alone."""

_NAMING: dict[str, Callable[[Values, Runs], str]] = {
    "superlinear": _superlinear,
    "one_count": _one_count,
    "first_run_slow": _first_run_slow,
    "at_bound": _at_bound,
    "karp_flatt": _karp_flatt,
    "extrapolated_t1": _extrapolated_t1,
    "horizon_crossed": _horizon_crossed,
}
"""Codes whose sentence names the workers."""
