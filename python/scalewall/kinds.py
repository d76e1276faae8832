"""Which kind of scaling a table of runs shows: strong, weak or a load curve; and what to say if it does not.

The kind comes from the caller, or from the work column, or from a clear fall of the time. Nothing else
decides it: a rate without a work column fits all three, and a time that does not fall fits several stories.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast, get_args

import numpy as np

from scalewall._errors import ChoiceError
from scalewall.results import Note
from scalewall.workers import count_text, grouped

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    FloatArray = npt.NDArray[np.float64]

Kind = Literal["strong", "weak", "throughput", "unknown"]
Readings = tuple[tuple[str, str], ...]

# Work (strong) or work per worker (weak) may lie this far from the median of its rows and still be the same
# problem: domains are cut into whole cells, which moves real weak-scaling tables by a few per cent.
WORK_TOLERANCE = 0.05
# This share of the rows has to agree before the work column decides, and before it may throw rows out.
WORK_MAJORITY = 0.75
# Below this spread the work is called the same without a word.
WORK_SILENT = 0.001
# A time falls clearly if the largest count needs less than this share of the time of the smallest ...
CLEAR_FALL_LAST = 0.9
# ... or if some count does (a curve that turns up again at the end is still fixed work).
CLEAR_FALL_BEST = 0.75
# A time that changes by more than this between counts may be in other units.
UNITS_SUSPECT = 50.0


@dataclass(frozen=True)
class Decision:
    """The kind, why, what else it could be, and the rows that the work column speaks against."""

    kind: Kind
    reason: str
    readings: Readings
    rejected: dict[int, str]
    notes: tuple[Note, ...]


@dataclass(frozen=True)
class Question:
    """What a decision is made from. `value` is the time, or the rate, of each row."""

    n: FloatArray
    value: FloatArray
    quantity: Literal["time", "rate"]
    work: FloatArray | None
    given: Kind | None
    unit: str
    unit_one: str
    names: Mapping[str, str]
    extra: Mapping[str, npt.NDArray[np.generic]]


def checked_kind(kind: str | None) -> Kind | None:
    """Return the kind the caller gave, or raise `ChoiceError`."""
    allowed = get_args(Kind)
    if kind is None or kind == "unknown":
        return None
    if kind not in allowed:
        raise ChoiceError(
            f'kind - "{kind}" is not a kind of scaling - expected "strong" (same total work), "weak" (same '
            'work per worker) or "throughput" (a load curve) - give one of these, or leave it out'
        )
    return cast("Kind", kind)


def decide(question: Question) -> Decision:
    """Decide the kind of scaling; never raises for data that leave it open."""
    if question.given is not None:
        return _as_given(question, question.given)
    if question.n.size == 0:
        return Decision("unknown", "No usable row.", (), {}, ())
    if question.work is not None:
        return _from_work(question, question.work)
    if question.quantity == "rate":
        work = _work_grew(question.n, question.unit, question.extra)[1].removeprefix("--scaling weak")
        return Decision("unknown", *rate_without_work(work), {}, ())
    return _from_time(question)


def rate_without_work(work: str = "") -> tuple[str, Readings]:
    """Return reason and readings of a rate without a work column; `work` is a flag that names one."""
    return (
        "A rate and no work column: three readings fit, and the tool does not guess.",
        (
            ("same total work at every count", "--scaling strong"),
            ("work grows with the count", f"--scaling weak{work}"),
            ("load on one machine (clients, users)", "--scaling throughput"),
        ),
    )


def medians(n: FloatArray, value: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the distinct counts in ascending order and the median value of each."""
    counts, inverse = np.unique(n, return_inverse=True)
    order = np.lexsort((value, inverse))
    ordered = value[order]
    sizes = np.bincount(inverse)
    first = np.cumsum(sizes) - sizes
    middle = (ordered[first + (sizes - 1) // 2] + ordered[first + sizes // 2]) / 2.0
    return counts, middle


def falls_clearly(n: FloatArray, time: FloatArray) -> bool:
    """Say whether the time falls enough with the count that only fixed work explains it."""
    counts, middle = medians(n, time)
    if counts.size < 2:
        return False
    last = middle[-1] / middle[0]
    best = middle[1:].min() / middle[0]
    return bool(last < CLEAR_FALL_LAST or best <= CLEAR_FALL_BEST)


def no_fall(
    n: FloatArray, time: FloatArray, unit: str, time_name: str, extra: Mapping[str, npt.NDArray[np.generic]]
) -> tuple[str, Readings]:
    """Return reason and readings of a time that does not fall with the count."""
    counts, middle = medians(n, time)
    low, high = count_text(counts[0]), count_text(counts[-1])
    if counts.size < 2:
        reason = f"One count only ({low} {unit}): whether the work is fixed or grows cannot be seen."
        return reason, (("same total work at every count", "--scaling strong"), _work_grew(n, unit, extra))
    ratio = float(middle[-1] / middle[0])
    reason = (
        f"The time does not fall: {high} {unit} take {times_as_long(ratio)} as {low}. "
        "Read as fixed work, this would be a program that never scales."
        if ratio >= 1.0
        else f"The time hardly falls: {high} {unit} take {100 * ratio:.2g} % of the time of {low}. "
        "It could be fixed work that hardly scales, or work that grows."
    )
    readings = [
        _work_grew(n, unit, extra),
        ("the column is a rate, not a time", f"--throughput {quoted(time_name)}"),
        ("it really does not scale", "--scaling strong --confirm"),
    ]
    spread = float(middle.max() / middle.min())
    if ratio >= 1.0 and spread > UNITS_SUSPECT:
        readings.append(
            (f"rows differ in their units (times differ {spread:.3g}-fold)", "write every row in one unit")
        )
    return reason, tuple(readings)


def times_as_long(ratio: float) -> str:
    """Return "as long", "1.25 times as long" and the like, to be followed by "as"."""
    return "as long" if f"{ratio:.3g}" == "1" else f"{ratio:.3g} times as long"


def _time_text(seconds: float) -> str:
    """Write a time with three digits, without an exponent where a clock could have shown it."""
    if not 1e-6 <= seconds < 1e15:
        return f"{seconds:.3g} s"
    rounded = float(f"{seconds:.3g}")
    if rounded >= 10_000:
        return f"{grouped(rounded)} s"
    return f"{rounded:.{max(2 - math.floor(math.log10(rounded)), 0)}f} s"


def quoted(name: str) -> str:
    """Write a column name as one word of a command line."""
    plain = all(sign.isalnum() or sign in "_-.+%:" for sign in name) and name != ""
    return name if plain else "'" + name.replace("'", "'\\''") + "'"


def _work_grew(n: FloatArray, unit: str, extra: Mapping[str, npt.NDArray[np.generic]]) -> tuple[str, str]:
    """Return the weak reading; a kept column that grows with the count is offered as the work."""
    flag = "--scaling weak"
    for name, column in extra.items():
        if column.dtype.kind != "f" or column.size != n.size:
            continue
        values = column.astype(np.float64)
        if not bool(np.all(values > 0)) or np.unique(n).size < 2 or bool(np.array_equal(values, n)):
            continue
        # A second worker count (ranks beside nodes) is proportional too: only much larger numbers are work.
        if _agreement(values / n)[0].mean() >= WORK_MAJORITY and float(np.median(values / n)) > 1000.0:
            flag += f" --work {quoted(name)}"
            break
    return f"the work grew with the {unit}", flag


def _agreement(level: FloatArray) -> tuple[npt.NDArray[np.bool_], float]:
    """Return which rows lie within the tolerance of the median, and that median."""
    middle = float(np.median(level))
    return np.abs(level / middle - 1.0) <= WORK_TOLERANCE, middle


def _from_work(question: Question, work: FloatArray) -> Decision:
    fixed, _ = _agreement(work)
    scaled, _ = _agreement(work / question.n)
    share_fixed, share_scaled = float(fixed.mean()), float(scaled.mean())
    name = question.names.get("work", "work")
    if np.unique(question.n).size > 1 and share_fixed != share_scaled:
        if share_fixed > share_scaled and share_fixed >= WORK_MAJORITY:
            return _with_work(question, work, "strong", f'column "{name}" is the same at every count')
        if share_scaled > share_fixed and share_scaled >= WORK_MAJORITY:
            reason = f'column "{name}" grows in proportion to the {question.unit}'
            return _with_work(question, work, "weak", reason)
    levels = np.unique(work).size
    same = count_text(float(question.n[0]))
    reason = (
        f'One count only ({same} {question.unit}): column "{name}" cannot say whether work is fixed or grows.'
        if np.unique(question.n).size < 2
        else f'Column "{name}" is neither the same at every count nor in proportion to the {question.unit}.'
    )
    readings = [
        ("same total work at every count", "--scaling strong"),
        (f"work grows with the {question.unit}", "--scaling weak"),
    ]
    if question.quantity == "rate":
        readings.append(("load on one machine (clients, users)", "--scaling throughput"))
    if 1 < levels <= question.n.size // 2:
        readings.append((f"{levels} problems of different size in one table", f"--by {quoted(name)}"))
    return Decision("unknown", reason, tuple(readings), {}, ())


def _as_given(question: Question, kind: Kind) -> Decision:
    reason = "as the caller says"
    if question.work is None or question.n.size == 0 or kind == "throughput":
        return Decision(kind, reason, (), {}, ())
    return _with_work(question, question.work, kind, reason)


def _with_work(question: Question, work: FloatArray, kind: Kind, reason: str) -> Decision:
    """Throw out the rows whose work does not belong, if the others agree; say how far the others spread."""
    level = work if kind == "strong" else work / question.n
    agrees, middle = _agreement(level)
    name = question.names.get("work", "work")
    per = "" if kind == "strong" else f" per {question.unit_one}"
    if agrees.mean() < WORK_MAJORITY:
        expected = "the same at every count" if kind == "strong" else f"in proportion to the {question.unit}"
        text = (
            f'Column "{name}" is not {expected} (from {grouped(float(level.min()))} to '
            f"{grouped(float(level.max()))}{per}): read as {kind} scaling because you said so."
        )
        return Decision(kind, reason, (), {}, (Note("work_disagrees", text),))
    rejected = {
        int(row): (
            f"{count_text(float(question.n[row]))} {_unit_for(question, float(question.n[row]))}: "
            f"{grouped(float(level[row]))} {name}{per} where the others have {grouped(middle)}"
        )
        for row in np.flatnonzero(~agrees)
    }
    kept = level[agrees]
    spread = float(kept.max() / kept.min() - 1.0)
    notes: tuple[Note, ...] = ()
    if spread > WORK_SILENT:
        text = (
            f'Column "{name}": work{per} differs by up to {100 * spread:.2g} % between rows; '
            "it counts as the same, and times stand as measured."
        )
        notes = (Note("work_varies", text),)
    return Decision(kind, reason, (), rejected, notes)


def _unit_for(question: Question, n: float) -> str:
    return question.unit_one if n == 1 else question.unit


def _from_time(question: Question) -> Decision:
    time_name = question.names.get("time", "time")
    if falls_clearly(question.n, question.value):
        counts, middle = medians(question.n, question.value)
        best = int(np.argmin(middle))
        what = "the time" if counts.size == question.n.size else "the median time"
        text = (
            f"Read as strong scaling (fixed work): no column says so, but {what} falls from "
            f"{_time_text(middle[0])} on {count_text(counts[0])} to {_time_text(middle[best])} on "
            f"{count_text(counts[best])} {question.unit}. If the work grew: --scaling weak."
        )
        note = Note("read_as_strong", text)
        return Decision("strong", "the time falls clearly with the count", (), {}, (note,))
    reason, readings = no_fall(question.n, question.value, question.unit, time_name, question.extra)
    return Decision("unknown", reason, readings, {}, ())
