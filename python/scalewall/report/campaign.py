"""What stands around the answer of a campaign: why it stopped, what failed, where e(n) came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scalewall.report.running import duration
from scalewall.report.signs import Piece, plain_text
from scalewall.report.text import wrapped
from scalewall.wording import numbers as say

if TYPE_CHECKING:
    import numpy.typing as npt

    from scalewall.report.text import Line
    from scalewall.runs import Runs

    FloatArray = npt.NDArray[np.float64]


class Split(NamedTuple):
    """Karp-Flatt's e(n) and its two parts, shares of T(1), by worker count; they add up exactly."""

    n: FloatArray
    total: FloatArray
    idle: FloatArray
    inflation: FloatArray


def split(runs: Runs) -> Split | None:
    """Split e(n) into idle workers and added processor time; None where the processor time is not known.

    With C user and system seconds of a run, n T(n) - C is the time in which its workers did not compute, so
    e(n) = [(n T(n) - C(n)) - (T(1) - C(1))] / D + [C(n) - C(1)] / D with D = (n - 1) T(1). T is the wall time
    of the whole process, start-up included, since C is too.
    """
    columns = [runs.extra.get(name) for name in ("process_s", "user_s", "system_s")]
    if any(column is None for column in columns) or runs.kind == "weak":
        return None
    wall, user, system = (np.asarray(column, dtype=np.float64) for column in columns)
    counts, at = np.unique(runs.n, return_inverse=True)
    if counts.size < 2 or counts[0] != 1:
        return None
    size = np.bincount(at)
    time, cpu = (np.bincount(at, weights=values) / size for values in (wall, user + system))
    if not bool(np.isfinite(cpu).all()):
        return None
    n, most = counts[1:], (counts[1:] - 1) * time[0]
    idle = ((n * time[1:] - cpu[1:]) - (time[0] - cpu[0])) / most
    inflation = (cpu[1:] - cpu[0]) / most
    return Split(n, idle + inflation, idle, inflation)


def split_lines(runs: Runs, elsewhere: str = "") -> list[Line]:
    """Return the split as a table, or why there is none."""
    if elsewhere:
        text = (
            f"Idle workers or more computing: unknown, since {elsewhere} runs the work where its processor "
            "time cannot be seen."
        )
        return [(), *((Piece(line),) for line in wrapped(text, 0, 2))]
    found = split(runs)
    if found is None:
        return []
    head = f"{runs.unit:>12}{'e(n)':>14}{'workers idle':>16}{'more computing':>18}"
    title, of = "Where e(n) came from", f"  of the 1-{runs.unit_one} time, whole process"
    lines: list[Line] = [(), (Piece(title, "strong"), Piece(of, "soft")), (Piece(head, "soft"),)]
    for n, total, idle, inflation in zip(*(column.tolist() for column in found), strict=True):
        # Adding 0 takes the sign off a zero.
        cells = [f"{round(100 * part, 1) + 0.0:.1f} %" for part in (total, idle, inflation)]
        lines.append((Piece(f"{say.count(n):>12}{cells[0]:>14}{cells[1]:>16}{cells[2]:>18}"),))
    return lines


def stopped(runs: int, rounds: int, spent_s: float, failed: int, text: str) -> list[str]:
    """Return why a campaign ended, in lines of at most 80 columns."""
    also = f", {failed} failed" if failed else ""
    head = f"{say.plural(runs, 'run')} in {say.plural(rounds, 'round')}{also}, {duration(spent_s)}."
    return wrapped(f"{head} Stopped: {text}", 0, 0)


def failure(n: int, round_: int, unit: str, reason: str, output: str, *, ascii_only: bool = False) -> str:
    """Return what is shown of a run that failed: why, and the end of what it wrote."""
    where = "in the warm-up" if round_ < 1 else f"in round {round_}"
    head = f"The run on {n} {unit} {where} failed and does not count: {reason}."
    lines = wrapped(head, 0, 2)
    if output.strip():
        lines += ["The end of its output:", *(f"  | {line}" for line in output.rstrip().splitlines())]
    else:
        lines.append("It wrote nothing.")
    text = "\n".join("".join(s if s.isprintable() or s == "\n" else " " for s in line) for line in lines)
    return plain_text(text) if ascii_only else text
