"""Ledgers over ranks: they add up, are the same on every rank, and know how well clocks agree."""

import json
import time

import numpy as np
from mpi4py import MPI

import scalewall as sw
from scalewall.distributed import clocks

comm = MPI.COMM_WORLD

# One machine has one clock: what is found lies within what is said of it, also where clocks are set wrong.
for shift in (0, 10**9, -(10**12)):

    def now(ahead: int = shift * comm.rank) -> int:
        return time.monotonic_ns() + ahead

    found = clocks.compare(comm, now)
    wrong = np.abs(found.offsets - shift * np.arange(comm.size))
    assert (wrong <= found.uncertainties).all(), (shift, found)

x = np.random.default_rng(comm.rank).standard_normal(400_000 * (1 + 3 * (comm.rank == 0)))
shown = []
for threads in (1, 2):
    for split in (False, True):
        for call in (sw.parallel_sum, sw.parallel_norm2, sw.parallel_minmax, sw.parallel_mean_var):
            answer = call(x, comm=comm, measure=True, threads=threads, split=split)
            ledger = answer.ledger
            assert ledger.workers == comm.size * threads
            assert ledger.ranks == comm.size
            assert sum(ledger.rows.values()) == ledger.workers * ledger.wall_ns
            assert all(ns >= 0 for name, ns in ledger.rows.items() if name != "unaccounted")
            assert ledger.nbytes == 8 * 400_000 * (comm.size + 3)
            shown.append(ledger)
mine = np.array([[ledger.wall_ns, *ledger.rows.values()][:9] for ledger in shown], dtype=np.int64)
first = mine.copy()
comm.Bcast(first)
assert (mine == first).all()
if comm.rank == 0:
    print(json.dumps([ledger.to_dict() for ledger in shown]))
