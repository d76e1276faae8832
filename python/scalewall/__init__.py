"""Which fraction of the work is serial, where the wall stands, how sure that is, and what would move it."""

from scalewall._core import __version__
from scalewall._errors import (
    ChoiceError,
    ColumnError,
    DomainError,
    GridMemoryError,
    InsufficientDataError,
    ReadError,
    ScalewallError,
    ShapeError,
    ThreadError,
)
from scalewall.reduction import (
    parallel_dot,
    parallel_mean_var,
    parallel_minmax,
    parallel_norm2,
    parallel_sum,
)
from scalewall.surfaces import surface

__all__ = [
    "ChoiceError",
    "ColumnError",
    "DomainError",
    "GridMemoryError",
    "InsufficientDataError",
    "ReadError",
    "ScalewallError",
    "ShapeError",
    "ThreadError",
    "__version__",
    "parallel_dot",
    "parallel_mean_var",
    "parallel_minmax",
    "parallel_norm2",
    "parallel_sum",
    "surface",
]
