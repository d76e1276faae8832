"""What one run gave: time, processor time, phases, or why it failed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Outcome:
    """One run of a program or of a function.

    Attributes
    ----------
    wall_s : float
        Wall time from start to end, seconds.
    user_s, system_s : float or None
        Processor time of the run and of all its processes, seconds; None where the work may be elsewhere.
    preemptions, switches : int or None
        How often it was pushed off a processor, and how often it gave one up.
    peak_rss_bytes : int or None
        Largest resident set of one of its processes.
    time_s, rate : float or None
        What the program said of itself, where it was asked.
    failure : str
        Why the run counts for nothing; empty where it counts.
    output : str
        The end of what a failed run wrote.
    phases_ns : mapping of str to int
        Nanoseconds of the calling thread in each phase, time in inner phases not counted twice.
    inside_ns : mapping of str to int
        The same of all other threads together.
    """

    wall_s: float
    user_s: float | None = None
    system_s: float | None = None
    preemptions: int | None = None
    switches: int | None = None
    peak_rss_bytes: int | None = None
    time_s: float | None = None
    rate: float | None = None
    failure: str = ""
    output: str = ""
    phases_ns: Mapping[str, int] = field(default_factory=dict)
    inside_ns: Mapping[str, int] = field(default_factory=dict)

    @property
    def cpu_s(self) -> float | None:
        """User and system time together, seconds."""
        return None if self.user_s is None or self.system_s is None else self.user_s + self.system_s

    @property
    def seconds(self) -> float:
        """The time of the run: what the program said, or the wall time."""
        return self.wall_s if self.time_s is None else self.time_s
