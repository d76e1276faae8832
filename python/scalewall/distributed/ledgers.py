"""One ledger of all ranks: their own ledgers on one clock, and the time between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scalewall.distributed.communicator import gathered
from scalewall.ledger import WORDS, Ledger

if TYPE_CHECKING:
    import numpy.typing as npt
    from mpi4py.MPI import Intracomm

    from scalewall.distributed.clocks import Clocks

_ROWS = tuple(WORDS)
_HEAD = 9


@dataclass(frozen=True)
class Part:
    """What one rank did: its ledger, and when, by its own clock, in nanoseconds.

    Attributes
    ----------
    begin_ns : int
        It calls its own part.
    handed_ns : int
        Its own part is done; the exchange begins.
    done_ns : int
        The exchange is done.
    """

    ledger: Ledger
    begin_ns: int
    handed_ns: int
    done_ns: int

    def words(self) -> npt.NDArray[np.int64]:
        """Return it as numbers of one length, for a buffer; a row that it does not have is marked."""
        own = self.ledger
        head = [own.workers, own.wall_ns, own.serial_ns, own.parallel_ns, own.nbytes, own.stamping_ns]
        stamps = [self.begin_ns, self.handed_ns, self.done_ns]
        there = [name in own.rows for name in _ROWS]
        rows = [own.rows.get(name, 0) for name in _ROWS]
        return np.array([*head, *stamps, own.cpu_time, *there, *rows], dtype=np.int64)


def together(comm: Intracomm, part: Part, clocks: Clocks) -> Ledger:
    """Return the ledger of all ranks, the same on every rank."""
    return combined(gathered(comm, part.words()), clocks)


def combined(parts: npt.NDArray[np.int64], clocks: Clocks) -> Ledger:
    """Return the ledger of the parts of all ranks, one row of `parts` a rank.

    The wall time runs from the first rank's begin to the last rank's end of the exchange, on the clock of
    rank 0. A rank with n workers adds n times each of: from the first begin to its own (arrival), its own
    ledger, what lies between its ledger and its two stamps (setup), from its own part's end to the end of
    the last rank's (imbalance), and from there to the end (exchange). So the rows add up to workers times
    wall time by algebra.
    """
    workers, wall, serial, parallel, nbytes, stamping, begin, handed, done = parts[:, :_HEAD].T
    cpu_time = parts[:, _HEAD]
    there, rows = np.hsplit(parts[:, _HEAD + 1 :], 2)
    begin, handed, done = (stamps - clocks.offsets for stamps in (begin, handed, done))
    first, last = begin.min(), handed.max()
    # Where clocks differ by more than was found out, an exchange may seem to end before it begins.
    end = max(done.max(), last)
    totals = dict(zip(_ROWS, rows.sum(axis=0).tolist(), strict=True))
    totals["arrival"] += int(workers @ (begin - first))
    totals["setup"] += int(workers @ (handed - begin - wall))
    totals["imbalance"] += int(workers @ (last - handed))
    exchange = int(end - last)
    totals["exchange"] += int(workers.sum()) * exchange
    kept = {
        "arrival",
        "exchange",
        *(name for name, any_ in zip(_ROWS, there.max(axis=0).tolist(), strict=True) if any_),
    }
    return Ledger(
        workers=int(workers.sum()),
        wall_ns=int(end - first),
        rows={name: totals[name] for name in _ROWS if name in kept},
        # What ranks do side by side lasts as long as the slowest; the exchange is one for all.
        serial_ns=int(serial.max()) + exchange,
        parallel_ns=int(parallel.sum()),
        cpu_time=bool(cpu_time.all()),
        nbytes=int(nbytes.sum()),
        stamping_ns=int(stamping.max()),
        ranks=len(parts),
        clock_uncertainty_ns=clocks.uncertainty_ns,
    )
