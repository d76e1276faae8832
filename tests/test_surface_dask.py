"""Dask arrays in, Dask arrays out."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import scalewall as sw

da: Any = pytest.importorskip("dask.array")


@pytest.mark.parametrize(
    ("law", "args"),
    [
        ("amdahl", {"p": np.linspace(0, 1, 23)}),
        ("usl", {"sigma": np.linspace(0, 0.1, 23), "kappa": 1e-4}),
        ("sun_ni", {"serial": 0.05, "growth": np.linspace(1, 50, 101)}),
        ("usl_log", {"sigma": 0.1, "kappa": np.linspace(0, 0.1, 23)}),
        ("tree", {"compute": np.linspace(1, 2, 23), "latency": 1e-5, "transfer": 0.01}),
    ],
)
def test_chunks_give_the_bits_of_the_whole(law: str, args: dict[str, Any]) -> None:
    n = np.linspace(1, 900, 101)
    lazy = {key: da.from_array(value, chunks=10) if np.ndim(value) else value for key, value in args.items()}
    got: Any = sw.surface(law, **lazy, n=da.from_array(n, chunks=40))
    assert isinstance(got, da.Array)
    assert got.chunks[1] == ((10,) * 10 + (1,) if "growth" in args else (40, 40, 21))
    np.testing.assert_array_equal(got.compute(scheduler="threads"), sw.surface(law, **args, n=n))


def test_nothing_is_computed_before_it_is_asked_for() -> None:
    calls = 0

    def block(values: Any) -> Any:
        nonlocal calls
        calls += 1
        return values

    n = da.from_array(np.linspace(1, 9, 100), chunks=50).map_blocks(block, dtype=float)
    before = calls
    got: Any = sw.surface("amdahl", p=[0.5, 0.9], n=n)
    assert calls == before
    assert got.shape == (2, 100)
    got.compute(scheduler="synchronous")
    assert calls > before


def test_an_array_of_the_wrong_shape_and_an_out_are_refused() -> None:
    with pytest.raises(sw.ShapeError, match=r"n has shape \(2, 2\)"):
        sw.surface("amdahl", p=[0.5], n=da.ones((2, 2)))
    with pytest.raises(TypeError, match="out is given and an input is a Dask array"):
        sw.surface("amdahl", p=[0.5], n=da.ones(3), out=np.empty((1, 3)))


def test_dask_is_not_imported_without_need() -> None:
    call = "sw.surface('amdahl', p=0.5, n=[1, 2], threads=1)"
    code = f"import sys, scalewall as sw; {call}; print('dask' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        == "False\n"
    )
