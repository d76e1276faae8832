"""Fits: one table with all intervals, forecast and verdict, and the way from a file to the verdict."""

import io

import numpy as np

import scalewall as sw


def table(counts, repeats, seed=1):
    """Return runs of an Amdahl program with 2 % scatter: n and time in seconds."""
    rng = np.random.default_rng(seed)
    n = np.repeat(np.asarray(counts, dtype=float), repeats)
    return n, 100.0 * (0.05 + 0.95 / n) * np.exp(0.02 * rng.standard_normal(n.size))


class Fit:
    """A fit with all intervals, forecast, verdict and next measurement."""

    params = ([4, 8, 32], [1, 3])
    param_names = ("counts", "repeats")

    def setup(self, counts, repeats):
        """Make the runs outside the timed region."""
        n, time = table(np.unique(np.geomspace(1, 256, counts).round()), repeats)
        self.runs = sw.Runs(n=n, time=time, kind="strong")
        self.fit = sw.fit(self.runs)

    def time_fit(self, counts, repeats):
        """Fit and answer."""
        sw.fit(self.runs)

    def time_insist_on_usl(self, counts, repeats):
        """Fit one law."""
        sw.fit(self.runs, law="usl")

    def time_to_dict(self, counts, repeats):
        """Turn a fit into plain Python."""
        self.fit.to_dict()

    def time_summary(self, counts, repeats):
        """Word a fit for the terminal."""
        self.fit.summary()


class Band:
    """The band of a figure."""

    def setup(self):
        """Fit outside the timed region."""
        n, time = table([1, 2, 4, 8, 16, 32, 64, 128], 3)
        self.fit = sw.fit(sw.Runs(n=n, time=time, kind="strong"))
        self.n = np.geomspace(1, 512, 100)

    def time_predict_100_counts(self):
        """Predict with intervals at 100 counts."""
        self.fit.predict(self.n)


class Read:
    """From text to runs."""

    params = [1_000, 100_000]
    param_names = ("rows",)

    def setup(self, rows):
        """Write the table to memory."""
        n, time = table(2.0 ** np.arange(10), rows // 10)
        lines = (f"{a:g},{b:.6g}" for a, b in zip(n, time, strict=True))
        self.text = "workers,time_s\n" + "\n".join(lines) + "\n"

    def time_read_csv(self, rows):
        """Read a table with a header."""
        sw.read(io.StringIO(self.text), kind="strong")
