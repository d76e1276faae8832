"""Fits of every kind that figure and page must cope with, each made once."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

import scalewall as sw

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    Shape = Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]]

RAYTRACER = ([1, 4, 8, 12, 16, 20], [20.0, 78.0, 130.0, 170.0, 190.0, 200.0])


def usl(sigma: float, kappa: float = 0.0) -> Shape:
    """Time over one-worker time on the universal scalability law."""
    return lambda n: 1 / n + sigma * (1 - 1 / n) + kappa * (n - 1)


def made(
    n: Sequence[float],
    shape: Shape,
    *,
    noise: float = 0.01,
    repeats: int = 1,
    time_one: float = 100.0,
    unit: str | tuple[str, str] = ("cores", "core"),
    kind: str | None = "strong",
    source: str = "made.csv",
    **options: Any,
) -> sw.Fit:
    """Fit runs that follow a shape, with scatter of a fixed seed."""
    counts = np.repeat(np.asarray(n, dtype=np.float64), repeats)
    scatter = np.exp(noise * np.random.default_rng(7).standard_normal(counts.size))
    runs = sw.Runs(counts, time=time_one * shape(counts) * scatter, kind=kind, unit=unit, source=source)
    return sw.fit(runs, **options)


def _raytracer() -> sw.Fit:
    n, rate = RAYTRACER
    return sw.fit(
        sw.Runs(n, throughput=rate, kind="strong", unit=("processors", "processor"), source="raytracer")
    )


def _hundred_counts() -> sw.Fit:
    n = np.arange(1.0, 101.0)
    rate = 1e4 / usl(0.08, 5e-4)(n) * (1 + 0.01 * np.sin(n))
    return sw.fit(sw.Runs(n, throughput=rate, kind="throughput", unit=("connections", "connection")))


def _left_out() -> sw.Fit:
    n = np.repeat([1.0, 2.0, 4.0, 8.0, 16.0], 5)
    time = 100 * usl(0.04)(n) * np.exp(0.01 * np.sin(np.arange(n.size)))
    time[12] *= 3.0  # one run that somebody else disturbed
    return sw.fit(sw.Runs(n, time=time, kind="strong", unit=("threads", "thread")))


def _weak(first: float) -> sw.Fit:
    n = np.repeat(first * 4.0 ** np.arange(6), 3)
    time = 600 * (1 + 0.03 * np.log2(n)) * np.exp(0.005 * np.sin(np.arange(n.size)))
    return sw.fit(sw.Runs(n, time=time, kind="weak", unit=("nodes", "node")))


def _unknown() -> sw.Fit:
    return sw.fit(sw.Runs([1, 2, 4, 8], throughput=[10.0, 19.0, 36.0, 60.0], unit=("nodes", "node")))


LONG_UNIT = ("hardware threads of one socket", "hardware thread of one socket")
POWERS = [1, 2, 4, 8, 16]

CASES: dict[str, Callable[[], sw.Fit]] = {
    "raytracer": _raytracer,
    "yes": lambda: made(POWERS, usl(0.02), repeats=3),
    "no, peak inside the data": lambda: made([1, 2, 4, 8, 16, 32], usl(0.05, 0.01), repeats=3),
    "four counts": lambda: made([2, 4, 8, 16], usl(0.05), noise=0.02),
    "hundred counts": _hundred_counts,
    "from 32, long unit": lambda: made([32, 64, 128, 256], usl(0.002), repeats=3, unit=LONG_UNIT),
    "2 to 256, tiny times": lambda: made([2.0**k for k in range(1, 9)], usl(0.004), repeats=2, time_one=1e-7),
    "huge counts": lambda: made([16.0**k for k in range(6)], usl(1e-7), noise=0.02, time_one=1e9),
    "ceiling infinite": lambda: made([1, 2, 4, 8, 16, 32, 64], lambda n: n**-0.87),
    "one law kept": lambda: made(np.arange(1.0, 33.0).tolist(), usl(0.02, 9e-4), noise=0.003),
    "all laws kept": lambda: made([1, 2, 4, 8], usl(0.1), noise=0.1, repeats=2),
    "one law asked for": lambda: made(POWERS, usl(0.02), repeats=3, law="amdahl"),
    "three counts with repeats": lambda: made([1, 2, 4], usl(0.05), repeats=5),
    "three counts without": lambda: made([1, 2, 4], usl(0.05)),
    "two counts": lambda: made([1, 2], usl(0.05), repeats=4),
    "one count": lambda: made([4], usl(0.05), repeats=4),
    "counts close together": lambda: made([15, 16, 17, 18], usl(0.01), repeats=3),
    "does not fall": lambda: made(POWERS, np.ones_like, repeats=2),
    "does not fall, confirmed": lambda: made(POWERS, np.ones_like, repeats=2, confirm=True),
    "superlinear": lambda: made(POWERS, lambda n: n**-1.12),
    "many noisy repeats": lambda: made(POWERS, usl(0.03), noise=0.4, repeats=12),
    "a run left out": _left_out,
    "weak": lambda: _weak(1.0),
    "weak from 32": lambda: _weak(32.0),
    "unknown kind": _unknown,
}


@cache
def sample(name: str) -> sw.Fit:
    """Return one of the fits."""
    return CASES[name]()
