"""Why the measured overhead is what it is: the difference of two ledgers, to the last nanosecond."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scalewall.ledger import Ledger

TERMS = {
    "serial": "the serial phases of one worker: the serial fraction itself",
    "serial growth": "serial phases that take longer with more workers, such as combining more parts",
    "wake": "waking the workers",
    "inflation": "the same work taking more time on a processor: bandwidth, caches, clock, shared cores",
    "work": "the same work taking more time, on a processor or not (the clocks of the threads were not read)",
    "preempted": "something else had the processor",
    "blocked": "waiting for locks, pages or devices",
    "imbalance": "waiting for the last worker",
    "join": "the caller going on after the last worker",
    "unaccounted": "where two clocks disagree",
}
"""What each term means; there is either `work` or `inflation`, `preempted` and `blocked`."""


@dataclass(frozen=True)
class Reconciliation:
    """Terms that add up to ``workers * T(workers) - T(1)`` in nanoseconds: means over runs, as fractions.

    Divided by ``(workers - 1) * T(1)`` they add up to the Karp–Flatt fraction `karp_flatt`.
    """

    workers: int
    time_one: Fraction
    time: Fraction
    terms: dict[str, Fraction]

    def __post_init__(self) -> None:
        """Refuse terms that do not add up exactly."""
        if sum(self.terms.values()) != self.workers * self.time - self.time_one:
            raise AssertionError("the terms of a reconciliation do not add up")

    @property
    def karp_flatt(self) -> float:
        """The overhead as a share of what a wholly serial program would have."""
        return float((self.workers * self.time - self.time_one) / self._whole)

    @property
    def shares(self) -> dict[str, float]:
        """Each term as its part of `karp_flatt`."""
        return {name: float(term / self._whole) for name, term in self.terms.items()}

    @property
    def efficiency_shares(self) -> dict[str, float]:
        """Shares of all worker time at this count: the useful part is the efficiency, together they are 1."""
        whole = self.workers * self.time
        return {"useful": float(self.time_one / whole)} | {
            name: float(term / whole) for name, term in self.terms.items()
        }

    @property
    def _whole(self) -> Fraction:
        return (self.workers - 1) * self.time_one

    def summary(self) -> str:
        """Return the terms as a plain text table."""
        lines = [f"Karp–Flatt fraction at {self.workers} workers: {self.karp_flatt:+.4f}, made of"]
        lines += [f"  {name:<14}{share:>+9.4f}  {TERMS[name]}" for name, share in self.shares.items()]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python, ready for JSON."""
        return {"workers": self.workers, "karp_flatt": self.karp_flatt, "shares": self.shares}


def _mean(values: Sequence[int]) -> Fraction:
    return Fraction(sum(values), len(values))


def reconcile(one: Sequence[Ledger], many: Sequence[Ledger]) -> Reconciliation:
    """Explain the mean time of some runs of many workers by that of some runs of one.

    Means add and medians do not, so every term is a mean over the same runs.
    """
    workers = many[0].workers

    def rows(ledgers: Sequence[Ledger], *names: str) -> Fraction:
        return _mean([sum(ledger.rows.get(name, 0) for name in names) for ledger in ledgers])

    def difference(*names: str) -> Fraction:
        return rows(many, *names) - rows(one, *names)

    serial_one = rows(one, "setup", "combine")
    terms = {
        "serial": (workers - 1) * serial_one,
        "serial growth": rows(many, "setup", "combine") - workers * serial_one,
        "wake": difference("wake"),
    }
    if all("on_cpu" in ledger.rows for ledger in (*one, *many)):
        terms |= {
            "inflation": difference("on_cpu"),
            "preempted": difference("preempted"),
            "blocked": difference("blocked"),
        }
    else:
        terms["work"] = difference("compute", "on_cpu", "preempted", "blocked")
    terms |= {name: difference(name) for name in ("imbalance", "join", "unaccounted")}
    return Reconciliation(
        workers=workers,
        time_one=_mean([ledger.wall_ns for ledger in one]),
        time=_mean([ledger.wall_ns for ledger in many]),
        terms=terms,
    )
