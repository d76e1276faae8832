"""What the rest asks of a communicator: that it is one, and that all ranks ask for the same."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

import numpy as np

from scalewall._errors import ScalewallError

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt
    from mpi4py.MPI import Intracomm


def checked(comm: Any) -> Intracomm:
    """Return a communicator that was given as an argument.

    Raises
    ------
    ImportError     if mpi4py is not installed.
    TypeError       if it is no intracommunicator of mpi4py.
    """
    try:
        from mpi4py import MPI  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise ImportError(
            "comm is given, and mpi4py cannot be imported: pip install 'scalewall[mpi]', beside an MPI "
            f"library such as pip install mpich ({error})"
        ) from error
    if not isinstance(comm, MPI.Intracomm) or comm == MPI.COMM_NULL:
        raise TypeError(f"comm is {type(comm).__name__}: expected a communicator such as MPI.COMM_WORLD")
    return comm


def agreed(comm: Intracomm, prepare: Callable[[], tuple[Any, str]]) -> Any:
    """Prepare something on every rank and return it where all ranks could, and asked for the same.

    Parameters
    ----------
    comm : Intracomm
        All its ranks call.
    prepare : callable
        Returns what is prepared, and in words what is asked for: the same on every rank.

    Raises
    ------
    ScalewallError
        On every rank, where one could not or asks for something else; the rank that could not raises its own
        error. Nobody waits for a rank that is gone.
    """
    failure: Exception | None = None
    prepared, asked = None, ""
    try:
        prepared, asked = prepare()
    except Exception as error:  # raised again below, after the others know
        failure = error
    told = np.array([failure is None, zlib.crc32(asked.encode())], dtype=np.int64)
    all_told = gathered(comm, told)
    if failure is not None:
        raise failure
    failed = np.flatnonzero(all_told[:, 0] == 0)
    if failed.size:
        raise ScalewallError(f"rank {failed[0]} cannot take part: its own error says why")
    others = np.flatnonzero(all_told[:, 1] != told[1])
    if others.size:
        raise ScalewallError(
            f"rank {comm.rank} asks for {asked}, and rank {others[0]} for something else: all ranks must "
            "call with the same arguments and the same type of elements"
        )
    return prepared


def gathered(comm: Intracomm, mine: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the equally long vectors of all ranks, one row a rank, on every rank."""
    everything = np.empty((comm.size, mine.size), dtype=mine.dtype)
    comm.Allgather(mine, everything)
    return everything
