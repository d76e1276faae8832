"""`measure` over the ranks of a communicator, and `scalewall measure` with an mpiexec in the command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from mpi_launch import PROGRAMS, environment, launcher, mpiexec

import scalewall as sw

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_the_first_ranks_run_and_the_slowest_decides(ranks: int) -> None:
    found = json.loads(mpiexec(ranks, "measuring.py"))
    assert sorted(found["n"]) == sorted([n for n in (1, 2, 4) if n <= ranks] * 3)
    assert min(found["time"]) >= 0.04
    assert "serial" in found["rows"]


def test_a_command_with_mpiexec_is_measured(tmp_path: Path) -> None:
    out = tmp_path / "ranks.runs.jsonl"
    words = [sys.executable, "-m", "scalewall", "measure", "-n", "1,2", "--rounds", "2", "--out", str(out)]
    program = [launcher(), "-n", "{n}", sys.executable, str(PROGRAMS / "ranks.py")]
    done = subprocess.run(
        [*words, "--", *program],
        env=environment() | {"COLUMNS": "100"},
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    runs = sw.read(out)
    assert sorted(runs.n.tolist()) == [1, 1, 2, 2]
    records = [json.loads(line) for line in out.read_text().splitlines()]
    assert records[0]["elsewhere"] == os.path.basename(launcher())  # noqa: PTH119
    assert all(record["user_s"] is None for record in records if record["record"] == "run")
