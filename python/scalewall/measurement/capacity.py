"""How many processors' worth of time this machine gives right now: no file tells, a short trial does."""

from __future__ import annotations

import hashlib
import threading
import time
from typing import NamedTuple

from scalewall.machine import usable_cpus

_BLOCK = bytes(1 << 16)
"""Large enough that hashing it releases the interpreter lock, small enough to end soon after the trial."""


class Capacity(NamedTuple):
    """Processors' worth of time that `spinners` busy threads got."""

    cpus: float
    spinners: int


def probe(seconds: float = 0.3, spinners: int | None = None) -> Capacity:
    """Let as many threads as there are usable processors spin, and return how much processor time they got.

    Parameters
    ----------
    seconds : float, default 0.3
        Length of the trial.
    spinners : int, optional
        Busy threads; one for each usable processor if not given.

    Returns
    -------
    Capacity
        Never more than `spinners`: a machine with more processors than that is not asked about the others.

    Notes
    -----
    Processor quota, other programs and a host that gives the same core twice all show here, and only here.
    """
    count = len(usable_cpus()) if spinners is None else spinners
    obtained = [0.0] * count
    gate = threading.Barrier(count + 1)

    def spin(place: int) -> None:
        gate.wait()
        begin, end = time.thread_time(), time.perf_counter() + seconds
        while time.perf_counter() < end:
            hashlib.sha256(_BLOCK).digest()
        obtained[place] = time.thread_time() - begin

    threads = [threading.Thread(target=spin, args=(place,), daemon=True) for place in range(count)]
    for thread in threads:
        thread.start()
    gate.wait()
    start = time.perf_counter()
    for thread in threads:
        thread.join()
    wall = time.perf_counter() - start
    return Capacity(min(sum(obtained) / wall, float(count)), count)
