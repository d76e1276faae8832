"""A few programs whose answer is known, measured on this machine."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from scalewall import machine
from scalewall._errors import DomainError
from scalewall.campaign import known_program, measure_reduction, run_campaign
from scalewall.conditions import Conditions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scalewall.campaign import Campaign

BLOCKS, ROUNDS = 6, 3

LARGEST = 16
"""More workers than this show nothing new and take long."""

SHORTEST_MS, LONGEST_MS = 4.0, 50.0
"""Processor time of one run: long against its stamps, short enough for many runs."""

NS_PER_ELEMENT, MOST_ELEMENTS = 0.3, 20_000_000
"""A guess of what an element of a large sum costs, to choose a size; nothing rests on it."""

INJECTED = 0.05


@dataclass(frozen=True)
class Program:
    """A program of the demonstration; `serial` is its share by operation count, None where nobody knows."""

    name: str
    serial: float | None = None
    locked: float = 0.0


SUM = Program("sum")
PROGRAMS = (SUM, Program("serial", INJECTED), Program("parallel", 0.0), Program("locked", 0.0, 0.75))


@dataclass(frozen=True)
class Shown:
    """A program and its runs."""

    program: Program
    campaign: Campaign


@dataclass(frozen=True)
class Demonstration:
    """What was measured, and whether statements about wall time are valid."""

    shown: tuple[Shown, ...]
    conditions: Conditions
    seconds: float

    def __getitem__(self, name: str) -> Campaign:
        """Return the runs of one program."""
        return next(shown.campaign for shown in self.shown if shown.program.name == name)

    @property
    def environment(self) -> Mapping[str, Any]:
        """The machine."""
        return self.shown[0].campaign.environment

    @property
    def counts(self) -> tuple[int, ...]:
        """Worker counts, ascending."""
        return self.shown[0].campaign.counts

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why statements about wall time are not valid; empty where they are."""
        return self.conditions.reasons()


def default_counts(cpus: int) -> tuple[int, ...]:
    """Return 1, 2, 4 and so on: past the processors where they are few, so that this can be seen."""
    last = 2 if cpus == 1 else min(max(4, cpus), LARGEST)
    return tuple(2**k for k in range(last.bit_length()))


def demonstrate(
    workers: Sequence[int] | None = None,
    *,
    seconds: float = 30.0,
    blocks: int = BLOCKS,
    rounds: int = ROUNDS,
    progress: Callable[[float], object] | None = None,
) -> Demonstration:
    """Measure the programs.

    Parameters
    ----------
    workers : sequence of int, optional
        Worker counts, 1 among them.
    seconds : float, default 30
        How long it may take, about: it decides how long one run is, within limits.
    blocks, rounds : int
        As for :func:`scalewall.campaign.run_campaign`.
    progress : callable, optional
        Called with the share of the programs done, from 0 to 1.
    """
    counts = tuple(workers) if workers else default_counts(len(machine.usable_cpus()))
    if 1 not in counts or len(set(counts)) < 2 or min(counts) < 1:
        raise DomainError(f"workers is {list(counts)}: expected 1 and at least one larger count")
    runs = len(PROGRAMS) * len(counts) * (blocks * rounds + 1)
    turn_ns, slowdown = _pace(max(counts))
    work_ms = min(max(1e3 * seconds / runs / slowdown, SHORTEST_MS), LONGEST_MS)
    begun, before = time.monotonic(), machine.counters()
    shown = []
    for done, program in enumerate(PROGRAMS):
        if progress is not None:
            progress(done / len(PROGRAMS))
        shown.append(Shown(program, _measured(program, counts, work_ms, turn_ns, (blocks, rounds))))
    if progress is not None:
        progress(1.0)
    found = [part.campaign.conditions.capacity for part in shown]
    capacities = [capacity for capacity in found if capacity is not None]
    capacity = float(np.median(capacities)) if capacities else None
    conditions = Conditions.between(before, machine.counters(), capacity)
    return Demonstration(tuple(shown), conditions, time.monotonic() - begun)


def _measured(
    program: Program, counts: tuple[int, ...], work_ms: float, turn_ns: float, plan: tuple[int, int]
) -> Campaign:
    blocks, rounds = plan
    if program is SUM:
        size = min(int(1e6 * work_ms / NS_PER_ELEMENT), MOST_ELEMENTS)
        data = np.random.default_rng(0).random(size)
        # Merged by the caller: then the serial phases are one worker at work and the others waiting.
        return measure_reduction(
            data, workers=counts, combine="order", split=True, blocks=blocks, rounds=rounds
        )
    turns = int(1e6 * work_ms / turn_ns)
    serial = round(turns * (program.serial or 0.0))
    run = known_program(serial, turns - serial, locked=program.locked)
    return run_campaign(run, counts, blocks=blocks, rounds=rounds)


def _pace(most: int) -> tuple[float, float]:
    """Return nanoseconds a turn on a processor, and how much longer a run takes on the clock, at most."""
    turns = 2_000_000
    ledgers = [known_program(0, turns)(count, ()) for count in (1, most) for _ in range(3)]
    turn_ns = min(ledger.parallel_ns for ledger in ledgers) / turns
    return turn_ns, max(1.0, sum(ledger.wall_ns for ledger in ledgers) / len(ledgers) / (turn_ns * turns))
