"""Coverage: how often do the intervals hold the truth, beside those that other tools state?

    python benchmarks/coverage.py [--sets 300] [--rival-sets 60] [--seed 1]

Tables are drawn from known truths by the designs of `tests/worlds.py`: sixteen designs (4 to 10 counts, 1 to
5 repeats, 1 to 10 % scatter, offsets of whole counts, outliers, n = 1 missing) times eight truths that the
laws have and five that none has. A cell is a truth and a design. Printed is the share of tables whose 95 %
interval holds the truth, on average and in the worst cell, for `scalewall.fit_many` and for the laws as other
tools fit them:

- R usl style: least squares of the throughput with sigma, kappa >= 0 and Wald intervals (estimate +- t times
  standard error), as the R package `usl` states them;
- curve_fit: `scipy.optimize.curve_fit` of the throughput without bounds, with Wald intervals: of the
  universal law, and of Amdahl's law.

Where a fit fails or has no finite standard error, its interval holds nothing.
"""

import argparse
import math
import sys
import warnings
from collections import defaultdict
from pathlib import Path
from time import perf_counter

import numpy as np
from scipy import stats
from scipy.optimize import curve_fit

import scalewall as sw

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from worlds import DESIGNS, MISSPECIFIED, WELL, table

WORTHWHILE = 1 / 1.1
RIVALS = ("R usl style", "curve_fit USL", "curve_fit Amdahl")
QUANTITIES = {
    "curve": "T(2n) of the curve",
    "measured 2n": "value measured at 2n",
    "measured 4n": "value measured at 4n",
    "ceiling": "ceiling",
    "ceiling low": "ceiling, lower end alone",
    "peak": "peak n",
    "serial": "serial fraction, all laws",
    "sigma": "sigma of the true law",
    "kappa": "kappa of the true law",
    "wrong": "doubling: wrong yes or no",
    "withheld": "doubling: neither yes nor no",
}
WORST_IS_MOST = frozenset({"wrong", "withheld"})
EXACT = 1e-12


class Cell:
    """Tables of one truth and design, and the shares of each procedure."""

    def __init__(self, truth, design, sets, rng):
        self.truth, self.design = truth, design
        self.tables = [table(truth, design, rng) for _ in range(sets)]
        self.largest = float(design.counts[-1])
        self.ratio = float(truth.time(np.array(2 * self.largest)) / truth.time(np.array(self.largest)))
        # What somebody measures at a new count: its own offset, and the mean of as many repeats.
        spread = math.hypot(design.offset, design.scatter / math.sqrt(design.repeats))
        self.measured = {
            k: truth.time(np.array(k * self.largest)) * np.exp(spread * rng.standard_normal(sets))
            for k in (2.0, 4.0)
        }
        self.shares = defaultdict(dict)

    def ours(self):
        """Fit all tables by one call."""
        n = np.concatenate([n for n, _ in self.tables])
        time = np.concatenate([time for _, time in self.tables])
        offsets = np.append(0, np.cumsum([n.size for n, _ in self.tables]))
        at = (2 * self.largest, 4 * self.largest)
        fits = sw.fit_many(
            {"n": n, "time": time}, offsets=offsets, kind="strong", confirm=True, at=at, threads="auto"
        )
        truth, shares = self.truth, self.shares["scalewall"]

        def hold(name, low, high, value):
            shares[name] = float(np.mean((low <= value * (1 + EXACT)) & (value <= high * (1 + EXACT))))

        hold("curve", *fits.time_ratio[:, 1:].T, self.ratio)
        for k, number in ((2.0, ""), (4.0, "_2")):
            low, high = (fits.column(f"forecast{number}_time_{end}") for end in ("low", "high"))
            hold(f"measured {k:g}n", low, high, self.measured[k])
        if not math.isnan(truth.ceiling):
            hold("ceiling", *fits.ceiling.T, truth.ceiling)
            hold("ceiling low", fits.ceiling[:, 0], np.inf, truth.ceiling)
        if truth.law:
            hold("peak", *fits.peak_n.T, truth.peak)
            hold("serial", *fits.serial_fraction[:, 1:].T, truth.sigma)
            parameters = fits.params(truth.law)
            hold("sigma", *parameters["sigma"][:, 1:].T, truth.sigma)
            hold("kappa", *parameters["kappa"][:, 1:].T, truth.kappa)
        self.judge("scalewall", fits.doubling)

    def judge(self, who, answers):
        """Note how often a doubling answer is wrong or withheld."""
        false = "no" if self.ratio <= WORTHWHILE else "yes"
        self.shares[who]["wrong"] = float(np.mean(np.asarray(answers) == false))
        self.shares[who]["withheld"] = float(np.mean(~np.isin(answers, ("yes", "no"))))

    def rival(self, who, sets):
        """Fit the first tables as another tool does."""
        fit = {"R usl style": bounded, "curve_fit USL": unbounded, "curve_fit Amdahl": amdahl}[who]
        truth, held, answers = self.truth, defaultdict(list), []
        rate_2n = 1 / float(truth.time(np.array(2 * self.largest)))
        for i, (n, time) in enumerate(self.tables[:sets]):
            found = fit(n, time, self.largest)
            wanted = {"curve": rate_2n} | {f"measured {k:g}n": 1 / v[i] for k, v in self.measured.items()}
            if truth.law == "usl":
                wanted |= {"sigma": truth.sigma}
                wanted |= {"kappa": truth.kappa} if who != "curve_fit Amdahl" else {}
            for name, value in wanted.items():
                low, high = found.get(name, (np.nan, np.nan))
                held[name].append(low - EXACT <= value <= high + EXACT)
            # A gain of 10 % is a rate 1.1 times as high.
            low, high = found.get("gain", (-np.inf, np.inf))
            answers.append("yes" if low >= 1 / WORTHWHILE else "no" if high <= 1 / WORTHWHILE else "")
        self.shares[who] |= {name: float(np.mean(values)) for name, values in held.items()}
        self.judge(who, answers)


def usl(n, gamma, sigma, kappa):
    """Return the throughput of the universal law."""
    return n * gamma / (1 + sigma * (n - 1) + kappa * n * (n - 1))


def serial(n, gamma, sigma):
    """Return the throughput of Amdahl's law."""
    return n * gamma / (1 + sigma * (n - 1))


def bounded(n, time, largest):
    """Fit the universal law with sigma, kappa >= 0."""
    return wald(usl, n, time, largest, bounds=([0, 0, 0], [np.inf, np.inf, np.inf]))


def unbounded(n, time, largest):
    """Fit the universal law without bounds."""
    return wald(usl, n, time, largest)


def amdahl(n, time, largest):
    """Fit Amdahl's law."""
    return wald(serial, n, time, largest)


def wald(law, n, time, largest, **options):
    """Return intervals by standard errors: parameters, the curve at 2n and 4n, and the gain of a doubling."""
    start = [1 / time[0] / n[0], 0.05, 1e-3][: 3 if law is usl else 2]
    try:
        found, covariance = curve_fit(law, n, 1 / time, p0=start, maxfev=20_000, **options)
    except (RuntimeError, ValueError):
        return {}
    if not np.isfinite(covariance).all():
        return {}
    t = stats.t.ppf(0.975, max(n.size - found.size, 1))

    def around(function, spread=0.0):
        value, steps = function(found), np.eye(found.size) * 1e-7
        slope = np.array([(function(found + step) - function(found - step)) / 2e-7 for step in steps])
        half = t * math.sqrt(max(slope @ covariance @ slope, 0) + spread)
        return value - half, value + half

    # A measured value scatters about the curve as the points do.
    left = float(np.sum((1 / time - law(n, *found)) ** 2)) / max(n.size - found.size, 1)
    names = ("gamma", "sigma", "kappa")
    intervals = {
        name: (found[i] - t * math.sqrt(covariance[i, i]), found[i] + t * math.sqrt(covariance[i, i]))
        for i, name in enumerate(names[: found.size])
    }
    intervals["curve"] = around(lambda p: law(2 * largest, *p))
    intervals["measured 2n"] = around(lambda p: law(2 * largest, *p), left)
    intervals["measured 4n"] = around(lambda p: law(4 * largest, *p), left)
    intervals["gain"] = around(lambda p: law(2 * largest, *p) / law(largest, *p))
    return intervals


def lines(cells, procedures):
    """Return the lines of a Markdown table of the cells."""
    yield f"| quantity | stated | {' | '.join(procedures)} |"
    yield "|---|---|" + "---|" * len(procedures)
    for name, label in QUANTITIES.items():
        row = []
        for who in procedures:
            found = [cell.shares[who][name] for cell in cells if name in cell.shares[who]]
            worst = max if name in WORST_IS_MOST else min
            row.append(f"{100 * np.mean(found):.1f} ({100 * worst(found):.0f})" if found else "")
        if any(row):
            stated = "" if name in WORST_IS_MOST else "97.5" if name == "ceiling low" else "95"
            yield f"| {label} | {stated} | {' | '.join(row)} |"


def main():
    """Simulate, fit and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=300, help="tables a cell")
    parser.add_argument("--rival-sets", type=int, default=60, help="of these, tables that the others fit")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # of curve_fit, where it cannot estimate a covariance
    rng = np.random.default_rng(options.seed)
    procedures = ("scalewall", *(RIVALS if options.rival_sets else ()))
    print(
        f"{options.sets} tables a cell ({options.rival_sets} for the others), seed {options.seed};", end=" "
    )
    print("per cent, worst cell in brackets")
    began = perf_counter()
    for title, truths in (("Truths that a law has", WELL), ("Truths that no law has", MISSPECIFIED)):
        cells = [Cell(truth, design, options.sets, rng) for truth in truths for design in DESIGNS]
        for cell in cells:
            cell.ours()
            for who in procedures[1:]:
                cell.rival(who, options.rival_sets)
        print(f"\n## {title}: {len(cells)} cells\n")
        print("\n".join(lines(cells, procedures)))
    print(f"\n{perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
