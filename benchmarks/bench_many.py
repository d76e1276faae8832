"""Many fits: all intervals of a thousand traces, sorted by key or not, and the way into a data frame."""

import numpy as np

import scalewall as sw

TRACES = 1000


class Many:
    """A long table of eight counts and three repeats a trace."""

    params = [1, 2]
    param_names = ("threads",)

    def setup(self, threads):
        """Make the runs outside the timed region."""
        rng = np.random.default_rng(1)
        n = np.tile(np.repeat(2.0 ** np.arange(8), 3), TRACES)
        job = np.repeat(np.arange(TRACES), 24)
        time = 100 * (0.05 + 0.95 / n) * np.exp(0.02 * rng.standard_normal(n.size))
        self.runs = {"job": job, "n": n, "time": time}
        order = rng.permutation(n.size)
        self.mixed = {name: column[order] for name, column in self.runs.items()}
        self.fits = sw.fit_many(self.runs, by="job", kind="strong")

    def time_sorted(self, threads):
        """Fit traces whose rows lie side by side."""
        sw.fit_many(self.runs, by="job", kind="strong", threads=threads)

    def time_mixed(self, threads):
        """Fit traces whose rows lie anywhere."""
        sw.fit_many(self.mixed, by="job", kind="strong", threads=threads)

    def time_to_dataframe(self, threads):
        """Turn the columns into a data frame."""
        self.fits.to_dataframe()
