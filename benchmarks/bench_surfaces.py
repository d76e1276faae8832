"""Surfaces and scans: time, peak memory, share of the store limit, largest error in ulp."""

from __future__ import annotations

import time

import mpmath
import numpy as np

import scalewall as sw
from scalewall import _core

LAWS = ("amdahl", "gustafson", "usl", "ring")


def arguments(law: str, rows: int) -> dict:
    p = np.linspace(0, 1, rows)
    return {
        "amdahl": {"p": p},
        "gustafson": {"p": p},
        "usl": {"sigma": p / 10, "kappa": 1e-6},
        "ring": {"serial": 0.01, "compute": 1 + p, "latency": 1e-6, "transfer": 0.01},
    }[law]


class Surface:
    params = (LAWS, (1_000_000, 10_000_000), ("serial", "auto"))
    param_names = ("law", "cells", "threads")

    def setup(self, law: str, cells: int, threads: str) -> None:
        self.n = np.geomspace(1, 1e6, cells // 1000)
        self.args = arguments(law, 1000)
        self.out = np.ones((1000, cells // 1000))

    def time_out(self, law: str, cells: int, threads: str) -> None:
        sw.surface(law, **self.args, n=self.n, out=self.out, threads=threads)

    def time_fresh(self, law: str, cells: int, threads: str) -> None:
        sw.surface(law, **self.args, n=self.n, threads=threads)

    def track_share_of_the_store_limit(self, law: str, cells: int, threads: str) -> float:
        count = 1 if threads == "serial" else 0
        level = _core.surfaces_machine()[0]
        shares = []
        for _ in range(9):
            start = time.perf_counter()
            _core.surfaces_fill_limit(self.out.reshape(-1), level, count)
            middle = time.perf_counter()
            sw.surface(law, **self.args, n=self.n, out=self.out, threads=threads, store="streaming")
            shares.append((middle - start) / (time.perf_counter() - middle))
        return float(np.median(shares))

    track_share_of_the_store_limit.unit = "share"


class NumPy:
    def setup(self) -> None:
        self.p, self.n = np.linspace(0, 1, 1000)[:, None], np.geomspace(1, 1e6, 10_000)
        self.out = np.ones((1000, 10_000))

    def time_out(self) -> None:
        np.divide(self.p, self.n, out=self.out)
        np.add(self.out, 1 - self.p, out=self.out)
        np.divide(1, self.out, out=self.out)


class Small:
    params = (10, 1000)
    param_names = ("cells",)

    def setup(self, cells: int) -> None:
        self.n = np.arange(1.0, cells + 1)

    def time_surface(self, cells: int) -> None:
        sw.surface("amdahl", p=0.9, n=self.n)

    def time_numpy(self, cells: int) -> None:
        1 / ((1 - 0.9) + 0.9 / self.n)


class Scan:
    params = (("auto", "grid"), ("max", "count", "quantiles"))
    param_names = ("method", "ask")

    def setup(self, method: str, ask: str) -> None:
        self.args = {"sigma": np.linspace(0, 0.1, 1000), "kappa": 1e-6, "n": np.geomspace(1, 1e6, 20_000)}
        self.more = {"max": {}, "count": {"at": 5.0}, "quantiles": {"q": [0.5]}}[ask]

    def time_scan(self, method: str, ask: str) -> None:
        sw.scan("usl", **self.args, ask=ask, method=method, **self.more)

    def peakmem_scan(self, method: str, ask: str) -> None:
        sw.scan("usl", **self.args, ask=ask, method=method, **self.more)


class Accuracy:
    params = (True, False)
    param_names = ("exact",)

    def track_largest_error(self, exact: bool) -> float:
        rng = np.random.default_rng(5)
        p, n = rng.random(40), 1 + rng.exponential(1e3, 128)
        worst = 0.0
        for level in ("baseline", _core.surfaces_machine()[0]):
            got = sw.surface("amdahl", p=p, n=n, exact=exact, level=level)
            with mpmath.workprec(200):
                for i, j in np.ndindex(got.shape):
                    f = 1 - mpmath.mpf(p[i])
                    truth = 1 / (f + (1 - f) / mpmath.mpf(n[j]))
                    unit = float(np.spacing(got[i, j]))
                    worst = max(worst, float(abs(mpmath.mpf(got[i, j]) - truth) / unit))
        return worst

    track_largest_error.unit = "ulp"
