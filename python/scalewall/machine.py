"""What the machine was like while something was timed: readable without root, None where it is not told."""

from __future__ import annotations

import os
import platform
import re
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

_CPU = "sys/devices/system/cpu"
_CGROUP_V1 = ("sys/fs/cgroup/cpu", "sys/fs/cgroup/cpu,cpuacct")


def environment(root: Path = Path("/")) -> dict[str, Any]:
    """Return the facts that change timings and that stay the same during a campaign.

    Parameters
    ----------
    root : Path
        Where `proc` and `sys` are looked for; tests put files of their own there.

    Returns
    -------
    dict
        Plain values: `host`, `system`, `processor`, `processors` (all there are), `usable` (those that the
        affinity mask leaves), `affinity`, `quota_cpus`, `threads_per_core`, `cores`, `sockets`,
        `numa_nodes`, `governor`, `turbo`, `virtual`, `load` (1, 5 and 15 minutes), `python`, `scalewall`,
        `kernels` (the instruction set that the core uses here).
    """
    from scalewall import __version__, _core  # noqa: PLC0415 - the package imports this module

    cpus = usable_cpus()
    return {
        "host": platform.node(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "processor": processor(root),
        "processors": os.cpu_count() or 1,
        "usable": len(cpus),
        "affinity": _spans(cpus),
        "quota_cpus": quota_cpus(root),
        **_topology(root),
        "governor": _same_everywhere(root, "cpufreq/scaling_governor"),
        "turbo": _turbo(root),
        "virtual": _virtual(root),
        "load": _load(),
        "python": platform.python_version(),
        "scalewall": __version__,
        "kernels": _core.surfaces_machine()[0],
    }


def usable_cpus() -> tuple[int, ...]:
    """Return the processors this process may run on: all, or those that an affinity mask leaves to it."""
    if not hasattr(os, "sched_getaffinity"):
        return tuple(range(os.cpu_count() or 1))
    return tuple(sorted(os.sched_getaffinity(0)))


@cache
def processor(root: Path = Path("/")) -> str:
    """Return the name of the processor."""
    for line in (_text(root / "proc/cpuinfo") or "").splitlines():
        name, _, value = line.partition(":")
        if name.strip() in {"model name", "Model", "cpu model"}:
            return value.strip()
    return platform.processor() or platform.machine() or "unknown"


def quota_cpus(root: Path = Path("/")) -> float | None:
    """Return how many processors' worth of time the control group allows; None without a limit.

    A group has the tightest limit of itself and all groups above it.
    """
    limits = [
        float(words[0]) / float(words[1])
        for directory in _groups(root)
        if len(words := (_text(directory / "cpu.max") or "").split()) == 2 and words[0] != "max"
    ]
    for place in _CGROUP_V1:
        quota, period = (_number(root / place / f"cpu.cfs_{name}_us") for name in ("quota", "period"))
        if quota is not None and period and quota > 0:
            limits.append(quota / period)
    return min(limits, default=None)


@dataclass(frozen=True)
class Counters:
    """Counters of the machine at one moment; differences of two say what went on between them.

    `busy_s` and `steal_s` are over all processors; `throttled` counts periods in which the control group
    was stopped; `pressure_s` is the time in which somebody waited for a processor; `own_s` is the processor
    time of this process alone.
    """

    at_ns: int
    busy_s: float | None
    steal_s: float | None
    throttled: int | None
    pressure_s: float | None
    own_s: float = 0.0


def counters(root: Path = Path("/")) -> Counters:
    """Return the counters as they stand now."""
    busy = steal = None
    line = (_text(root / "proc/stat") or "").split("\n", 1)[0].split()
    if len(line) > 8 and line[0] == "cpu":
        tick = 1.0 / os.sysconf("SC_CLK_TCK")
        user, nice, system, _, _, irq, soft, steal_ticks = (int(word) for word in line[1:9])
        busy, steal = (user + nice + system + irq + soft) * tick, steal_ticks * tick
    pressure = re.search(r"^some .*total=(\d+)", _text(root / "proc/pressure/cpu") or "", re.MULTILINE)
    waited = int(pressure[1]) / 1e6 if pressure else None
    return Counters(time.monotonic_ns(), busy, steal, _throttled(root), waited, time.process_time())


def between(before: Counters, after: Counters, *, own_cpu_s: float | None) -> dict[str, Any]:
    """Return what went on between two moments.

    Parameters
    ----------
    before, after : Counters
        The two moments.
    own_cpu_s : float or None
        Processor time that was our own; the rest of the busy time is that of others.

    Returns
    -------
    dict
        `others_cpus`, `steal_cpus`, `pressure_share`, `throttled`: processors' worth of time that others
        used and that the host took away, share of the time in which somebody waited for a processor, periods
        in which the control group was stopped. None where the system does not tell.
    """
    wall = max((after.at_ns - before.at_ns) / 1e9, 1e-9)
    busy = _gain(before.busy_s, after.busy_s)
    others = None if busy is None or own_cpu_s is None else max(busy - own_cpu_s, 0.0) / wall
    steal = _gain(before.steal_s, after.steal_s)
    pressure = _gain(before.pressure_s, after.pressure_s)
    throttled = _gain(before.throttled, after.throttled)
    return {
        "others_cpus": None if others is None else round(others, 3),
        "steal_cpus": None if steal is None else round(steal / wall, 4),
        "pressure_share": None if pressure is None else round(min(pressure / wall, 1.0), 4),
        "throttled": None if throttled is None else int(throttled),
    }


def _gain(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else after - before


def _throttled(root: Path) -> int | None:
    found = [
        int(match[1])
        for directory in _groups(root)
        if (match := re.search(r"^nr_throttled (\d+)", _text(directory / "cpu.stat") or "", re.MULTILINE))
    ]
    if found:
        return max(found)
    for place in _CGROUP_V1:
        match = re.search(r"^nr_throttled (\d+)", _text(root / place / "cpu.stat") or "", re.MULTILINE)
        if match:
            return int(match[1])
    return None


def _groups(root: Path) -> list[Path]:
    """Return the directory of this process's control group (version 2) and those above it."""
    base = root / "sys/fs/cgroup"
    match = re.search(r"^0::/(.*)$", _text(root / "proc/self/cgroup") or "", re.MULTILINE)
    inner = base / match[1] if match and ".." not in match[1] else base
    return [inner, *(parent for parent in inner.parents if parent == base or base in parent.parents)]


def _topology(root: Path) -> dict[str, int | None]:
    cpus = sorted((root / _CPU).glob("cpu[0-9]*"))
    places = [
        (_number(cpu / "topology/physical_package_id"), _number(cpu / "topology/core_id")) for cpu in cpus
    ]
    known = [(package, core) for package, core in places if package is not None and core is not None]
    nodes = list((root / "sys/devices/system/node").glob("node[0-9]*"))
    if not known:
        return {"threads_per_core": None, "cores": None, "sockets": None, "numa_nodes": len(nodes) or None}
    cores = len(set(known))
    return {
        "threads_per_core": max(1, round(len(known) / cores)),
        "cores": cores,
        "sockets": len({package for package, _ in known}),
        "numa_nodes": len(nodes) or None,
    }


def _same_everywhere(root: Path, name: str) -> str | None:
    found = sorted({text.strip() for cpu in (root / _CPU).glob("cpu[0-9]*") if (text := _text(cpu / name))})
    return ", ".join(found) or None


def _turbo(root: Path) -> bool | None:
    off = _number(root / _CPU / "intel_pstate/no_turbo")
    if off is not None:
        return off == 0
    boost = _number(root / _CPU / "cpufreq/boost")
    return None if boost is None else boost != 0


def _virtual(root: Path) -> bool | None:
    text = _text(root / "proc/cpuinfo")
    if text is None:
        return None
    flags = re.search(r"^flags\s*:(.*)$", text, re.MULTILINE)
    return None if flags is None else "hypervisor" in flags[1].split()


def _load() -> list[float] | None:
    try:
        return [round(value, 2) for value in os.getloadavg()]
    except (OSError, AttributeError):
        return None


def _spans(cpus: Sequence[int]) -> str:
    """Write numbers as the kernel does: 0-3,8."""
    spans: list[list[int]] = []
    for cpu in cpus:
        if spans and cpu == spans[-1][1] + 1:
            spans[-1][1] = cpu
        else:
            spans.append([cpu, cpu])
    return ",".join(f"{low}" if low == high else f"{low}-{high}" for low, high in spans)


def _text(path: Path) -> str | None:
    # These files may be missing, closed to this user, or fail while they are read.
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None


def _number(path: Path) -> float | None:
    try:
        return float((_text(path) or "").strip())
    except ValueError:
        return None
