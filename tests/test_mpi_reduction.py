"""Reductions over ranks: values, ledgers, clocks."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest
from mpi_launch import mpiexec

import scalewall as sw
from scalewall.distributed.clocks import Clocks
from scalewall.distributed.ledgers import Part, combined
from scalewall.ledger import Ledger


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_values_are_right_on_every_rank(ranks: int) -> None:
    assert mpiexec(ranks, "reductions.py").strip() == "right"


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_ledgers_add_up_over_ranks(ranks: int) -> None:
    ledgers = json.loads(mpiexec(ranks, "ledgers.py"))
    assert len(ledgers) == 16
    for ledger in ledgers:
        assert sum(ledger["rows"].values()) == ledger["workers"] * ledger["wall_ns"]
        assert (ledger["clock_uncertainty_ns"] > 0) == (ranks > 1)


def test_the_rows_of_two_ranks_on_one_clock() -> None:
    def rank(begin: int, wall: int, workers: int) -> Ledger:
        rows = {"setup": 0, "wake": 0, "compute": workers * wall, "imbalance": 0, "join": 0, "combine": 0}
        return Ledger(workers, wall, rows | {"unaccounted": 0}, 5, workers * wall)

    parts = np.stack(
        [
            Part(rank(100, 50, 1), 100, 152, 190).words(),
            # By its own clock, which is 1000 ahead: from 110 to 170, done at 188.
            Part(rank(1110, 60, 2), 1110, 1170, 1188).words(),
        ]
    )
    ledger = combined(parts, Clocks(np.array([0, 1000]), np.array([0, 7])))
    assert (ledger.workers, ledger.wall_ns, ledger.ranks) == (3, 90, 2)
    assert ledger.rows == {
        "arrival": 2 * 10,
        "setup": 2,
        "wake": 0,
        "compute": 50 + 120,
        "imbalance": 18,
        "join": 0,
        "combine": 0,
        "exchange": 3 * 20,
        "unaccounted": 0,
    }
    assert (ledger.serial_ns, ledger.clock_uncertainty_ns) == (25, 7)
    assert "3 workers of 2 ranks" in ledger.summary()


def test_a_communicator_is_needed_and_mpi4py_too() -> None:
    pytest.importorskip("mpi4py")
    with pytest.raises(TypeError, match=r"comm is str: expected a communicator such as MPI\.COMM_WORLD"):
        sw.parallel_sum([1.0], comm="world")  # type: ignore[call-overload]
    program = (
        "import sys; sys.modules['mpi4py'] = None\n"
        "import scalewall as sw\n"
        "try: sw.parallel_sum([1.0], comm=1)\n"
        "except ImportError as error: print(error)\n"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "pip install 'scalewall[mpi]'" in shown.stdout
