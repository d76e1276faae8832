"""Tables of runs for tests: sixteen designs, eight shapes the laws have and five that none has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Callable

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Design:
    """Which counts are run how often, and what disturbs the times."""

    counts: tuple[float, ...]
    repeats: int
    scatter: float
    offset: float = 0.0
    outliers: float = 0.0


DESIGNS = (
    Design((1, 2, 4, 8), 3, 0.02),
    Design((1, 2, 4, 8), 5, 0.01),
    Design((1, 2, 4, 8, 16), 1, 0.03),
    Design((1, 2, 4, 8, 16), 3, 0.01),
    Design((1, 2, 4, 8, 16), 3, 0.05),
    Design((1, 2, 3, 4, 6, 8), 3, 0.02),
    Design((1, 2, 4, 8, 16, 32), 1, 0.02),
    Design((1, 2, 4, 8, 16, 32), 3, 0.02, offset=0.01),
    Design((1, 2, 4, 8, 16, 32), 5, 0.01, offset=0.02),
    Design((1, 2, 4, 8, 16, 32), 5, 0.03, outliers=0.10),
    Design((4, 8, 16, 32, 64), 3, 0.02),
    Design((4, 6, 8, 12, 16, 24, 32), 1, 0.05),
    Design((1, 2, 4, 8, 16, 32, 64, 128), 3, 0.02),
    Design((1, 2, 3, 4, 6, 8, 12, 16), 1, 0.10),
    Design((1, 2, 4, 6, 8, 10, 12, 14, 16, 20), 1, 0.01),
    Design((1, 2, 4, 6, 8, 10, 12, 14, 16, 20), 3, 0.05, offset=0.02, outliers=0.05),
)


@dataclass(frozen=True)
class Truth:
    """A scaling curve and its largest speedup."""

    name: str
    time: Callable[[Array], Array]
    ceiling: float


def linear(sigma: float, kappa: float) -> Truth:
    """Contention and coherency."""
    name = f"usl {sigma} {kappa}"
    peak = np.inf if kappa == 0 else max(1.0, float(np.sqrt((1 - sigma) / kappa)))
    least = sigma if np.isinf(peak) else 1 / peak + sigma * (1 - 1 / peak) + kappa * (peak - 1)
    return Truth(
        name, lambda n: 1 / n + sigma * (1 - 1 / n) + kappa * (n - 1), 1 / least if least else np.inf
    )


def tree(sigma: float, kappa: float) -> Truth:
    """Contention and a tree of messages."""
    peak = max(1.0, float((1 - sigma) * np.log(2) / kappa))
    least = 1 / peak + sigma * (1 - 1 / peak) + kappa * np.log2(peak)
    return Truth(
        f"tree {sigma} {kappa}", lambda n: 1 / n + sigma * (1 - 1 / n) + kappa * np.log2(n), 1 / least
    )


def flat(sigma: float, limit: float) -> Truth:
    """Saturation of something with `limit` lanes."""
    least = sigma + (1 - sigma) / limit
    return Truth(f"flat {sigma} {limit}", lambda n: sigma + (1 - sigma) / np.minimum(n, limit), 1 / least)


WELL = (
    linear(0.0, 0.0),
    linear(0.02, 0.0),
    linear(0.1, 0.0),
    linear(0.02, 5e-4),
    linear(0.05, 0.005),
    tree(0.01, 0.005),
    tree(0.03, 0.02),
    Truth("power 0.8", lambda n: n**-0.8, np.inf),
)
MISSPECIFIED = (
    flat(0.01, 6.0),
    Truth("square root", lambda n: 1 / n + 0.02 * np.sqrt(np.maximum(n - 1, 0)), np.nan),
    Truth("square", lambda n: 1 / n + 0.02 * (1 - 1 / n) + 1e-5 * n**2, np.nan),
    Truth("step", lambda n: np.where(n > 10, 1.4, 1.0) / n + 0.01, np.nan),
    Truth("two powers", lambda n: n**-0.95 + 0.002 * n**0.5, np.nan),
)


def table(truth: Truth, design: Design, rng: np.random.Generator) -> tuple[Array, Array]:
    """One table: counts and times by row, the repeats of a count side by side."""
    counts = np.array(design.counts, float)
    n = np.repeat(counts, design.repeats)
    log = np.log(truth.time(n)) + design.scatter * rng.standard_normal(n.size)
    log += np.repeat(design.offset * rng.standard_normal(counts.size), design.repeats)
    slow = rng.random(n.size) < design.outliers
    return n, np.exp(log) * np.where(slow, rng.uniform(1.2, 2.0, n.size), 1.0)
