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
from scalewall.scans import scan
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
    "scan",
    "surface",
]
