"""What the tests under `mpiexec` stand on."""

from __future__ import annotations

import pytest
from mpi_launch import mpiexec


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_all_ranks_meet(ranks: int) -> None:
    assert mpiexec(ranks, "ranks.py").split() == [str(ranks), str(ranks * (ranks + 1) / 2)]


def test_a_rank_that_fails_ends_the_others() -> None:
    with pytest.raises(AssertionError, match="rank 1 fails on purpose"):
        mpiexec(2, "ranks.py", 1)
