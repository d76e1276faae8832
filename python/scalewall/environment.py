"""What a measurement ran in: processors, limits, what else ran, and whether wall times can be believed."""

from __future__ import annotations

import os
import platform
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from scalewall import _core

CAPACITY_AT_LEAST = 0.95
EXTERNAL_BELOW = 0.05
STEAL_BELOW = 0.01

_PROBE_TURNS = 1_500_000
"""A few milliseconds of dependent arithmetic."""


@dataclass(frozen=True)
class Environment:
    """The machine and the limits of this process, as far as the system tells; None where it does not."""

    cpus: tuple[int, ...]
    processors: int
    quota: float | None
    smt: bool | None
    numa_nodes: int | None
    governor: str | None
    load: tuple[float, ...] | None
    processor: str | None
    kernel: str
    python: str
    scalewall: str
    level: str

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python, ready for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Conditions:
    """What happened on the machine while the runs ran, as shares of its processor time.

    `capacity` is how many workers' worth of arithmetic as many workers got, divided by their number.
    """

    capacity: float | None
    external: float | None
    steal: float | None
    throttled: bool | None

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


def _read(path: str) -> str | None:
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except OSError:
        return None


def allowed_cpus() -> tuple[int, ...]:
    """Return the processors this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return tuple(sorted(os.sched_getaffinity(0)))
    return tuple(range(os.cpu_count() or 1))


def _quota() -> float | None:
    text = _read("/sys/fs/cgroup/cpu.max")
    if text is not None:
        limit, period = text.split()
        return None if limit == "max" else int(limit) / int(period)
    limit_us, period_us = (
        _read("/sys/fs/cgroup/cpu/cpu.cfs_quota_us"),
        _read("/sys/fs/cgroup/cpu/cpu.cfs_period_us"),
    )
    if limit_us is None or period_us is None or int(limit_us) < 0:
        return None
    return int(limit_us) / int(period_us)


def _processor() -> str | None:
    for line in (_read("/proc/cpuinfo") or "").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or None


def record() -> Environment:
    """Record the machine and the limits of this process."""
    from scalewall import __version__  # noqa: PLC0415

    smt = _read("/sys/devices/system/cpu/smt/active")
    nodes = list(Path("/sys/devices/system/node").glob("node[0-9]*"))
    return Environment(
        cpus=allowed_cpus(),
        processors=os.cpu_count() or 1,
        quota=_quota(),
        smt=None if smt is None else smt == "1",
        numa_nodes=len(nodes) or None,
        governor=_read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        load=os.getloadavg() if hasattr(os, "getloadavg") else None,
        processor=_processor(),
        kernel=platform.platform(),
        python=platform.python_version(),
        scalewall=__version__,
        level=_core.surfaces_machine()[0],
    )


@dataclass(frozen=True)
class Counters:
    """Counters of the system at one moment, in clock ticks; two of them make :class:`Conditions`."""

    total: int | None
    busy: int | None
    steal: int | None
    throttled: int | None
    own: float

    @classmethod
    def now(cls) -> Counters:
        """Read them."""
        total = busy = steal = None
        first = (_read("/proc/stat") or "").partition("\n")[0].split()
        if len(first) > 8:
            ticks = [int(field) for field in first[1:9]]
            total, steal = sum(ticks), ticks[7]
            busy = total - ticks[3] - ticks[4] - steal
        stat = _read("/sys/fs/cgroup/cpu.stat") or _read("/sys/fs/cgroup/cpu/cpu.stat") or ""
        found = [int(line.split()[1]) for line in stat.splitlines() if line.startswith("nr_throttled")]
        times = os.times()
        return cls(total, busy, steal, found[0] if found else None, times.user + times.system)

    def until(self, later: Counters, capacity: float | None) -> Conditions:
        """Return the conditions between two moments."""
        external = steal = None
        if self.total is not None and later.total is not None and later.total > self.total:
            ticks = later.total - self.total
            own = (later.own - self.own) * os.sysconf("SC_CLK_TCK")
            external = max(0.0, ((later.busy or 0) - (self.busy or 0) - own) / ticks)
            steal = ((later.steal or 0) - (self.steal or 0)) / ticks
        throttled = None
        if self.throttled is not None and later.throttled is not None:
            throttled = later.throttled > self.throttled
        return Conditions(capacity, external, steal, throttled)


def capacity(cpus: tuple[int, ...]) -> float:
    """Probe what share of its full arithmetic each of these processors gives when all compute at once."""
    alone = [_wall(cpus[i : i + 1]) for i in range(len(cpus))]
    together = _wall(cpus)
    return min(1.0, sum(alone) / len(alone) / together)


def _wall(cpus: tuple[int, ...]) -> int:
    records = [_core.reduction_program(0, [_PROBE_TURNS] * len(cpus), 0.0, list(cpus)) for _ in range(2)]
    return int(min(rows["wall_ns"] for rows, _ in records))
