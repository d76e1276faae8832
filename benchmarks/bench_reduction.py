"""Reductions: kernels by method and threads, fork and join, what measuring costs, accuracy."""

import math
import os

import numpy as np

import scalewall as sw

CPUS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Sum:
    """Sum of float64, beside NumPy."""

    params = ([10_000, 1_000_000, 30_000_000], ["exact", "compensated", "pairwise", "numpy"], [1, 2])
    param_names = ("elements", "method", "threads")

    def setup(self, elements, method, threads):
        """Make the data outside the timed region; skip what the machine lacks."""
        if threads > CPUS or (method == "numpy" and threads > 1):
            raise NotImplementedError
        self.x = np.random.default_rng(1).random(elements)
        self.sum = (
            self.x.sum
            if method == "numpy"
            else lambda: sw.parallel_sum(self.x, method=method, threads=threads)
        )

    def time_sum(self, elements, method, threads):
        """Sum."""
        self.sum()


class Others:
    """The other reductions at one size."""

    params = (["dot", "norm2", "minmax", "mean_var"], [1, 2])
    param_names = ("operation", "threads")

    def setup(self, operation, threads):
        """Make the data outside the timed region."""
        if threads > CPUS:
            raise NotImplementedError
        self.x = np.random.default_rng(1).random(3_000_000)
        self.arguments = (self.x, self.x) if operation == "dot" else (self.x,)
        self.call = getattr(sw, f"parallel_{operation}")

    def time_call(self, operation, threads):
        """Reduce."""
        self.call(*self.arguments, threads=threads)


class Wide:
    """Exact sums of data that make it work: many magnitudes, cancellation."""

    params = (["normal", "lognormal", "powers", "float32", "strided", "int64"],)
    param_names = ("data",)

    def setup(self, data):
        """Make the data outside the timed region."""
        rng = np.random.default_rng(1)
        size = 2_000_000
        self.x = {
            "normal": lambda: rng.standard_normal(size),
            "lognormal": lambda: np.exp(10 * rng.standard_normal(size)),
            "powers": lambda: rng.standard_normal(size) * 2.0 ** rng.integers(-300, 300, size),
            "float32": lambda: rng.random(size, dtype=np.float32),
            "strided": lambda: rng.random(2 * size)[::2],
            "int64": lambda: rng.integers(-(2**62), 2**62, size),
        }[data]()

    def time_exact(self, data):
        """Sum exactly."""
        sw.parallel_sum(self.x, threads=1)


class Overhead:
    """What threads and stamps cost by themselves."""

    def setup(self):
        """Make the data and the workers outside the timed region."""
        self.small, self.x = np.ones(2), np.ones(1_000_000)
        sw.parallel_sum(self.x, threads=min(2, CPUS), measure=True)

    def time_fork_and_join(self):
        """Sum two elements by as many threads as there are, at most two."""
        sw.parallel_sum(self.small, threads=min(2, CPUS))

    def time_call(self):
        """Sum two elements on the calling thread."""
        sw.parallel_sum(self.small, threads="serial")

    def track_stamps(self):
        """Return what the stamps take of a million elements."""
        ledgers = [sw.parallel_sum(self.x, threads=1, measure=True).ledger for _ in range(50)]
        return float(np.median([ledger.stamping_ns / ledger.wall_ns for ledger in ledgers]))

    track_stamps.unit = "share of the wall time"


class Accuracy:
    """Error against fsum in units of the last place, at a condition number of 1e13."""

    params = (["exact", "compensated", "pairwise"],)
    param_names = ("method",)

    def setup(self, method):
        """Make data that cancel."""
        rng = np.random.default_rng(3)
        large = rng.standard_normal(50_000) * 1e13
        self.x = np.concatenate([large, -large, rng.random(100)])
        rng.shuffle(self.x)

    def track_error(self, method):
        """Return the error."""
        truth = math.fsum(self.x)
        return abs(sw.parallel_sum(self.x, method=method) - truth) / math.ulp(truth)

    track_error.unit = "ulp"
