"""A function run by the first n ranks of a communicator, again and again, as rank 0 says."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from scalewall._errors import DomainError, ScalewallError
from scalewall.measurement import function

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from mpi4py.MPI import Intracomm

    from scalewall.measurement.outcome import Outcome

END, FAILED = 0, -1
"""Said instead of a number of ranks: there is no further run; a run failed."""

_LOOK_S = 0.001
"""How often a rank with nothing to do looks for its next order: meanwhile it must not take a processor."""


class Teams:
    """The first n ranks of a communicator as communicators of their own, for several n.

    Made, obeyed and ended by all ranks together.

    Parameters
    ----------
    comm : Intracomm
        All ranks.
    counts : iterable of int
        Sizes of the teams.
    fn, setup : callable
        Take the communicator of the team. `setup` is not timed.
    """

    def __init__(
        self,
        comm: Intracomm,
        counts: Iterable[int],
        fn: Callable[[Intracomm], Any],
        setup: Callable[[Intracomm], Any] | None,
    ) -> None:
        from mpi4py import MPI  # noqa: PLC0415 - an extra

        self._comm, self._fn, self._setup = comm, fn, setup
        self._max, self._sum = MPI.MAX, MPI.SUM
        self._teams = {n: comm.Split(0 if comm.rank < n else MPI.UNDEFINED, comm.rank) for n in counts}
        machine = comm.Split_type(MPI.COMM_TYPE_SHARED)
        self.one_machine = machine.size == comm.size
        machine.Free()

    def run(self, n: int) -> Outcome:
        """Have the first `n` ranks run the function once; rank 0 calls, and the others obey."""
        self._say(n)
        return self._part(n)

    def end(self, order: int = END) -> None:
        """Let the other ranks go; rank 0 calls."""
        self._say(order)
        self._free()

    def obey(self) -> None:
        """Run whatever rank 0 says until it says that there is no more; all ranks but 0 call.

        Raises
        ------
        ScalewallError
            Where the function failed on another rank; the error of this one, where it failed here.
        """
        failure: Exception | None = None
        while (order := self._order()) > END:
            if self._comm.rank < order:
                try:
                    self._part(order)
                except Exception as error:  # raised when rank 0 has told everybody
                    failure = error
        self._free()
        if failure is not None:
            raise failure
        if order == FAILED:
            raise ScalewallError("the function failed on another rank: its own error says why")

    def _part(self, n: int) -> Outcome:
        """Run this rank's part; the time is that of the slowest rank, processor time that of all."""
        team = self._teams[n]
        failure: Exception | None = None
        outcome: Outcome | None = None
        try:
            outcome = function.run(self._fn, team, self._ready)
        except Exception as error:  # the others wait in the exchange below
            failure = error
        failed = np.array([failure is not None], dtype=np.int64)
        team.Allreduce(failed.copy(), failed, op=self._sum)
        if failure is not None:
            raise failure
        if failed[0]:
            raise ScalewallError("the function failed on another rank: its own error says why")
        assert outcome is not None
        wall = np.array([outcome.wall_s])
        spent = np.array(
            [outcome.user_s, outcome.system_s, outcome.preemptions, outcome.switches], dtype=np.float64
        )
        slowest, all_spent = np.empty_like(wall), np.empty_like(spent)
        team.Allreduce(wall, slowest, op=self._max)
        team.Allreduce(spent, all_spent, op=self._sum)
        user, system, preemptions, switches = all_spent.tolist()
        return replace(
            outcome,
            wall_s=float(slowest[0]),
            user_s=user,
            system_s=system,
            preemptions=int(preemptions),
            switches=int(switches),
        )

    def _ready(self, team: Intracomm) -> None:
        if self._setup is not None:
            self._setup(team)
        team.Barrier()

    def _say(self, order: int) -> None:
        self._comm.Ibcast(np.array([order], dtype=np.int64)).Wait()

    def _order(self) -> int:
        order = np.zeros(1, dtype=np.int64)
        request = self._comm.Ibcast(order)
        # Waiting inside MPI would keep a processor busy, which the ranks that work may need.
        while not request.Test():
            time.sleep(_LOOK_S)
        return int(order[0])

    def _free(self) -> None:
        for n, team in self._teams.items():
            if self._comm.rank < n:
                team.Free()


def fitting(counts: tuple[int, ...], comm: Intracomm) -> tuple[int, ...]:
    """Return worker counts that a communicator has ranks for.

    Raises
    ------
    DomainError
        If one is larger than the communicator.
    """
    if max(counts) > comm.size:
        raise DomainError(
            f"workers holds {max(counts)}, and comm has {comm.size} ranks: start at least as many, as in "
            f"mpiexec -n {max(counts)}"
        )
    return counts
