"""Which fraction of the work is serial, where the wall stands, how sure that is, and what would move it."""

from scalewall import _loading

_loading.end_quietly()

from scalewall import laws
from scalewall._core import DEBUG_BUILD as _DEBUG_BUILD
from scalewall._core import __version__
from scalewall._errors import (
    BelowOneWorkerWarning,
    ChoiceError,
    ColumnError,
    DomainError,
    FitsInterrupted,
    GridMemoryError,
    InsufficientDataError,
    ReadError,
    ScalewallError,
    ShapeError,
    ThreadError,
)
from scalewall.campaign import Campaign, measure_reduction
from scalewall.fitting import Fit, fit
from scalewall.ledger import Ledger
from scalewall.many import Fits, fit_many
from scalewall.measurement import Comparison, compare, measure, phase
from scalewall.readers import read
from scalewall.reduction import (
    parallel_dot,
    parallel_mean_var,
    parallel_minmax,
    parallel_norm2,
    parallel_sum,
)
from scalewall.results import Estimate, Interval
from scalewall.runs import Runs
from scalewall.scans import scan
from scalewall.surfaces import surface

if _DEBUG_BUILD:
    import warnings

    warnings.warn(
        "scalewall._core is a debug build: right, but slow. Build it with --release before timing anything.",
        stacklevel=2,
    )

__all__ = [
    "BelowOneWorkerWarning",
    "Campaign",
    "ChoiceError",
    "ColumnError",
    "Comparison",
    "DomainError",
    "Estimate",
    "Fit",
    "Fits",
    "FitsInterrupted",
    "GridMemoryError",
    "InsufficientDataError",
    "Interval",
    "Ledger",
    "ReadError",
    "Runs",
    "ScalewallError",
    "ShapeError",
    "ThreadError",
    "__version__",
    "compare",
    "fit",
    "fit_many",
    "laws",
    "measure",
    "measure_reduction",
    "parallel_dot",
    "parallel_mean_var",
    "parallel_minmax",
    "parallel_norm2",
    "parallel_sum",
    "phase",
    "read",
    "scan",
    "surface",
]
