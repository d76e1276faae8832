"""Read with care: rows left out, what the notes say, and what the screen does not show."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scalewall.refusals import REFUSAL_CODES
from scalewall.wording import numbers as say
from scalewall.wording import weak
from scalewall.wording.laws import least_bad, parameters, shape
from scalewall.wording.notes import note_text
from scalewall.wording.verdict import HARDLY, standing

if TYPE_CHECKING:
    from scalewall.fitting import Fit
    from scalewall.results import Flagged, LawFit, Note

SHOWN = 5
"""Rows left out are named up to this many; the others are counted."""


OF_CURVES = frozenset(
    {
        "at_bound",
        "extrapolated_t1",
        "karp_flatt",
        "karp_flatt_falls",
        "karp_flatt_flat",
        "karp_flatt_rises",
        "lack_of_fit",
        "laws_kept",
        "no_degrees_of_freedom",
        "no_shape_fits",
        "one_law_kept",
        "scatter_from_misfit",
        "superlinear",
    }
)
"""Codes of notes that speak of curves."""


def care(fit: Fit) -> tuple[str, ...]:
    """Return what must be read with care, one sentence group an entry, most pressing first."""
    rows = left_out(fit)
    head = (f"{say.plural(len(fit.rejected), 'row')} left out: {_closed('; '.join(rows))}",) if rows else ()
    return (*head, *remarks(fit))


def left_out(fit: Fit) -> tuple[str, ...]:
    """Return the rows left out before the fit, each with place and reason; the last may count the others."""
    rows = [row.reason for row in fit.rejected[:SHOWN]]
    more = len(fit.rejected) - SHOWN
    return (*rows, f"and {more} more") if more > 0 else tuple(rows)


def remarks(fit: Fit) -> tuple[str, ...]:
    """Return what must be read with care beside the rows left out."""
    lines = [*flagged(fit), *insisted(fit)]
    lines += [_told(fit, note) for note in fit.notes if not _said_or_idle(fit, note)]
    if fit.refusal is None:
        lines = [weak.measured(fit), *_coherency(fit), *lines]
        lines += _spread(fit) + _boundary(fit) + _capped(fit) + _reading(fit)
    return tuple(dict.fromkeys(line for line in lines if line))


def _said_or_idle(fit: Fit, note: Note) -> bool:
    """Return whether a refusal has said a note already, or has left it without an object."""
    if fit.refusal is None:
        return False
    if note.code in REFUSAL_CODES or note.code == "time_does_not_fall":
        return True
    # Where it is open how the rows are to be read, nothing is said about curves through them.
    return bool(fit.refusal.readings) and note.code in OF_CURVES


def _told(fit: Fit, note: Note) -> str:
    if note.code == "scatter_from_misfit" and fit.misfit is not None:
        return note_text(note.code, {"misfit": fit.misfit}, fit.runs)
    if note.code in {"laws_kept", "one_law_kept"} and "no_shape_fits" in {other.code for other in fit.notes}:
        return least_bad([law.law for law in fit.laws if law.kept])
    return note.text


def flagged(fit: Fit) -> list[str]:
    """Name the runs that were left out of the fit as outliers, each with its value."""
    runs = fit.flagged
    if not runs:
        return []
    rows = [_flagged(fit, run) for run in runs[:SHOWN]]
    if len(runs) > SHOWN:
        rows.append(f"and {len(runs) - SHOWN} more")
    return [
        f"{say.plural(len(runs), 'run')} left out, far from the others at its count: " + "; ".join(rows) + "."
    ]


def _flagged(fit: Fit, run: Flagged) -> str:
    units = fit.runs.unit_one if run.n == 1 else fit.runs.unit
    value = say.digits(run.value, 3) if fit.runs.quantity == "rate" else say.time(run.value)
    first = ", the first run there" if run.first else ""
    return f"row {run.line}, {say.count(run.n)} {units}, {value}{first}"


def insisted(fit: Fit) -> list[str]:
    """Say that one law was asked for, and give its parameters if it holds."""
    if fit.insisted is None:
        return []
    lines = [
        f"Only {fit.insisted} ({shape(fit.insisted)}) stands, as asked: every range assumes that it holds."
    ]
    for law in fit.laws:
        if law.law == fit.insisted and law.params:
            lines.append(f"If it holds: {_parameters(law)}.")
    return lines


def _parameters(law: LawFit) -> str:
    parts = []
    for name, value in law.params.items():
        interval = law.intervals.get(name)
        around = f" ({say.span(interval.low, interval.high)})" if interval is not None else ""
        label = parameters({name: value})
        parts.append(f"{label} {say.digits(value, 3)}{around}")
    return ", ".join(parts)


def _coherency(fit: Fit) -> list[str]:
    """Say what every further worker costs, where a universal law is the only shape that fits."""
    laws = set(standing(fit)) - {"amdahl"}
    if laws != {"usl"} or fit.kind == "weak":
        return []
    kappa = fit.law_fit("usl").intervals.get("kappa")
    if kappa is None or kappa.low <= 0 or not math.isfinite(kappa.high):
        return []
    one, units, largest = fit.runs.unit_one, fit.runs.unit, fit.counts[-1].n
    sum_of = say.shares(kappa.low * (largest - 1), kappa.high * (largest - 1))
    serial = fit.serial_fraction
    more = ", more than the serial share" if serial and kappa.low * (largest - 1) > serial.high else ""
    return [
        (
            f"Every {one} added costs {say.shares(*kappa)} of the 1-{one} time in talk between {units} "
            f"(coherency): {sum_of} at {say.count(largest)}{more}."
        )
    ]


def _spread(fit: Fit) -> list[str]:
    """Say what the kept laws disagree about, where the doubling is not answered."""
    kept = [law for law in standing(fit) if law != "amdahl" or "usl" not in standing(fit)]
    if fit.doubling.answer in ("yes", "no", "not answered") or len(kept) < 2:
        return []
    both = "both" if len(kept) == 2 else f"all {say.word(len(kept))}"
    ends = [fit.doubling.start, fit.doubling.to]
    slower = [law for law in kept if (t := fit.law_time(law, ends))[1] > t[0] * (1 + 1e-9)]
    under = f" Under {say.word(len(slower))} of them more {fit.runs.unit} are slower."
    return [f"The ranges span {both} shapes.{under if slower else ''}"]


def _reading(fit: Fit) -> list[str]:
    if fit.runs.quantity != "rate" or fit.runs.work is not None or fit.kind != "strong":
        return []
    return ["The column is a rate: it is fitted as 1/rate, the time of one unit of work."]


def _boundary(fit: Fit) -> list[str]:
    if fit.doubling.answer != "yes" or any(note.code == "horizon_crossed" for note in fit.notes):
        return []
    d, units = fit.doubling, fit.runs.unit
    if fit.kind == "throughput":
        return []
    crossed = f"no point crosses {say.count(d.start)}"
    return [f"If {say.count(d.to)} {units} mean a second socket or node, expect a step: {crossed}."]


def _capped(fit: Fit) -> list[str]:
    if fit.doubling.answer not in ("cannot tell", "leaning yes", "leaning no"):
        return []
    start = fit.doubling.start
    here = [m for m in fit.candidates if m.n <= start and m.shrinks_to is not None]
    if not here or min(m.shrinks_to or 0.0 for m in here) <= HARDLY:
        return []
    return [f"If no more than {say.count(start)} can be had: this question cannot be answered there."]


def _closed(text: str) -> str:
    return text if text.endswith(".") else text + "."
