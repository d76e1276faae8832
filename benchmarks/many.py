"""Many fits: traces a minute with all intervals, memory, and the readable references beside it.

    python benchmarks/many.py [--traces 20000] [--threads 1,2]

Every trace has eight counts and three repeats with 2 % scatter. The references (`tests/reference`: regions,
and weighted curves) answer some of the same traces, in turn with `fit_many`: a busy machine slows both.
Processor time is what a trace costs; the wall clock also shows who else uses the machine.
"""

import argparse
import resource
import sys
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import numpy as np

import scalewall as sw

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from reference import fit_reference, forecast_reference

COMPARED = 20


def traces(count, rng):
    """Return columns of runs and the offsets of the traces."""
    n = np.tile(np.repeat(2.0 ** np.arange(8), 3), count)
    serial = np.repeat(rng.uniform(0.0, 0.1, count), 24)
    time = 100 * (serial + (1 - serial) / n) * np.exp(0.02 * rng.standard_normal(n.size))
    return {"n": n, "time": time}, np.arange(0, n.size + 1, 24)


def peak_mb():
    """Return the largest memory of this process until now."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(runs, offsets, threads):
    """Fit all traces and print what it took."""
    count, before = offsets.size - 1, peak_mb()
    wall, cpu = perf_counter(), process_time()
    fits = sw.fit_many(runs, offsets=offsets, kind="strong", threads=threads)
    wall, cpu = perf_counter() - wall, process_time() - cpu
    result = sum(sheet.nbytes for sheet in fits.sheets()) / 2**20
    beyond = max(peak_mb() - before - result, 0)
    print(
        f"{threads} threads: {60 * count / wall:.0f} traces a minute by the wall clock, "
        f"{60 * count * threads / cpu:.0f} by processor time ({1e3 * cpu / count:.3f} ms a trace); "
        f"memory beyond input and {result:.0f} MB of result: {beyond:.0f} MB"
    )


def compare(runs):
    """Print how many times as long the references take."""
    ours, theirs = [], []
    for i in range(COMPARED):
        part = slice(24 * i, 24 * (i + 1))
        one = {name: column[part] for name, column in runs.items()}
        rows = list(zip(one["n"], one["time"], strict=True))
        many = {name: np.tile(column, 20) for name, column in one.items()}
        start = process_time()
        sw.fit_many(many, offsets=np.arange(0, 481, 24), kind="strong", threads=1)
        ours.append((process_time() - start) / 20)
        start = process_time()
        fit_reference.analyse(rows)
        forecast_reference.forecast(rows)
        theirs.append(process_time() - start)
    ratio = median(b / a for a, b in zip(ours, theirs, strict=True))
    print(
        f"references: {1e3 * median(theirs):.0f} ms a trace, fit_many {1e3 * median(ours):.2f} ms: "
        f"{ratio:.0f} times (medians of {COMPARED} traces, one thread, processor time)"
    )


def main():
    """Measure, then compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--traces", type=int, default=20_000)
    parser.add_argument("--threads", default="1,2", help="numbers of threads, separated by commas")
    options = parser.parse_args()
    runs, offsets = traces(options.traces, np.random.default_rng(1))
    print(f"{options.traces} traces of 8 counts and 3 repeats, {runs['n'].nbytes * 2 / 2**20:.0f} MB")
    for threads in options.threads.split(","):
        measure(runs, offsets, int(threads))
    compare(runs)


if __name__ == "__main__":
    main()
