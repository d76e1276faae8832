"""Types of the compiled core."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

__version__: str
DEBUG_BUILD: bool

_Grid: TypeAlias = tuple[
    tuple[str, str, bool],
    Sequence[npt.NDArray[Any]],
    npt.NDArray[Any] | None,
    npt.NDArray[Any],
    Sequence[npt.NDArray[Any]],
]
_Progress: TypeAlias = Callable[[float], object] | None
_Integers: TypeAlias = npt.NDArray[np.int64]
_Floats: TypeAlias = npt.NDArray[np.float64]

def surfaces_evaluate(
    grid: _Grid, how: tuple[int, str, str, bool], out: npt.NDArray[Any] | None, progress: _Progress
) -> npt.NDArray[Any]: ...
def surfaces_extremes(
    grid: _Grid, largest: bool, how: tuple[int, str, bool], progress: _Progress
) -> tuple[_Integers, _Floats]: ...
def surfaces_at_least(
    grid: _Grid, levels: npt.NDArray[Any], how: tuple[int, str, bool], progress: _Progress
) -> tuple[_Integers, _Integers, _Integers]: ...
def surfaces_crossings(
    grid: _Grid, level: float, how: tuple[int, str, bool], progress: _Progress
) -> tuple[_Integers, _Integers, _Floats, _Floats]: ...
def surfaces_cells(grid: _Grid, columns: _Integers, how: tuple[int, str, bool]) -> _Floats: ...
def surfaces_fill_limit(out: npt.NDArray[Any], level: str, count: int) -> None: ...
def surfaces_machine() -> tuple[str, int, int]: ...
def surfaces_quick(
    law: str, quantity: str, serial_given: bool, first: object, second: object | None, n: object
) -> npt.NDArray[np.float64] | None: ...
