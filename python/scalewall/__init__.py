"""Which fraction of the work is serial, where the wall stands, how sure that is, and what would move it."""

from scalewall import laws
from scalewall._core import __version__
from scalewall._errors import (
    BelowOneWorkerWarning,
    ChoiceError,
    ColumnError,
    DomainError,
    InsufficientDataError,
    ReadError,
    ScalewallError,
    ShapeError,
)

__all__ = [
    "BelowOneWorkerWarning",
    "ChoiceError",
    "ColumnError",
    "DomainError",
    "InsufficientDataError",
    "ReadError",
    "ScalewallError",
    "ShapeError",
    "__version__",
    "laws",
]
