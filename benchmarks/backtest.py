"""Backtest on real series: fit without the largest worker counts, forecast them, compare with the truth.

    python benchmarks/backtest.py [--data ../shared/data/corpus] [--drop 1] [--kinds strong] [--domains]

Every series of at least four kept counts is fitted without its largest count (or the two largest) by
`scalewall.fit`, and by what people do otherwise: the region reference of `tests/reference`, and
`scipy.optimize.curve_fit` of Amdahl's law and of the universal law with standard errors. Printed is a table:
the share of left-out values inside the stated 95 % interval of a measured value, the median width of that
interval (high / low), the mean interval score on the log scale [1]_, and how often "does doubling help?" was
answered and right where the data hold the truth. A software group counts as at most ten series.

[1] Gneiting and Raftery, "Strictly Proper Scoring Rules, Prediction, and Estimation", JASA 102, 2007, eq. 43.
"""

import argparse
import csv
import math
import sys
import warnings
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import stats
from scipy.optimize import curve_fit

import scalewall as sw

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from reference import fit_reference

LEAST_COUNTS = 4
WORTHWHILE = 1 / 1.1
MOST_OF_A_GROUP = 10
PROCEDURES = (
    "scalewall.fit",
    "scalewall.fit, confirm=True",
    "region reference",
    "curve_fit, Amdahl",
    "curve_fit, USL",
)


@dataclass(frozen=True)
class Series:
    """A measured series; times of fixed work, rates as one over the rate."""

    name: str
    kind: str
    quantity: str
    n: np.ndarray
    value: np.ndarray
    domain: str
    group: str

    @property
    def time(self):
        """Return the times."""
        return self.value if self.quantity == "time_s" else 1 / self.value


@dataclass(frozen=True)
class Forecast:
    """An interval of the left-out time, and the answer to "does doubling help?"."""

    low: float
    high: float
    answer: str | None = None


def load(folder, kinds):
    """Return the series of the asked kinds, in the order of the file."""
    groups = {row["series"]: row for row in rows_of(folder / "GROUPS.csv")}
    found = defaultdict(list)
    for row in rows_of(folder / "corpus.csv"):
        if row["kind"] in kinds and float(row["n"]) >= 1 and float(row["value"]) > 0:
            found[row["series"]].append(row)
    for name, rows in found.items():
        place = groups.get(name, {"domain": "unknown", "group": name})
        n, value = (np.array([float(row[key]) for row in rows]) for key in ("n", "value"))
        group = f"{place['domain']}, {place['group']}"
        yield Series(name, rows[0]["kind"], rows[0]["quantity"], n, value, place["domain"], group)


def rows_of(path):
    """Return the rows of a CSV file as dictionaries."""
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def ours(series, kept, target, *, confirm=False):
    """Return what `scalewall.fit` says; without `confirm` it asks back where the time does not fall."""
    kind = "strong" if series.kind == "strong" else "throughput"
    measured = "time" if series.quantity == "time_s" and kind == "strong" else "throughput"
    value = series.value[kept] if series.quantity == "time_s" or measured == "throughput" else None
    if measured == "throughput" and series.quantity == "time_s":
        value = 1 / value
    fit = sw.fit(sw.Runs(n=series.n[kept], kind=kind, **{measured: value}), confirm=confirm)
    time = fit.forecast([target])[0].time
    return Forecast(time.low, time.high, fit.doubling.answer)


def confirmed(series, kept, target):
    """Return what `scalewall.fit` says where the caller confirms that the work is fixed."""
    return ours(series, kept, target, confirm=True)


def regions(series, kept, target):
    """Return what the union of the regions of `fit_reference` says, two sd of the residuals added."""
    base = series.n[kept].max()
    points = {}
    plain = fit_reference.ceiling

    def noting(sigma, kappa, law):
        points[law] = sigma, kappa
        return plain(sigma, kappa, law)

    fit_reference.ceiling = noting
    try:
        found = fit_reference.analyse(list(zip(series.n[kept], series.time[kept], strict=True)))
    finally:
        fit_reference.ceiling = plain
    if "kept" not in found:
        return None
    ratios = [
        fit_reference.h(target, *points[law], law) / fit_reference.h(base, *points[law], law)
        for law in found["kept"]
    ]
    spread = math.exp(2 * min(found["families"][law]["sd"] for law in found["kept"]))
    top = mean_time(series, kept & (series.n == base))
    low, high = min(r.min() for r in ratios) / spread, max(r.max() for r in ratios) * spread
    return Forecast(top * low, top * high, found["doubling"])


def amdahl(series, kept, target):
    """Return Amdahl's law by `curve_fit` of speedups, with its standard error."""
    n, time = series.n[kept], series.time[kept]
    least = n.min()
    one = time[n == least].mean()

    def speedup(n, serial):
        return 1 / (serial + (1 - serial) / (n / least))

    fitted = curve_fit(speedup, n, one / time, p0=[0.05])
    low, high = ends(speedup, target, fitted, len(n), 1e-6)
    return Forecast(one / high, one / low)


def usl(series, kept, target):
    """Return the universal law by `curve_fit` of rates, with its standard errors."""
    n, time = series.n[kept], series.time[kept]

    def rate(n, gamma, sigma, kappa):
        return n * gamma / (1 + sigma * (n - 1) + kappa * n * (n - 1))

    start = [1 / time[0] / n[0], 0.05, 1e-4]
    fitted = curve_fit(rate, n, 1 / time, p0=start, maxfev=20_000)
    low, high = ends(rate, target, fitted, len(n), 1e-7)
    return Forecast(1 / high, 1 / low)


def ends(curve, target, fitted, points, step):
    """Return the 95 % interval of a curve by the delta method; a lower end stays above 0."""
    found, covariance = fitted
    value = curve(target, *found)
    slope = np.array([(curve(target, *(found + e)) - value) / step for e in np.eye(len(found)) * step])
    half = stats.t.ppf(0.975, max(points - len(found), 1)) * math.sqrt(max(slope @ covariance @ slope, 0))
    # Where the covariance cannot be estimated the interval is infinite: it holds every value.
    return max(value - half, 1e-9 * abs(value)), value + half


def mean_time(series, rows):
    """Return the geometric mean of the times of some rows."""
    return float(np.exp(np.log(series.time[rows]).mean()))


def judged(series, drop):
    """Return what each procedure made of a series, or None where too few counts are left."""
    counts = np.unique(series.n)
    if len(counts) < 5 or len(counts) - drop < LEAST_COUNTS:
        return None
    target, base = counts[-1], counts[-1 - drop]
    kept = series.n <= base
    truth = mean_time(series, series.n == target)
    ratio = truth / mean_time(series, series.n == base)
    helps = None
    if abs(target / base - 2) < 0.01:
        helps = "yes" if ratio <= WORTHWHILE else "no"
    rows = {}
    for name, procedure in zip(PROCEDURES, (ours, confirmed, regions, amdahl, usl), strict=True):
        try:
            forecast = procedure(series, kept, target)
        except (RuntimeError, ValueError):
            forecast = None  # no answer holds nothing
        rows[name] = None if forecast is None else scored(forecast, truth, helps)
    return rows if rows["region reference"] is not None else None


def scored(forecast, truth, helps):
    """Return the marks of one forecast."""
    low, high, y = np.log([forecast.low, forecast.high, truth])
    given = None
    if helps is not None and forecast.answer is not None:
        answered = forecast.answer in ("yes", "no")
        given = "withheld" if not answered else "right" if forecast.answer == helps else "wrong"
    return {
        "inside": low <= y <= high,
        "below": y < low,
        "width": forecast.high / forecast.low,
        "score": (high - low) + 40 * max(low - y, 0) + 40 * max(y - high, 0),
        "answer": given,
    }


def table(judgements):
    """Return the lines of a Markdown table of all procedures."""
    sizes = Counter(series.group for series, _ in judgements)
    weight = np.array([min(1.0, MOST_OF_A_GROUP / sizes[series.group]) for series, _ in judgements])
    heads = ("inside", "above / below", "median width", "mean interval score", "doubling answered", "right")
    yield f"| procedure | {' | '.join(heads)} |"
    yield "|---|---|---|---|---|---|---|"
    for name in PROCEDURES:
        marks = [rows[name] for _, rows in judgements]
        known = np.array([m is not None for m in marks])
        have = [m for m in marks if m is not None]
        inside = sum(w for w, m in zip(weight, marks, strict=True) if m and m["inside"]) / weight.sum()
        below = sum(w for w, m in zip(weight, marks, strict=True) if m and m["below"]) / weight.sum()
        missing = weight[~known].sum() / weight.sum()
        scores, finite = np.array([m["score"] for m in have]), weight[known]
        score = np.average(scores[np.isfinite(scores)], weights=finite[np.isfinite(scores)])
        width = np.median([m["width"] for m in have])
        answers = Counter(m["answer"] for m in have if m["answer"])
        given = answers["right"] + answers["wrong"]
        said = (
            f"{given} of {answers.total()} ({given / answers.total():.0%}) | {answers['right']} of {given}"
            f" ({answers['right'] / given:.0%})"
            if given
            else " | "
        )
        out = f"{1 - inside - below - missing:.1%} / {below:.1%}"
        yield f"| {name} | {inside:.1%} | {out} | {width:.2f} | {score:.2f} | {said} |"


def main():
    """Judge all series and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    root = Path(__file__).resolve().parent.parent
    parser.add_argument("--data", type=Path, default=root.parent / "shared" / "data" / "corpus")
    parser.add_argument("--drop", type=int, choices=(1, 2), default=1, help="how many counts are left out")
    parser.add_argument("--kinds", default="strong", help="kinds of series, separated by commas")
    parser.add_argument("--domains", action="store_true", help="a table for each domain too")
    options = parser.parse_args()
    if not (options.data / "corpus.csv").is_file():
        print(f"skipped: there is no {options.data}/corpus.csv; name the folder with --data")
        return
    warnings.simplefilter("ignore")  # of curve_fit, where it cannot estimate a covariance
    judgements = [
        (series, rows)
        for series in load(options.data, set(options.kinds.split(",")))
        if (rows := judged(series, options.drop)) is not None
    ]
    left = "largest count" if options.drop == 1 else "two largest counts"
    print(f"{len(judgements)} series ({options.kinds}), {left} left out, forecast of the largest\n")
    print("\n".join(table(judgements)))
    if options.domains:
        for domain in sorted({series.domain for series, _ in judgements}):
            part = [(series, rows) for series, rows in judgements if series.domain == domain]
            print(f"\n{domain}, {len(part)} series\n")
            print("\n".join(table(part)))


if __name__ == "__main__":
    main()
