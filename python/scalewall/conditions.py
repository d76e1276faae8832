"""What happened on the machine while runs ran, and whether their wall times can be believed."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from scalewall import _core, machine

if TYPE_CHECKING:
    from scalewall.machine import Counters

CAPACITY_AT_LEAST = 0.95
EXTERNAL_BELOW = 0.05
STEAL_BELOW = 0.01

_PROBE_TURNS = 1_500_000
"""A few milliseconds of dependent arithmetic."""


@dataclass(frozen=True)
class Conditions:
    """What happened on the machine while the runs ran, as shares of its processor time.

    `capacity` is how many workers' worth of arithmetic as many workers got, divided by their number.
    """

    capacity: float | None
    external: float | None
    steal: float | None
    throttled: bool | None

    @classmethod
    def between(cls, before: Counters, after: Counters, capacity: float | None) -> Conditions:
        """Return the conditions between two moments of this process."""
        found = machine.between(before, after, own_cpu_s=after.own_s - before.own_s)
        processors = os.cpu_count() or 1
        others, steal, throttled = found["others_cpus"], found["steal_cpus"], found["throttled"]
        return cls(
            capacity,
            None if others is None else others / processors,
            None if steal is None else steal / processors,
            None if throttled is None else throttled > 0,
        )

    def reasons(self) -> tuple[str, ...]:
        """Say why wall times of these runs cannot be believed; nothing where they can."""
        found = []
        if self.capacity is not None and self.capacity < CAPACITY_AT_LEAST:
            found.append(
                f"the workers together got {self.capacity:.0%} of the arithmetic of as many free processors: "
                f"at least {CAPACITY_AT_LEAST:.0%} is needed"
            )
        if self.external is not None and self.external >= EXTERNAL_BELOW:
            found.append(f"other programs took {self.external:.0%} of the processors: less than 5% is needed")
        if self.steal is not None and self.steal >= STEAL_BELOW:
            found.append(f"the hypervisor took {self.steal:.1%} of the processors: less than 1% is needed")
        if self.throttled:
            found.append("the process was throttled by its CPU quota")
        return tuple(found)

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python, ready for JSON."""
        return asdict(self)


def capacity(cpus: tuple[int, ...]) -> float:
    """Probe what share of its full arithmetic each of these processors gives when all compute at once."""
    alone = [_wall(cpus[i : i + 1]) for i in range(len(cpus))]
    together = _wall(cpus)
    return min(1.0, sum(alone) / len(alone) / together)


def _wall(cpus: tuple[int, ...]) -> int:
    records = [_core.reduction_program(0, [_PROBE_TURNS] * len(cpus), 0.0, list(cpus)) for _ in range(2)]
    return int(min(rows["wall_ns"] for rows, _ in records))
