"""Programs under `mpiexec`, from ordinary tests."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent / "mpi"
"""Where the programs are: every rank runs the same one, and a failed assertion of any rank fails the test."""


def launcher() -> str:
    """Return the `mpiexec` that came with this Python, or the one on the path; skip where there is none."""
    pytest.importorskip("mpi4py", reason="mpi4py is not installed: pip install 'scalewall[mpi]'")
    beside = Path(sys.executable).with_name("mpiexec")
    found = str(beside) if beside.exists() else shutil.which("mpiexec")
    if found is None:
        pytest.skip("no mpiexec: pip install mpich")
    return found


def environment() -> dict[str, str]:
    """Return the environment of a launch: Open MPI too starts as root and with more ranks than cores."""
    return os.environ | {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }


def mpiexec(ranks: int, program: str | Path, *arguments: object, timeout: float = 120.0) -> str:
    """Run a Python program with so many ranks and return what it printed.

    A relative `program` lies in tests/mpi. An exception of one rank ends all of them (`python -m mpi4py`), so
    that nobody waits for a rank that is gone.
    """
    words = [launcher(), "-n", str(ranks), sys.executable, "-m", "mpi4py", str(PROGRAMS / program)]
    process = subprocess.Popen(
        [*words, *map(str, arguments)],
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        output, errors = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        output, errors = process.communicate()
        pytest.fail(f"{program} with {ranks} ranks took over {timeout:g} s\n{output}\n{errors}")
    assert process.returncode == 0, f"exit code {process.returncode}\n{output}\n{errors}"
    return output
