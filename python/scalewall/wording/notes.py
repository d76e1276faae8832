"""The sentence that belongs to each code of the core's notes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from scalewall.kinds import times_as_long
from scalewall.wording import numbers as say
from scalewall.wording.estimators import scatter, share_over_scatter
from scalewall.wording.laws import PARAMETERS, kept_shapes, shape

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scalewall.runs import Runs

    Values = Mapping[str, Any]

MOST, SHOWN = 8, 5
"""Up to so many counts e(n) is told of each; with more, of a few spread over all of them."""

_EXACT = 1e-6
"""Shares below this come from rounding, not from the program."""

_SAME_SHARE = 0.1
"""Estimates of one share that lie this near to one another say the same."""

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
    "interval_not_available": "Repeats are too few for a range: run each count three times, or add counts.",
    "kind_unknown": "What stays the same from row to row is not said: no doubling is answered.",
    "wald": (
        "Ranges of the parameters are estimate ± t standard errors (Wald), as asked; ceiling, peak and "
        "forecast keep the region."
    ),
    "karp_flatt_rises": "e(n) rises with the {units}: overhead that grows, beside any serial work.",
    "karp_flatt_falls": "e(n) falls: the 1-{one} run may be too fast a yardstick.",
}


def spread_out(pairs: list[tuple[float, float]]) -> tuple[list[tuple[float, float]], str]:
    """Return all pairs, or a few spread over all counts and a remark that they are a few."""
    if len(pairs) <= MOST:
        return pairs, ""
    step = (len(pairs) - 1) / (SHOWN - 1)
    return [pairs[round(i * step)] for i in range(SHOWN)], f" ({len(pairs)} counts, {SHOWN} shown)"


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
    """Return a share as a fraction with three decimals, as tables of e(n) print it."""
    if abs(value) >= 1:
        return say.digits(value, 3)
    if abs(value) < _EXACT:
        return "0.000"
    return f"{value:.3f}" if abs(value) >= 0.00995 or value == 0 else say.digits(value)


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
    del values
    counts, spread = set(runs.n.tolist()), scatter(runs)
    where = _on(counts.pop(), runs) if len(counts) == 1 else "one count"
    size = "" if spread is None else f" and scatter by {say.share(spread)}"
    return f"All runs are on {where}{size}. Nothing about scaling can be said."


def _time_does_not_fall(values: Values, runs: Runs) -> str:
    ratio, least, most = (_number(values, name) for name in ("ratio", "n_min", "n_max"))
    size = ""
    if ratio is not None and least is not None and most is not None:
        size = f": {_on(most, runs)} take {times_as_long(ratio)} as {say.count(least)}"
    if values.get("confirmed") == "yes":
        return f"The time does not fall{size}. Read as fixed work because you said so."
    return f"The time does not fall{size}. Work that grows, a rate column or no scaling at all would look so."


def _units_suspect(values: Values) -> str:
    ratio = _number(values, "ratio")
    size = "much" if ratio is None else f"{say.digits(ratio if ratio >= 1 else 1 / ratio)}-fold"
    return f"The time changes {size} between counts: look whether seconds and milliseconds are mixed."


def _runs_flagged(values: Values) -> str:
    number = _number(values, "runs")
    clean = _numbers(values, "clean_tables")
    many = "Runs" if number is None else say.plural(int(number), "run")
    verbs = ("lies", "is") if number == 1 else ("lie", "are")
    often = f"in {say.shares(min(clean), max(clean))} of clean tables" if clean else "in some clean tables"
    return (
        f"{many} {verbs[0]} more than 3.5 robust deviations from the middle of the count and {verbs[1]} left "
        f"out. This happens {often} too."
    )


def _first_run_slow(values: Values, runs: Runs) -> str:
    single = _number(values, "n")
    counts = _numbers(values, "n") or ([] if single is None else [single])
    at = f" on {say.listed(_on(n, runs) for n in counts)}" if counts else ""
    return f"The first run{at} is the slow one: make one run to warm up before those that count."


def _rounds_removed(values: Values) -> str:
    spread = _number(values, "spread")
    size = "" if spread is None else f" by {say.share(spread)}"
    return f"Rounds differ in speed{size}; by how much a whole round was faster or slower is taken out."


def _rounds_blocked(values: Values) -> str:
    reason = values.get("reason")
    if reason == "incomplete":
        return "Rounds are incomplete: what a whole round was faster or slower stays in the runs."
    if reason == "one round":
        return "One round only: a slow minute cannot be told from a slow count."
    return (
        "Counts were measured one after the other: a slow hour cannot be told from a slow count. Mix the "
        "order in rounds."
    )


def _at_bound(values: Values, runs: Runs) -> str:
    law, param = values.get("law"), values.get("param")
    if not isinstance(law, str) or not isinstance(param, str):
        return "A parameter is at its bound."
    bound = _number(values, "value") or 0.0
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


def _laws_kept(values: Values) -> str:
    return kept_shapes(_names(values, "laws"), _names(values, "dropped"))


def _insisted_law_not_kept(values: Values) -> str:
    law = str(values.get("law", "the law"))
    others = say.listed(shape(name) for name in _names(values, "laws") or _names(values, "kept"))
    better = f"; {others} would fit" if others else ""
    return f"The data rule out {law} ({shape(law)}){better}. It stands because it was asked for."


def _no_shape_fits(values: Values) -> str:
    misfit = _number(values, "misfit")
    size = "" if misfit is None else f" by {say.share(misfit)}"
    return f"No shape of curve fits: the best misses the points{size}. Read the ranges as a sketch."


def _karp_flatt(values: Values, runs: Runs) -> str:
    counts, shares = _numbers(values, "n"), _numbers(values, "value")
    if not counts or len(counts) != len(shares):
        return (
            f"e(n), the share of the 1-{runs.unit_one} time that did not shrink, is listed for every count."
        )
    what = f"e(n), the share of the 1-{runs.unit_one} time that did not shrink"
    measured = _against_measured(counts, runs)
    if measured is not None:
        what, shares = f"{what}, against the run on 1 as measured", measured
    pairs, rest = spread_out(list(zip(counts, shares, strict=True)))
    told = say.listed(f"{_fraction(e)} at {say.count(n)}" for n, e in pairs)
    few = "; too few points for a trend" if values.get("reading") == "too few points" else ""
    return f"{what}: {told}{rest}{few}.{_instrumented(runs, max(shares))}"


def _flat(values: Values, runs: Runs) -> str:
    del values
    flat = "e(n) neither rises nor falls beyond its noise"
    first, last = runs.time[runs.n == 1.0], runs.time[runs.n == runs.n.max()]
    # Near 0 or below, a flat e(n) says that next to nothing is serial.
    lost = len(first) == 0 or float(runs.n.max() * last.mean() / first.mean()) > 1.0
    return f"{flat}: it looks like serial work." if lost else f"{flat}."


def _against_measured(counts: list[float], runs: Runs) -> list[float] | None:
    """Return e(n) = (n T(n) / T(1) - 1) / (n - 1) of the times themselves, where each count has one run.

    This is the number that people publish. With repeats it depends on how they are averaged, and the
    fitted T(1) is the better yardstick.
    """
    time = dict(zip(runs.n.tolist(), runs.time.tolist(), strict=True))
    if len(time) != len(runs) or 1.0 not in time or any(n not in time for n in counts):
        return None
    return [(n * time[n] / time[1.0] - 1.0) / (n - 1.0) for n in counts]


def _instrumented(runs: Runs, largest: float) -> str:
    """Compare e(n) with the serial share that the program measured itself, where a column has it."""
    claimed = getattr(runs, "serial_share", None)
    known = [] if claimed is None else [float(v) for v in claimed if math.isfinite(v)]
    if not known:
        return ""
    said = f" The serial share that the program itself measured is {say.shares(min(known), max(known))}"
    if max(known) < 0.5 * largest:
        return f"{said}: it explains only a small part of e(n), the rest is overhead or waiting."
    return f"{said}."


def _scatter_from_misfit(values: Values) -> str:
    misfit = _number(values, "misfit", "noise", "scatter")
    size = "" if misfit is None else f", {_scatter_share(misfit)}"
    return f"One run per count: scatter is judged from the misfit{size}."


def _scatter_share(value: float) -> str:
    """Return how much runs scatter; nobody reads a number below the last digit of any clock."""
    return say.share(value) if value >= _EXACT else f"under {say.share(_EXACT)}"


def _estimators_differ(values: Values, runs: Runs) -> str:
    names = {"log": "log times", "time": "times", "medians": "medians"}
    found = [(names.get(key, key.replace("_", " ")), _number(values, key)) for key in values]
    found.append(("times over their scatter", share_over_scatter(runs)))
    numbers = [(name, value) for name, value in found if value is not None]
    spread = scatter(runs)
    much = "" if spread is None else _scatter(spread)
    if not numbers:
        return f"The serial share depends on the way it is estimated.{much}"
    ends = min(v for _, v in numbers), max(v for _, v in numbers)
    told = ", ".join(f"{name} {_fraction(v)}" for name, v in sorted(numbers, key=lambda pair: pair[1]))
    low, high = map(_fraction, ends)
    span = low if low == high else f"{low}{say.DASH}{high}"
    if ends[1] - ends[0] < _SAME_SHARE * max(map(abs, ends)):
        return f"Amdahl's serial share is {span} whichever way it is estimated (from {told}).{much}"
    return f"Amdahl's serial share depends on the way it is estimated: {span} (from {told}).{much}"


def _scatter(spread: float) -> str:
    look = " That is much: look for other programs, or pin the threads." if spread >= MUCH_SCATTER else ""
    return f" Runs at one count scatter by {say.share(spread)}.{look}"


def _extrapolated_t1(values: Values, runs: Runs) -> str:
    least = _number(values, "n_min")
    start = "" if least is None else f", from {_on(least, runs)} down"
    leans = "Speedup, efficiency and ceiling lean on it."
    return f"T(1) is extrapolated{start}: no run on one {runs.unit_one}. {leans}"


def _horizon_crossed(values: Values, runs: Runs) -> str:
    horizon, beyond = _number(values, "horizon"), _numbers(values, "targets")
    limit = "4 times the largest count"
    if horizon is not None:
        limit = f"{_on(horizon, runs)} ({limit})"
    held = [_HELD.get(name, name) for name in _names(values, "held")]
    parts = []
    if beyond:
        lies = "lies" if len(beyond) == 1 else "lie"
        parts.append(
            f"{say.listed(map(say.count, beyond))} {lies} beyond {limit}: do not rely on that forecast."
        )
    if held:
        stops = "stops" if len(held) == 1 else "stop"
        parts.append(f"The lower end of {say.listed(held)} {stops} at {limit}: nothing is claimed beyond.")
    return " ".join(parts) or f"Nothing is claimed beyond {limit}."


_HELD = {"ceiling": "the ceiling", "peak_n": "the peak", "knee": "the wasted half"}
_TEXTS: dict[str, Callable[[Values], str]] = {
    "lack_of_fit": _lack_of_fit,
    "units_suspect": _units_suspect,
    "runs_flagged": _runs_flagged,
    "rounds_blocked": _rounds_blocked,
    "one_law_kept": _laws_kept,
    "laws_kept": _laws_kept,
    "no_shape_fits": _no_shape_fits,
    "scatter_from_misfit": _scatter_from_misfit,
    "insisted_law_not_kept": _insisted_law_not_kept,
    "rounds_removed": _rounds_removed,
}
"""Codes whose sentence comes from the values alone."""

_NAMING: dict[str, Callable[[Values, Runs], str]] = {
    "superlinear": _superlinear,
    "one_count": _one_count,
    "time_does_not_fall": _time_does_not_fall,
    "first_run_slow": _first_run_slow,
    "at_bound": _at_bound,
    "karp_flatt": _karp_flatt,
    "karp_flatt_flat": _flat,
    "estimators_differ": _estimators_differ,
    "extrapolated_t1": _extrapolated_t1,
    "horizon_crossed": _horizon_crossed,
}
"""Codes whose sentence names the workers."""
