"""Where every worker-nanosecond of a run went: rows that add up to workers times wall time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from scalewall.results import SerialFraction

WORDS = {
    "arrival": "until a rank begins that comes after the first",
    "setup": "on the caller, before the work is handed out",
    "wake": "until a worker begins",
    "compute": "the work itself",
    "on_cpu": "the work itself, on a processor",
    "preempted": "ready to work while something else had the processor",
    "blocked": "waiting for a lock, a page or a device during the work",
    "imbalance": "done, while another worker still works",
    "join": "from the last worker's end until the caller goes on",
    "combine": "merging partial results",
    "exchange": "between ranks, from the last one's own end",
    "unaccounted": "where two clocks disagree",
}
"""What each row means; a run has either `compute` or its three parts."""

INSTRUMENT_FLOOR = 0.0015
"""Half-width below which a serial fraction is not known, however often it is measured: block-t intervals
without it cover too little, because the state of a machine drifts between blocks."""

STAMPING_SHARE = 0.005
"""Above this share of the wall time the stamps decide the result: a run is too short to measure."""

SHORTEST_WORK_NS = 50_000
"""Work of one worker below which six stamps and a wake-up are no longer small beside it."""


@dataclass(frozen=True)
class Ledger:
    """The worker-nanoseconds of one run, leaf rows only; they add up to ``workers * wall_ns`` in every run.

    Parameters
    ----------
    workers : int
        Worker slots, the calling thread among them.
    wall_ns : int
        Wall time in nanoseconds.
    rows : dict of str to int
        Row name to nanoseconds over all workers. Only `unaccounted` may be negative.
    serial_ns, parallel_ns : int
        Time of the caller's serial phases and of the parallel work, of the same clock.
    cpu_time : bool
        Whether that clock counts time on a processor; otherwise it is wall time.
    nbytes : int
        Bytes that the work had to read; 0 where they are not known.
    read_limit_gb_s : float or None
        What as many workers read per second on this machine when they do nothing else, in GB/s.
    stamping_ns : int
        What taking the stamps cost by itself.
    cpus : tuple of tuple of int
        The processor of each worker at begin and end; empty where the system does not tell.
    ranks : int
        MPI ranks that the workers belong to.
    clock_uncertainty_ns : int
        How far off the clocks of two ranks may be after their offsets were taken out: no row of one rank
        against another is known better.
    """

    workers: int
    wall_ns: int
    rows: dict[str, int]
    serial_ns: int
    parallel_ns: int
    cpu_time: bool = False
    nbytes: int = 0
    read_limit_gb_s: float | None = None
    stamping_ns: int = 0
    cpus: tuple[tuple[int, ...], ...] = field(default=())
    ranks: int = 1
    clock_uncertainty_ns: int = 0

    def __post_init__(self) -> None:
        """Refuse rows that do not add up."""
        total = sum(self.rows.values())
        if total != self.workers * self.wall_ns:
            raise AssertionError(
                f"the rows of a ledger add up to {total} ns: expected {self.workers} x {self.wall_ns} ns"
            )

    @property
    def shares(self) -> dict[str, float]:
        """Each row as a share of ``workers * wall_ns``; they add up to 1."""
        whole = self.workers * self.wall_ns
        return {name: ns / whole if whole else 0.0 for name, ns in self.rows.items()}

    @property
    def compute_ns(self) -> int:
        """Nanoseconds inside the work, on a processor or not."""
        parts = ("compute", "on_cpu", "preempted", "blocked")
        return sum(self.rows.get(name, 0) for name in parts)

    @property
    def gb_s(self) -> float | None:
        """Bytes read per nanosecond of wall time, which is GB/s; None where the bytes are not known."""
        return self.nbytes / self.wall_ns if self.nbytes and self.wall_ns else None

    @property
    def read_share(self) -> float | None:
        """`gb_s` as a share of the read limit measured on this machine."""
        if self.gb_s is None or not self.read_limit_gb_s:
            return None
        return self.gb_s / self.read_limit_gb_s

    @property
    def too_short(self) -> bool:
        """Whether the run is too short for its stamps to mean anything."""
        work = self.compute_ns / self.workers if self.workers else 0.0
        return work < SHORTEST_WORK_NS or self.stamping_ns > STAMPING_SHARE * self.wall_ns

    @property
    def f_work(self) -> float | None:
        """Serial time as a share of serial plus parallel time of this one run; None where it is too short.

        Low by the growth of the work on many workers (bandwidth, caches): only a campaign with one-worker
        runs tells by how much.
        """
        total = self.serial_ns + self.parallel_ns
        return None if self.too_short or total <= 0 else self.serial_ns / total

    @property
    def gustafson(self) -> float | None:
        """Serial wall time as a share of this run's wall time, which grows with the workers."""
        if self.too_short:
            return None
        exchange = self.rows.get("exchange", 0) / self.workers
        serial = self.rows["setup"] / self.workers + self.serial_combine_ns + exchange
        return min(1.0, serial / self.wall_ns)

    @property
    def serial_combine_ns(self) -> float:
        """Wall time of merging, at least: the share of one worker."""
        return self.rows["combine"] / self.workers

    @property
    def serial_fraction(self) -> SerialFraction:
        """`f_work` with what a single run can say about its width: the floor of the instrument."""
        clock = "CPU time" if self.cpu_time else "wall time of the phases"
        if self.f_work is None:
            return SerialFraction(None, 0.0, 1.0, "the work: the run is too short to measure")
        value = self.f_work
        of = f"the work, by {clock} of one run; a campaign gives an interval that holds"
        return SerialFraction(
            value, max(0.0, value - INSTRUMENT_FLOOR), min(1.0, value + INSTRUMENT_FLOOR), of
        )

    def summary(self) -> str:
        """Return the rows as a plain text table."""
        of = f" of {self.ranks} ranks" if self.ranks > 1 else ""
        lines = [f"{self.workers} workers{of}, {self.wall_ns / 1e6:.3f} ms wall time"]
        for name, ns in self.rows.items():
            lines.append(f"  {name:<12}{ns / 1e6:>12.4f} ms {self.shares[name]:>7.1%}  {WORDS.get(name, '')}")
        lines.append(
            f"  {'together':<12}{self.workers * self.wall_ns / 1e6:>12.4f} ms  = workers x wall time"
        )
        if self.gb_s is not None:
            share = "" if self.read_share is None else f", {self.read_share:.0%} of the measured read limit"
            lines.append(f"  {self.nbytes / 1e6:.1f} MB read at {self.gb_s:.1f} GB/s{share}")
        if self.ranks > 1:
            lines.append(f"  clocks of two ranks agree to {self.clock_uncertainty_ns / 1e3:.1f} us")
        if self.too_short:
            lines.append("  too short to measure: the stamps are not small beside the work")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python, ready for JSON."""
        return {
            "workers": self.workers,
            "wall_ns": self.wall_ns,
            "rows": dict(self.rows),
            "serial_ns": self.serial_ns,
            "parallel_ns": self.parallel_ns,
            "cpu_time": self.cpu_time,
            "nbytes": self.nbytes,
            "gb_s": self.gb_s,
            "read_limit_gb_s": self.read_limit_gb_s,
            "read_share": self.read_share,
            "stamping_ns": self.stamping_ns,
            "cpus": [list(pair) for pair in self.cpus],
            "too_short": self.too_short,
            "ranks": self.ranks,
            "clock_uncertainty_ns": self.clock_uncertainty_ns,
        }


def from_record(record: tuple[dict[str, Any], dict[str, Any]], nbytes: int = 0) -> Ledger:
    """Build a ledger from what the core recorded."""
    rows, stamps = record
    workers = stamps["workers"]
    cpus = tuple(tuple(worker["cpus"]) for worker in workers if worker["cpus"] is not None)
    return Ledger(
        workers=rows["workers"],
        wall_ns=rows["wall_ns"],
        rows=dict(rows["rows"]),
        serial_ns=rows["serial_ns"],
        parallel_ns=rows["parallel_ns"],
        cpu_time=all(worker["threads"] is not None for worker in workers) and bool(workers),
        nbytes=nbytes,
        stamping_ns=stamps["stamping_ns"],
        cpus=cpus if len(cpus) == len(workers) else (),
    )
