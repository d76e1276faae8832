"""Many runs that can be believed: interleaved at random, on rotated processors, in blocks apart in time."""

from __future__ import annotations

import math
import random
import time
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from scalewall import _core, conditions, machine
from scalewall._errors import DomainError, InsufficientDataError
from scalewall.conditions import Conditions
from scalewall.ledger import INSTRUMENT_FLOOR, Ledger, from_record
from scalewall.parts import Parts, parts
from scalewall.reconciliation import Reconciliation, reconcile
from scalewall.results import Estimate, SerialFraction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import numpy.typing as npt

    from scalewall.fitting import Fit

Cpus: TypeAlias = tuple[int, ...]
Operation: TypeAlias = Literal["sum", "norm2", "minmax", "mean_var"]


@dataclass(frozen=True)
class Run:
    """One run of a campaign: when in the plan it came, where its workers were put, and its ledger."""

    block: int
    round: int
    cpus: Cpus
    ledger: Ledger

    @property
    def workers(self) -> int:
        """Worker slots."""
        return self.ledger.workers


@dataclass(frozen=True)
class Campaign:
    """Runs of one program at several worker counts, and what they say about its serial fraction.

    Intervals are block-t: one value per block, Student's t between the blocks, plus the floor of the
    instrument; runs inside one block share the state of the machine and cover too little by themselves.
    """

    runs: tuple[Run, ...]
    environment: Mapping[str, Any]
    conditions: Conditions
    level: float = 0.95

    @property
    def counts(self) -> tuple[int, ...]:
        """Worker counts, ascending."""
        return tuple(sorted({run.workers for run in self.runs}))

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why statements about wall time are not valid; empty where they are."""
        return self.conditions.reasons()

    @property
    def valid(self) -> bool:
        """Whether statements about wall time are valid: capacity there, nothing else running or stolen."""
        return not self.reasons

    def ledgers(self, workers: int) -> list[Ledger]:
        """Return the ledgers of all runs with so many workers."""
        found = [run.ledger for run in self.runs if run.workers == workers]
        if not found:
            raise DomainError(f"workers is {workers}: expected one of {', '.join(map(str, self.counts))}")
        return found

    def _blocks(self, *counts: int) -> list[tuple[list[Ledger], ...]]:
        """Return for every block the ledgers of each count, blocks in which a count is missing left out."""
        blocks: dict[int, dict[int, list[Ledger]]] = defaultdict(lambda: defaultdict(list))
        for run in self.runs:
            blocks[run.block][run.workers].append(run.ledger)
        kept = [block for block in blocks.values() if all(block.get(count) for count in counts)]
        return [tuple(block[count] for count in counts) for block in kept]

    def _fraction(self, values: Iterable[float], of: str) -> SerialFraction:
        array = np.array(list(values), dtype=float)
        if array.size < 2:
            raise InsufficientDataError(
                f"the campaign has {array.size} whole blocks: an interval needs at least two"
            )
        mean, low, high = _core.fitting_mean_interval(array, self.level)
        return SerialFraction(mean, low - INSTRUMENT_FLOOR, high + INSTRUMENT_FLOOR, of)

    def _too_short(self, workers: int) -> bool:
        ledgers = self.ledgers(workers)
        return 2 * sum(ledger.too_short for ledger in ledgers) > len(ledgers)

    def f_work(self, workers: int = 1) -> SerialFraction:
        """Take serial CPU time over all CPU time.

        With one worker it is a property of program, input and machine, and does not depend on waiting: the
        primary answer. Taken at more workers it is low by whatever the work grows there.
        """
        of = f"the work, by CPU time at {workers} worker{'s' if workers > 1 else ''}"
        if self._too_short(workers):
            return SerialFraction(None, 0.0, 1.0, f"{of}: the runs are too short to measure")
        return self._fraction(
            (
                sum(run.serial_ns for run in runs) / sum(run.serial_ns + run.parallel_ns for run in runs)
                for (runs,) in self._blocks(workers)
            ),
            of,
        )

    def gustafson(self, workers: int) -> SerialFraction:
        """Take serial wall time over the wall time of the same runs: it grows with the workers."""
        of = f"T({workers}), by wall time (Gustafson)"
        if self._too_short(workers):
            return SerialFraction(None, 0.0, 1.0, f"{of}: the runs are too short to measure")
        return self._fraction(
            (
                sum((run.rows["setup"] + run.rows["combine"]) / run.workers for run in runs)
                / sum(run.wall_ns for run in runs)
                for (runs,) in self._blocks(workers)
            ),
            of,
        )

    def karp_flatt(self, workers: int) -> SerialFraction:
        """Take all that keeps the speedup below `workers`, from T(1) and T(workers): not only serial code."""
        return self._fraction(
            (reconcile(one, many).karp_flatt for one, many in self._blocks(1, workers)),
            f"T(1), from T(1) and T({workers}) (Karp–Flatt)",
        )

    def reconcile(self, workers: int) -> Reconciliation:
        """Explain the Karp–Flatt fraction term by term."""
        return reconcile(self.ledgers(1), self.ledgers(workers))

    def parts(self, workers: int) -> Parts:
        """Say what the worker time at so many workers was bought for, against the runs of one worker."""
        return parts(self.ledgers(workers), self.ledgers(1) if 1 in self.counts else ())

    def speedup(self, workers: int, base: int = 1) -> Estimate:
        """Return T(base) / T(workers) by wall time, block against block."""
        logs = [math.log(_mean_wall(few) / _mean_wall(many)) for few, many in self._blocks(base, workers)]
        if len(logs) < 2:
            raise InsufficientDataError(
                f"the campaign has {len(logs)} whole blocks: an interval needs at least two"
            )
        mean, low, high = _core.fitting_mean_interval(np.array(logs), self.level)
        return Estimate(math.exp(mean), math.exp(low), _exp(high))

    def fit(self) -> Fit:
        """Fit the wall times; needs at least three worker counts to say more than two points can."""
        from scalewall.fitting import fit  # noqa: PLC0415
        from scalewall.runs import Runs  # noqa: PLC0415

        n = [run.workers for run in self.runs]
        seconds = [run.ledger.wall_ns / 1e9 for run in self.runs]
        return fit(Runs(n=n, time=seconds, kind="strong"))

    def serial_fractions(self) -> tuple[SerialFraction, ...]:
        """Return the serial fractions side by side, each saying of which time it is a share."""
        found = [self.f_work()] if 1 in self.counts else []
        for workers in self.counts:
            if workers > 1:
                found += [self.f_work(workers), self.gustafson(workers)]
                if 1 in self.counts:
                    found.append(self.karp_flatt(workers))
        if len(self.counts) >= 3:
            fitted = self.fit().serial_fraction
            if fitted is not None:
                found.append(
                    SerialFraction(fitted.value, fitted.low, fitted.high, f"T(1), fitted: {fitted.of}")
                )
        return tuple(found)

    def summary(self) -> str:
        """Return fractions, their difference explained, and the gate, as plain text."""
        lines = ["serial fraction of"]
        for fraction in self.serial_fractions():
            wall = " (wall time)" if "CPU" not in fraction.of and not self.valid else ""
            value = "unknown" if fraction.value is None else f"{fraction.value:+.4f}"
            lines.append(f"  {value:>8} [{fraction.low:+.4f}, {fraction.high:+.4f}]  {fraction.of}{wall}")
        if 1 in self.counts and len(self.counts) > 1:
            lines += [self.reconcile(workers).summary() for workers in self.counts[1:]]
        if not self.valid:
            lines.append("statements about wall time are not valid here:")
            lines += [f"  {reason}" for reason in self.reasons]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python, ready for JSON."""
        return {
            "environment": dict(self.environment),
            "conditions": self.conditions.to_dict(),
            "valid": self.valid,
            "reasons": list(self.reasons),
            "runs": [
                {"block": run.block, "round": run.round, "cpus": list(run.cpus), **run.ledger.to_dict()}
                for run in self.runs
            ],
        }


def _mean_wall(ledgers: Sequence[Ledger]) -> float:
    return sum(ledger.wall_ns for ledger in ledgers) / len(ledgers)


def _exp(value: float) -> float:
    # Two blocks that differ much have an interval that ends beyond every double.
    return math.exp(value) if value < 700.0 else math.inf


def rotated(cpus: Sequence[int], workers: int, shift: int) -> Cpus:
    """Return the processor of each worker: over `len(cpus)` shifts every worker visits every processor."""
    return tuple(cpus[(worker + shift) % len(cpus)] for worker in range(workers))


def run_campaign(
    run: Callable[[int, Cpus], Ledger],
    workers: Sequence[int],
    *,
    blocks: int = 6,
    rounds: int = 4,
    cpus: Sequence[int] | None = None,
    pause: float = 0.05,
    probe: bool = True,
    seed: int = 0,
    level: float = 0.95,
) -> Campaign:
    """Run a program again and again in an order that drifts and noisy neighbours cannot bias.

    Every round runs each count once, in random order, with the processors moved on by one; blocks of rounds
    are separated by a pause. The first run at each count warms up and is not kept.

    Parameters
    ----------
    run : callable
        Takes the worker count and the processor of each worker, runs the program once, returns its ledger.
    workers : sequence of int
        Worker counts.
    blocks, rounds : int
        Blocks, and rounds in each; the interval has ``blocks - 1`` degrees of freedom.
    cpus : sequence of int, optional
        Processors to visit; by default all that the process may run on.
    pause : float, default 0.05
        Seconds between blocks.
    probe : bool, default True
        Probe in every block whether the processors give their full arithmetic at once.
    seed : int, default 0
        Seed of the order.
    level : float, default 0.95
        Confidence of the intervals.

    Returns
    -------
    Campaign

    Raises
    ------
    DomainError    if there is no worker count, or one below 1, or fewer than one block or round.
    """
    if not workers or min(workers) < 1:
        raise DomainError(f"workers is {list(workers)}: expected counts of at least 1")
    if blocks < 1 or rounds < 1:
        raise DomainError(f"blocks is {blocks} and rounds is {rounds}: expected at least 1 of each")
    places = tuple(cpus if cpus is not None else machine.usable_cpus())
    order = random.Random(seed)
    environment = machine.environment()
    for count in workers:
        run(count, rotated(places, count, 0))
    kept: list[Run] = []
    capacities: list[float] = []
    before = machine.counters()
    shift = 0
    for block in range(blocks):
        if block:
            time.sleep(pause)
        if probe:
            used = tuple(dict.fromkeys(rotated(places, min(max(workers), len(places)), 0)))
            capacities.append(conditions.capacity(used))
        for round_ in range(rounds):
            for count in order.sample(list(workers), len(workers)):
                spots = rotated(places, count, shift)
                kept.append(Run(block, round_, spots, run(count, spots)))
            shift += 1
    capacity = float(np.median(capacities)) if capacities else None
    around = Conditions.between(before, machine.counters(), capacity)
    return Campaign(tuple(kept), environment, around, level)


def measure_reduction(
    x: npt.ArrayLike,
    *,
    workers: Sequence[int] = (1, 2),
    operation: Operation = "sum",
    method: str = "exact",
    combine: str = "tree",
    split: bool | None = None,
    blocks: int = 6,
    rounds: int = 4,
    cpus: Sequence[int] | None = None,
    seed: int = 0,
    level: float = 0.95,
) -> Campaign:
    """Measure a reduction of `x` at several worker counts.

    Parameters
    ----------
    x : array_like of float64, float32 or integers
        The elements.
    workers : sequence of int, default (1, 2)
        Worker counts; 1 among them for everything that compares.
    operation : {"sum", "norm2", "minmax", "mean_var"}, default "sum"
        The reduction.
    method, combine, split
        As for :func:`scalewall.parallel_sum`.
    blocks, rounds, cpus, seed, level
        As for :func:`run_campaign`.

    Returns
    -------
    Campaign
    """
    from scalewall.measured import SPLIT_FROM, vector_of  # noqa: PLC0415

    vector = vector_of("x", x)
    measure = 2 if (vector.size >= SPLIT_FROM if split is None else split) else 1

    def run(count: int, places: Cpus) -> Ledger:
        how = (count, combine, measure, list(places))
        if operation == "sum":
            record = _core.reduction_sum(vector, method, how)[1]
        elif operation == "norm2":
            record = _core.reduction_norm2(vector, method, how)[1]
        elif operation == "minmax":
            record = _core.reduction_minmax(vector, how)[1]
        else:
            record = _core.reduction_mean_var(vector, 0.0, how)[1]
        assert record is not None
        return from_record(record, vector.nbytes)

    return run_campaign(run, workers, blocks=blocks, rounds=rounds, cpus=cpus, seed=seed, level=level)


def known_program(serial: int, parallel: int, *, shares: Sequence[float] = (), locked: float = 0.0) -> Any:
    """Return a program for :func:`run_campaign` whose serial fraction is known by operation count.

    `serial` turns of a loop on the caller, `parallel` turns over all workers: evenly, or by `shares`; the
    share `locked` of each worker's turns is taken while it holds the one lock.
    """

    def run(count: int, places: Cpus) -> Ledger:
        parts = (
            [share / sum(shares) for share in shares[:count]] if count > 1 and shares else [1 / count] * count
        )
        turns = [round(parallel * part) for part in parts]
        return from_record(_core.reduction_program(serial, turns, locked, list(places)))

    return run
