"""The cases of peers.py."""

from __future__ import annotations

import importlib
import os
import statistics
import subprocess
import sys
import timeit
from functools import partial
from typing import Any

import numpy as np

import scalewall as sw
from scalewall import _core

if __package__:  # asv reads this folder as a package
    from .peers import best_limit, ratio, rounds
else:
    from peers import best_limit, ratio, rounds

ROWS: list[tuple[str, str, str]] = []


def row(case: str, value: str, wanted: str) -> None:
    ROWS.append((case, value, wanted))
    sys.stderr.write(f"{case}: {value} (at least {wanted})\n")


def optional(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def laws(rows: int) -> dict[str, dict[str, Any]]:
    p = np.linspace(0, 1, rows)
    return {
        "amdahl": {"p": p},
        "gustafson": {"p": p},
        "usl": {"sigma": p / 10, "kappa": 1e-6},
        "ring": {"serial": 0.01, "compute": 1 + p, "latency": 1e-6, "transfer": 0.01},
    }


def store_limit(cells: int, count: int) -> None:
    rows = 1000
    n = np.geomspace(1, 1e6, cells // rows)
    out = np.empty((rows, cells // rows))
    flat = out.reshape(-1)
    best = _core.surfaces_machine()[0]
    for law, args in laws(rows).items():
        contenders: dict[str, Any] = {}
        for level in ("avx512", "avx2") if best == "avx512" else (best,):
            contenders[f"limit {level}"] = lambda level=level: _core.surfaces_fill_limit(flat, level, 2)
            for exact in (True, False):
                how = {"level": level, "exact": exact, "threads": 2, "store": "streaming"}
                name = level if exact else f"{level} exact=False"
                contenders[name] = partial(sw.surface, law, **args, n=n, out=out, **how)
        times = rounds(contenders, count)
        wanted = {"avx512": "0.85", "avx2": "0.60", "avx2 exact=False": "0.85"}
        if law in ("usl", "ring"):
            wanted = {"avx512": "0.75"}
        for name in contenders:
            if not name.startswith("limit") and name in wanted:
                case = f"share of the store limit, {cells:.0e} cells, {law}, {name}"
                row(case, f"{best_limit(times, name):.2f}", wanted[name])
        gigabytes = (
            out.nbytes / min(statistics.median(times[key]) for key in times if key.startswith("limit")) / 1e9
        )
        sys.stderr.write(f"  store limit {gigabytes:.1f} GB/s\n")


def against_numpy(count: int) -> None:
    for dtype in (np.float64, np.float32):
        p = np.linspace(0, 1, 1000, dtype=dtype)
        n = np.geomspace(1, 1e6, 10_000).astype(dtype)
        out, mine = np.empty((1000, 10_000), dtype=dtype), np.empty((1000, 10_000), dtype=dtype)
        one = dtype(1)

        def numpy_out(p: Any = p, n: Any = n, out: Any = out, one: Any = one) -> None:
            np.divide(p[:, None], n, out=out)
            np.add(out, (one - p)[:, None], out=out)
            np.divide(one, out, out=out)

        contenders: dict[str, Any] = {
            "numpy": numpy_out,
            "scalewall": lambda p=p, n=n, out=mine, dtype=dtype: sw.surface(
                "amdahl", p=p, n=n, out=out, dtype=dtype
            ),
        }
        numba, numexpr, jax = optional("numba"), optional("numexpr"), optional("jax")
        if numba:
            kernel = numba_amdahl(numba)
            contenders["numba"] = lambda p=p, n=n, out=out, kernel=kernel: kernel(p, n, out)
        if numexpr:
            a, b, one32 = (1 - p)[:, None], p[:, None], one
            contenders["numexpr"] = lambda a=a, b=b, n=n, out=out, one=one32, numexpr=numexpr: (
                numexpr.evaluate("one/(a + b/n)", local_dict={"one": one, "a": a, "b": b, "n": n}, out=out)
            )
        if jax:
            jax.config.update("jax_enable_x64", True)
            call = jax.jit(lambda p, n: 1 / ((1 - p)[:, None] + p[:, None] / n))
            q, m = jax.numpy.asarray(p), jax.numpy.asarray(n)
            contenders["jax"] = lambda q=q, m=m, call=call: call(q, m).block_until_ready()
        times = rounds(contenders, count)
        name = np.dtype(dtype).name
        for peer, wanted in (("numpy", "10"), ("numba", "2.5"), ("numexpr", "-"), ("jax", "-")):
            if peer in times:
                wanted_here = wanted if peer == "numpy" or dtype is np.float64 else "-"
                row(
                    f"against {peer}, 1e7 cells, {name}",
                    f"{ratio(times, peer, 'scalewall'):.1f}x",
                    wanted_here,
                )


def numba_amdahl(numba: Any) -> Any:
    @numba.njit(parallel=True, fastmath=True)
    def kernel(p: Any, n: Any, out: Any) -> None:
        inverse = 1 / n
        for i in numba.prange(p.shape[0]):
            a, b = 1 - p[i], p[i]
            for j in range(n.shape[0]):
                out[i, j] = 1 / (a + b * inverse[j])

    return kernel


def threads_and_fresh(count: int) -> None:
    p, n = np.linspace(0, 1, 1000), np.geomspace(1, 1e6, 10_000)
    out = np.empty((1000, 10_000))

    def fill() -> None:
        np.empty((1000, 10_000)).fill(1.5)

    times = rounds(
        {
            "fill": fill,
            "fresh": lambda: sw.surface("amdahl", p=p, n=n),
            "one": lambda: sw.surface("amdahl", p=p, n=n, out=out, threads=1),
            "two": lambda: sw.surface("amdahl", p=p, n=n, out=out, threads=2),
        },
        count,
    )
    row("fresh 80 MB against np.empty + fill", f"{ratio(times, 'fill', 'fresh'):.2f}x", "1.0")
    row("two threads against one, 1e7 cells", f"{ratio(times, 'one', 'two'):.2f}x", "1.8, or the store limit")


def scans(count: int) -> None:
    sigma, n = np.linspace(0, 0.1, 1000), np.geomspace(1, 1e6, 100_000)
    numba = optional("numba")
    best = _core.surfaces_machine()[0]
    contenders: dict[str, Any] = {
        level: lambda level=level: sw.scan("usl", sigma=sigma, kappa=1e-6, n=n, method="grid", level=level)
        for level in (("avx512", "avx2") if best == "avx512" else (best,))
    }
    if numba:

        @numba.njit(parallel=True, fastmath=True)
        def largest(sigma: Any, kappa: float, n: Any, out: Any) -> None:
            for i in numba.prange(sigma.shape[0]):
                top = 0.0
                for j in range(n.shape[0]):
                    m = n[j]
                    top = max(top, m / (1 + sigma[i] * (m - 1) + kappa * (m * (m - 1))))
                out[i] = top

        result = np.empty(1000)
        contenders["numba"] = lambda: largest(sigma, 1e-6, n, result)
    times = rounds(contenders, count)
    for level in contenders:
        cells = 1e8 / statistics.median(times[level]) / 1e9
        if level != "numba" and numba:
            wanted = {"avx512": "8", "avx2": "6"}.get(level, "-")
            row(
                f"scan, max and argmax of 1e8 cells against numba's max, {level}",
                f"{ratio(times, 'numba', level):.1f}x",
                wanted,
            )
        sys.stderr.write(f"  {level}: {cells:.1f} Gcell/s\n")


def small() -> None:
    ten, thousand = np.arange(1.0, 11), np.arange(1.0, 1001)

    def best(call: Any) -> float:
        return statistics.median(timeit.repeat(call, number=2000, repeat=15)) / 2000 * 1e6

    row("10 cells", f"{best(lambda: sw.surface('amdahl', p=0.9, n=ten)):.2f} us", "under 1 us")
    ours = best(lambda: sw.surface("amdahl", p=0.9, n=thousand))
    theirs = best(lambda: 1 / ((1 - 0.9) + 0.9 / thousand))
    row("1000 cells against the NumPy expression", f"{theirs / ours:.1f}x ({ours:.2f} us)", "2")


MEMORY = """
import numpy as np, scalewall as sw
# Not ru_maxrss: a child inherits its parent's.
peak = lambda: next(int(s.split()[1]) * 1024 for s in open("/proc/self/status") if s.startswith("VmHWM"))
p, n = np.linspace(0, 1, {rows}), np.geomspace(1, 1e6, {columns})
sw.surface("amdahl", p=[0.5], n=[1.0, 2.0], threads=2)
before = peak()
result = {call}
print((peak() - before - getattr(result, "nbytes", 0)) / 1e6)
"""


def memory(*, quick: bool) -> None:
    grid = "sw.surface('amdahl', p=p, n=n)"
    scan = "sw.scan('usl', sigma=p, kappa=1e-6, n=n, method='grid')"
    cases = [("scan over 1e9 cells: extra memory", 1000, 1_000_000, scan, "under 16 MB")]
    if not quick:
        cases.insert(0, ("peak above an 800 MB result", 1000, 100_000, grid, "under 32 MB"))
    for case, rows, columns, call, wanted in cases:
        code = MEMORY.format(rows=rows, columns=columns, call=call)
        found = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout
        row(case, f"{float(found):.1f} MB", wanted)


def run(quick: bool) -> None:
    count = 7 if quick else 25
    level, threads, streaming = _core.surfaces_machine()
    sys.stderr.write(
        f"{level}, {threads} threads, streaming from {streaming >> 20} MB, load {os.getloadavg()[0]:.1f}\n"
    )
    small()
    store_limit(10**7, count)
    if not quick:
        store_limit(10**8, 9)
    against_numpy(count)
    threads_and_fresh(count)
    scans(5 if quick else 9)
    memory(quick=quick)
    sys.stdout.write("| case | measured | at least |\n|---|---|---|\n")
    sys.stdout.write("".join(f"| {case} | {value} | {wanted} |\n" for case, value, wanted in ROWS))
    sys.stdout.write(f"\n{level}, {threads} threads, load at the end {os.getloadavg()[0]:.1f}\n")
