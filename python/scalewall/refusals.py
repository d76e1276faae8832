"""When there is no answer: what is wrong, the readings the input could have, and the flag for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scalewall.kinds import times_as_long
from scalewall.results import Note, Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scalewall.runs import Runs

REFUSAL_CODES = frozenset({"refused", "reading"})
"""Codes of the notes that say why there is no answer."""

_REASONS = 5
"""Rows left out are named up to this many; the others are counted."""

_TOO_FEW = {
    "one count": "All runs are at one worker count",
    "two counts": "2 worker counts",
    "too few repeats": "3 worker counts and no repeats",
}


def refusal_of(runs: Runs, found: Mapping[str, Any], insisted: bool) -> Refusal | None:
    """Return why the runs give no answer, or None where they do.

    Parameters
    ----------
    runs : Runs
        The runs as they were read.
    found : mapping
        What the core found.
    insisted : bool
        Whether the caller insisted on a law: then the fit stands, and only a single run is refused.
    """
    status = found["status"]
    if insisted:
        return Refusal(_too_few(runs, status), ()) if len(runs) == 1 else None
    if status in _TOO_FEW:
        return Refusal(_too_few(runs, status), ())
    if runs.kind == "unknown":
        return Refusal(runs.kind_reason, runs.readings)
    codes = {note["code"] for note in found["notes"]}
    if (
        runs.kind == "strong"
        and "time_does_not_fall" in codes
        and found["doubling"]["answer"] == "not answered"
    ):
        return _does_not_fall(runs, found)
    return None


def no_usable_row(runs: Runs) -> str:
    """Return why there is nothing to fit: the reasons of the first rows that were left out."""
    where = f"{runs.source}: " if runs.source else ""
    reasons = [row.reason for row in runs.rejected[:_REASONS]]
    more = len(runs.rejected) - _REASONS
    listed = "; ".join([*reasons, f"and {more} more"] if more > 0 else reasons)
    return f"{where}no usable row" + (f": {listed}" if listed else "; at least one is needed")


def refusal_notes(refusal: Refusal | None) -> tuple[Note, ...]:
    """Return the refusal as notes: the reason, and each reading with the flag that chooses it."""
    if refusal is None:
        return ()
    readings = (Note("reading", f"{text}: {flag}") for text, flag in refusal.readings)
    return (Note("refused", refusal.reason), *readings)


def _too_few(runs: Runs, status: str) -> str:
    rows = f"{len(runs)} usable {'row' if len(runs) == 1 else 'rows'}"
    return f"{_TOO_FEW[status]} ({rows}); a curve needs 4 worker counts, or 3 with repeats."


def _does_not_fall(runs: Runs, found: Mapping[str, Any]) -> Refusal:
    first, last = found["counts"][0], found["counts"][-1]
    ratio = last["time"] / first["time"]
    work = "" if runs.work is None else f" --work {runs.columns['work']}"
    most, least = f"{last['n']:g} {runs.unit}", f"{first['n']:g}"
    if runs.quantity == "rate":
        what = f"The rate does not rise: {most} do {1 / ratio:.3g} times the work of {least}."
        other = ("the column is a time, not a rate", f"--time {runs.columns['throughput']}")
    else:
        what = f"The time does not fall: {most} take {times_as_long(ratio)} as {least}."
        other = ("the column is a rate, not a time", f"--throughput {runs.columns['time']}")
    return Refusal(
        f"{what} Read as fixed work, this would be a program that never scales.",
        (
            (f"the work grew with the {runs.unit}", f"--scaling weak{work}"),
            other,
            ("it really does not scale", "--scaling strong --confirm"),
        ),
    )
