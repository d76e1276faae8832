"""One fit with all intervals, forecast and verdict, against the readable NumPy reference, in one run.

    python benchmarks/fit_against_reference.py

Both answer the same tables in turn (8 worker counts, 3 repeats, 2 % scatter); printed are the median time of
each and the median of the ratios, table by table.
"""

import sys
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np

import scalewall as sw

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from reference import fit_reference

TABLES = 60


def seconds(call):
    """Return how long a call took."""
    start = perf_counter()
    call()
    return perf_counter() - start


def main():
    """Time both, interleaved."""
    rng = np.random.default_rng(1)
    n = np.repeat(2.0 ** np.arange(8), 3)
    ours, theirs = [], []
    for _ in range(TABLES):
        time = (0.02 + 0.98 / n) * np.exp(0.02 * rng.standard_normal(n.size))
        runs = sw.Runs(n=n, time=time, kind="strong")
        rows = list(zip(n, time, strict=True))
        ours.append(seconds(lambda runs=runs: sw.fit(runs)))
        theirs.append(seconds(lambda rows=rows: fit_reference.analyse(rows)))
    ratios = [b / a for a, b in zip(ours, theirs, strict=True)]
    print(f"scalewall {1e3 * median(ours):.2f} ms, reference {1e3 * median(theirs):.1f} ms", end=", ")
    print(f"ratio {median(ratios):.0f} (medians of {TABLES} tables)")


if __name__ == "__main__":
    main()
