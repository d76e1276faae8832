"""A function measured on the first n ranks: who runs, what comes out, what happens where one rank fails."""

import json
import time
from typing import Any

import pytest
from mpi4py import MPI

import scalewall as sw

comm = MPI.COMM_WORLD
counts = [n for n in (1, 2, 4) if n <= comm.size]
sizes: list[int] = []


def work(team: Any) -> None:
    sizes.append(team.size)
    assert team.rank == comm.rank
    with sw.phase("serial"):
        time.sleep(0.01)
    # The slowest rank decides.
    time.sleep(0.04 if team.rank == team.size - 1 else 0.0)


runs = sw.measure(work, workers=counts, rounds=3, comm=comm)
expected = [n for n in counts if comm.rank < n]
assert sorted(sizes) == sorted(expected * 3), sizes

with pytest.raises(sw.DomainError, match="mpiexec -n 9"):
    sw.measure(work, workers=[1, 9], comm=comm)


def fails(team: Any) -> None:
    if team.rank == team.size - 1 and team.size == comm.size:
        raise ValueError("on purpose")


mine = comm.rank == comm.size - 1
with pytest.raises(
    ValueError if mine else sw.ScalewallError, match="purpose" if mine else "failed on another"
):
    sw.measure(fails, workers=counts, rounds=2, comm=comm)

# The communicator is as it was.
assert comm.allreduce(1) == comm.size
if comm.rank:
    assert runs is None
else:
    assert runs is not None
    ledger = runs.ledger
    assert ledger is not None
    print(json.dumps({"n": runs.n.tolist(), "time": runs.time.tolist(), "rows": sorted(ledger.rows)}))
