"""Scaling laws in closed form: values, derivatives, inverses, knees, peaks and ceilings.

Each function takes numbers or arrays that broadcast, and fills `out` where it is given. A call
with numbers alone answers a float. The functions are the compiled ones, so that a call costs what
a call of a builtin costs.

The serial fraction is the native parameter, `serial=`; the parallel fraction `p=` is accepted
wherever it is. n is a real number of at least 1; where a load may be a fraction, `min_n=` lets
smaller values in. A value outside its range, or NaN, is a `DomainError` that names the argument,
the index, the value and what is allowed. An inverse that answers less than one worker warns with
`BelowOneWorkerWarning`.

Worker counts are finite and any up to 1e18 and far beyond. n = 1, serial = 0 and serial = 1 give
the exact value; everywhere else the result is within a few units in the last place, because every
sum is one of terms of the same sign.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scalewall._core import (
    amdahl_ceiling,
    amdahl_efficiency,
    amdahl_kleinrock,
    amdahl_knee,
    amdahl_sensitivity,
    amdahl_slope,
    amdahl_speedup,
    amdahl_workers,
    gustafson_ceiling,
    gustafson_efficiency,
    gustafson_knee,
    gustafson_slope,
    gustafson_speedup,
    gustafson_workers,
    hill_marty_best_r,
    hill_marty_ceiling,
    hill_marty_cores,
    hill_marty_slope,
    hill_marty_speedup,
    isoefficiency_efficiency,
    isoefficiency_overhead,
    isoefficiency_slope,
    isoefficiency_tree_overhead,
    isoefficiency_tree_workers,
    isoefficiency_work,
    karp_flatt,
    karp_flatt_overhead,
    karp_flatt_slope,
    karp_flatt_speedup,
    karp_flatt_trend,
    queue_sigma,
    queue_throughput,
    serial_fraction,
    sun_ni_ceiling,
    sun_ni_efficiency,
    sun_ni_knee,
    sun_ni_slope,
    sun_ni_speedup,
    sun_ni_workers,
    usl_ceiling,
    usl_coherency_part,
    usl_contention_part,
    usl_crossover,
    usl_efficiency,
    usl_ideal_part,
    usl_knee,
    usl_log_ceiling,
    usl_log_efficiency,
    usl_log_knee,
    usl_log_peak,
    usl_log_slope,
    usl_log_speedup,
    usl_log_workers,
    usl_peak,
    usl_response,
    usl_response_at,
    usl_slope,
    usl_speedup,
    usl_throughput,
    usl_throughput_at,
    usl_workers,
    work_span_ceiling,
    work_span_lower,
    work_span_slope,
    work_span_upper,
    work_span_workers,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = [
    "UslOverhead",
    "amdahl_ceiling",
    "amdahl_efficiency",
    "amdahl_kleinrock",
    "amdahl_knee",
    "amdahl_sensitivity",
    "amdahl_slope",
    "amdahl_speedup",
    "amdahl_workers",
    "gustafson_ceiling",
    "gustafson_efficiency",
    "gustafson_knee",
    "gustafson_slope",
    "gustafson_speedup",
    "gustafson_workers",
    "hill_marty_best_r",
    "hill_marty_ceiling",
    "hill_marty_cores",
    "hill_marty_slope",
    "hill_marty_speedup",
    "isoefficiency_efficiency",
    "isoefficiency_overhead",
    "isoefficiency_slope",
    "isoefficiency_tree_overhead",
    "isoefficiency_tree_workers",
    "isoefficiency_work",
    "karp_flatt",
    "karp_flatt_overhead",
    "karp_flatt_slope",
    "karp_flatt_speedup",
    "karp_flatt_trend",
    "queue_sigma",
    "queue_throughput",
    "serial_fraction",
    "sun_ni_ceiling",
    "sun_ni_efficiency",
    "sun_ni_knee",
    "sun_ni_slope",
    "sun_ni_speedup",
    "sun_ni_workers",
    "usl_ceiling",
    "usl_crossover",
    "usl_efficiency",
    "usl_knee",
    "usl_log_ceiling",
    "usl_log_efficiency",
    "usl_log_knee",
    "usl_log_peak",
    "usl_log_slope",
    "usl_log_speedup",
    "usl_log_workers",
    "usl_overhead",
    "usl_peak",
    "usl_response",
    "usl_response_at",
    "usl_slope",
    "usl_speedup",
    "usl_throughput",
    "usl_throughput_at",
    "usl_workers",
    "work_span_ceiling",
    "work_span_lower",
    "work_span_slope",
    "work_span_upper",
    "work_span_workers",
]


class UslOverhead(NamedTuple):
    """The parts of T(n)/T(1) under the Universal Scalability Law; they add up to it."""

    ideal: float | npt.NDArray[np.float64]
    contention: float | npt.NDArray[np.float64]
    coherency: float | npt.NDArray[np.float64]


def usl_overhead(
    n: npt.ArrayLike, *, sigma: npt.ArrayLike, kappa: npt.ArrayLike, min_n: float = 1.0
) -> UslOverhead:
    """Split the time under the Universal Scalability Law into ideal, contention and coherency.

    Parameters
    ----------
    n : array_like of float
        Worker counts, dimensionless, each finite and at least `min_n`.
    sigma : array_like of float
        Contention, dimensionless, 0 to 1.
    kappa : array_like of float
        Coherency, dimensionless, at least 0.
    min_n : float, default 1
        The smallest `n` let in: below 1 for loads that are fractions.

    Returns
    -------
    UslOverhead
        `ideal`, `contention` and `coherency` as shares of T(1); each has the broadcast shape of the
        arguments that it depends on.

    Raises
    ------
    DomainError
        If a value is outside its range or NaN.
    ShapeError
        If the arguments do not broadcast.

    Notes
    -----
    T(n)/T(1) = 1/n + sigma (n-1)/n + kappa (n-1) = 1/C(n). Tools that print kappa (n-1)/2 print
    parts that do not add up to their own curve.

    References
    ----------
    .. [1] N. J. Gunther, "A general theory of computational scalability based on rational
       functions", arXiv:0808.1431, 2008.

    Examples
    --------
    >>> import scalewall as sw
    >>> parts = sw.laws.usl_overhead(64, sigma=0.02, kappa=1e-4)
    >>> round(1 / sum(parts), 3)
    24.031
    """
    return UslOverhead(
        usl_ideal_part(n, min_n=min_n),
        usl_contention_part(n, sigma=sigma, min_n=min_n),
        usl_coherency_part(n, kappa=kappa, min_n=min_n),
    )
