"""By how much the clocks of ranks differ, from messages there and back."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scalewall.distributed.communicator import gathered

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt
    from mpi4py.MPI import Intracomm

ROUND_TRIPS = 30
"""Messages there and back with each rank; only the shortest counts."""


@dataclass(frozen=True)
class Clocks:
    """Clock of each rank less that of rank 0, and how far off that may be, in nanoseconds.

    Parameters
    ----------
    offsets : ndarray of int64, shape (ranks,)
        To be subtracted from a reading of that rank.
    uncertainties : ndarray of int64, shape (ranks,)
        Half of the shortest round trip: the true offset lies within it, however the two ways share the trip.
    """

    offsets: npt.NDArray[np.int64]
    uncertainties: npt.NDArray[np.int64]

    @property
    def uncertainty_ns(self) -> int:
        """The largest uncertainty of one rank."""
        return int(self.uncertainties.max())


def compare(comm: Intracomm, now: Callable[[], int] = time.monotonic_ns) -> Clocks:
    """Compare the clocks of all ranks with that of rank 0, one rank after the other.

    Rank 0 reads its clock, sends, and reads it again when the answer is there; the answer is the
    other's clock, which is taken to be that of the middle (Cristian's method).

    References
    ----------
    .. [1] F. Cristian, "Probabilistic clock synchronization", Distributed Computing 3, 1989.
    """
    found = np.zeros(2, dtype=np.int64)
    reading = np.zeros(1, dtype=np.int64)
    for rank in range(1, comm.size):
        if comm.rank == rank:
            for _ in range(ROUND_TRIPS):
                comm.Recv(reading, source=0)
                reading[0] = now()
                comm.Send(reading, dest=0)
            comm.Recv(found, source=0)
        elif comm.rank == 0:
            best: tuple[int, int] | None = None
            for _ in range(ROUND_TRIPS):
                sent = now()
                comm.Send(reading, dest=rank)
                comm.Recv(reading, source=rank)
                back = now()
                trip = (back - sent, int(reading[0]) - (sent + back) // 2)
                best = trip if best is None else min(best, trip)
            assert best is not None
            # Both halves are rounded down: one nanosecond more keeps the truth inside.
            comm.Send(np.array([best[1], best[0] // 2 + 1], dtype=np.int64), dest=rank)
    everything = gathered(comm, found)
    return Clocks(everything[:, 0].copy(), everything[:, 1].copy())
