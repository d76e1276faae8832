"""What worker time is bought for: the rows of ledgers under the few names that people read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scalewall.ledger import Ledger

KINDS = (
    "useful", "slower", "serial", "serial_wait", "imbalance", "off_cpu", "blocked", "start", "unaccounted",
)  # fmt: skip
"""From the work itself to what no clock explains; only the last may be negative."""


@dataclass(frozen=True)
class Parts:
    """Worker-nanoseconds of some runs of one worker count by kind; they add up to workers times wall time.

    Parameters
    ----------
    workers : int
        Worker slots.
    runs : int
        Runs that were added up.
    wall_ns : int
        Wall time of all these runs.
    kinds : dict of str to int
        Nanoseconds over all workers and runs, in the order of `KINDS`.
    """

    workers: int
    runs: int
    wall_ns: int
    kinds: dict[str, int]

    def __post_init__(self) -> None:
        """Refuse parts that do not add up."""
        total = sum(self.kinds.values())
        if total != self.bought_ns:
            raise AssertionError(f"the parts add up to {total} ns: expected {self.bought_ns} ns")

    @property
    def bought_ns(self) -> int:
        """Workers times wall time, over all runs."""
        return self.workers * self.wall_ns

    @property
    def shares(self) -> dict[str, float]:
        """Each kind as a share of what was bought; together they are 1."""
        return {kind: ns / self.bought_ns if self.bought_ns else 0.0 for kind, ns in self.kinds.items()}

    @property
    def mean_ms(self) -> dict[str, float]:
        """Milliseconds of a mean run, by kind."""
        return {kind: ns / self.runs / 1e6 for kind, ns in self.kinds.items()}

    @property
    def price(self) -> str:
        """The kind that costs most, the work itself left aside."""
        return max(KINDS[1:], key=lambda kind: self.kinds[kind])

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python, ready for JSON."""
        return {
            "workers": self.workers,
            "runs": self.runs,
            "wall_ns": self.wall_ns,
            "bought_ns": self.bought_ns,
            "kinds_ns": dict(self.kinds),
        }


def parts(ledgers: Sequence[Ledger], one: Sequence[Ledger] = ()) -> Parts:
    """Add up runs of one worker count.

    The work counts as useful up to what it takes with one worker; without runs of one worker all of it does.
    The serial phases hold one worker at work and the others waiting; an exchange between ranks holds all.
    """
    workers, runs = ledgers[0].workers, len(ledgers)

    def rows(*names: str) -> int:
        return sum(ledger.rows.get(name, 0) for ledger in ledgers for name in names)

    work = rows("compute", "on_cpu")
    serial = rows("setup", "combine")
    alone = work
    if one:
        whole = sum(ledger.rows.get("compute", 0) + ledger.rows.get("on_cpu", 0) for ledger in one)
        alone = whole * runs // len(one)
    useful = min(work, alone)
    kinds = {
        "useful": useful,
        "slower": work - useful,
        "serial": serial // workers,
        "serial_wait": serial - serial // workers + rows("exchange"),
        "imbalance": rows("imbalance"),
        "off_cpu": rows("preempted"),
        "blocked": rows("blocked"),
        "start": rows("arrival", "wake", "join"),
        "unaccounted": rows("unaccounted"),
    }
    return Parts(workers, runs, sum(ledger.wall_ns for ledger in ledgers), kinds)
