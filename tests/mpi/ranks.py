"""Every rank adds its number; the first prints what came of it. With an argument, that rank fails."""

import sys

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
if len(sys.argv) > 1 and comm.rank == int(sys.argv[1]):
    raise RuntimeError(f"rank {comm.rank} fails on purpose")
total = np.zeros(1)
comm.Allreduce(np.array([comm.rank + 1.0]), total)
if comm.rank == 0:
    print(comm.size, total[0])
