"""Laws: a call with numbers, and with 10, 1000 and 100 000 elements, beside the NumPy expression."""

from __future__ import annotations

from typing import Any

import numpy as np

import scalewall as sw

SERIAL, SIGMA, KAPPA = 0.05, 0.02, 1e-4
laws = sw.laws


class Scalar:
    """One point: numbers in, a float out."""

    def time_amdahl(self) -> None:
        laws.amdahl_speedup(64.0, serial=SERIAL)

    def time_amdahl_integer_and_p(self) -> None:
        laws.amdahl_speedup(64, p=0.95)

    def time_usl(self) -> None:
        laws.usl_speedup(64.0, sigma=SIGMA, kappa=KAPPA)

    def time_usl_log(self) -> None:
        laws.usl_log_speedup(64.0, sigma=SIGMA, kappa=KAPPA)

    def time_usl_workers(self) -> None:
        laws.usl_workers(speedup=20.0, sigma=SIGMA, kappa=KAPPA)

    def time_python_amdahl(self) -> float:
        n, serial = 64.0, SERIAL
        return n / (serial * n + (1 - serial))


class Elements:
    """Arrays: each law beside the expression that people write with NumPy."""

    params = ([10, 1000, 100_000],)
    param_names = ("elements",)

    def setup(self, elements: int) -> None:
        rng = np.random.default_rng(1)
        self.n = rng.uniform(1, 1000, elements)
        self.serials = rng.uniform(0, 1, elements)
        self.speedup = rng.uniform(1, 20, elements)
        self.out = np.empty(elements)
        self.n_list = self.n.tolist() if elements <= 1000 else [1.0]

    def time_amdahl(self, _: int) -> None:
        laws.amdahl_speedup(self.n, serial=SERIAL)

    def time_amdahl_out(self, _: int) -> None:
        laws.amdahl_speedup(self.n, serial=SERIAL, out=self.out)

    def time_numpy_amdahl(self, _: int) -> Any:
        return 1 / (SERIAL + (1 - SERIAL) / self.n)

    def time_amdahl_two_arrays(self, _: int) -> None:
        laws.amdahl_speedup(self.n, serial=self.serials)

    def time_numpy_amdahl_two_arrays(self, _: int) -> Any:
        return 1 / (self.serials + (1 - self.serials) / self.n)

    def time_amdahl_workers(self, _: int) -> None:
        laws.amdahl_workers(speedup=self.speedup, serial=0.04)

    def time_numpy_amdahl_workers(self, _: int) -> Any:
        return (1 - 0.04) / (1 / self.speedup - 0.04)

    def time_gustafson(self, _: int) -> None:
        laws.gustafson_speedup(self.n, serial=SERIAL)

    def time_numpy_gustafson(self, _: int) -> Any:
        return self.n - SERIAL * (self.n - 1)

    def time_sun_ni(self, _: int) -> None:
        laws.sun_ni_speedup(self.n, serial=SERIAL, exponent=1.5)

    def time_numpy_sun_ni(self, _: int) -> Any:
        growth = self.n**1.5
        return (SERIAL + (1 - SERIAL) * growth) / (SERIAL + (1 - SERIAL) * growth / self.n)

    def time_isoefficiency(self, _: int) -> None:
        laws.isoefficiency_efficiency(work=self.n, overhead=self.speedup)

    def time_numpy_isoefficiency(self, _: int) -> Any:
        return 1 / (1 + self.speedup / self.n)

    def time_isoefficiency_tree(self, _: int) -> None:
        laws.isoefficiency_tree_overhead(self.n, step=0.1)

    def time_numpy_isoefficiency_tree(self, _: int) -> Any:
        return 0.1 * self.n * np.log2(self.n)

    def time_usl(self, _: int) -> None:
        laws.usl_speedup(self.n, sigma=SIGMA, kappa=KAPPA)

    def time_numpy_usl(self, _: int) -> Any:
        return self.n / (1 + SIGMA * (self.n - 1) + KAPPA * self.n * (self.n - 1))

    def time_usl_workers(self, _: int) -> None:
        laws.usl_workers(speedup=self.speedup, sigma=SIGMA, kappa=KAPPA)

    def time_numpy_usl_workers(self, _: int) -> Any:
        b = 1 / self.speedup - SIGMA + KAPPA
        return 2 * (1 - SIGMA) / (b + np.sqrt(b * b - 4 * KAPPA * (1 - SIGMA)))

    def time_usl_log(self, _: int) -> None:
        laws.usl_log_speedup(self.n, sigma=SIGMA, kappa=KAPPA)

    def time_numpy_usl_log(self, _: int) -> Any:
        return 1 / (SIGMA + (1 - SIGMA) / self.n + KAPPA * np.log2(self.n))

    def time_usl_log_workers(self, _: int) -> None:
        laws.usl_log_workers(speedup=self.speedup, sigma=SIGMA, kappa=KAPPA)

    def time_list(self, _: int) -> None:
        laws.amdahl_speedup(self.n_list, serial=SERIAL)

    def time_numpy_list(self, _: int) -> Any:
        return 1 / (SERIAL + (1 - SERIAL) / np.asarray(self.n_list))
